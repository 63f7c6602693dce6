"""Visitors in the words of real people say what they mean, or use their own words."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from frontdesk.data.datasets.parsed_files import FilePart, ParsedFormat, load_parsed
from frontdesk.data.invented.visitors.hold_visit import hold_visit, new_visitor
from frontdesk.data.invented.visitors.ideal import IdealReceptionist
from frontdesk.data.invented.visitors.judge import judge
from frontdesk.data.invented.visitors.refilled_wordings import RealWordings, When, meanings
from frontdesk.data.invented.visitors.tasks import draw_visit
from frontdesk.data.invented.visitors.visited_organisations import Split
from frontdesk.kg.graph.logical_forms import read_form

MONDAY_AT_TEN = When(day="on Monday", clock="10")
BOOK = "(request (create (title {title}) (time (at {when}))))"


def wordings(tmp_path: Path, *rows: tuple[str, str]) -> RealWordings:
    """The utterances with their forms, as if they were a data set."""
    path = tmp_path / "utterances.jsonl"
    path.write_text("".join(json.dumps({"dialogue": f"d{number}", "utterance": said,
                                        "forms": [form]}) + "\n"
                            for number, (said, form) in enumerate(rows)), encoding="utf-8")
    return RealWordings([("mine", load_parsed(path, ParsedFormat.FRONTDESK, FilePart.ALL)[0])])


def said(tmp_path: Path, utterance: str, form: str, key: str, values, *patterns: str) -> str:
    found = wordings(tmp_path, (utterance, form)).refill(random.Random(0), key, values, patterns)
    return found.text if found else ""


def booked(tmp_path: Path, utterance: str, title: str, when: str, *, name: str = "site visit",
           time: When = MONDAY_AT_TEN) -> str:
    """A booking in the words of an utterance that has a title and a time."""
    form = f'(request (create (title "{title}") (time (at "{when}"))))'
    return said(tmp_path, utterance, form, "book", {"title": name, "when": time},
                '(request (create (title "title") (time (at "when"))))')


def test_a_visitors_words_stand_where_the_data_has_its_own(tmp_path: Path):
    assert booked(tmp_path, "Squeeze in the choir practice on Friday at 3 pm, would you?",
                  "choir practice", "Friday at 3 pm") \
        == "Squeeze in the site visit on Monday at 10, would you?"
    assert said(tmp_path, "bin my choir thing", '(request (cancel (event "choir thing" '
                "(attends (me)))))", "cancel_one", {"event": "lens workshop",
                                                    "mine": "lens workshop"}) \
        == "bin my lens workshop."
    assert said(tmp_path, "what's up with ann's room, where does she sit",
                '(ask (office (person "ann")))', "person_office", {"person": "Ada Berg"}) \
        == "what's up with ada berg's room, where does she sit."


@pytest.mark.parametrize(("utterance", "when", "time", "expected"), [
    ("Put the choir on Friday at 3", "Friday at 3", When("tomorrow", "half past ten"),
     "Put the site visit tomorrow at half past ten."),
    ("Put the choir at 3 pm Friday", "3 pm Friday", When("on Monday", "10"),
     "Put the site visit at 10 Monday."),
    ("the choir, 3 pm on Friday, book it", "3 pm on Friday", When("on Monday", "10"),
     "the site visit, at 10 on Monday, book it."),
    ("Put the choir on the 4th", "the 4th", When(day="on Monday"),
     "Put the site visit on Monday."),
    ("The 4th suits the choir", "4th", When(day="tomorrow"), "tomorrow suits the site visit."),
    ("Put the choir on Friday night", "Friday night", When(part="this afternoon"),
     "Put the site visit this afternoon."),
    ("Put the choir on Friday at 9 in the morning.", "Friday at 9 in the morning",
     When("on Monday", "2 p.m."), "Put the site visit on Monday at 2 p.m.")])
def test_times_come_with_the_prepositions_that_they_want(tmp_path: Path, utterance: str, when: str,
                                                         time: When, expected: str):
    assert booked(tmp_path, utterance, "choir", when, time=time) == expected


def test_times_of_other_kinds_do_not_fit(tmp_path: Path):
    for when in ("Friday", "3 pm", "Friday from 3 to 5 pm", "next week", "Friday morning"):
        assert not booked(tmp_path, f"Put the choir on {when}", "choir", when)


@pytest.mark.parametrize(("name", "expected"), [
    ("site visit", "Book a site visit on Monday at 10."),
    ("invoice run", "Book an invoice run on Monday at 10."),
    ("sprint goals", "Book sprint goals on Monday at 10.")])
def test_titles_come_with_the_article_that_they_want(tmp_path: Path, name: str, expected: str):
    assert booked(tmp_path, "Book a choir practice on Friday at 3", "choir practice",
                  "Friday at 3", name=name) == expected


@pytest.mark.parametrize(("utterance", "title"), [
    ("I want to sing with the choir on Friday at 3", "sing with the choir"),
    ("On Friday at 3 I'm singing", "singing"),
    ("Book a choir for Bert on Friday at 3", "choir"),
    ("Book a choir on Friday at 3, and remind me an hour before", "choir"),
    ("Book a choir for 20 on Friday at 3", "choir"),
    ("choir Friday at 3", "choir")])
def test_what_would_say_more_or_something_else_is_not_used(tmp_path: Path, utterance: str,
                                                           title: str):
    assert not booked(tmp_path, utterance, title, "Friday at 3")


def test_a_length_that_stands_before_a_noun_is_not_used(tmp_path: Path):
    values = {"length": "half an hour"}
    assert said(tmp_path, "could it last 2 hours", '(revise (set (duration "2 hours")))',
                "mind_length", values) == "could it last half an hour."
    assert not said(tmp_path, "make it a 2 hour thing", '(revise (set (duration "2 hour")))',
                    "mind_length", values)


def test_words_alone_without_any_of_the_datas_are_the_visitors_own(tmp_path: Path):
    assert not said(tmp_path, "Friday.", '(answer (at "Friday"))', "say_day",
                    {"day": When(day="on Monday")})


def test_all_that_phrases_mean_is_of_the_language():
    for key, meaning in meanings().items():
        assert set(meaning) <= {"forms", "without"}, key
        for form in meaning["forms"]:
            assert str(read_form(form)) == form


def test_an_ideal_receptionist_serves_visitors_in_real_words(tmp_path: Path):
    own = wordings(
        tmp_path, ("yup that's the ticket", "(confirm)"),
        ("Squeeze in the choir practice on Friday at 3 pm, would you?",
         BOOK.format(title='"choir practice"', when='"Friday at 3 pm"')),
        ("see to it that I meet Bert tomorrow at 4", '(request (create (time (at "tomorrow at 4")) '
         '(attendee (person "Bert"))))'),
        ("bin the choir thing", '(request (cancel (event "choir thing")))'),
        ("have it go on for 2 hours", '(revise (set (duration "2 hours")))'),
        ("write choir on it", '(answer (title "choir"))'))
    refilled = later = 0
    for number in range(100):
        task, world, rng = draw_visit(Split.EVALUATION, 8, number)
        visitor = new_visitor(task, world, rng, Split.EVALUATION, wordings=own)
        held = hold_visit(visitor, IdealReceptionist(visitor, rng), rng)
        assert judge(held).success, task.text
        for turn in held.turns:
            refilled += bool(turn.refills)
            later += any(each.form.startswith("(answer (title") for each in turn.refills)
            assert all(each.text[1:].rstrip(".").lower() in turn.said.lower()
                       or visitor.speaker.typed for each in turn.refills)
            assert not any(word in turn.said for word in ("choir", "Bert", '"'))
    assert refilled > 60
    assert later  # what real people do not say at once is said when it is asked for


def test_visitors_without_real_words_say_what_they_said_before(tmp_path: Path):
    nothing = wordings(tmp_path, ("hm", "(slower)"))
    for number in range(10):
        talks = []
        for found in (None, nothing):
            task, world, rng = draw_visit(Split.EVALUATION, 9, number)
            visitor = new_visitor(task, world, rng, Split.EVALUATION, wordings=found)
            held = hold_visit(visitor, IdealReceptionist(visitor, rng), rng)
            talks.append(held.turns)
        assert not any(turn.refills or turn.unfitted for turn in talks[0])
        assert not any(turn.refills for turn in talks[1])
    assert any(turn.unfitted for turn in talks[1])
