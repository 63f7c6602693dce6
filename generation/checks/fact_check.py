"""The graph check of a domain that is nothing but a schema: a reply may say what its facts have.

What is left of a reply without the sentences of the facts in use is read for names, numbers and for
things said to be done. A name is supported when a fact in use, or a stored fact about it, has it
together with something spoken of; a number when a fact in use has it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Sequence

from frontdesk.generation.answers.reply_sentence import SENTENCE
from frontdesk.generation.checks.claims import Claim, Verdict
from frontdesk.generation.checks.graph_check import GraphVerdict
from frontdesk.kg.english.phrases import decapitalise
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.mentions import MentionDetector, MentionKind
from frontdesk.kg.graph.windows import Window
from frontdesk.kg.names.gazetteer import LONGEST_UTTERANCE
from frontdesk.scoring.ranked_fact import RankedFact

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.:]\d+)?\b")
_DONE = re.compile(
    r"\b(?:I|we)(?:['’]ve| have|['’]ll| will)?\s+(?:now |already |just )*(?:set|sent|start(?:ed)?|"
    r"schedul(?:e|ed)|book(?:ed)?|add(?:ed)?|remind(?:ed)?|reserv(?:e|ed)|made|put|renew(?:ed)?)\b"
    r"|\b(?:has|have) (?:now )?been (?:set|scheduled|added|booked|sent|reserved|renewed)\b",
    re.IGNORECASE)


class SentenceCheck:
    """Checks replies sentence by sentence; the sentences of the facts in use are right."""

    def __init__(self, base: FactBase) -> None:
        self.base = base

    def check(self, reply: str, used: Sequence[RankedFact], *, now: dt.datetime,
              said: str = "", earlier: str = "", spoken_of: Collection[str] = (),
              asked: Collection[Window] = ()) -> GraphVerdict:
        """See :meth:`frontdesk.generation.checks.graph_check.GraphCheck.check`."""
        claims: list[Claim] = []
        rest = reply
        for text in (form for fact in used for form in self.forms(fact.text)):
            if text in rest:
                claims.append(Claim(text, "fact", Verdict.SUPPORTED, text))
                rest = rest.replace(text, "\n")
        for quoted in re.findall(r"“([^”]*)”", rest):
            if quoted.removesuffix("…") in said:
                rest = rest.replace(f"“{quoted}”", "\n")
        subjects: set[str] = set()
        for sentence in SENTENCE.findall(rest):
            if len(sentence) > LONGEST_UTTERANCE:
                claims.append(Claim(f"{sentence[:40].strip()}…", "unread", Verdict.UNSUPPORTED))
            elif sentence.strip() and not sentence.rstrip().endswith("?"):
                claims.extend(self.claims(sentence, used, said, set(spoken_of), subjects, now))
        return GraphVerdict.of(claims)

    def forms(self, text: str) -> tuple[str, str]:
        """A fact's sentence as it stands alone and as it goes on after "Yes, "."""
        return text, decapitalise(text)

    def claims(self, sentence: str, used: Sequence[RankedFact], said: str, spoken_of: set[str],
               subjects: set[str], now: dt.datetime) -> list[Claim]:
        """The claims of a sentence.

        Args:
            spoken_of: Ids of what that speaks of.
            subjects: Ids of what the sentences before were about; changed to this one's.
            now: Zone-aware present.
        """
        raise NotImplementedError


class FactCheck(SentenceCheck):
    """Checks replies by the facts that they rest on.

    Args:
        detector: Finds the names of ``base`` in replies.
    """

    def __init__(self, base: FactBase, detector: MentionDetector) -> None:
        super().__init__(base)
        self._detector = detector

    def claims(self, sentence: str, used: Sequence[RankedFact], said: str, spoken_of: set[str],
               subjects: set[str], now: dt.datetime) -> list[Claim]:
        """See :meth:`SentenceCheck.claims`."""
        done = _DONE.search(sentence)
        found = [Claim(done.group(), "action", Verdict.CONTRADICTED, "nothing was done")] \
            if done else []
        about = spoken_of | {each for fact in used for each in fact.fact.entities()}
        rest = sentence
        for mention in self._detector.detect(sentence, now=now).mentions:
            if mention.kind is not MentionKind.NAME:
                continue
            ids = {each.id for each in self.base.named(mention.name)}
            rest = rest.replace(mention.text, " ", 1)
            supported = mention.name in said or any(
                each in about or not about.isdisjoint(self.base.neighbours(each)) for each in ids)
            found.append(Claim(mention.text, "entity", Verdict.SUPPORTED if supported
                               else Verdict.UNSUPPORTED))
        known = " ".join([said, *(fact.text for fact in used)])
        found += [Claim(number, "number", Verdict.SUPPORTED if re.search(
            rf"(?<!\w){re.escape(number)}(?!\w)", known) else Verdict.UNSUPPORTED)
            for number in _NUMBER.findall(rest)]
        return found
