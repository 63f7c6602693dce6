"""``frontdesk evaluate simulated`` and ``graphwoz-calendar``, from options to reports."""

from __future__ import annotations

import datetime as dt
import json
import pickle
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from frontdesk.agent.cli.main import main
from frontdesk.agent.evaluation.evaluated_datasets import load_data
from frontdesk.agent.evaluation.visits import receptionist as receptionist_module
from frontdesk.agent.evaluation.visits import run_visits
from frontdesk.agent.evaluation.visits.measure_visits import measure_visits, wilson
from frontdesk.agent.evaluation.visits.receptionist import AgentReceptionist, Answer
from frontdesk.agent.evaluation.visits.replay_visits import compare, replay
from frontdesk.agent.evaluation.visits.visit_labels import VisitLabels
from frontdesk.agent.sessions.agent import Session
from frontdesk.agent.sessions.load_components import load_encoder
from frontdesk.agent.turn.reply import Reply
from frontdesk.data.datasets.graphwoz import load_graphwoz
from frontdesk.data.datasets.graphwoz_calendar import annotated_calendar
from frontdesk.data.invented.visitors.visited_organisations import Split, invent_world
from frontdesk.kg.graph.changes import EventChange, Transaction, with_changes
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.entities import Event

from ...conftest import SAMPLES
from ...templates import TEMPLATES, TEMPLATES_ENVIRONMENT
from . import chromium

#: What a clock measured, and what depends on when a run began.
TIMES = ("timings_ms",)


@pytest.fixture(scope="module", autouse=True)
def _templates():
    """The words of the replies are the realiser's, which are known."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in TEMPLATES_ENVIRONMENT.items():
            patch.setenv(name, value)
        yield


def evaluate(*arguments) -> int:
    return main(["evaluate", *map(str, arguments)])


def turns_of(folder: Path) -> list[dict]:
    lines = (folder / "turns.jsonl").read_text(encoding="utf-8").splitlines()
    return [{key: value for key, value in json.loads(line).items() if key not in TIMES}
            for line in lines]


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    """A browser for the pages of this file."""
    with chromium.browser(tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A run with six visitors."""
    folder = tmp_path_factory.mktemp("visits") / "run"
    threads = torch.get_num_threads()
    assert evaluate("simulated", "--dialogues", 6, "--seed", 4, "--output", folder) == 0
    assert torch.get_num_threads() == threads  # what runs next depends on it to the last bit
    return folder


def test_a_run_reports_what_the_contract_names(run: Path):
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    assert report["dialogues"] == 6
    assert report["turns"] == len(turns_of(run))
    assert set(report) >= {
        "task_success", "task_success_by_kind", "turns_to_success", "hallucination_rate",
        "retrieval_error_rate", "repeated_question_rate", "double_bookings", "latency_ms",
        "paper", "gave_up", "failures"}
    figures = {row["model"]: (row["hallucinations"], row["retrieval_errors"])
               for row in report["paper"]["table"]}
    assert figures["GODEL, logic"] == (0.22, 0.21)
    assert figures["GPT-3.5, logic"] == (0.20, 0.12)
    low, high = report["task_success"]["interval"]
    assert 0 <= low <= report["task_success"]["value"] <= high <= 1


def test_every_visit_ends_with_what_came_of_it(run: Path):
    turns = turns_of(run)
    ends = [turn for turn in turns if "visit" in turn]
    assert [end["dialogue"] for end in ends] == [f"visit-{number:04d}" for number in range(6)]
    for end in ends:
        assert end["visit"]["task"].startswith("You are ")
        assert end["visit"]["success"] is (not end["visit"]["reasons"])
        assert end["turn"] == max(turn["turn"] for turn in turns
                                  if turn["dialogue"] == end["dialogue"])


def test_a_run_that_was_stopped_goes_on_with_the_same_results(run: Path, tmp_path: Path):
    folder = tmp_path / "stopped"
    folder.mkdir()
    lines = (run / "turns.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    cut = next(place for place, line in enumerate(lines) if '"visit-0003"' in line) + 1
    (folder / "turns.jsonl").write_text("".join(lines[:cut]) + lines[cut][:40], encoding="utf-8")
    (folder / "run.json").write_text((run / "run.json").read_text())
    options = ("simulated", "--dialogues", 6, "--seed", 4, "--output", folder)
    assert evaluate(*options) == 2
    assert evaluate(*options, "--resume") == 0
    assert turns_of(folder) == turns_of(run)


def test_several_processes_give_the_same_results(run: Path, tmp_path: Path, monkeypatch):
    """Processes themselves are tried with dialogues; here what they are sent and send back."""
    def elsewhere(work, settings, numbers, jobs):
        assert jobs == 2
        for number in reversed(numbers):  # whichever is over first
            made, *sent = pickle.loads(pickle.dumps((work, settings, number)))
            yield pickle.loads(pickle.dumps(made(*sent)))

    monkeypatch.setattr(run_visits, "in_processes", elsewhere)
    monkeypatch.setattr(run_visits, "_loaded", {})
    assert evaluate("simulated", "--dialogues", 3, "--seed", 4, "--jobs", 2, "--output",
                    tmp_path / "two") == 0
    assert turns_of(tmp_path / "two") == [turn for turn in turns_of(run)
                                          if turn["dialogue"] < "visit-0003"]


def test_heard_and_identified_visitors_are_other_runs(run: Path, tmp_path: Path):
    assert evaluate("simulated", "--dialogues", 2, "--seed", 4, "--asr", "--identified",
                    "--visitors", "training", "--output", tmp_path / "heard") == 0
    turns = turns_of(tmp_path / "heard")
    assert any(len(turn["heard"]) > 1 for turn in turns)
    assert turns != [turn for turn in turns_of(run) if turn["dialogue"] < "visit-0002"]
    assert all(name not in turn["user"] for turn in turns for name in ("{", "}"))


@pytest.fixture(scope="module")
def real_words(tmp_path_factory) -> Path:
    """A data set in which people agree, cancel and book."""
    path = tmp_path_factory.mktemp("data") / "people.jsonl"
    path.write_text("".join(json.dumps({"dialogue": f"d{number}", "utterance": said,
                                        "forms": [form]}) + "\n" for number, (said, form) in
                            enumerate((
        ("yup do that", "(confirm)"),
        ("scrap the choir thing", '(request (cancel (event "choir thing")))'),
        ("squeeze in a choir for me on Friday at 3",
         '(request (create (title "choir") (time (at "Friday at 3"))))')))), encoding="utf-8")
    return path


def test_visitors_use_the_words_of_a_data_set_and_both_kinds_are_reported(
        run: Path, real_words: Path, tab: chromium.Browser, tmp_path: Path):
    folder = tmp_path / "real"
    assert evaluate("simulated", "--dialogues", 6, "--seed", 4, "--wordings",
                    f"frontdesk={real_words}", "--output", folder) == 0
    turns = turns_of(folder)
    refills = [(turn["user"], each) for turn in turns for each in turn["refills"]]
    assert refills
    assert all("choir" not in user for user, _ in refills)
    assert not any(turn["refills"] or turn["unfitted"] for turn in turns_of(run))
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert report["wordings"] == ["frontdesk"]
    assert report["by_wording"]["data"] == {"frontdesk": len(refills)}
    success = report["by_wording"]["task_success"]
    assert sum(success[name]["of"] for name in (
        "own words only", "agreement in real words", "more in real words")
        if success[name]) == 6
    assert "Whose words" in (folder / "report.html").read_text(encoding="utf-8")
    assert "Whose words" not in (run / "report.html").read_text(encoding="utf-8")
    tab.open(folder / "report.html")
    tab.run("document.querySelectorAll('#browser button.open').forEach((one) => one.click())")
    shown = tab.run("[...document.querySelectorAll('#browser tr.detail')]"
                    ".map((one) => one.textContent).join(' ')")
    assert f"in the words of frontdesk: {refills[0][1]['utterance']}" in shown
    assert not tab.complaints


@pytest.mark.parametrize("wrong", ["people.jsonl", "prose=people.jsonl", "sgd="])
def test_wordings_without_a_format_are_refused(wrong: str, tmp_path: Path, capsys):
    with pytest.raises(SystemExit):
        evaluate("simulated", "--dialogues", 2, "--wordings", wrong, "--output", tmp_path / "no")
    assert "FORMAT=FILE" in capsys.readouterr().err


def test_only_held_out_dialogues_lend_their_words(tmp_path: Path, capsys):
    path = tmp_path / "dialogues.jsonl"
    path.write_text(json.dumps({"dialogue_id": "d", "turns": [{
        "user_utterance": {"original_text": "lovely"}, "lispress": "(Yield (Execute "
        "(ChooseCreateEventFromConstraint (EmptyStructConstraint))))"}]}) + "\n")
    assert evaluate("simulated", "--dialogues", 2, "--wordings", f"smcalflow={path}",
                    "--output", tmp_path / "no") == 2
    assert "no dialogue of the file is held out" in capsys.readouterr().err


@pytest.mark.parametrize("options", [
    (), ("--dialogues", 0), ("--dialogues", 3, "--jobs", 0),
    ("--dialogues", 3, "--path", SAMPLES / "graphwoz_sample.json"),
    ("--dialogues", 3, "--limit", 2)])
def test_options_that_make_no_sense_are_refused(options, tmp_path: Path, capsys):
    assert evaluate("simulated", *options, "--output", tmp_path / "refused") == 2
    assert "frontdesk" in capsys.readouterr().err
    assert not (tmp_path / "refused").exists()


def test_the_page_shows_every_visit(run: Path, tab: chromium.Browser):
    tab.open(run / "report.html")
    assert tab.run("document.querySelectorAll('#browser tbody tr:not(.detail)').length") == 6
    tab.run("document.querySelector('#browser button.open').click()")
    shown = tab.run("document.querySelector('#browser tr.detail').textContent")
    assert "You are " in shown
    assert "visitor" in shown
    assert not tab.complaints


def test_figures_are_those_of_the_records():
    def turn(number: int, **more) -> dict:
        errors = {"hallucination": False, "retrieval_error": False, "reasons": []}
        return {"dialogue": "visit-0000", "turn": number, "errors": errors, "repeated": False,
                "error": None, "actions": [], "timings_ms": {"total": 10.0}, "refills": [],
                "unfitted": [], **more}

    def end(success: bool, **more) -> dict:
        return {"kind": "arrange", "success": success, "turns": 2, "gave_up": not success,
                "reasons": [] if success else ["not booked", "unasked: cancelled x"],
                "double_bookings": int(not success), "unasked": int(not success), **more}

    wrong = {"hallucination": True, "retrieval_error": True, "reasons": ["contradicts the graph"]}
    report = measure_visits([
        [turn(1), turn(2, actions=[{}], timings_ms={"total": 12.0}, visit=end(True))],
        [turn(1, errors=wrong, repeated=True), turn(2, visit=end(False))]])
    assert report["task_success"]["value"] == 0.5
    assert report["hallucination_rate"]["value"] == 0.25
    assert report["retrieval_error_rate"]["value"] == 0.25
    assert report["repeated_question_rate"]["value"] == 0.25
    assert report["double_bookings"] == report["unasked_changes"] == 1
    assert report["failures"] == {"not booked": 1,
                                  "something changed that was not asked for": 1}
    assert report["turns_to_success"] == {"mean": 2.0, "median": 2.0, "most": 2}
    assert report["latency_ms"]["acting_to_other"] == 1.2
    assert report["by_wording"] is None

    yes, order = ({"text": "Yup.", "data": "sgd", "utterance": "Yup", "form": form}
                  for form in ("(confirm)", "(request (create))"))
    report = measure_visits([
        [turn(1, refills=[order]), turn(2, refills=[yes], visit=end(True))],
        [turn(1, unfitted=["book"]), turn(2, refills=[yes], visit=end(False))],
        [turn(1, visit=end(True))]])
    found = report["by_wording"]
    assert {name: share and share["value"] for name, share in found["task_success"].items()} == {
        "own words only": 1.0, "agreement in real words": 0.0, "more in real words": 1.0,
        "any real words": 0.5}
    assert found["turns_refilled"]["value"] == 0.6
    assert found["visits_refilled"]["of"] == 3
    assert found["refilled"] == {"(confirm)": 2, "(request (create))": 1}
    assert found["unfitted"] == {"book": 1}


def test_wilsons_interval_is_the_textbooks():
    low, high = wilson(9, 10)  # Wilson (1927): 0.5958 to 0.9821
    assert (low, high) == (pytest.approx(0.5958, abs=1e-4), pytest.approx(0.9821, abs=1e-4))
    assert (wilson(0, 5)[0], wilson(5, 5)[1]) == (pytest.approx(0.0), pytest.approx(1.0))


@pytest.mark.usefixtures("run")  # all is loaded that a turn takes time for
def test_a_turn_that_does_not_end_fails_its_visit_alone(tmp_path: Path, monkeypatch):
    real = Session.reply

    def reply(self, utterance, *, now=None):
        while "Thanks" in utterance[0].text or "thanks" in utterance[0].text:
            time.sleep(0.01)
        return real(self, utterance, now=now)

    monkeypatch.setattr(Session, "reply", reply)
    monkeypatch.setattr(receptionist_module, "TURN_LIMIT_S", 2.0)
    assert evaluate("simulated", "--dialogues", 4, "--seed", 4, "--output", tmp_path / "r") == 1
    ends = [turn for turn in turns_of(tmp_path / "r") if "visit" in turn]
    stopped = [end for end in ends if end["error"]]
    assert len(ends) == 4
    assert 0 < len(stopped) < 4
    assert {end["error"]["type"] for end in stopped} == {"TimeoutError"}
    assert all(end["visit"]["reasons"] == ["failure: TimeoutError"] for end in stopped)


# Labels


@pytest.fixture(scope="module")
def receptionist():
    world = invent_world(Split.TRAINING, 1, 1)
    made = AgentReceptionist(world.kb, TEMPLATES, encoder=load_encoder(TEMPLATES), generator=None)
    made.reply([Hypothesis("Hello.")], world.now)
    yield world, made
    made.close()


def label(receptionist, text: str, **more) -> dict:
    world, made = receptionist
    answer = Answer(Reply(text), made.agent.domain, more.pop("after", made.agent.domain))
    options = {"user": None, "agrees": False, "wanted": None, "given": ()} | more
    return VisitLabels().label("What do you know?", answer, world.now, **options)


def test_false_claims_are_hallucinations(receptionist):
    world, _ = receptionist
    event = next(each for each in world.kb.events.values() if each.start > world.now)
    clock = f"{event.start:%H:%M}"
    when = f"{event.start:%A} {event.start.day} {event.start:%B}"
    assert not label(receptionist, f"The {event.name} is on {when} at {clock}.")["hallucination"]
    wrong = f"{(event.start + dt.timedelta(hours=3)):%H:%M}"
    assert label(receptionist, f"The {event.name} is on {when} at {wrong}.")["hallucination"]


def test_what_is_not_told_is_a_retrieval_error(receptionist):
    told = label(receptionist, "Their number is 123.", wanted=["0 phone"], given=["0 phone"])
    assert not told["retrieval_error"]
    assert label(receptionist, "I don't know.", wanted=["0 phone"])["retrieval_error"]
    assert label(receptionist, "Whom do you mean?", wanted=["0 phone"])["asked_back"]


def test_what_the_calendar_bears_out_after_the_turn_is_no_hallucination(receptionist):
    world, _ = receptionist
    person, room = next(iter(world.kb.people.values())), world.kb.bookable_rooms()[0]
    working_day = next(day for ahead in range(3, 6)
                       if (day := world.now.date() + dt.timedelta(days=ahead)).weekday() < 5)
    start = world.starts(working_day, 60)[-1] + dt.timedelta(hours=2)
    event = Event("fresh", "lantern count", start, start + dt.timedelta(hours=1),
                  location=room.id, organizer=person.id, attendees=(person.id,))
    own = AgentReceptionist(world.kb, TEMPLATES, encoder=load_encoder(TEMPLATES), generator=None)
    before = own.agent.domain
    own.calendar.commit(Transaction("t", world.now, person.id, (EventChange(None, event),)))
    own.agent.refresh()
    when = f"{start:%A} {start.day} {start:%B}"
    text = f"The lantern count is on {when} at {start:%H:%M} in {room.name}."
    answer = Answer(Reply(text), before, own.agent.domain)
    found = VisitLabels().label("Book it.", answer, world.now, user=person.id, agrees=False,
                                wanted=None, given=())
    own.close()
    assert not found["hallucination"]


# Recorded dialogues


ACTIONS = ('CreateEvent(date="@tomorrow"), SetTime(event="@newevent", time="10:00"), '
           'SetName(event="@newevent", name="fire drill"), SetDuration(event="@newevent", '
           'duration="30"), SetLocation(event="@newevent", location="Juniper")')


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """The sample as a dialogue that books a meeting."""
    data = json.loads((SAMPLES / "graphwoz_sample.json").read_text(encoding="utf-8"))
    entry = data["DIALOGUE_1"]
    entry["task"] = "You are Ines Okafor. Arrange a meeting called fire drill."
    said = ["Hello, I am Ines Okafor. Please book a meeting tomorrow at 10 for 30 minutes in "
            "Juniper called fire drill.", "Thank you, goodbye."]
    entry["log"] = [{**entry["log"][0], "manual_transcription": text, "alternative": [
        {"transcript": text, "confidence": 0.9}], "agent_actions": actions}
        for text, actions in zip(said, (ACTIONS, "Goodbye()"), strict=True)]
    path = tmp_path / "recorded.json"
    path.write_text(json.dumps({"DIALOGUE_1": entry}), encoding="utf-8")
    return path


def test_replaying_compares_the_calendar_with_the_annotated_one(recorded: Path):
    dialogue = load_data("graphwoz", recorded).dialogues[0]
    calendar = annotated_calendar(dialogue.annotated)
    kb = calendar.organisation
    start = dialogue.annotated.now.replace(hour=10, minute=0, second=0, microsecond=0) \
        + dt.timedelta(days=1)
    event = Event("n", "fire drill", start, start + dt.timedelta(minutes=30),
                  location=kb.named("Juniper")[0].id, organizer=calendar.speaker)
    said = [turn.user for turn in dialogue.turns]

    def compared(*changes: EventChange):
        return compare(calendar, with_changes(kb, changes), said)

    right = compared(EventChange(None, event))
    assert right.right(exact=True)
    assert not compared().right(exact=False)
    late = compared(EventChange(None, replace(event, end=start + dt.timedelta(hours=1))))
    assert late.slots["new 1: length"] == (False, False)
    assert late.slots["new 1: time"] == (True, True)
    other = next(each for each in kb.events.values())
    extra = compared(EventChange(None, event), EventChange(other, None))
    assert not extra.right(exact=False)
    assert extra.unasked


def test_a_closing_yes_is_said_only_where_the_agent_waits_for_one(recorded: Path):
    dialogue = load_data("graphwoz", recorded).dialogues[0]
    calendar = annotated_calendar(dialogue.annotated)
    for closing in (False, True):
        own = AgentReceptionist(calendar.organisation, TEMPLATES,
                                encoder=load_encoder(TEMPLATES), generator=None)
        talk = replay(dialogue, calendar, own, closing=closing)
        assert talk[0]["reply"].endswith("?")
        assert [turn["added"] for turn in talk] == (
            [False, True, False] if closing else [False, False])
        own.close()


def test_the_replay_command_writes_a_report(recorded: Path, tmp_path: Path):
    folder = tmp_path / "run"
    assert evaluate("graphwoz-calendar", "--path", recorded, "--output", folder) == 0
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert report["dialogues"] == 1
    assert report["alone"]["of"] == report["closing yes"]["of"] == 1
    assert report["closing yes"]["right_calendars"] == 1
    assert "fire drill" in (folder / "report.html").read_text(encoding="utf-8")
    assert evaluate("graphwoz-calendar", "--path", SAMPLES / "graphwoz_sample.json", "--output",
                    tmp_path / "none") == 2


def test_the_visitors_dialogues_can_be_written_to_train_on(tmp_path: Path, capsys):
    path = tmp_path / "visitors.json"
    assert main(["data", "simulate", "--visitors", "--dialogues", "5", "--seed", "3",
                 "--output", str(path)]) == 0
    assert "5 dialogues" in capsys.readouterr().out
    written = load_graphwoz(path)
    assert list(written) == [f"visit-3-{number}" for number in range(5)]
    assert all(turn.response for dialogue in written.values() for turn in dialogue.turns)
