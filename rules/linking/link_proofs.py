"""Why a mention was linked to an entity: the rules that fired, and the entities that lost."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from frontdesk.kg.graph.dialogue_graph import Link
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.mentions import MentionKind
from frontdesk.kg.names.name_index import NameIndex
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.features import PairFeatures, pair_features
from frontdesk.rules.linking.linked import RULE, LinkedMention

#: Entities named among those that lost; the others are summed up.
MOST_ALTERNATIVES = 5
_COUNTS = ("no", "one", "two", "three", "four")


@dataclass(frozen=True)
class ProofStep:
    """One rule that speaks for a link.

    Args:
        strength: In (0, 1]: the rule's own probability times that of its body.
        place: File and line of the rule, ``linking.pl:34``; empty where no rule file says it.
        words: What it means, with the values of the features it rests on.
    """

    rule: str
    strength: float
    place: str
    words: str


@dataclass(frozen=True)
class LinkProof:
    """Why a mention refers to an entity.

    Args:
        entity: Id of the entity.
        probability: P(the mention refers to the entity), in (0, 1].
        steps: The rules that fired, the strongest first. They are independent reasons: each alone
            would do.
        alternatives: ``(entity, probability)`` of the most probable other entities, at most
            ``MOST_ALTERNATIVES``.
        others: Summed probability of the other entities considered, in [0, 1].
        nothing: P(the mention refers to none of the entities considered), in [0, 1]; None where a
            mention can refer to several at once ("its attendees"), whose probabilities do not
            exclude each other.
    """

    mention: str
    entity: str
    probability: float
    steps: tuple[ProofStep, ...]
    alternatives: tuple[tuple[str, float], ...] = ()
    others: float = 0.0
    nothing: float | None = None


class LinkProver:
    """Proves links of one linker.

    Args:
        circuit: The rules that linked; None where no rules did (string equality).
        index: Of the names of ``kb``, as the linker used it; needed with a circuit.
    """

    def __init__(self, kb: KnowledgeGraph, circuit: LinkingCircuit | None = None,
                 index: NameIndex | None = None) -> None:
        self.kb, self.circuit, self.index = kb, circuit, index
        self._rules = {rule.name: rule for rule in circuit.rules} if circuit else {}

    def prove(self, linked: LinkedMention, link: Link) -> LinkProof:
        """Why a mention has one of its links.

        Args:
            link: One of its links, or one that took the place of them.
        """
        if link.provenance.rule != RULE:
            return LinkProof(linked.mention.text, link.entity, link.probability,
                             (_said_otherwise(link),))
        lost = [(entity, probability) for entity, probability in linked.ranked
                if entity != link.entity]
        total = math.fsum(probability for _, probability in linked.ranked)
        # Probabilities that exclude each other sum to 1 at most.
        exclusive = bool(linked.ranked) and total <= 1 + 1e-9
        return LinkProof(
            mention=linked.mention.text, entity=link.entity, probability=link.probability,
            steps=self._steps(linked, link), alternatives=tuple(lost[:MOST_ALTERNATIVES]),
            others=math.fsum(probability for _, probability in lost[MOST_ALTERNATIVES:]),
            nothing=max(0.0, 1 - total) if exclusive else None)

    def _steps(self, linked: LinkedMention, link: Link) -> tuple[ProofStep, ...]:
        evidence = linked.evidence.get(link.entity)
        if self.circuit is None or evidence is None:
            return ()
        features = self._features(linked, link)
        steps = []
        for name, body in self.circuit.fired(evidence).items():
            rule = self._rules[name]
            if rule.probability * body > 0:
                steps.append(ProofStep(name, rule.probability * body, rule.place,
                                       _words(name, rule.reason, features)))
        return tuple(sorted(steps, key=lambda step: (-step.strength, step.rule)))

    def _features(self, linked: LinkedMention, link: Link) -> PairFeatures | None:
        """How the names compare; None for what is no name."""
        if self.index is None or linked.mention.kind is not MentionKind.NAME:
            return None
        # Heard in several ways, a mention has other words for each link.
        said = linked.mention.name if link.text == linked.mention.text else link.text
        return pair_features(said, self.kb.entity(link.entity), self.index)


def _said_otherwise(link: Link) -> ProofStep:
    """A link that no rule made: the user chose it, or the strings are equal."""
    provenance = link.provenance
    return ProofStep(provenance.rule, link.probability, "",
                     ", ".join(provenance.premises) or provenance.rule)


def _words(name: str, reason: str, features: PairFeatures | None) -> str:
    say = VALUES.get(name)
    return (reason or name) if say is None or features is None else say(features)


def _letters(features: PairFeatures) -> str:
    edits = features.levenshtein
    count = _COUNTS[edits] if edits < len(_COUNTS) else str(edits)
    return "the names are spelt the same" if edits == 0 else \
        f"the names differ by {count} letter{'s' * (edits > 1)}"


def _alike(features: PairFeatures) -> str:
    return f"the names are spelt alike, Jaro-Winkler similarity {features.jaro_winkler:.2f}"


def _part(features: PairFeatures) -> str:
    return ("all words said are in the name and carry "
            f"{features.name_share:.0%} of its information")


def _some(features: PairFeatures) -> str:
    return (f"{features.words_covered:.0%} of the words said are in the name and carry "
            f"{features.name_share:.0%} of its information")


#: By the name of a rule of ``linking.pl``: its reason with the values of the features.
VALUES: Mapping[str, Callable[[PairFeatures], str]] = {
    "similar_name": _alike, "very_similar_name": _alike, "one_letter_off": _letters,
    "two_letters_off": _letters, "part_of_name": _part, "some_of_name": _some}
#: The rule that names are the same, and all that compare names.
EXACT = "exact_name"
COMPARISONS = frozenset({EXACT, "same_sound", *VALUES})
