"""Simulated dialogues: what replies say is looked up in the knowledge base by the test itself."""

from __future__ import annotations

import datetime as dt
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest

from frontdesk.data.datasets.training_dialogues import (
    TrainingDialogue,
    TrainingTurn,
    content_hash,
    turn_hashes,
    without_held_out,
)
from frontdesk.data.invented.dialogues import simulate_dialogues
from frontdesk.data.invented.dialogues import speech_noise as noise
from frontdesk.data.invented.dialogues.dialogue_wording import AGENT, USER, draw
from frontdesk.data.invented.invented_names import FEMALE, LAST, MALE
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.import_json import dump_json

CLOCK = r"(\d{1,2}(?::\d\d)?)(?: o'clock| [AP]M)?"
NAME = r"([A-Z]\w+ [A-Z]\w+)"
COUNTS = {"no": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
          "eight": 8, "nine": 9, "ten": 10}
#: Replies about meetings that are yet to be made, or to be changed, and about what was misheard.
PLANS = re.compile(r"\b(?:I'll|I will|I've|I have|I can\b|now|moved|rescheduled|scheduled for"
                   r"|how about|[Ww]ould you|confirm|you'd like|recapitulate|added|booked)",
                   re.IGNORECASE)
#: These name what the agent heard, which nobody has to be called.
NOT_FOUND = re.compile(r"(?:find|Sorry)", re.IGNORECASE)


@pytest.fixture(scope="module")
def dialogues() -> list[TrainingDialogue]:
    return list(simulate_dialogues(600, seed=4))


class Witness:
    """What one knowledge base says, read without the code that wrote the dialogues."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self.kb = kb
        self.events = {event.name.casefold(): event for event in kb.events.values()}
        longest = sorted(self.events, key=len, reverse=True)
        self.pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])")

    def person(self, name: str) -> Person:
        return next(each for each in self.kb.named(name) if isinstance(each, Person))

    def room(self, name: str) -> Room:
        return next(each for each in self.kb.named(name) if isinstance(each, Room))

    def named_events(self, text: str) -> list[Event]:
        names = dict.fromkeys(self.pattern.findall(text.casefold()))
        return [self.events[name] for name in names]

    def at(self, entity: str, now: dt.datetime) -> list[Event]:
        return [event for event in self.kb.events.values() if event.start <= now < event.end
                and entity in (event.location, *event.participants())]


def clock(moment: dt.datetime) -> str:
    hour = moment.hour % 12 or 12
    return f"{hour}:{moment.minute:02d}" if moment.minute else f"{hour}"


def said(text: str) -> str:
    return text.removesuffix(":00")


def checked(reply: str, turn: TrainingTurn, see: Witness) -> Iterator[tuple[str, bool]]:
    """Each claim of a reply by its kind, and whether the knowledge base agrees."""
    kb = see.kb
    for match in re.finditer(r"[\w.]+@[\w.]*\w", reply):
        yield "email exists", any(person.email == match[0] for person in kb.people.values())
    for match in re.finditer(rf"{NAME}'s email(?: address)? is ([\w.]+@[\w.]*\w)", reply):
        yield "email", see.person(match[1]).email == match[2]
    for match in re.finditer(r"\+?\d[\d ]{7,}\d", reply):
        digits = match[0].replace(" ", "")
        yield "phone exists", any(person.phone.replace(" ", "") == digits
                                  for person in kb.people.values())
    for match in re.finditer(rf"{NAME}'s phone number is (\+?[\d ]+\d)", reply):
        yield "phone", (see.person(match[1]).phone.replace(" ", "") == match[2].replace(" ", ""))
    for match in re.finditer(rf"{NAME}'s office (?:is room|number is) (\d+)", reply):
        yield "office", kb.entity(see.person(match[1]).office or "").name == match[2]
    for match in re.finditer(r"[Rr]oom (\d+) is on the (\d)\w\w floor", reply):
        yield "floor", see.room(match[1]).floor == int(match[2])
    for match in re.finditer(r"[Tt]he (\w+) conference room\b", reply):
        yield "room exists", see.room(match[1]).bookable
    for match in re.finditer(rf"{NAME} (?:is (?:in|a member of)|works in|belongs to) the "
                             r"([A-Z][\w ]+) group", reply):
        yield "group", kb.entity(see.person(match[1]).group or "").name == match[2]
    for match in re.finditer(r"(\w+) (?:members|people) (?:of|in) the ([A-Z][\w ]+) group", reply):
        if match[1].isdigit() or match[1] in COUNTS:
            group = next(each for each in kb.groups.values() if each.name == match[2])
            yield "members", COUNTS.get(match[1]) == len(kb.members(group.id)) \
                or match[1] == str(len(kb.members(group.id)))
    yield from checked_present(reply, turn.now, see)
    yield from checked_event(reply, turn.now, see)


def checked_present(reply: str, now: dt.datetime, see: Witness) -> Iterator[tuple[str, bool]]:
    for match in re.finditer(rf"{NAME} is (?:not in (?:any|a) meetings?|available|free) "
                             r"(?:right now|at the moment)", reply):
        yield "free now", not see.at(see.person(match[1]).id, now)
    for match in re.finditer(rf"{NAME} is in a meeting (?:right now|at the moment)", reply):
        yield "busy now", bool(see.at(see.person(match[1]).id, now))
    for match in re.finditer(rf"{NAME} is (?:in|attending) .* until {CLOCK}", reply):
        yield "busy until", any(clock(event.end) == said(match[2])
                                for event in see.at(see.person(match[1]).id, now))
    match = re.search(r"[Tt]he (.+) conference rooms are (?:available|free) right now", reply)
    if match:
        listed = set(re.findall(r"[A-Z]\w+", match[1]))
        yield "rooms now", listed == {room.name for room in see.kb.bookable_rooms()
                                      if not see.at(room.id, now)}


def checked_event(reply: str, now: dt.datetime, see: Witness) -> Iterator[tuple[str, bool]]:
    named = see.named_events(reply)
    if len(named) != 1 or PLANS.search(reply) or NOT_FOUND.search(reply):
        return
    event, kb = named[0], see.kb
    for match in re.finditer(rf"organi[sz]ed by {NAME}|{NAME} is organi[sz]ing", reply):
        yield "organiser", kb.entity(event.organizer or "").name == (match[1] or match[2])
    for match in re.finditer(rf"(?:\bat|from|begins at|starts at) {CLOCK}", reply):
        yield "start", clock(event.start) == said(match[1])
    for match in re.finditer(rf" to {CLOCK}", reply):
        yield "end", clock(event.end) == said(match[1])
    for match in re.finditer(r"\bon ([A-Z]\w+ \d+)", reply):
        yield "date", f"{event.start:%B} {event.start.day}" == match[1]
    days = (event.start.date() - now.date()).days
    if "your calendar" not in reply and re.search(r"\b(?:today|tomorrow)\b", reply):
        yield "day", re.search(r"\b(?:today|tomorrow)\b", reply)[0] == ("today", "tomorrow")[days]
    for match in re.finditer(r"\bin the (\w+) (?:conference|meeting) room|\bin room (\d+)", reply):
        yield "location", kb.entity(event.location or "").name == (match[1] or match[2])
    for match in re.finditer(rf"(?:Yes, )?{NAME} is (not )?attending", reply):
        person = see.person(match[1])
        yield "attends", (person.id in event.participants()) is not bool(match[2])


def test_simulated_replies_are_true(dialogues):
    seen: Counter[str] = Counter()
    for dialogue in dialogues:
        see = Witness(dialogue.knowledge_base)
        for turn in dialogue.turns:
            for sentence in re.split(r"(?<=[.!?]) (?=[A-Z\"])", turn.reference):
                for kind, true in checked(sentence, turn, see):
                    assert true, (dialogue.id, kind, turn)
                    seen[kind] += 1
    assert len(seen) >= 20, seen
    assert sum(seen.values()) >= 800


def test_simulated_replies_name_only_people_of_the_organisation(dialogues):
    name = re.compile(rf"\b(?:{'|'.join(FEMALE + MALE)}) (?:{'|'.join(LAST)})\b")
    named = 0
    for dialogue in dialogues[:100]:
        people = {person.name for person in dialogue.knowledge_base.people.values()}
        for turn in dialogue.turns:
            for match in name.finditer(turn.reference):
                assert match[0] in people or NOT_FOUND.search(turn.reference), turn
                named += 1
    assert named > 80


def test_simulated_agendas_count_what_is_on_the_calendar(dialogues):
    """The user is known by the name of the greeting; events that are over are not counted."""
    counted = 0
    pattern = re.compile(r"You have (\w+) (?:event|meeting)s?(?: on your calendar| scheduled)? "
                         r"(today|tomorrow)(?! (?:morning|afternoon|at|and)|, [\w-]+ [\w ]+, and)")
    for dialogue in dialogues:
        kb = dialogue.knowledge_base
        first = re.match(r"(?:Hi|Hello|Welcome|Good day) (\w+)", dialogue.turns[0].reference)
        speakers = [each for each in kb.people.values()
                    if first and each.name.split()[0] == first[1]]
        for turn in dialogue.turns:
            match = pattern.search(turn.reference)
            if match and len(speakers) == 1:
                day = turn.now.date() + dt.timedelta(days=match[2] == "tomorrow")
                own = [event for event in kb.events_of(speakers[0].id)
                       if event.start.date() == day and event.start > turn.now]
                assert COUNTS.get(match[1]) == len(own) or match[1] == str(len(own)), turn
                counted += 1
    assert counted >= 10


def test_simulated_bookings_take_free_times(dialogues):
    """What the agent proposes suits whom it says that it suits."""
    proposed = 0
    for dialogue in dialogues:
        see = Witness(dialogue.knowledge_base)
        for turn in dialogue.turns:
            match = re.search(rf"{NAME} is available(?: for a meeting)? at (\d+)(?::(\d\d))?"
                              r"(?: o'clock| [AP]M)?(?: (today|tomorrow)|\.)", turn.reference)
            if match:
                hour = int(match[2]) + (12 if int(match[2]) < 7 else 0)
                day = turn.now.date() + dt.timedelta(days=match[4] == "tomorrow")
                at = dt.datetime.combine(day, dt.time(hour, int(match[3] or 0)), dt.UTC)
                assert not see.at(see.person(match[1]).id, at), turn
                proposed += 1
    assert proposed >= 5


def test_simulated_pronouns_fit_first_names(dialogues):
    pronouns = {"his": MALE, "her": FEMALE}
    fitting = 0
    for dialogue in dialogues:
        for turn in dialogue.turns:
            match = re.search(r"\b([A-Z]\w+) [A-Z]\w+ is .*\b(his|her) (?:phone|email|office"
                              r"|contact)", turn.reference)
            if match:
                assert match[1] in pronouns[match[2]], turn
                fitting += 1
    assert fitting > 5


def test_simulate_is_the_same_for_the_same_seed():
    def written(n: int, seed: int) -> list[str]:
        return [repr((each.id, each.turns)) + dump_json(each.knowledge_base)
                for each in simulate_dialogues(n, seed)]

    assert written(12, 3) == written(12, 3)
    assert written(12, 3)[:5] == written(5, 3)
    assert not set(written(12, 3)) & set(written(12, 4))


def masked(words: set[str], match: re.Match[str]) -> str:
    return "_" if match[0].casefold() in words else match[0]


def test_simulated_replies_vary(dialogues):
    """Replies without their values: names, times, numbers, titles."""
    skeletons: Counter[str] = Counter()
    for dialogue in dialogues:
        kb = dialogue.knowledge_base
        words = {word.casefold() for entity in kb.entities() for word in entity.name.split()}
        for turn in dialogue.turns:
            text = re.sub(r"[\w.]+@[\w.]+|\+?\d[\d :]*", "#", turn.reference)
            text = re.sub(r"[\w-]+", partial(masked, words), text)
            skeletons[re.sub(r"_(?:(?:, and|,| and)? _)+", "_", text)] += 1
    assert len(skeletons) >= 1000
    most = skeletons.most_common(1)[0]
    assert most[1] < 0.06 * sum(skeletons.values()), most


def test_simulated_users_are_heard_or_written(dialogues):
    lower = [dialogue for dialogue in dialogues
             if not any(re.search(r"[?!]", turn.user) for turn in dialogue.turns)]
    assert 0.5 < len(lower) / len(dialogues) < 0.85
    assert any(turn.user == noise.UNHEARD for dialogue in dialogues for turn in dialogue.turns)


def test_simulated_dialogues_go_forward_in_time(dialogues):
    for dialogue in dialogues:
        assert dialogue.turns
        times = [turn.now for turn in dialogue.turns]
        assert times == sorted(times)
        assert times[0].date() == times[-1].date()
        assert times[0].hour * 2 + times[0].minute // 30 == times[-1].hour * 2 \
            + times[-1].minute // 30, "an event might have begun meanwhile"


def test_no_development_turn_is_among_simulated_dialogues(dialogues, dev_dialogues):
    held_out = turn_hashes(dev_dialogues.values())
    kept = list(without_held_out(dialogues, held_out))
    assert not {content_hash(turn.user, turn.reference) for dialogue in kept
                for turn in dialogue.turns} & held_out
    # What is alike by chance are thanks and goodbyes, at the end of dialogues.
    left = sum(len(dialogue.turns) for dialogue in kept)
    assert left > 0.9 * sum(len(dialogue.turns) for dialogue in dialogues)


@pytest.mark.parametrize("words", [AGENT, USER])
def test_patterns_are_balanced_and_draw_every_alternative(words):
    for patterns in words.values():
        drawn = {draw(random.Random(seed), patterns) for seed in range(60)}
        assert len(drawn) >= min(3, len(patterns))
        assert not any(re.search(r"[()|]", each) for each in drawn)


@pytest.mark.parametrize("pattern", ["(a|b", "a)b", "a|b"])
def test_patterns_that_are_not_balanced_are_refused(pattern):
    with pytest.raises(ValueError, match="unbalanced"):
        draw(random.Random(0), [pattern])


def test_heard_words_have_no_marks_and_misheard_names_stay_alike():
    assert noise.as_heard("Hello, I'm {me}. Can I meet at 9 a.m.?") == \
        "hello I'm {me} can I meet at 9 a.m."
    heard = {noise.misheard("Brenda Payne", random.Random(seed)) for seed in range(40)}
    assert "Brenda Payne" not in heard
    assert len(heard) > 5
    assert all(each[0] in "Bb" for each in heard)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "frontdesk.agent.cli.main", "data", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_data_simulate_writes_the_graphwoz_format(tmp_path):
    path = tmp_path / "simulated.json"
    done = run("simulate", "--dialogues", 6, "--seed", 2, "--output", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{path}  6 dialogues\n"
    assert list(json.loads(path.read_text())) == [each.id for each in simulate_dialogues(6, 2)]
    reported = run("report", path, "--json")
    assert json.loads(reported.stdout)["dialogues"] == 6


@pytest.mark.parametrize(("arguments", "told"), [
    (("--dialogues", "0", "--output", "x.json"), "0 is not 1 or more"),
    (("--dialogues", "2", "--output", "/nowhere/x.json"), "cannot write /nowhere/x.json")])
def test_data_simulate_says_what_is_wrong(arguments, told):
    done = run("simulate", *arguments)
    assert done.returncode == 2
    assert told in done.stderr


