"""What a reply claims, by forms that a parser gives and proofs that a prover gives."""

from __future__ import annotations

import pytest

from frontdesk.generation.checks.claim_check import ClaimCheck, Outcome, Proof
from frontdesk.generation.checks.claims import Verdict
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.logical_forms import Form, Span, read_forms
from frontdesk.kg.parser.parser_input import KnownName
from frontdesk.kg.parser.trained_parser import ParsedForms
from frontdesk.scoring.ranked_fact import RankedFact

SO = "(inform (location (event \"crit\") (room \"Gorse\")))"


class Reader:
    """Gives each sentence its readings, and keeps what it was asked."""

    def __init__(self, **readings: dict[str, float]) -> None:
        self.readings, self.read = readings, []

    def parse(self, each):
        self.read.append(each)
        found = self.readings.get(each.utterance.split()[-1].strip(".,!?"), {})
        return [ParsedForms(tuple(placed(form, each.utterance) for form in read_forms(forms)),
                            probability) for forms, probability in found.items()]


def placed(form: Form, said: str) -> Form:
    return Form(form.head, tuple(
        placed(each, said) if isinstance(each, Form) else Span(
            each.text, said.find(each.text), said.find(each.text) + len(each.text))
        for each in form.arguments))


class Prover:
    """Comes to one outcome of all statements."""

    def __init__(self, outcome=Outcome.PROVED, affirmed=None) -> None:
        self.outcome, self.affirmed, self.proved = outcome, affirmed, []

    def names(self, text):
        return [KnownName(text.index(each), text.index(each) + len(each), kind)
                for each, kind in (("Gorse", "room"), ("crit", "event")) if each in text]

    def prove(self, claims):
        self.proved.append(tuple(claims))
        return [Proof(self.outcome if claims[0].head != "untrue" else Outcome.CONTRADICTED,
                      "the facts") for _ in claims], self


def verdicts(reader: Reader, prover: Prover, reply: str, used=()) -> list[Verdict]:
    return [each.verdict for each in ClaimCheck(reader).check(reply, used, prover)]


@pytest.mark.parametrize(("outcome", "verdict"), [
    (Outcome.PROVED, Verdict.SUPPORTED), (Outcome.CONTRADICTED, Verdict.CONTRADICTED),
    (Outcome.UNKNOWN, Verdict.UNSUPPORTED), (Outcome.NOT_DERIVABLE, Verdict.UNSUPPORTED)])
def test_a_claim_is_as_good_as_its_proof(outcome, verdict):
    (claim,) = ClaimCheck(Reader(Gorse={SO: 1.0})).check("The crit is in Gorse.", (),
                                                         Prover(outcome))
    assert (claim.verdict, claim.text, claim.evidence) == (
        verdict, "The crit is in Gorse.", f"{outcome}: the facts")


@pytest.mark.parametrize("act", ["(greet)", "(thank)", "(chat)", "(ask (where (that)))"])
def test_courtesies_and_questions_back_claim_nothing(act):
    assert verdicts(Reader(there={act: 1.0}), Prover(), "Hello there!") == []


@pytest.mark.parametrize("act", ["(unsupported \"there\")", "(request (tell (that)))", "(undo)"])
def test_what_cannot_be_said_in_forms_and_deeds_are_not_proved(act):
    assert verdicts(Reader(there={act: 1.0}), Prover(), "I told him there.") == [
        Verdict.UNSUPPORTED]


def test_what_cannot_be_read_is_not_proved():
    assert verdicts(Reader(), Prover(), "Mumble.") == [Verdict.UNSUPPORTED]


def test_a_name_that_the_forms_leave_out_is_not_proved():
    left = "(inform (is (that) (now)))"
    assert Verdict.UNSUPPORTED in verdicts(Reader(Gorse={left: 1.0}), Prover(),
                                           "The crit is in Gorse.")


def test_rather_than_a_reading_that_leaves_out_a_name_one_with_it_is_proved():
    left, prover = "(inform (is (event \"crit\") (now)))", Prover()
    assert verdicts(Reader(Gorse={left: 0.6, SO: 0.4}), prover, "The crit is in Gorse.") == [
        Verdict.SUPPORTED]
    assert prover.proved[0][0].head == "location"


@pytest.mark.parametrize(("others", "passes"), [
    ({"(inform (untrue (is (event \"crit\") (room \"Gorse\"))))": 0.45}, False),
    ({"(inform (untrue (is (event \"crit\") (room \"Gorse\"))))": 0.2}, True),
    ({"(inform (is (event \"crit\") (room \"Gorse\")))": 0.4}, True),
    ({"(inform (untrue (location (event \"crit\") (event \"crit\"))))": 0.45}, True)])
def test_a_sentence_that_may_as_well_say_something_else_is_not_proved(others, passes):
    sure = 1 - sum(others.values())
    claims = verdicts(Reader(Gorse={SO: sure, **others}), Prover(), "The crit is in Gorse.")
    assert (Verdict.UNSUPPORTED not in claims) is passes


def test_all_statements_of_a_sentence_are_proved_together_and_each_sentence_after_the_last():
    reader, prover = Reader(Gorse={SO + SO: 1.0}, it={"(inform (free (me)))": 1.0}), Prover()
    assert verdicts(reader, prover, "The crit is in Gorse. Nobody runs it.") == [
        Verdict.SUPPORTED] * 3
    assert [len(each) for each in prover.proved] == [2, 1]
    assert [(each.asked, len(each.earlier)) for each in reader.read] == [
        ("reply", 0), ("reply", 2)]


@pytest.mark.parametrize(("act", "affirmed", "found"), [
    ("(confirm)", True, [Verdict.SUPPORTED]), ("(confirm)", False, [Verdict.CONTRADICTED]),
    ("(deny)", False, [Verdict.SUPPORTED]), ("(deny)", True, [Verdict.CONTRADICTED]),
    ("(confirm)", None, [])])
def test_yes_and_no_claim_what_was_asked(act, affirmed, found):
    assert verdicts(Reader(so={act: 1.0}), Prover(affirmed=affirmed), "That is so.") == found


def test_a_fact_that_is_certain_needs_no_proof_word_for_word():
    reader = Reader(Gorse={SO: 1.0})
    fact = RankedFact(Fact("location", ("e", "r")), "The crit is in Gorse.", 1.0)
    assert verdicts(reader, Prover(), "Yes, the crit is in Gorse.", [fact]) == [
        Verdict.UNSUPPORTED]
    assert [each.utterance for each in reader.read] == ["Yes,"]


@pytest.mark.parametrize("reply", [
    "It is not true that the crit is in Gorse.", "I doubt that the crit is in Gorse.",
    "Not the crit is in Gorse.", "The crit is in Gorse. I doubt that the crit is in Gorse.",
    "It is wrong that\nThe crit is in Gorse."])
def test_a_sentence_that_is_read_as_the_fact_in_it_is_not_proved(reply):
    reader = Reader(Gorse={SO: 1.0}, that={"(chat)": 1.0})
    fact = RankedFact(Fact("location", ("e", "r")), "The crit is in Gorse.", 1.0)
    *_, claim = ClaimCheck(reader).check(reply, [fact], Prover())
    assert claim.evidence == "not derivable: what is said of a fact in it was not read"


def test_a_courtesy_beside_a_fact_says_nothing_of_it():
    reader = Reader(Gorse={f"(apologise) {SO}": 1.0})
    fact = RankedFact(Fact("location", ("e", "r")), "The crit is in Gorse.", 1.0)
    assert Verdict.UNSUPPORTED in verdicts(reader, Prover(), "Sorry, not the crit is in Gorse.",
                                           [fact])


def test_a_sentence_in_which_more_is_read_than_the_fact_in_it_is_proved():
    reader = Reader(Gorse={SO: 1.0}, noon={f"{SO} (inform (is (that) (at \"noon\")))": 1.0})
    fact = RankedFact(Fact("location", ("e", "r")), "The crit is in Gorse.", 1.0)
    assert verdicts(reader, Prover(), "The crit is in Gorse at noon.", [fact]) == [
        Verdict.SUPPORTED] * 2


@pytest.mark.parametrize("text", ["The crit is in Gorse.", "The crit is in Gorse",
                                  "The crit is in “Gorse.”"])
def test_facts_one_after_the_other_are_sentences_each(text):
    fact = RankedFact(Fact("location", ("e", "r")), text, 1.0)
    reply = " ".join([text if text.endswith((".", "”")) else f"{text}."] * 3)
    assert verdicts(Reader(), Prover(), reply, [fact]) == []
