from __future__ import annotations

import pytest

from frontdesk.generation.checks.error_labels import label_errors
from frontdesk.generation.checks.graph_check import Claim, GraphVerdict, Verdict

ASKED = [("user", "Where is the lens workshop?")]
FINE = GraphVerdict(Verdict.SUPPORTED, (Claim("Alpha", "entity", Verdict.SUPPORTED),))


def labels(reply, history=ASKED, verdict=FINE, **values):
    return label_errors(reply, history, verdict, **{"wanted": ["Alpha"], **values})


def test_a_reply_that_says_what_the_graph_has_has_no_error():
    found = labels("The lens workshop is in Alpha.", given=["Alpha"])
    assert (found.hallucination, found.retrieval_error, found.reasons) == (False, False, ())


@pytest.mark.parametrize(("verdict", "exists", "reasons"), [
    (Verdict.CONTRADICTED, True, ("contradicts the graph (entity)",)),
    (Verdict.UNSUPPORTED, False, ("names what the graph does not have",)),
    (Verdict.UNSUPPORTED, True, ()),
])
def test_contradicting_the_graph_and_naming_what_it_lacks_are_hallucinations(verdict, exists,
                                                                             reasons):
    failed = GraphVerdict(verdict, (Claim("Beta", "entity", verdict),))
    found = labels("It is in Beta.", verdict=failed, given=["Alpha"], exists=lambda _: exists)
    assert found.hallucination is bool(reasons)
    assert found.unsupported is (verdict is Verdict.UNSUPPORTED)
    assert found.reasons == reasons


def test_to_say_that_something_is_booked_is_a_hallucination_only_where_it_conflicts():
    action = Claim("I have booked", "action", Verdict.CONTRADICTED)
    conflict = Claim("Alpha", "conflict", Verdict.CONTRADICTED, "lens workshop is from 10 to 11")
    fine = labels("I have booked Alpha.", given=["Alpha"],
                  verdict=GraphVerdict(Verdict.CONTRADICTED, (action,)))
    wrong = labels("I have booked Alpha.", given=["Alpha"],
                   verdict=GraphVerdict(Verdict.CONTRADICTED, (action, conflict)))
    assert (fine.hallucination, fine.reasons) == (False, ())
    assert (wrong.hallucination, wrong.reasons) == (
        True, ("describes what conflicts with the calendar",))


@pytest.mark.parametrize(("kind", "hallucinates"), [
    ("phone", True), ("address", True), ("number", False), ("time", False), ("not_found", False)])
def test_a_phone_number_or_address_that_the_graph_lacks_is_named_in_vain(kind, hallucinates):
    claim = Claim("+44 1632 960999", kind, Verdict.UNSUPPORTED)
    found = labels("Here you are.", given=["Alpha"],
                   verdict=GraphVerdict(Verdict.UNSUPPORTED, (claim,)))
    assert found.hallucination is hallucinates


def test_denying_and_leaving_out_what_the_graph_has_are_retrieval_errors():
    assert labels("I'm sorry, I don't know.").reasons == ("denies what the graph has",)
    assert labels("It is at ten.").reasons == ("leaves out what the graph has",)
    assert labels("It is at ten.").retrieval_error


def test_a_question_back_is_no_retrieval_error_but_is_said():
    asked = labels("Which lens workshop do you mean?")
    assert (asked.retrieval_error, asked.asked_back) == (False, True)
    denied = labels("I don't know. Could you say it again?")
    assert (denied.retrieval_error, denied.asked_back) == (True, False)


def test_where_nothing_is_wanted_nothing_can_be_missed():
    found = labels("You're welcome!", wanted=[])
    assert (found.retrieval_error, found.asked_back) == (False, False)


def test_nothing_is_known_without_a_reference_or_a_check():
    found = labels("It is in Alpha.", wanted=None, verdict=None)
    assert (found.hallucination, found.retrieval_error) == (None, None)


def test_an_invitation_must_say_whom():
    history = [("user", "Please invite Ines and Bo.")]
    vague = labels("Okay, I've invited them.", history, wanted=[])
    assert vague.reasons == ("confirms an invitation without saying whom",)
    named = labels("Okay, I've invited Ines Okafor.", history, wanted=[], people=["Ines Okafor"])
    assert named.retrieval_error is False


def test_what_was_confirmed_must_not_be_asked_again():
    history = [("user", "Book Alpha."), ("agent", "Would you like Alpha at ten?"),
               ("user", "Yes, please.")]
    again = labels("Would you like Alpha at ten?", history, wanted=[])
    assert again.reasons == ("asks again for what was confirmed",)
    further = labels("Would you like to invite somebody?", history, wanted=[])
    assert further.retrieval_error is False
