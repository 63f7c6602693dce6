"""The faithfulness check alone over HTTP."""

from __future__ import annotations

import pytest

from .calls import call
from .conftest import PHONE

QUESTION = [{"role": "user", "text": "Where is the lens workshop?"}]


def check(service, response: str, history=QUESTION, **data) -> dict:
    status, found, _ = call(f"{service.url}/check",
                            {"history": history, "response": response, **data})
    assert status == 200, found
    return found


@pytest.mark.parametrize(("response", "verdict"), [
    ("It is in Rowan.", "supported"), ("It is in Alder.", "unsupported"),
    ("Hello there!", "no_claims")])
def test_a_reply_of_anybody_is_judged_by_the_graph(service, response, verdict):
    assert check(service, response)["graph"]["verdict"] == verdict


def test_the_dialogue_before_says_what_a_reply_is_about(service):
    history = [*QUESTION, {"role": "assistant", "text": "It is in Rowan."},
               {"role": "user", "text": "When does it start?"}]
    assert check(service, "It starts at 14:00.", history)["graph"]["verdict"] == "supported"
    assert check(service, "It starts at 15:00.", history)["graph"]["verdict"] != "supported"


def test_a_reply_is_scored_by_the_knowledge_that_is_given(service):
    history = [{"role": "user", "text": "Who owns the blue car?"}]
    right = check(service, "Bo Harald owns the blue car.", history,
                  knowledge=["Bo Harald owns the blue car."])
    wrong = check(service, "Kim Tran owns the blue car.", history,
                  knowledge=["Bo Harald owns the blue car."])
    assert right["q2"] > wrong["q2"]


def test_a_check_changes_nothing(service):
    before = service.calendar.version()
    history = [{"role": "user", "text": "Book a meeting called glue tomorrow at ten"},
               {"role": "assistant", "text": "Shall I book it?"}, {"role": "user", "text": "yes"}]
    check(service, "It is booked.", history, speaker="ines@example.org")
    assert service.calendar.version() == before


@pytest.mark.parametrize(("data", "says"), [
    ({"history": [{"role": "assistant", "text": "hello"}], "response": "hi"}, "turn of the user"),
    ({"history": [], "response": "hi"}, "history"),
    ({"history": QUESTION, "response": "x" * 5000}, "5000 characters")])
def test_what_cannot_be_checked_is_told(service, data, says):
    status, problem, _ = call(f"{service.url}/check", data)
    assert (status, says in problem["error"]["message"]) == (422, True), problem


def test_only_a_key_that_vouches_may_say_who_is_spoken_to(service):
    status, problem, _ = call(f"{service.url}/check", {
        "history": QUESTION, "response": "hi", "speaker": "ines@example.org"}, key=PHONE)
    assert (status, "may not say who speaks" in problem["error"]["message"]) == (422, True)
