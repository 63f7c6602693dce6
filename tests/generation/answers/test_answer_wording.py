"""Answers in words: each kind of question, and each kind of answer to it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frontdesk.generation.answers.answer_wording import word_acts, word_answer, word_answers
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Form, Sort, read_form
from frontdesk.kg.graph.windows import Window, instant
from frontdesk.rules.engine.query_answer import AnswerKind, QueryAnswer, Resolution

from ...kg.graph.test_logical_forms import forms_of
from .worded import (
    BRAINSTORM,
    ELEVEN,
    FELIX,
    FINANCE,
    FRIDAY,
    GORSE,
    INTERVIEW,
    JUNIPER,
    NOW,
    OPTICS,
    OTHER_RAFAEL,
    PRESENT,
    RAFAEL,
    REVIEW,
    SORAYA,
    SORREL,
    STANDUP,
    THREE,
    TODAY,
    TOMORROW,
    WEEK,
    ZOFIA,
    answer,
    at,
    day,
    facts_of,
    item,
    organisation,
    time_of,
    word,
    yes_or_no,
)

ENTITIES, COUNT, YES_NO, TIMES, PLACES, VALUES, ABOUT, UNKNOWN = AnswerKind
GUESTS = organisation().events[INTERVIEW].attendees
AT_INTERVIEW = (Fact("attends", (SORAYA, INTERVIEW)), *facts_of(INTERVIEW))
BUSY = Fact("person_busy", (SORAYA, ELEVEN, (INTERVIEW,)))


@pytest.mark.parametrize(("given_answer", "words"), [
    (answer('(where (person "Soraya") (at "eleven"))', PLACES,
            item(GORSE, SORAYA, facts=(*AT_INTERVIEW, Fact("floor", (GORSE, 4)))),
            about=(SORAYA,), window=ELEVEN),
     "At 11:00 Soraya Castellanos is in Gorse on the 4th floor, at the hiring interview until "
     "12:00."),
    (answer('(which (person (member_of (group "Finance")) (is_free (at "three"))))', ENTITIES,
            about=(FINANCE,), window=THREE), "Nobody of the Finance group is free at 15:00."),
    (answer('(count (person (attends (event "hiring interview"))))', COUNT, *GUESTS[:3],
            about=(INTERVIEW,)), "Three: Soraya Castellanos, Zofia Whitaker and Mei Delacroix."),
    (answer('(which (event (attends (person "Soraya")) (next)))', ENTITIES, STANDUP,
            about=(SORAYA,)),
     "Soraya Castellanos' next meeting is the Optics standup, tomorrow from 09:00 to 09:15, in "
     "Sorrel."),
    (yes_or_no('(free (person "Soraya") (at "eleven"))', 0.0,
               item(Window(at(17, 12), at(17, 18))), about=(SORAYA,), window=ELEVEN,
               reasons=(BUSY,)),
     "No, Soraya Castellanos is busy until 12:00, at the hiring interview; free from 12:00 to "
     "18:00."),
    (yes_or_no('(location (that) (room "Juniper"))', 0.0, item(GORSE, INTERVIEW),
               about=(INTERVIEW, JUNIPER)), "No, it is in Gorse, from 10:00 to 12:00."),
    (answer('(value "capacity" (room "Gorse"))', UNKNOWN, missing=("capacity",), about=(GORSE,)),
     "I have no information on “capacity” for Gorse."),
    (answer('(where (person "Zoltan"))', UNKNOWN, missing=("Zoltan",)),
     "I don't know anybody called “Zoltan”."),
])
def test_answers_are_short_and_begin_with_what_was_asked(given_answer, words):
    assert word(given_answer) == words


#: A question, how its answer is to begin, and what must be in it.
Case = tuple[QueryAnswer, str, tuple[str, ...]]
WHERE: list[Case] = [
    (answer('(where (that (type "her")) (at "eleven"))', PLACES,
            item(GORSE, SORAYA, facts=AT_INTERVIEW), about=(SORAYA,), window=ELEVEN),
     "At 11:00 she is", ("Gorse", "12:00")),
    (answer('(where (person "Rafael Ghosh"))', PLACES, item("room-363", RAFAEL, facts=(
        Fact("office_now", (RAFAEL, "room-363")),)), about=(RAFAEL,), window=PRESENT),
     "Rafael Ghosh", ("should be", "room 363")),
    (answer('(where (person "Soraya"))', PLACES, item(INTERVIEW, SORAYA), about=(SORAYA,),
            window=PRESENT), "Soraya", ("at the hiring interview", "don't know in which room")),
    (answer('(where (event "hiring interview"))', PLACES, item(GORSE, INTERVIEW),
            about=(INTERVIEW,)), "The hiring interview is in Gorse", ("10:00",)),
    (answer('(where (event "hiring interview"))', PLACES, item(GORSE, INTERVIEW),
            item(SORREL, INTERVIEW), about=(INTERVIEW,)), "The hiring", ("Gorse and Sorrel",)),
    (answer('(where (room "Gorse"))', PLACES, item(4, GORSE), about=(GORSE,)),
     "Gorse is on the 4th floor", ()),
    (answer('(where (person "Soraya") (at "yesterday"))', PLACES, item(GORSE, SORAYA, facts=()),
            about=(SORAYA,), window=day(16)), "Yesterday", ("was in Gorse",)),
]
WHICH: list[Case] = [
    (answer('(which (event (attends (person "Soraya")) (at "today")))', ENTITIES, INTERVIEW,
            "event-customer-survey-demo", about=(SORAYA,), window=TODAY),
     "Soraya Castellanos has two meetings today", ("from 10:00 to 12:00", "customer survey demo")),
    (answer('(which (event (attends (person "Soraya")) (at "eleven")))', ENTITIES, INTERVIEW,
            about=(SORAYA,), window=ELEVEN), "At 11:00", ("until 12:00", "in Gorse")),
    (answer('(which (event (location (room "Gorse")) (now)))', ENTITIES, about=(GORSE,),
            window=PRESENT), "There is nothing", ("in Gorse", "now")),
    (answer('(which (event (held_by (group "Optics")) (at "this week")))', ENTITIES, STANDUP,
            about=(OPTICS,), window=WEEK), "The Optics group has", ("tomorrow", "Sorrel")),
    (answer('(which (event (attends (and (person "Soraya") (person "Felix"))) (at "today")))',
            ENTITIES, about=(SORAYA, FELIX), window=TODAY),
     "Soraya Castellanos and Felix Macleod have nothing on together", ("today",)),
    (answer('(which (event (attends (person "Felix")) (at "friday") (nth -1)))', ENTITIES,
            about=(FELIX,), window=FRIDAY), "Felix Macleod has nothing", ("Friday 20 March",)),
    (answer('(which (event (at "this week") (longest)))', ENTITIES, INTERVIEW, window=WEEK),
     "The longest meeting this week is", ("hiring interview", "Gorse")),
    (answer('(which (person (attends (that)) (except (answers))))', ENTITIES, about=(INTERVIEW,)),
     "Nobody else", ()),
    (answer('(which (person (member_of (group "Optics")) (not (attends (that)))))', ENTITIES,
            about=(OPTICS, INTERVIEW)), "Everybody of the Optics group is attending", ()),
    (answer('(which (person (not (is_present (at "today")))))', ENTITIES, FELIX, window=TODAY),
     "Felix Macleod is away today", ()),
    (answer('(which (room (floor "2") (is_free (at "three"))))', ENTITIES, window=THREE),
     "No room on the 2nd floor is free", ("15:00",)),
    (answer('(which (room (is_free (at "three"))))', ENTITIES, JUNIPER, SORREL, window=THREE),
     "Juniper and Sorrel are free", ("15:00",)),
    (answer('(which (among (answers) (floor "second")))', ENTITIES), "None of them",
     ("2nd floor",)),
    (answer('(which (person (attends (that))))', ENTITIES, SORAYA, item(ZOFIA, probability=0.4),
            about=(INTERVIEW,)), "Soraya Castellanos is", ("perhaps Zofia Whitaker",)),
    (answer('(which (event (attends (person "Soraya")) (after (event "roadmap review"))))',
            ENTITIES, INTERVIEW, about=(SORAYA, REVIEW), window=TODAY),
     "After the roadmap review Soraya Castellanos has the hiring interview", ("10:00", "Gorse")),
    (answer('(which (event (like "lens") (at "tomorrow")))', ENTITIES, window=TOMORROW),
     "There is nothing about “lens”", ("tomorrow",)),
    (answer('(which (room (location (event "hiring interview"))))', ENTITIES, GORSE,
            about=(INTERVIEW,)), "The hiring interview is in Gorse", ()),
    (answer('(which (event (at "today") (earliest_end)))', ENTITIES, INTERVIEW, window=TODAY),
     "The first meeting to end today is the hiring interview", ()),
    (answer('(organizer (person "Soraya"))', ENTITIES, INTERVIEW, STANDUP, about=(SORAYA,)),
     "Soraya Castellanos organises two meetings", ("hiring interview", "tomorrow")),
    (answer('(which (person))', ENTITIES, *organisation().people), "There are 45 people",
     ("39 more",)),
]
COUNTED: list[Case] = [
    (answer('(exists (event (attends (person "Felix")) (at "tomorrow")))', YES_NO, holds=0.0,
            about=(FELIX,), window=TOMORROW), "No, Felix Macleod has nothing", ("tomorrow",)),
    (answer('(exists (room (is_free (at "three"))))', YES_NO, JUNIPER, holds=1.0, window=THREE),
     "Yes, Juniper is free", ("15:00",)),
    (answer('(exists (room (is_free (at "three"))))', YES_NO, item(JUNIPER, probability=0.7),
            holds=0.7, window=THREE), "Probably", ("Juniper",)),
    (answer('(count (room (is_free (now))))', COUNT, window=PRESENT), "No room is free", ()),
    (answer('(count (person))', COUNT, *organisation().people), "45 people", ()),
]
WHEN: list[Case] = [
    (answer('(when (busy (person "Felix") (at "today")))', TIMES,
            item(Window(at(17, 9), at(17, 10)), FELIX), item(Window(at(17, 10), at(17, 12)), FELIX),
            about=(FELIX,), window=TODAY), "Felix Macleod is busy today from 09:00 to 12:00", ()),
    (answer('(when (free (person "Felix") (after (event "roadmap review"))))', TIMES,
            item(Window(at(17, 12), at(17, 18)), FELIX), about=(FELIX, REVIEW),
            window=Window(at(17, 10), at(18, 0))),
     "After the roadmap review Felix Macleod is free from 12:00 to 18:00", ()),
    (answer('(when (event "standup"))', TIMES, item(time_of(STANDUP), STANDUP), about=(STANDUP,)),
     "The Optics standup is tomorrow", ("09:00", "Sorrel")),
    (answer('(when (that))', TIMES, *(item(time_of(each), each) for each in (
        STANDUP, "event-optics-standup-3")), about=(STANDUP,)),
     "It is tomorrow and on Thursday 19 March", ("each from 09:00 to 09:15",)),
    (answer('(starts (event "standup"))', TIMES, item(time_of(STANDUP), STANDUP),
            about=(STANDUP,)), "The Optics standup starts tomorrow at 09:00", ()),
    (answer('(ends (that))', VALUES, item(time_of(INTERVIEW), INTERVIEW), about=(INTERVIEW,)),
     "It ends at 12:00", ()),
    (answer('(lasts (that))', VALUES, item(120, INTERVIEW), about=(INTERVIEW,)),
     "It lasts 2 hours", ("10:00",)),
    (answer('(when (free (person "Felix") (at "tomorrow")))', TIMES,
            item(Window(at(18, 9), at(18, 10)), FELIX), item(Window(at(18, 11), at(18, 18)), FELIX),
            about=(FELIX,), window=TOMORROW), "Felix Macleod is free tomorrow",
     ("from 09:00 to 10:00 and from 11:00 to 18:00",)),
    (answer('(when (free (person "Felix") (at "friday")))', TIMES,
            item(Window(at(20, 8), at(20, 18)), FELIX), about=(FELIX,), window=FRIDAY),
     "Felix Macleod is free all day on Friday", ()),
    (answer('(when (free (and (person "Felix") (person "Soraya")) (at "friday")))', TIMES,
            about=(FELIX, SORAYA), window=FRIDAY), "Felix", ("never both free", "Friday")),
    (answer('(when (present (person "Felix")))', TIMES, item(day(23), FELIX), about=(FELIX,)),
     "Felix Macleod is back on Monday 23 March", ()),
]
WHAT: list[Case] = [
    (answer(f'({head} (person "Felix"))', VALUES, item(value, FELIX), about=(FELIX,)), "Felix",
     (words,)) for head, value, words in (
        ("phone", "+441632960712", "+44"), ("email", "felix@example.org", "felix@example.org"),
        ("office", "room-472", "room 472"), ("member_of", FINANCE, "the Finance group"),
        ("floor", 4, "office is on the 4th floor"))]
WHAT += [
    (answer(f'({head} (event "hiring interview"))', VALUES, item(value, INTERVIEW),
            about=(INTERVIEW,)), begin, (words,)) for head, value, begin, words in (
        ("organizer", SORAYA, "The hiring interview", "organised by Soraya Castellanos"),
        ("held_by", OPTICS, "The hiring interview", "held by the Optics group"),
        ("attendees", SORAYA, "Soraya Castellanos", "attending the hiring interview"),
        ("location", GORSE, "The hiring interview", "in Gorse"),
        ("date", time_of(INTERVIEW), "The hiring interview", "today"),
        ("start_time", time_of(INTERVIEW), "The hiring interview", "10:00"))]
WHAT += [
    (answer('(members (group "Optics"))', VALUES, item(RAFAEL, OPTICS), item(FELIX, OPTICS),
            about=(OPTICS,)), "Rafael Ghosh and Felix Macleod are in the Optics group", ()),
    (answer('(phone (person (member_of (group "Optics"))))', VALUES, *(
        item("+441632960101", each) for each in organisation().people), about=(OPTICS,)),
     "Rafael Ghosh's phone", ("and 40 more",)),
    (answer('(about (person "Felix"))', ABOUT, item(FELIX, facts=organisation().facts_about(FELIX)),
            about=(FELIX,)), "Felix Macleod is in the Procurement group", ("room 472", "+44")),
    (answer('(about (that))', ABOUT, item(INTERVIEW), about=(INTERVIEW,)),
     "It is today from 10:00 to 12:00", ("in Gorse",)),
    (answer('(why)', ABOUT, reasons=(BUSY,)), "Because Soraya Castellanos has", ("10:00",)),
]
WHETHER: list[Case] = [
    (yes_or_no('(attends (person "Soraya") (that))', 1.0, about=(SORAYA, INTERVIEW)),
     "Yes, Soraya Castellanos is attending", ()),
    (yes_or_no('(attends (person "Felix") (that))', 0.0, *GUESTS[:2], about=(FELIX, INTERVIEW)),
     "No, Felix Macleod is not attending", ("Soraya", "Zofia")),
    (yes_or_no('(attends (and (person "Felix") (person "Soraya")) (that))', 0.0, *GUESTS[:2],
               about=(FELIX, SORAYA, INTERVIEW)), "No, Felix Macleod is not attending",
     ("; Soraya",)),
    (yes_or_no('(attends (person "Zofia") (that))', 0.7, item(INTERVIEW, facts=(
        Fact("attends", (ZOFIA, INTERVIEW), certainty=0.7),)), about=(ZOFIA, INTERVIEW)),
     "Zofia Whitaker is probably attending", ("70 %",)),
    (yes_or_no('(is (event "hiring interview") (at "tomorrow"))', 0.0,
               item(time_of(INTERVIEW), INTERVIEW), about=(INTERVIEW,), window=TOMORROW),
     "No, it is today", ("10:00",)),
    (yes_or_no('(is (event "the interview") (at "today"))', 1.0,
               item(time_of(INTERVIEW), INTERVIEW), about=(INTERVIEW,), window=TODAY),
     "Yes, the hiring interview is today", ()),
    (yes_or_no('(organizer (that) (person "Felix"))', 0.0, item(SORAYA, INTERVIEW),
               about=(INTERVIEW, FELIX)), "No, it is organised by Soraya", ()),
    (yes_or_no('(member_of (that (type "he")) (group "Finance"))', 0.0, item(OPTICS, FELIX),
               about=(FELIX, FINANCE)), "No, he is in the Optics group", ()),
    (yes_or_no('(floor (room "Gorse") "second")', 0.0, item(4, GORSE), about=(GORSE,)),
     "No, it is on the 4th floor", ()),
    (yes_or_no('(location (person "Soraya") (room "Juniper") (at "eleven"))', 0.0,
               item(GORSE, SORAYA, facts=AT_INTERVIEW), about=(SORAYA, JUNIPER), window=ELEVEN),
     "No, at 11:00 Soraya Castellanos is in Gorse", ()),
    (yes_or_no('(free (room "Gorse") (at "eleven"))', 0.0, about=(GORSE,), window=ELEVEN,
               reasons=(Fact("room_busy", (GORSE, ELEVEN, (INTERVIEW,))),)),
     "No, Gorse is taken until 12:00 by the hiring interview", ()),
    # what begins later is told with when it does
    (yes_or_no('(free (room "Gorse") (at "this morning"))', 0.0, about=(GORSE,),
               window=Window(at(17, 9, 20), at(17, 12)), reasons=(
                   Fact("room_busy", (GORSE, Window(at(17, 9, 20), at(17, 12)), (INTERVIEW,))),)),
     "No, Gorse is taken from 10:00 to 12:00 by the hiring interview", ()),
    (yes_or_no('(present (person "Soraya") (at "later"))', 1.0,
               item(GORSE, SORAYA, facts=AT_INTERVIEW), about=(SORAYA,),
               window=Window(at(17, 9, 20), at(18, 0))), "Yes, Soraya Castellanos is in: in Gorse, "
     "at the hiring interview from 10:00 to 12:00", ()),
    (yes_or_no('(free (person "Felix") (at "tomorrow"))', 0.0,
               item(Window(at(18, 8), at(18, 12))), about=(FELIX,), window=TOMORROW),
     "Partly", ("tomorrow from 08:00 to 12:00",)),
    (yes_or_no('(free (person "Soraya") (at "today"))', 0.0,
               item(Window(at(17, 12), at(17, 18)), SORAYA), about=(SORAYA,), window=TODAY,
               reasons=(Fact("person_busy", (SORAYA, TODAY, (INTERVIEW,))),)),
     "Partly", ("from 12:00 to 18:00", "hiring interview from 10:00 to 12:00")),
    (yes_or_no('(free (and (person "Felix") (person "Soraya")) (at "eleven"))', 0.0,
               about=(FELIX, SORAYA), window=ELEVEN,
               reasons=(Fact("person_available", (FELIX, ELEVEN)), BUSY)),
     "No, Soraya Castellanos is busy until 12:00, at the hiring interview", ()),
    (yes_or_no('(present (person "Felix") (now))', 0.0, about=(FELIX,), window=PRESENT),
     "No, as far as I know Felix Macleod is not in now", ()),
    (yes_or_no('(busy (person "Felix") (now))', 0.0, about=(FELIX,), window=PRESENT),
     "No, Felix Macleod is free now", ()),
    (yes_or_no('(present (person "Felix"))', 0.0, item(day(23), FELIX), about=(FELIX,),
               window=PRESENT), "No, Felix Macleod is away until Monday 23 March", ()),
    (yes_or_no('(present (person "Zofia") (at "today"))', 1.0,
               item(GORSE, ZOFIA, facts=(Fact("attends", (ZOFIA, INTERVIEW)),)),
               item(JUNIPER, ZOFIA, facts=(Fact("attends", (ZOFIA, BRAINSTORM)),)),
               about=(ZOFIA,), window=TODAY), "Yes, today Zofia Whitaker is in: in Gorse",
     ("at the hiring interview from", ", and in Juniper", "at the safety brainstorm")),
    (yes_or_no('(there (person "Zoltan"))', 0.0), "No, I don't know anybody called “Zoltan”", ()),
    (yes_or_no('(there (room "Gorse"))', 1.0, item(GORSE, facts=(Fact("floor", (GORSE, 4)),))),
     "Yes, there is Gorse", ("4th floor",)),
    (yes_or_no('(amount (person (attends (that))) 3)', 0.0, *GUESTS, about=(INTERVIEW,)),
     "No, five", ("Soraya",)),
    (yes_or_no('(more (longest) (event "roadmap review") (event "hiring interview"))', 0.0,
               about=(REVIEW, INTERVIEW)), "No, the hiring interview is longer",
     ("2 hours", "1 hour")),
    (yes_or_no('(untrue (free (person "Felix") (now)))', 0.0, about=(FELIX,), window=PRESENT),
     "Yes, Felix Macleod is free now", ()),
    (answer('(when (untrue (present (person "Felix"))))', TIMES, item(day(18, 2), FELIX),
            about=(FELIX,)), "Felix Macleod is away", ("18", "19")),
    (answer('(when (present (person "Felix")))', TIMES, item(instant(NOW), FELIX),
            item(day(23), FELIX), about=(FELIX,)), "Felix Macleod is in now, and away", ("23",)),
    (answer('(which (person (not (attends (event "hiring interview")))))', ENTITIES, item(FELIX),
            item(RAFAEL, probability=0.6), about=(INTERVIEW,)),
     "Felix Macleod is not attending the hiring interview; probably Rafael",
     ("Ghosh is not attending",)),
    (yes_or_no('(untrue (is (event "hiring interview") (now)))', 1.0, INTERVIEW,
               about=(INTERVIEW,), window=PRESENT), "No, it has not begun: it starts at", ()),
    (yes_or_no('(is (event "hiring interview") (now))', 0.0, INTERVIEW, about=(INTERVIEW,),
               window=PRESENT), "No, it has not begun: it starts at", ()),
    (yes_or_no('(untrue (is (event "optics standup") (now)))', 1.0, "event-optics-standup",
               about=("event-optics-standup",), window=PRESENT), "Yes, it ended", ()),
    (yes_or_no('(untrue (there (person (location (room "Gorse")))))', 1.0, about=(GORSE,)),
     "Yes, nobody is in Gorse", ()),
    (yes_or_no('(there (person (location (room "Gorse"))))', 0.0, about=(GORSE,)),
     "No, nobody is in Gorse", ()),
    (yes_or_no('(both (attends (person "Felix") (that)) (is (that) (at "three")))', 0.0,
               parts=(yes_or_no('(attends (person "Felix") (that))', 1.0, INTERVIEW,
                                about=(FELIX, INTERVIEW)),
                      yes_or_no('(is (that) (at "three"))', 0.0, INTERVIEW,
                                about=(INTERVIEW,), window=THREE))),
     "Yes, Felix Macleod is attending the hiring interview. No, it is today from", ()),
    (yes_or_no('(free (person "Felix") (at "three"))', 0.5, about=(FELIX,), window=THREE),
     "Perhaps", ("15:00",)),
]
COMPARED: list[Case] = [
    (answer('(which (person (is_busy (at "three")) (except (answers))))', ENTITIES,
            only=(item(FELIX), item(SORAYA)), window=THREE),
     "Only Felix Macleod and Soraya Castellanos are busy at 15:00", ()),
    # Of ten, six were told: the others are those who are left.
    (answer('(which (person (is_busy (at "three")) (except (answers))))', ENTITIES,
            only=(item(FELIX), item(SORAYA)) * 5, window=THREE),
     "Also Felix Macleod, Soraya Castellanos, Felix Macleod and Soraya Castellanos are busy at",
     ("15:00",)),
    (answer('(which (person (is_busy (at "three")) (except (person "Felix"))))', ENTITIES,
            only=(item(FELIX), item(SORAYA)) * 5, window=THREE), "Only Felix Macleod", ()),
    (answer('(exists (event (location (room "Gorse")) (except (answers))))', YES_NO, holds=0.0,
            about=(GORSE,), only=(item(INTERVIEW),)),
     "No, only the hiring interview is in Gorse", ()),
    (answer("(when (now))", TIMES, item(PRESENT), window=PRESENT),
     "It is 09:20 on Tuesday 17 March 2026", ()),
    (answer('(when (at "Friday"))', TIMES, item(FRIDAY), window=FRIDAY),
     "Friday is 20 March 2026", ()),
    (answer('(when (at "today"))', TIMES, item(TODAY), window=TODAY),
     "Today is Tuesday 17 March 2026", ()),
    (yes_or_no('(busy (person "Felix") (at "friday"))', 1.0, item("event-hiring-interview", FELIX),
               about=(FELIX,), window=FRIDAY), "Yes, on Friday 20 March Felix Macleod has", ()),
    (answer('(which (among (or (person "Felix") (person "Soraya")) (most) (at "this week")))',
            ENTITIES, item(SORAYA, facts=(Fact("person_events", (SORAYA, WEEK, GUESTS[:2])),)),
            about=(FELIX, SORAYA), window=WEEK,
            reasons=(Fact("person_events", (FELIX, WEEK, GUESTS[:1])),)),
     "Soraya Castellanos is busier this week", ("2 meetings", "1 meeting", "Felix")),
    (answer('(which (among (or (person "Felix") (person "Soraya")) (most) (at "this week")))',
            ENTITIES, *(item(each, facts=(Fact("person_events", (each, WEEK, GUESTS[:2])),))
                        for each in (FELIX, SORAYA)), about=(FELIX, SORAYA), window=WEEK),
     "Both are equally busy this week: 2 meetings each", ()),
    (answer('(which (among (or (group "Optics") (group "Finance")) (largest)))', ENTITIES,
            item(OPTICS, facts=(Fact("group_size", (OPTICS, 6)),)), about=(OPTICS, FINANCE),
            reasons=(Fact("group_size", (FINANCE, 5)),)), "The Optics group is larger",
     ("6 members", "5 members")),
    (answer('(which (group (largest)))', ENTITIES,
            item(OPTICS, facts=(Fact("group_size", (OPTICS, 6)),))),
     "The largest group is the Optics group", ("6 members",)),
]
NOT_KNOWN: list[Case] = [
    (answer(query, UNKNOWN, missing=missing, about=about), begin, words)
    for query, missing, about, begin, words in (
        ('(when (event "yoga"))', ("yoga",), (), "I don't know", ("meeting", "“yoga”")),
        ('(where (room "Narnia"))', ("Narnia",), (), "I don't know a room", ("Narnia",)),
        ('(phone (person "Felix"))', (), (FELIX,), "I don't know Felix Macleod's phone", ()),
        ('(phone (that (type "she")))', ("she",), (), "I don't know", ("“she”",)),
        ('(which (event (attends (me))))', ("me",), (), "I don't know who you are", ("name",)),
        ('(holds (free (that) (at "florp")))', ("florp",), (FELIX,), "I did not understand",
         ("“florp”",)),
        ('(which (person (related "boss" (group "Optics"))))', ("boss",), (OPTICS,),
         "I have no information", ("boss", "Optics")),
        ('(which (event (then_after) (nth 1)))', ("then",), (), "I don't know which time", ()),
        ('(organizer (event "hiring interview"))', (), (INTERVIEW,), "I don't know who organises",
         ("hiring interview",)),
        ('(when (present (person "Felix")))', (), (FELIX,), "I don't know when", ("back",)))]


@pytest.mark.parametrize("case", [*WHERE, *WHICH, *COUNTED, *WHEN, *WHAT, *WHETHER, *COMPARED,
                                  *NOT_KNOWN], ids=lambda case: str(case[0].query))
def test_answers_say_what_is_so(case):
    given_answer, begin, parts = case
    words = word(given_answer)
    assert words.startswith(begin)
    assert [each for each in parts if each not in words] == []


def test_who_asks_is_addressed():
    given_answer = answer('(which (event (attends (me)) (at "today")))', ENTITIES, about=(FELIX,),
                          window=TODAY)
    assert word(given_answer, speaker=FELIX) == "You have nothing on today."


RAFAELS = read_form('(person "Rafael")')


@pytest.mark.parametrize(("other", "begin"), [
    (0.45, "I am not sure what you mean by “Rafael”. Do you mean Rafael Ghosh from Optics or "),
    (0.05, "If you mean Rafael Ghosh: their phone number is")])
def test_what_is_not_sure_is_asked_or_said(other, begin):
    given_answer = answer('(phone (person "Rafael"))', VALUES, item("+441632960970", RAFAEL, 0.5),
                          about=(RAFAEL,), unsure={RAFAELS: RAFAEL})
    resolution = Resolution({RAFAELS: ((RAFAEL, 0.5), (OTHER_RAFAEL, other))}, NOW)
    assert word(given_answer, resolution=resolution).startswith(begin)


@pytest.mark.parametrize(("taken", "begin"), [
    (0.0, "If you mean Rafael Ghosh: No, "), (1.0, "If you mean Rafael Ghosh: Yes, "),
    (0.7, "If you mean Rafael Ghosh: probably yes: ")])
def test_what_is_so_of_others_is_not_said_of_the_one_that_was_taken(taken, begin):
    given_answer = yes_or_no('(busy (person "Rafael") (at "three"))', 0.45, about=(RAFAEL,),
                             holds_taken=taken, window=THREE, unsure={RAFAELS: RAFAEL})
    resolution = Resolution({RAFAELS: ((RAFAEL, 0.5), (OTHER_RAFAEL, 0.1))}, NOW)
    assert word(given_answer, resolution=resolution).startswith(begin)


def test_what_was_named_is_not_named_again_in_the_next_answer():
    place = answer('(where (event "hiring interview"))', PLACES, item(GORSE, INTERVIEW, facts=()),
                   about=(INTERVIEW,))
    time = answer("(when (that))", TIMES, item(time_of(INTERVIEW), INTERVIEW), about=(INTERVIEW,))
    assert word_answers([place, time], Verbaliser(organisation(), NOW)) == \
        "The hiring interview is in Gorse. It is today from 10:00 to 12:00."


def test_of_two_things_that_were_asked_about_none_is_called_it():
    said = word_answers([
        yes_or_no(f'(is (event "{organisation().events[each].name}") (at "today"))', 0.0,
                  item(each), about=(each,)) for each in (INTERVIEW, REVIEW)],
        Verbaliser(organisation(), NOW))
    assert " it " not in said
    assert all(organisation().events[each].name in said for each in (INTERVIEW, REVIEW))


def test_what_is_asked_while_something_is_arranged_is_called_by_its_name():
    free = yes_or_no('(free (room "Gorse") (at "three"))', 1.0, about=(GORSE,), window=THREE)
    said = {arranging: word_answer(free, Verbaliser(organisation(), NOW), it_is_taken=arranging,
                                   resolution=Resolution({read_form('(room "Gorse")'): [
                                       (GORSE, 1.0)]}, NOW))
            for arranging in (False, True)}
    assert said == {False: "Yes, it is free at 15:00.", True: "Yes, Gorse is free at 15:00."}


def test_private_events_are_busy_time():
    kb = organisation()
    hidden = [replace(each, name="private event", private=True, organizer=None)
              if each.id == INTERVIEW else each for each in kb.events.values()]
    seen = KnowledgeBase(name=kb.name, timezone=kb.timezone, people=kb.people.values(),
                         groups=kb.groups.values(), rooms=kb.rooms.values(), events=hidden)
    busy = yes_or_no('(free (person "Soraya") (at "eleven"))', 0.0, about=(SORAYA,),
                     window=ELEVEN, reasons=(BUSY,))
    listed = answer('(which (event (attends (person "Soraya")) (at "today")))', ENTITIES,
                    item(INTERVIEW, facts=()), about=(SORAYA,), window=TODAY)
    words = [word_answer(each, Verbaliser(seen, NOW)) for each in (busy, listed)]
    assert words == ["No, Soraya Castellanos is busy until 12:00.",
                     "Soraya Castellanos has a private event today from 10:00 to 12:00."]


def test_notes_follow_the_answer():
    given_answer = answer('(which (event (at "tomorrow")))', ENTITIES, STANDUP, window=TOMORROW,
                          notes=("only the first of many were looked at",))
    assert word(given_answer).endswith(". Only the first of many were looked at.")


VALUES_OF = st.sampled_from([FELIX, SORAYA, GORSE, INTERVIEW, STANDUP, OPTICS, 0, 3, TODAY, ELEVEN])


@st.composite
def any_answers(draw) -> QueryAnswer:
    entities = st.sampled_from([FELIX, SORAYA, GORSE, INTERVIEW, OPTICS])
    items = [item(draw(VALUES_OF), draw(st.one_of(st.just(""), entities)),
                  draw(st.floats(0.01, 1.0))) for _ in range(draw(st.integers(0, 3)))]
    return QueryAnswer(
        draw(forms_of(Sort.QUERY, 3)), draw(st.sampled_from(AnswerKind)), tuple(items),
        draw(st.one_of(st.none(), st.floats(0.0, 1.0))),
        tuple(draw(st.lists(entities, max_size=2))),
        draw(st.sampled_from([None, TODAY, ELEVEN, WEEK])), draw(st.sampled_from([(), ("Ada",)])),
        draw(st.sampled_from([(), (BUSY,)])))


@given(any_answers())
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_answer_has_words(given_answer):
    spans = "".join(each.text for each in given_answer.query.spans())
    words = word(given_answer)
    assert words.endswith((".", "?", "!"))
    assert "{" in spans or "}" in spans or not {"{", "}"} & set(words)


def test_words_of_users_are_kept_as_they_are():
    form = Form("which", (read_form('(person (like "{0} {is} %s") (is_free (now)))'),))
    words = word(QueryAnswer(form, ENTITIES, window=PRESENT))
    assert words == "Nobody that “{0} {is} %s” fits is free now."


def test_the_time_zone_is_told_of_the_calendar_and_no_other_value_is_taken_for_it():
    assert word(answer('(value "time zone" (that))', VALUES, "Europe/Oslo")) \
        == "All times are in the time zone Europe/Oslo."
    for named in ("phone", "extension"):
        assert "time zone" not in word(answer(f'(value "{named}" (that))', VALUES, "4416"))


@pytest.mark.parametrize(("query", "kind", "items", "more", "words"), [
    ("(when (event))", TIMES, ("interview",), {}, ", if its calendar's time zone is Oslo's."),
    ("(holds (free (person)))", YES_NO, (), {"holds": 0.0, "reasons": (BUSY,)},
     ", if its calendar's time zone is Oslo's."),
    ("(when (free (person)))", TIMES, ("slot",), {"reasons": (BUSY,)},
     ", if the time zone of the hiring interview is Oslo's."),
    ("(when (free (person)))", TIMES, ("free",), {},
     ", if the time zone of the hiring interview is Oslo's."),
    ("(which (room (is_free (now))))", ENTITIES, (), {"window": ELEVEN},
     ", if the time zone of the hiring interview is Oslo's."),
    ('(which (event (after (event "hiring interview"))))', ENTITIES, ("later",),
     {"about": (INTERVIEW,)},
     ", if the time zone of the hiring interview is Oslo's.")])
def test_an_answer_says_on_what_hours_depend_that_are_not_certain(query, kind, items, more, words):
    kb = organisation()
    unsure = KnowledgeBase(
        name=kb.name, timezone=kb.timezone, people=kb.people.values(), rooms=kb.rooms.values(),
        groups=kb.groups.values(), events=[
            replace(each, assumed_zone="Europe/Oslo") if each.id == INTERVIEW else each
            for each in kb.events.values()])
    slot = Window(ELEVEN.start, ELEVEN.end)
    made = {"interview": item(time_of(INTERVIEW), INTERVIEW), "free": item(
        slot, SORAYA, facts=[Fact("person_available", (SORAYA, slot))]), "slot": item(slot, SORAYA),
            "later": item(STANDUP)}
    given_answer = QueryAnswer(read_form(query), kind, tuple(made[each] for each in items),
                               **{"about": (SORAYA,), **more})
    assert word_answer(given_answer, Verbaliser(unsure, NOW)).endswith(words)
    assert not word_answer(given_answer, Verbaliser(kb, NOW)).endswith(words)


@pytest.mark.parametrize(("act", "words"), [
    ('(unsupported "boats")', "I don't know anything about boats."),
    ('(unsupported "where do we go")', "I'm sorry, I don't know that."),
    ("(unsupported)", "I can't help with that.")])
def test_a_topic_is_named_back_and_a_clause_is_not(act, words):
    assert word_acts([read_form(act)]) == words


@pytest.mark.parametrize(("query", "missing", "words"), [
    ('(when (that (type "meeting")))', ("meeting",), "I don't know which meeting you mean."),
    ('(where (that (type "she")))', ("she",), "I don't know whom or what you mean by “she”."),
    ('(starts (event (at "yesterday") (nth 1)))', (), "I don't know of any such meeting.")])
def test_what_is_not_there_is_not_called_that(query, missing, words):
    assert word(answer(query, AnswerKind.UNKNOWN, missing=missing)) == words
