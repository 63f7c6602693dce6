"""The claim check: what the sentences of a reply assert is read as logical forms and proved.

A claim is a query whose answer must be yes. The parser that reads users reads replies, too; what it
finds is proved by the rules that answer questions. What is neither proved nor a courtesy may not be
said by a generator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from frontdesk.generation.checks.claims import Claim, Verdict, fact_sentences
from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.parser.left_out import left_out, that_leave_out_least
from frontdesk.kg.parser.parser_input import KnownName, ParserInput
from frontdesk.kg.parser.trained_parser import ParsedForms
from frontdesk.scoring.ranked_fact import RankedFact

#: What the parser is told to read a sentence of a reply.
REPLY = "reply"
#: Acts that claim nothing: courtesies, and questions back.
_COURTESIES = frozenset({"greet", "goodbye", "thank", "apologise", "chat", "acknowledge", "ask"})
#: Acts that say yes or no to what was asked.
_ANSWERS = {"confirm": True, "deny": False}


class Outcome(StrEnum):
    """What came of proving a claim."""

    PROVED = "proved"
    CONTRADICTED = "contradicted"
    UNKNOWN = "unknown"              # nothing is known of what it is about, or of such a thing
    NOT_DERIVABLE = "not derivable"  # it does not follow, nor that it is not so
    UNVERIFIABLE = "unverifiable"    # a deed of which there is no record


_VERDICTS = {Outcome.PROVED: Verdict.SUPPORTED, Outcome.CONTRADICTED: Verdict.CONTRADICTED}


@dataclass(frozen=True)
class Proof:
    """Whether a statement is so.

    Args:
        reason: The facts that make it so or not, or why it cannot be told, in words.
    """

    outcome: Outcome
    reason: str = ""


class ClaimParser(Protocol):
    """Reads sentences; :class:`frontdesk.kg.parser.trained_parser.TrainedParser`."""

    def parse(self, each: ParserInput) -> Sequence[ParsedForms]:
        """The readings of a sentence, the likeliest first."""
        ...


class ClaimProver(Protocol):
    """Proves what a reply says, one sentence after the other.

    Attributes:
        affirmed: Whether what was asked is so; None where nothing is asked for yes or no.
    """

    affirmed: bool | None

    def names(self, text: str) -> Sequence[KnownName]:
        """The known names in a sentence."""
        ...

    def prove(self, claims: Sequence[Form]) -> Sequence[Proof]:
        """What comes of each statement, or time that it is said to be, of the next sentence."""
        ...


class ClaimCheck:
    """Checks replies by proving what they claim.

    Args:
        parser: Reads their sentences.
    """

    def __init__(self, parser: ClaimParser) -> None:
        self._parser = parser

    def check(self, reply: str, used: Sequence[RankedFact], prover: ClaimProver
              ) -> tuple[Claim, ...]:
        """The claims of a reply, each with what came of proving it.

        Args:
            reply: Its text.
            used: The facts in use; those that are certain, word for word, need no proof.
            prover: In the dialogue that the reply goes on with.
        """
        text = reply
        for fact, certain in fact_sentences(used):
            text = text.replace(fact, "\n") if certain else text
        found: list[Claim] = []
        earlier: tuple[Form, ...] = ()
        for _, sentence in split_sentences(text):
            if any(each.isalnum() for each in sentence):
                earlier, claims = self._sentence(sentence, earlier, prover)
                found += claims
        return tuple(found)

    def _sentence(self, sentence: str, earlier: tuple[Form, ...], prover: ClaimProver
                  ) -> tuple[tuple[Form, ...], list[Claim]]:
        """The forms of a sentence, and its claims."""
        names = prover.names(sentence)
        readings = that_leave_out_least(self._parser.parse(ParserInput(
            sentence, REPLY, earlier, tuple(names))), sentence, names)
        forms = max(readings, key=lambda each: each.probability).forms if readings else ()
        proofs = list(_proofs(forms, prover))
        missing = left_out(forms, sentence, names) if proofs else []
        if not forms or missing:
            proofs.append(Proof(Outcome.NOT_DERIVABLE, "it was not read" if not forms else
                                f"not read: {', '.join(missing)}"))
        return forms, [_claim(sentence, each) for each in proofs]


def _proofs(forms: Sequence[Form], prover: ClaimProver) -> Iterator[Proof]:
    """What comes of what the forms of a sentence say, all its statements together first."""
    stated = [form.inner()[0] for form in forms if form.head == "inform"]
    if stated:
        yield from prover.prove(stated)
    for form in forms:
        if form.head == "unsupported":
            words = " ".join(span.text for span in form.spans())
            yield Proof(Outcome.UNKNOWN, f"nothing is known of “{words}”")
        elif form.head in _ANSWERS and prover.affirmed is not None:
            yield Proof(Outcome.PROVED if _ANSWERS[form.head] is prover.affirmed
                        else Outcome.CONTRADICTED, "what was asked")
        elif form.head not in _COURTESIES | _ANSWERS.keys() | {"inform"}:
            yield Proof(Outcome.UNVERIFIABLE, str(form))


def _claim(sentence: str, proof: Proof) -> Claim:
    return Claim(sentence, "statement", _VERDICTS.get(proof.outcome, Verdict.UNSUPPORTED),
                 ": ".join(filter(None, (proof.outcome, proof.reason))))
