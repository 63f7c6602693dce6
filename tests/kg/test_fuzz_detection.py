"""Whatever is said, detection does not raise, and its mentions are stretches of the text."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.names.gazetteer import GazetteerDetector

OSLO = ZoneInfo("Europe/Oslo")
#: Ordinary, before each change of the clocks, and at both ends of the calendar.
PRESENTS = (
    dt.datetime(2026, 3, 4, 10, 17, 33, tzinfo=OSLO), dt.datetime(2026, 3, 28, 23, 30, tzinfo=OSLO),
    dt.datetime(2026, 3, 29, 1, 59, tzinfo=OSLO), dt.datetime(2026, 10, 25, 2, 30, tzinfo=OSLO),
    dt.datetime(2028, 2, 29, 0, 0, tzinfo=ZoneInfo("America/New_York")),
    dt.datetime(1, 1, 1, 12, tzinfo=OSLO), dt.datetime(9999, 12, 31, 23, 59, tzinfo=OSLO),
    dt.datetime(9999, 12, 31, 23, 59, tzinfo=ZoneInfo("America/New_York")))

WORDS = (
    "at", "on", "in", "for", "from", "to", "until", "between", "and", "after", "before", "by",
    "of", "the", "next", "last", "this", "that", "same", "day", "week", "half", "past", "quarter",
    "a", "an", "one", "two", "three", "six", "seven", "ten", "twelve", "twenty", "fifteen",
    "minutes", "hours", "h", "days", "o'clock", "am", "pm", "a.m.", "noon", "midnight", "now",
    "today", "tomorrow", "yesterday", "tonight", "morning", "afternoon", "evening", "Monday",
    "Sunday", "March", "Feb", "29", "31", "30", "0", "00", "24", "25", "3rd", "21st", "2026",
    "9999", "0001", "0000", "2:30", "14:30", "02:30", "3.75", "31/12", "29.02.2027", "9999-12-31",
    "0001-01-01", "0000-00-00", "99", "Amanda", "Barren's", "Baron", "amanda quill", "Birch",
    "Zoë", "Beta", "214", "room", "meeting", "Design", "group", "her", "office", "organiser",
    "my", "name", "is", "I'm", "called", "who", "where", "when", "free", "Wolfgang",
    ":", ".", ",", "-", "\u2013", "?", "!", "'", "\u2019s", "'s", "_", "/", "(", "\u00a0", "\t",
    "\uff9e", "\u037a", "\u017f", "\u212a", "\u0130", "\u0131", "\u017feven", "\u017fix",
    "\u0131n", "noon\u0301", "\u0663", "\u00b2", "\u00bd", "\u2162", "\ufb01", "\ufdfa", "\u00df",
    "\u200d", "\u202e", "\ud800", "\x00", "李娜", "где", "🎉", "👩\u200d💻")

spoken = st.lists(st.sampled_from(WORDS), max_size=14).flatmap(
    lambda words: st.lists(st.sampled_from(("", " ", " ", " ", " ")), min_size=len(words),
                           max_size=len(words)).map(
        lambda gaps: "".join(word + gap for word, gap in zip(words, gaps, strict=True))))
texts = spoken | st.text(max_size=80) | st.text(
    alphabet=st.sampled_from("0123456789:.-/ apmhofst'\u017f\u212a\u0131\u0130\uff9e"),
    max_size=40)


@pytest.fixture(scope="module")
def detector() -> GazetteerDetector:
    start = dt.datetime(2026, 3, 3, 10, tzinfo=OSLO)
    return GazetteerDetector(KnowledgeBase(
        name="Lanternworks", timezone=OSLO,
        people=[Person("p1", "Amanda Barren"), Person("p2", "Amanda Quill"),
                Person("p3", "Mark Fjell"), Person("p4", "Zoë Li"), Person("p5", "\uff9e")],
        groups=[Group("g1", "Design"), Group("g2", "Data Analysis")],
        rooms=[Room("r1", "Birch"), Room("r2", "Beta"), Room("r3", "214")],
        events=[Event("e1", "noon run", start, start + dt.timedelta(hours=1))]))


@given(text=texts, now=st.sampled_from(PRESENTS),
       focus=st.lists(st.sampled_from((dt.date(2026, 3, 29), dt.date.min, dt.date.max)),
                      max_size=1))
@settings(max_examples=200, deadline=None)
@example("\uff9e", PRESENTS[0], [])
@example("\u037a", PRESENTS[0], [])
@example("at \u017feven o'clock", PRESENTS[0], [])
@example("in \u017fix hours and in \u017fix days for \u017fix hours", PRESENTS[0], [])
@example("3 o'cloc\u212a on 3 \u0130n", PRESENTS[0], [])
@example("from 2:30 am to 3:00 am on 29 March 2026", PRESENTS[0], [])
@example("at 2:30 for 30 minutes on 29 March 2026", PRESENTS[0], [])
@example("at 10 in the next \u00b2 hours", PRESENTS[0], [])
@example("in the next " + "9" * 400 + " hours", PRESENTS[0], [])
@example("31 December 9999 at noon for 99 hours", PRESENTS[0], [])
@example("1 January 0001, last Monday, yesterday, next week", PRESENTS[5], [])
@example("tomorrow, next week, on Monday, in 2 days, in 2 hours, now", PRESENTS[6], [])
def test_detection_never_raises_and_finds_stretches_that_do_not_overlap(detector, text, now,
                                                                        focus):
    observation = detector.detect(text, now=now, focus=focus)
    end = 0
    for mention in observation.mentions:
        assert end <= mention.start < mention.end
        assert observation.text[mention.start:mention.end] == mention.text
        end = mention.end
