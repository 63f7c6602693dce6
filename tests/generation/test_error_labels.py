from __future__ import annotations

import pytest

from frontdesk.generation.error_labels import label_errors
from frontdesk.generation.graph_check import Claim, GraphVerdict, Verdict

ASKED = [("user", "Where is the lens workshop?")]
FINE = GraphVerdict(Verdict.SUPPORTED, (Claim("Alpha", "entity", Verdict.SUPPORTED),))


def labels(reply, history=ASKED, verdict=FINE, **values):
    return label_errors(reply, history, verdict, **{"wanted": ["Alpha"], **values})


def test_a_reply_that_says_what_the_graph_has_has_no_error():
    found = labels("The lens workshop is in Alpha.", given=["Alpha"])
    assert (found.hallucination, found.retrieval_error, found.reasons) == (False, False, ())


@pytest.mark.parametrize(("verdict", "reason"), [
    (Verdict.CONTRADICTED, "contradicts the graph (entity)"),
    (Verdict.UNSUPPORTED, "says what the graph does not support (entity)"),
])
def test_a_claim_that_fails_the_graph_check_is_a_hallucination(verdict, reason):
    failed = GraphVerdict(verdict, (Claim("Beta", "entity", verdict),))
    found = labels("It is in Beta.", verdict=failed, given=["Alpha"])
    assert found.hallucination
    assert found.reasons == (reason,)


def test_an_action_that_was_not_done_is_named_as_such():
    claim = Claim("I have booked", "action", Verdict.CONTRADICTED)
    found = labels("I have booked Alpha.", given=["Alpha"],
                   verdict=GraphVerdict(Verdict.CONTRADICTED, (claim,)))
    assert found.reasons == ("claims an action that was not done",)


def test_denying_and_leaving_out_what_the_graph_has_are_retrieval_errors():
    assert labels("I'm sorry, I don't know.").reasons == ("denies what the graph has",)
    assert labels("It is at ten.").reasons == ("leaves out what the graph has",)
    assert labels("It is at ten.").retrieval_error


def test_a_question_back_and_a_reply_to_nothing_wanted_are_no_retrieval_errors():
    assert labels("Which lens workshop do you mean?").retrieval_error is False
    assert labels("You're welcome!", wanted=[]).retrieval_error is False


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
