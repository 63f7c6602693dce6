"""The claim check: what the sentences of a reply assert is read as logical forms and proved.

A claim is a query whose answer must be yes. The parser that reads users reads replies, too; what it
finds is proved by the rules that answer questions. What is neither proved nor a courtesy may not be
said by a generator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from frontdesk.generation.checks.claims import Claim, Verdict, fact_sentences, has_words
from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.kg.graph.logical_forms import Form, Sort
from frontdesk.kg.parser.parser_input import KnownName, ParserInput
from frontdesk.kg.parser.reading_omissions import omissions, that_leave_out_least
from frontdesk.kg.parser.trained_parser import ParsedForms
from frontdesk.scoring.ranked_fact import RankedFact

#: What the parser is told to read a sentence of a reply.
REPLY = "reply"
#: Acts that claim nothing: courtesies, and what the user is asked for.
_COURTESIES = frozenset({"greet", "goodbye", "thank", "apologise", "chat", "acknowledge", "ask",
                         "help", "repeat", "slower"})
#: A sentence is said where it is so probable that it says what is proved.
_SURE = 0.6
#: Where a sentence begins, perhaps with "Yes, " or "No, ", and where it ends.
_BEGINS = r"(?:^|(?<=[.?!])(?=\s)|(?<=[.?!][\"”)])(?=\s))(\s*(?:(?:Yes|No),\s+)?)"
_ENDS = r"(?:(?<=[.?!])(?=\s|$)|(?<=[.?!][\"”)])(?=\s|$)|[.?!]+(?=\s|$)|(?=\s*$))"
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
    """Proves what the next sentence of a reply says."""

    @property
    def affirmed(self) -> bool | None:
        """Whether what was asked is so; None where nothing is asked for yes or no."""
        ...

    def names(self, text: str) -> Sequence[KnownName]:
        """The known names in a sentence."""
        ...

    def prove(self, claims: Sequence[Form]) -> tuple[Sequence[Proof], ClaimProver]:
        """What comes of the statements of the sentence, and of the times that it is said to be;
        with what proves the sentence after it."""
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
            used: The facts in use; those that are certain need no proof where they are whole
                sentences, word for word, or follow "Yes, " or "No, ".
            prover: In the dialogue that the reply goes on with.
        """
        found: list[Claim] = []
        earlier: tuple[Form, ...] = ()
        facts = sorted({fact for fact, certain in fact_sentences(used) if certain},
                       key=len, reverse=True)
        for _, sentence in split_sentences(_without(facts, reply)):
            if any(each.isalnum() for each in sentence):
                read = self._sentence(sentence, earlier, prover)
                if read.passes and self._is_only_the_fact_read(read, sentence, facts, earlier,
                                                               prover):
                    read = replace(read, proofs=[*read.proofs, Proof(
                        Outcome.NOT_DERIVABLE, "what is said of a fact in it was not read")])
                found += [_claim(sentence, each) for each in read.proofs]
                earlier, prover = read.forms, read.after
        return tuple(found)

    def _is_only_the_fact_read(self, read: _Proved, sentence: str, facts: Sequence[str],
                               earlier: tuple[Form, ...], prover: ClaimProver) -> bool:
        """Whether a sentence with a fact and other words was read as if it had the fact alone."""
        bare = [fact.rstrip(".?!") for fact in facts]
        fact = next((each for each in bare if has_words(sentence, each)), "")
        if not fact:
            return False
        readings = self._readings(f"{fact}.", earlier, prover.names(f"{fact}."))
        return bool(readings) and _stated(readings[0].forms) == _stated(read.forms)

    def _readings(self, sentence: str, earlier: tuple[Form, ...], names: Sequence[KnownName]
                  ) -> list[ParsedForms]:
        """The readings of a sentence that make sense, the likeliest first."""
        readings = sorted(that_leave_out_least(self._parser.parse(ParserInput(
            sentence, REPLY, earlier, tuple(names))), sentence, names),
            key=lambda each: -each.probability)
        return [each for each in readings if not any(map(_says_nothing, each.forms))]

    def _sentence(self, sentence: str, earlier: tuple[Form, ...], prover: ClaimProver
                  ) -> _Proved:
        """What comes of a sentence by its likeliest reading, where it is as surely proved."""
        names = prover.names(sentence)
        readings = self._readings(sentence, earlier, names)
        if not readings:
            return _Proved((), [Proof(Outcome.NOT_DERIVABLE, "it was not read")], prover)
        total = sum(each.probability for each in readings)
        readings = [replace(each, probability=each.probability / total) for each in readings]
        first = _proved(readings[0].forms, sentence, names, prover)
        sure, left = readings[0].probability, 1.0 - readings[0].probability
        for each in readings[1:]:
            if not first.passes or sure >= _SURE or sure + left < _SURE:
                break
            left -= each.probability
            if _proved(each.forms, sentence, names, prover).passes:
                sure += each.probability
        if first.passes and sure < _SURE:
            return replace(first, proofs=[*first.proofs, Proof(
                Outcome.NOT_DERIVABLE, "it may say something else")])
        return first


def _without(facts: Sequence[str], reply: str) -> str:
    """A reply with a line break for each fact that is a sentence, or follows "Yes, " or "No, "."""
    words = "|".join(map(re.escape, facts))
    return re.sub(rf"{_BEGINS}(?:{words}){_ENDS}", r"\1\n", reply) if facts else reply


@dataclass(frozen=True)
class _Proved:
    """A sentence in one reading.

    Args:
        after: Proves the sentence after it.
    """

    forms: tuple[Form, ...]
    proofs: Sequence[Proof]
    after: ClaimProver

    @property
    def passes(self) -> bool:
        """Whether all that it claims is proved."""
        return all(each.outcome is Outcome.PROVED for each in self.proofs)


def _stated(forms: Sequence[Form]) -> list[str]:
    return [str(form) for form in forms if form.head == "inform"]


def _says_nothing(form: Form) -> bool:
    """Whether something is related to itself, or to what has itself in its description: nobody
    means that."""
    return form.head == "inform" and any(
        one is not other and one in other.walk()
        for stated in form.walk() if stated.head not in ("and", "or", "except")
        for one in stated.inner() for other in stated.inner()
        if not one.is_of(Sort.TIME))


def _proved(forms: tuple[Form, ...], sentence: str, names: Sequence[KnownName],
            prover: ClaimProver) -> _Proved:
    """What comes of what the forms of a sentence say, of all its statements together."""
    stated = [form.inner()[0] for form in forms if form.head == "inform"]
    proved, after = prover.prove(stated) if stated else ((), prover)
    proofs = [*proved, *_other_proofs(forms, prover.affirmed)]
    if proofs and (missing := omissions(forms, sentence, names)):
        proofs.append(Proof(Outcome.NOT_DERIVABLE, f"not read: {', '.join(missing)}"))
    return _Proved(forms, proofs, after)


def _other_proofs(forms: Sequence[Form], affirmed: bool | None) -> Iterator[Proof]:
    """What comes of all that is claimed without a statement."""
    for form in forms:
        if form.head == "unsupported":
            words = " ".join(span.text for span in form.spans())
            yield Proof(Outcome.UNKNOWN, f"nothing is known of “{words}”")
        elif form.head in _ANSWERS and affirmed is not None:
            yield Proof(Outcome.PROVED if _ANSWERS[form.head] is affirmed
                        else Outcome.CONTRADICTED, "what was asked")
        elif form.head not in _COURTESIES | _ANSWERS.keys() | {"inform"}:
            yield Proof(Outcome.UNVERIFIABLE, str(form))


def _claim(sentence: str, proof: Proof) -> Claim:
    return Claim(sentence, "statement", _VERDICTS.get(proof.outcome, Verdict.UNSUPPORTED),
                 ": ".join(filter(None, (proof.outcome, proof.reason))))
