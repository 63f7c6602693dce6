"""The patterns of clock times, days, parts of a day and durations, for ``time_expressions``."""

from __future__ import annotations

import re

from frontdesk.kg.english.phrases import MONTHS, WEEKDAYS

NUMBERS = {word: number for number, word in enumerate(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
     "twelve"), start=1)}
MINUTES = {**NUMBERS, "a quarter": 15, "quarter": 15, "half": 30, "twenty": 20,
           "twenty five": 25, "twenty-five": 25, "thirty": 30, "forty five": 45,
           "forty-five": 45, "fifteen": 15, "forty": 40, "fifty": 50}
HOUR = r"(?:[01]?\d|2[0-4]|" + "|".join(NUMBERS) + ")"
MERIDIEM = r"(?:\s*(?P<meridiem>[ap])\.?\s?m\b\.?)"
MONTH = "(?:" + "|".join(f"{month}|{month[:3]}" for month in MONTHS) + r"|sept)\b\.?"
FULL_MONTHS = {month[:3].lower(): month for month in MONTHS}
WEEKDAY = "(?:" + "|".join(WEEKDAYS) + ")"
DAY_NUMBER = r"(?:3[01]|[12]?\d)(?:st|nd|rd|th)?"
#: A bare hour below this is after noon: nobody means three in the morning at a reception.
FIRST_OFFICE_HOUR = 8
UNITS = r"(?:hours?|hrs?|h|minutes?|mins?|days?|weeks?|months?|years?)\b"
#: What is counted: the number before is no hour and no day.
COUNTED = (rf"(?:{UNITS}|(?:people|persons?|members?|guests?|attendees?|participants?|"
           r"colleagues?|meetings?|events?|rooms?|seats?|others?|more)\b)")
#: What stands before a number of hours that is no time of day: "for 2 h", "the next 3 hours".
BEFORE_COUNT = re.compile(
    r"\b(?:for|in|within|after|before|over|during|next|last|past|another|least|most|than|only|"
    r"just|every|of|an?|or|takes?|lasts)(?:\s+(?:about|around|approximately))?\s+$", re.IGNORECASE)
UNITS_AFTER = re.compile(rf"\s*(?:ago\b|long\b|-?\s?{UNITS})", re.IGNORECASE)
#: Letters that match ASCII ones where case is ignored, each with the letter it matches.
LOOKALIKES = str.maketrans({"\u017f": "s", "\u212a": "k", "\u0131": "i", "\u0130": "I"})
#: The number after is a name, no time: "room 10.30", "floor 3".
NUMBERED = re.compile(r"\b(?:rooms?|offices?|labs?|halls?|floors?|levels?|buildings?|numbers?|"
                      r"no\.?|versions?|extensions?)\s+$", re.IGNORECASE)

CLOCKS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (
    rf"\b(?P<minutes>half|(?:a )?quarter|{'|'.join(NUMBERS)}|twenty(?:[ -]five)?|"
    rf"(?<!from )[1-5]?[05]|[1-5]?\d(?=\s+minutes?\b))(?:\s+minutes?)?\s+"
    rf"(?P<side>past|to|before|after)\s+(?P<hour>{HOUR})(?!\w|[:.]\d)"
    rf"{MERIDIEM}?",
    rf"\b(?P<hour>{HOUR})\s*[:.h]\s*(?P<minute>[0-5]\d)(?!\d)(?:\s*h\b)?{MERIDIEM}?",
    rf"\b(?P<hour>{HOUR})\s+(?P<spoken>fifteen|thirty|forty[ -]five|[0-5][05])(?!\w){MERIDIEM}?",
    rf"\b(?P<hour>{HOUR})\s*o['\u2019 ]?\s?clock\b{MERIDIEM}?",
    rf"\b(?P<hour>{HOUR}){MERIDIEM}",
    rf"\b(?P<hour>{HOUR})(?=\s+in\s+the\s+(?:morning|afternoon|evening)\b)",
    r"\b(?P<hour>[01]?\d|2[0-4])\s?h(?:rs?)?\b(?!\s+(?:ago|long)\b)",
    r"\b(?:at|by|until|till)\s+(?P<hour>[01]?\d|2[0-4])\s?hours\b",
    r"\b(?P<noon>noon|midday)\b",
    r"\b(?P<midnight>midnight)\b",
    rf"\b(?:at|by|until|till|from|between|to|and|around|about)\s+(?P<hour>{HOUR})"
    rf"(?!\w|[:.]\d|\s+(?:of\b|{COUNTED}|{MONTH}|"
    rf"(?:to|or|and)\s+{HOUR}\s*(?:{UNITS}|people\b)))",
))
RANGE = re.compile(
    rf"(?P<lead>\b(?:from|between)\s+)?\b(?P<hour_1>{HOUR})(?:[:.](?P<minute_1>[0-5]\d))?"
    r"(?:\s*(?P<meridiem_1>[ap])\.?\s?m\b\.?)?(?:\s*o['\u2019 ]?\s?clock)?"
    r"\s*(?:-|\u2013|\bto\b|\bun?til\b|\btill\b|\band\b)\s*"
    rf"(?P<hour_2>{HOUR})(?:[:.](?P<minute_2>[0-5]\d))?"
    r"(?:\s*(?P<meridiem_2>[ap])\.?\s?m\b\.?)?(?:\s*o['\u2019 ]?\s?clock)?"
    rf"(?!\w|[:.]\d|\s+(?:{UNITS}|people\b))", re.IGNORECASE)
DAYS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (
    r"\b(?:on\s+)?\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})\b",
    r"\b(?:on\s+)?(?!24/7\b)\d{1,2}/\d{1,2}\b(?!/)",
    r"\b\d{4}-\d{2}-\d{2}\b",
    r"\b(?:the\s+)?day\s+after\s+tomorrow\b",
    r"\b(?:the\s+)?day\s+before\s+yesterday\b",
    r"\btoday\b|\btomorrow\b|\byesterday\b",
    r"\b(?P<same>(?:that|the same)\s+day)\b",
    rf"\b(?:on\s+)?(?:{WEEKDAY}\s*,?\s*)?(?:the\s+)?{DAY_NUMBER}\s+(?:of\s+)?{MONTH}"
    r"(?:,?\s+\d{4})?",
    rf"\b(?:on\s+)?(?:{WEEKDAY}\s*,?\s*)?{MONTH}\s+(?:the\s+)?{DAY_NUMBER}\b(?:,?\s+\d{{4}})?"
    rf"(?!\s+{COUNTED})",
    rf"\b(?:on\s+)?the\s+(?:3[01]|[12]?\d)(?:st|nd|rd|th)\b"
    rf"(?!\s+(?:(?:of\s+)?{MONTH}|floor|storey|level|{COUNTED}))",
    rf"\b(?:on\s+|this\s+|next\s+|coming\s+|last\s+)?{WEEKDAY}\b",
    r"\b(?:in|after)\s+(?:a|one|two|three|four|five|six|\d{1,2})\s+days?\b",
))
PART = re.compile(r"\b(?:(?:this|in the|the)\s+)?(?P<part>morning|afternoon|evening)s?\b"
                  r"|\b(?P<tonight>tonight)\b", re.IGNORECASE)
GREETING = re.compile(r"\bgood\s+$", re.IGNORECASE)
NOW = re.compile(r"\b(?:right\s+)?now\b(?!\s+(?:can|could|tell|i|then|what|who|where|when|let)\b)"
                 r"|\bat\s+(?:the|this)\s+moment\b|\bcurrently\b|\bat\s+present\b",
                 re.IGNORECASE)
OFFSET = re.compile(r"\bin\s+(?P<number>an?|half an|\d{1,3}|" + "|".join(NUMBERS)
                    + r")\s*(?P<unit>hours?|hrs?|h|minutes?|mins?)\b", re.IGNORECASE)
WEEK = re.compile(r"\b(?P<which>this|next|the coming)\s+week\b", re.IGNORECASE)
FROM = re.compile(r"\b(?:from|between)\s+", re.IGNORECASE)
TO = re.compile(r"\s*(?:-|\u2013|(?:to|un?til|till|and)\b)\s*", re.IGNORECASE)
#: A date without a year that was at most so many days ago is not next year's.
JUST_GONE = 65
JOINT = re.compile(r"[\s,]*(?:(?:at|on|in|the|of|around|about|by|for|starting)\s+)*",
                   re.IGNORECASE)
AMOUNT = (r"(?P<amount>an?|half an|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3})"
          r"\s*(?P<unit>hours?|hrs?|h\b|minutes?|mins?)")
DURATION = re.compile(rf"\bfor\s+(?:about\s+)?(?P<next>the\s+next\s+)?{AMOUNT}\b", re.IGNORECASE)
NEXT_HOURS = re.compile(
    r"\b(?:in|during|within|over)\s+the\s+next\s+(?:(?P<amount>\w+)\s+)?"
    r"(?P<unit>hours?|hrs?|minutes?|mins?)\b",
    re.IGNORECASE)
NAMED_MONTH = "(?:" + "|".join(MONTHS) + ")"
#: Words that speak of a time which nothing here reads.
UNREAD = tuple(re.compile(pattern) for pattern in (
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?|[Ii]n\s+|[Nn]ext\s+|[Ll]ast\s+)"
    rf"{NAMED_MONTH}\b",
    rf"\b{NAMED_MONTH}\s+\d+",
    r"\b\d{1,2}:\d{2}\b|\b\d{1,2}[./]\d{1,2}\.?(?!\w)",
    r"(?i)\b(?:this|next|last|the|at|on|per|every)\s+(?:weekend|month|year|quarter|week)\b",
    r"(?i)\b(?:in|for|within|after|before)\s+(?:about\s+)?(?:the\s+next\s+|the\s+last\s+)?"
    r"(?:an?|one|two|three|four|five|six|a\s+few|several|half\s+an|\d+)\s*"
    rf"(?:(?:-|to|or)\s*{HOUR}\s*)?{UNITS}",
    rf"(?i)\b(?:after|before|since|past)\s+{HOUR}"
    rf"(?!\w|[:.]\d|-|\s+(?:of\b|{COUNTED}|{MONTH}))",
    r"(?i)\b(?:hours?|minutes?|weeks?|days?)\s+(?:from|before|after|ago|earlier|later)\b",
    r"(?i)\b(?:after|before|around|over|at|during)\s+(?:lunch|breakfast|dinner|work)\b",
    r"(?i)\blunchtime\b",
    r"(?i)\b(?:at|during|by|before|after)\s+(?:that|this|the same)(?:\s+time)?\b(?!\s+\w)",
    r"(?i)\b(?:free|available|busy|happening|on)\s+then\b|\bthen\W*$",
    r"(?i)\b(?:during|before|after)\s+it\b",
    r"(?i)\bday\s+after\b(?!\s+tomorrow)|\bday\s+before\b(?!\s+yesterday)|\btmr?w?\b",
    r"(?i)\bhalf\s+(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
))
#: "OK, where is she then?" asks about no time.
AFTER_ALL = re.compile(
    r"^\W*(?:ok(?:ay)?|so|well|fine|all ?right)\b.*(?<!free )(?<!available )(?<!busy )"
    r"(?<!happening )(?<!on )\b(?P<then>then)\W*$", re.IGNORECASE)
BOUND = re.compile(r"\b(?:before|after|until|till|since|by)\s+$", re.IGNORECASE)
