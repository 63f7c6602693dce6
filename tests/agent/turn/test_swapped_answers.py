"""No reply is said that has another value or day than the answer, loses or denies one."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.turn.pipeline import run_stages, upto
from frontdesk.agent.turn.turn_state import GeneratedReplies, TurnInputs, TurnState
from frontdesk.data.invented.simulate import demo_organisation
from frontdesk.generation.checks.agreement import can_be_given
from frontdesk.generation.voice.generator import GeneratedReply
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis

from ...templates import TEMPLATES

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 17, 10, 20, tzinfo=ZONE)
KB = demo_organisation(NOW, timezone=ZONE)
ROOMS = [each.name for each in KB.rooms.values() if not each.name.isdigit()]
OFFICES = [each.name for each in KB.rooms.values() if each.name.isdigit()]
PEOPLE = [each.name for each in KB.people.values()]
GROUPS = [each.name for each in KB.groups.values()]
FLOORS = ["ground floor", "1st floor", "2nd floor", "3rd floor", "4th floor"]
QUESTIONS = [
    "Where is the hiring interview?", "Which room is the website kick-off in?",
    "Where does the newsletter demo take place?", "Where is Soraya Castellanos?",
    "What is the office of Felix Macleod?", "Which floor is Gorse on?",
    "When is the roadmap interview?", "When does the customer survey demo start?",
    "When does the hiring review end?", "When is the warranty demo?",
    "Who organises the lens coating briefing?", "Who is running the patent workshop?",
    "Who attends the office move brainstorm?", "Who is going to the website kick-off?",
    "Which group is Yara Virtanen in?", "How many people attend the budget workshop?",
    "Is Petra Ivanova free at one?", "Is Rafael Ghosh free now?", "Is Dmitri Mbeki busy at noon?",
    "Is Juniper available at two?", "Is the hiring review in Heather?",
    "Is the website kick-off in Gorse?", "Does Agnes Achterberg attend the hiring interview?",
    "Is Callum Papadakis in the Optics group?", "When is Emeka Zielinski free today?",
    "Which room is free at three?", "What is Petra Ivanova's next meeting?",
    "What is the first meeting tomorrow?", "Where will Emeka Zielinski be at three?",
    "Is Bracken on the second floor?", "Does Amara Tanaka have anything tomorrow?"]


@pytest.fixture(scope="module")
def asked(encoder):
    """A turn as it is before its reply is chosen, and the stage that chooses it."""
    agent = Agent(KB, TEMPLATES, clock=lambda: NOW, encoder=encoder)
    check = next(each for each in agent.stages() if each.name == "check")

    def run(question: str) -> tuple[TurnState, object]:
        state = TurnState(TurnInputs(DialogueGraph(), [Hypothesis(question)], NOW, agent.access))
        run_stages(upto(agent.stages(), "generate"), state)
        return state, check
    return run


def is_said(state: TurnState, check, reply: str) -> bool:
    """Whether what a model says to a question is what the user hears."""
    state.generated = GeneratedReplies("model", [GeneratedReply(
        reply, tuple(state.ranked.knowledge))])
    check.run(state)
    return state.checked.generator == "model"


def swapped(text: str) -> Iterator[str]:
    """A reply with one value after the other in place of another, and with the opposite of it."""
    for names in (ROOMS, OFFICES, PEOPLE, GROUPS, FLOORS):
        for name in names:
            if re.search(rf"\b{name}\b", text):
                others = (each for each in names if each not in text)
                for other in islice(others, 2):
                    yield re.sub(rf"\b{name}\b", other, text)
    for found in re.finditer(r"\b(\d\d):(\d\d)\b", text):
        for minutes in (-60, 30, 120):
            moved = (NOW.replace(hour=int(found[1]), minute=int(found[2]))
                     + dt.timedelta(minutes=minutes)).strftime("%H:%M")
            if moved not in text:
                yield text[:found.start()] + moved + text[found.end():]
    for yes, no in (("Yes, ", "No, "), ("No, ", "Yes, "), (" is ", " is not "),
                    (" is not ", " is "), ("Five", "Six"), ("tomorrow", "today")):
        if yes in text:
            yield text.replace(yes, no, 1)


DATE = r"[A-Z]\w+day \d+ [A-Z]\w+"
DAY = re.compile(rf",? (?:on {DATE}|today|tomorrow)(?:, {DATE})?")


def without_day(text: str, question: str) -> Iterator[str]:
    """A reply that tells a time without its day, which is not today, or with another day."""
    found = DAY.search(text)
    if found and re.search(r"\d:\d\d", text):
        if "today" not in found[0] and "tomorrow" not in question:
            yield text[:found.start()] + text[found.end():]
        for other in (" on Friday 27 March", " in two weeks", " yesterday"):
            yield text[:found.start()] + other + text[found.end():]


def fragments(text: str) -> Iterator[str]:
    """A reply that is no sentence, or has a word that says nothing."""
    if text.count(" is ") == 1 and not re.search(r" (?:has|runs) ", text):
        yield text.replace(" is ", " ")
    yield f"{text.rstrip('.')} fortnight."
    yield f"{text.rstrip('.')} week."


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_swapped_value_is_said(asked, question):
    state, check = asked(question)
    text = state.generated.candidates[0].text
    wrong = dict.fromkeys((*swapped(text), *without_day(text, question), *fragments(text)))
    assert wrong
    assert [each for each in wrong if is_said(state, check, each)] == []


def test_most_answers_may_be_said_in_their_own_words(asked):
    said = []
    for question in QUESTIONS:
        state, check = asked(question)
        answer = state.generated.candidates[0]
        if can_be_given(answer):
            said.append((is_said(state, check, answer.text), question))
    assert len(said) > len(QUESTIONS) * 0.7
    assert sum(each for each, _ in said) > len(said) * 0.7, [
        question for each, question in said if not each]
