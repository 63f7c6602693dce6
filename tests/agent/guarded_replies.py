"""Questions with replies that are true and replies that are not, in many words.

That a value stands in some fact of the prompt makes no reply true: facts about others stand there
beside those that answer.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)  # a Monday


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


KB = KnowledgeBase(
    name="F", timezone=ZONE, groups=[Group("g1", "Optics"), Group("g2", "Logistics")],
    rooms=[Room("r1", "Beta", 1), Room("r2", "Rowan", 2), Room("o1", "214", 2, bookable=False),
           Room("o2", "118", 1, bookable=False)],
    people=[Person("p1", "Ines Okafor", "ines@example.org", "+441632960101", "g1", "o1"),
            Person("p2", "Tomas Lindqvist", "tomas@example.org", "+441632960102", "g1", "o2"),
            Person("p3", "Bo Haraldsen", "bo@example.org", "+441632960103", "g2")],
    events=[Event("e1", "lens workshop", at(5, 11, 30), at(5, 12, 30), "r2", "p1",
                  ("p1", "p2"), "g1"),
            Event("e2", "budget review", at(3, 14), at(3, 15), "r1", "p3", ("p3", "p1"), "g2")])
#: What stands in every prompt.
BESIDE = (Fact("takes_place", ("e2", event_window(KB.events["e2"]))),
          Fact("location", ("e2", "r1")), Fact("organizer", ("e2", "p3")),
          Fact("phone", ("p2", "+441632960102")), Fact("email", ("p3", "bo@example.org")),
          Fact("floor", ("r1", 1)), Fact("office", ("p2", "o2")))


@dataclass(frozen=True)
class Case:
    """A question with replies.

    Args:
        question: The user's.
        true, false: Replies.
    """

    question: str
    true: tuple[str, ...]
    false: tuple[str, ...]


CASES = (
    Case("Where is the lens workshop?",
         true=("The lens workshop is in Rowan.", "It's in Rowan!",
               "The workshop takes place in Rowan.",
               "Sure, it is in the Rowan room.", "The lens workshop is in Rowan. Anything else?",
               "It's being held in Rowan. Would you like to know when it starts?"),
         false=("In Rowan.", "Rowan.", "The lens workshop in Rowan.",
                "The lens workshop is in Rowan, corridor glazing.",
                "The lens workshop is in Beta.", "It's in Beta.", "Beta.",
                "The lens workshop is in Beta, not in Rowan.", "It isn't in Rowan.",
                "The lens workshop is in Rowan. No problem, the lens workshop is in Beta.",
                "It is in Rowan. No problem, it is in Beta.",
                "It's in Rowan, on the third floor.", "It is in Rowan, on floor 1.",
                "The lens workshop is in Rowan on the 1st floor.",
                "It's in Rowan at 14:00.", "The lens workshop is in Rowan tomorrow at 14:00.",
                "The lens workshop is in Rowan tomorrow.", "It runs from 14:00 to 15:00 in Rowan.",
                "The lens workshop is in Rowan, led by Tomas Lindqvist.",
                "The lens workshop is in Rowan. Bo Haraldsen runs the lens workshop.",
                "The lens workshop is in Rowan. Tomas Lindqvist chairs it.",
                "The lens workshop is in Rowan. Did you know that Ines Okafor's office is 118?",
                "Is that so?The lens workshop is in Rowan, and the review in Rowan, right?",
                "It is in Rowan. Ines Okafor's phone number is +44 1632 960102.",
                "It is in Rowan. Write to Ines Okafor at bo@example.org.",
                "It is in Rowan. Ines Okafor sits in 118.",
                "It is in Rowan. Ines Okafor is in Beta.",
                "It is in Rowan, and I've told Tomas Lindqvist that you are coming.",
                "It is in Rowan. I let Ines Okafor know.", "It is in Rowan. I booked it for you.",
                "It is in Rowan. I'll remind you.", "It is in Rowan. I just emailed Bo Haraldsen.",
                "It is in Rowan. There are seven people in the Optics group.",
                "It is in Rowan. There are 15 people in the Optics group.",
                "It is in Rowan and lasts 30 minutes.",
                "The lens workshop is in Rowan and is held by Logistics.",
                "The lens workshop might be in Beta.", "It is in Rowan or Beta.",
                "I think it's in Zeta.", "It's in Rowan, which is next to Beta.",
                "It was moved from Beta to Rowan.", "Never in Rowan.",
                "Rowan is where the budget review is.", "Can do, it is in Beta, right?")),
    Case("When is the lens workshop?",
         true=("The lens workshop is on Thursday from 11:30 to 12:30.",
               "It starts at 11:30 on Thursday.", "It is on Thursday, at 11:30 AM.",
               "It goes from 11:30 to 12:30 on March 5."),
         false=("It starts at 11:30.", "The lens workshop is at 11:30 AM.",
                "On Thursday at 11:30.", "At 11:30.", "Thursday, 11:30 AM.",
                "It is on Thursday at 11:30 o'clock fortnight.",
                "The workshop is this week at 11:30.", "At 14:00.", "At two.",
                "On Thursday at 14:00.", "Thursday from 14:00 to 15:00.",
                "Tomorrow at 11:30.", "It starts at 11:30 tomorrow.",
                "The lens workshop is tomorrow from 11:30 to 12:30.",
                "It is on Thursday, starting at 2 pm.", "It's on Thursday at 2.",
                "The lens workshop begins on Thursday at noon.", "It ends at 15:00 on Thursday.",
                "The lens workshop isn't on Thursday.", "It's not on Thursday at 11:30.",
                "On Friday at 11:30.", "It starts at 11:30 PM on Thursday.",
                "It's Thursday at 11:30, and the budget review is Thursday at 14:00.",
                "On Thursday at 11:30 in Beta.", "On Thursday at 11:30 with Bo Haraldsen.")),
    Case("Who organises the lens workshop?",
         true=("The lens workshop is organised by Ines Okafor.", "Ines Okafor organises it.",
               "It's organised by Ines Okafor.", "That would be Ines Okafor.",
               "Ines Okafor organises the lens workshop."),
         false=("Ines Okafor.", "Organiser Ines Okafor.", "Tomas Lindqvist.",
                "It's organised by Tomas.",
                "The lens workshop is organised by Bo Haraldsen.",
                "Tomas Lindqvist organises the lens workshop for Ines Okafor.",
                "It's organised by Ines and Tomas.", "Ines Okafor and Tomas Lindqvist organise it.",
                "Not Ines Okafor.", "It is not organised by Ines Okafor.",
                "Ines Okafor of the Logistics group organises it.",
                "Ines Okafor, whose office is 118, organises it.",
                "Ines Okafor organises it; her number is +44 1632 960102.",
                "Ines Okafor organises it at 14:00.", "Ines Okafor organises the budget review.")),
    Case("Is the lens workshop in Beta?",
         true=("No, the lens workshop is in Rowan.", "No, it's in Rowan.",
                          "No, it isn't in Beta, it's in Rowan."),
         false=("Yes, the lens workshop is in Beta.", "Yes.", "Yes, it's in Rowan.",
                "No, it's in “Beta”, not in Rowan.", "No, the lens workshop is not in Rowan.",
                "No doubt, the lens workshop is in Beta.", "Sure it is, not in Rowan.")),
    Case("Is the lens workshop organised by Ines Okafor?",
         true=("Yes, it is organised by Ines Okafor.", "Yes."),
         false=("The lens workshop is on Thursday at 11:30.",
                "The lens workshop is at 11:30 on March 5.")),
    Case("Is Ines Okafor free tomorrow before the budget review?",
         true=(), false=("Ines Okafor is available at 14:00 tomorrow.",
                         "Yes, Ines Okafor is free tomorrow at 14:00.",
                         "Yes, Ines Okafor is free tomorrow.")),
    Case("Is Rowan free on Thursday in the morning?",
         true=(), false=("Yes, Rowan is available at 11:30.", "Rowan is free at 11 o'clock.",
                         "Yes, Rowan is free on Wednesday morning.")),
    Case("Is Ines Okafor free on Thursday at noon?",
         true=("No, Ines Okafor is not free on Thursday at 12:00 because of the lens workshop.",
               "No, Ines Okafor is busy: the lens workshop.",
               "Sorry, no, Ines is busy because of the lens workshop."),
         false=("Yes, Ines Okafor is free on Thursday at 12:00.", "She's free.",
                "No problem, Ines Okafor is free, the lens workshop is over.",
                "No, she is not busy because of the lens workshop.",
                "No, Ines Okafor is busy because of the budget review.",
                "No, Tomas Lindqvist is busy because of the lens workshop.",
                "No, Ines Okafor is not free because of the lens workshop in Beta.",
                "Ines Okafor is not unavailable, despite the lens workshop.")),
    Case("What is Ines Okafor's phone number?",
         true=("Ines Okafor's phone number is +441632960101.",),
         false=("+441632960101", "+441632960102", "It's +44 1632 960102.",
                "Her number is +441632960109.",
                "Ines Okafor's number is +441632960101, or call +441632960102.",
                "Tomas Lindqvist's phone number is +441632960101.",
                "Her number is +441632960101, her email bo@example.org.")),
    Case("How many people are in the Optics group?",
         true=("The Optics group has 2 members.", "There are 2 people in the Optics group.",
               "There are two people in it."),
         false=("Two.", "Three.", "The Optics group has 15 members.", "There are 2, no, three.",
                "Logistics has 2 members.",)),
    Case("Which floor is Rowan on?",
         true=("Rowan is on floor 2.", "It's on the second floor."),
         false=("On floor 2.", "The second.", "Rowan is on floor 1.", "On the first floor.",
                "Beta is on floor 2.",
                "Not on floor 2.")),
    Case("Is Ines Okafor free tomorrow afternoon?",
         true=(),
         false=("Ines Okafor is free tomorrow from 12:00 to 14:00 and from 15:00 to 18:00.",
                "Ines Okafor is not in any meetings on March 3 afternoon.",
                "Ines Okafor is free on March 3.", "Yes, Ines Okafor is free tomorrow afternoon.",
                "Yes, Ines Okafor is free on March 3 from 12:00 to 18:00.",
                "Ines Okafor is available all afternoon on March 3.",
                "Ines Okafor is free tomorrow from 12:00 to 14:00 and busy from 15:00 to 18:00.",
                "Ines Okafor is available in any meetings tomorrow afternoon.")),
    Case("Does Ines Okafor have any meetings tomorrow afternoon?",
         true=("Ines Okafor has 1 event tomorrow afternoon, the budget review at 2.",
               "Yes, Ines Okafor has the budget review tomorrow from 14:00 to 15:00."),
         false=("Ines Okafor has 1 event tomorrow afternoon, the budget review at 3.",
                "Ines Okafor has 1 event tomorrow afternoon, budget review at 3 pm.",
                "Ines Okafor has the budget review tomorrow from 3:00 to 3:00.",
                "Ines Okafor has the budget review tomorrow from 2:00 to 2:00.",
                "Ines Okafor has the budget review tomorrow, from 1 to 3 pm.",
                "Ines Okafor has 1 event tomorrow afternoon, the lens workshop at 2.")),
    Case("When is the budget review?",
         true=("The budget review is tomorrow from 2 to 3 pm.",
               "The budget review is tomorrow at 14:00.",
               "The budget review starts at 2 pm tomorrow and ends at 3 pm.",
               "It is tomorrow at 2, until 3 o'clock.",
               "The budget review is tomorrow at 14:00 and ends at about 3 pm.",
               "It goes from 14:00 through 15:00 tomorrow."),
         false=("The budget review is tomorrow at 3 pm.", "It starts at 15:00 tomorrow.",
                "The budget review is tomorrow from 15:00 to 15:00.",
                "The budget review is tomorrow from 14:00 to 16:00.",
                "The budget review starts at 2 pm tomorrow and ends at 2 pm.",
                "It is tomorrow, until 2 o'clock.", "It does not start until 15:00 tomorrow.",
                "It is tomorrow at 14:00 and won't begin before 3 pm.",
                "The budget review was moved to 15:00 tomorrow.",
                "The budget review starts by 15:00 tomorrow, not at 14:00.")))
