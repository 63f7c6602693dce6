"""What linking gives, against plain ProbLog: links of every mention and what they mean together.

The candidates with their evidence are taken as the linker found them. What follows is ProbLog's:
``linking.pl`` with the evidence of all candidates of a mention, given that no two of them are
meant, once for everything that the mentions it depends on can mean; and the mentions as annotated
disjunctions on top of each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations, product

import pytest
from problog.engine import DefaultEngine
from problog.program import PrologString
from problog.sdd_formula import SDD

from frontdesk.data.datasets.graphwoz import Dialogue
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph, Hypothesis
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.rules.linking import linking
from frontdesk.rules.linking.candidates import SUPPORT
from frontdesk.rules.linking.circuit import Evidence, LinkingCircuit
from frontdesk.rules.linking.linked import LinkedTurn
from frontdesk.rules.linking.linking import Linker, _Judgement
from frontdesk.rules.linking.linking_program import linking_text, read_linking_program
from frontdesk.rules.linking.possible_worlds import NOTHING, Referents, Worlds

CIRCUIT = LinkingCircuit()
_UNKNOWN_FAILS = 1
_ATOMS = read_linking_program().evidence
_RULES = linking_text()


class Recorded:
    """The judgements of one turn, with the positions of their mentions and parents."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.judgements: dict[int, tuple[tuple[int, ...], _Judgement]] = {}
        add = Worlds.add

        def recording(worlds, mention, parents, meanings):
            self.judgements[mention] = (tuple(parents), meanings.__self__)
            add(worlds, mention, parents, meanings)
        monkeypatch.setattr(Worlds, "add", recording)

    @property
    def is_plural(self) -> bool:
        """Whether a mention can mean several at once, which is no disjunction."""
        return any(len(judgement.together) > 1 or judgement._is_plural_relation()
                   for _, judgement in self.judgements.values())


@cache  # mentions of the same words have the same program
def evaluate(program: str) -> dict[str, float]:
    """The answers of a program given its evidence; a predicate without clauses fails."""
    engine = DefaultEngine(unknown=_UNKNOWN_FAILS)
    ground = engine.ground_all(engine.prepare(PrologString(program)))
    return {str(atom): float(value)
            for atom, value in SDD.create_from(ground).evaluate().items()}


def probabilities(judgement: _Judgement, meant: Referents) -> dict[str, float]:
    """P(a candidate is meant) given what other mentions mean, by plain ProbLog."""
    facts, names = set(), {}
    for number, candidate in enumerate(judgement.candidates):
        names[candidate.entity.id] = f"e{number}"
        evidence: dict[Evidence, float] = dict(candidate.evidence)
        if not candidate.supporters.isdisjoint(meant):
            evidence[SUPPORT[judgement.mention.kind]] = 1.0
        for key, value in evidence.items():
            if key in _ATOMS and value > 0:
                atom = str(_ATOMS[key]).replace("(e", f"(e{number}").replace(",e", f",e{number}")
                facts.add(f"{value!r}::{atom}.")
    program = [_RULES, *sorted(facts), "two :- fail.", "evidence(\\+ two)."]
    program += [f"two :- refers_to(m, {one}), refers_to(m, {other})."
                for one, other in combinations(names.values(), 2)]
    program += [f"query(refers_to(m, {name}))." for name in names.values()]
    found = evaluate("\n".join(program))
    return {entity: found.get(f"refers_to(m,{name})", 0.0) for entity, name in names.items()}


def joint(recorded: Recorded, groups: Iterable[frozenset[str]]) -> dict[frozenset[str], float]:
    """P(all of some entities are meant) by plain ProbLog over annotated disjunctions."""
    outcomes: dict[int, set[Referents]] = {}
    lines: list[str] = []
    ids: dict[str, str] = {}
    for mention, (parents, judgement) in recorded.judgements.items():
        accepted = [judgement.candidates[place].entity.id for place in judgement.accepted]
        outcomes[mention] = {NOTHING, *(frozenset({each}) for each in accepted)}
        for given in product(*(sorted(outcomes[parent], key=sorted) for parent in parents)):
            found = probabilities(judgement, NOTHING.union(*given)) if accepted else {}
            body = ", ".join(_atom(parent, meaning, ids)
                             for parent, meaning in zip(parents, given, strict=True))
            heads = "; ".join(f"{found[each]!r}::{_atom(mention, frozenset({each}), ids)}"
                              for each in accepted if found[each] > 0)
            if heads:
                lines.append(heads + (f" :- {body}." if body else "."))
        known = [_atom(mention, frozenset({each}), ids) for each in accepted]
        lines += [f"{_atom(mention, NOTHING, ids)} :- "
                  f"{', '.join(f'{chr(92)}+ {each}' for each in known) or 'true'}."]
        lines += [f"{each} :- fail." for each in known]
        lines += [f"meant({ids[entity]}) :- {_atom(mention, frozenset({entity}), ids)}."
                  for entity in accepted]
    numbered = dict(enumerate(groups))
    for number, group in numbered.items():
        lines.append(f"all({number}) :- {', '.join(f'meant({ids[each]})' for each in group)}.")
        lines.append(f"query(all({number})).")
    values = evaluate("\n".join(lines))
    return {group: values[f"all({number})"] for number, group in numbered.items()}


def _atom(mention: int, meaning: Referents, ids: dict[str, str]) -> str:
    name = "nothing"
    for entity in meaning:
        name = ids.setdefault(entity, f"x{len(ids)}")
    return f"means(m{mention}, {name})"


def compare(turn: LinkedTurn, recorded: Recorded) -> int:
    """Compare a turn with ProbLog; the number of probabilities compared."""
    entities = list(dict.fromkeys(link.entity for each in turn for link in each.links))
    groups = [frozenset({each}) for each in entities] + [
        frozenset(pair) for pair in combinations(entities[:5], 2)]
    expected = joint(recorded, groups)
    assert {group: turn.meant(group) for group in groups} == pytest.approx(expected, abs=1e-9)
    for position, linked in zip(sorted(recorded.judgements), turn, strict=True):
        alone = [position_ for position_ in recorded.judgements if position_ != position
                 and not {link.entity for link in linked.links}.isdisjoint(
                     candidate.entity.id for candidate in
                     recorded.judgements[position_][1].candidates)]
        if not alone:
            for link in linked.links:
                assert link.probability == pytest.approx(
                    expected[frozenset({link.entity})], abs=1e-9)
    return len(groups)


def replay(dialogue, monkeypatch: pytest.MonkeyPatch, chance: random.Random,
           share: float) -> Mapping[str, int]:
    """Link the turns of a dialogue and compare a share of them."""
    kb = dialogue.knowledge_base
    detector = GazetteerDetector(kb)
    linker = Linker(kb, detector.index, CIRCUIT)
    graph = DialogueGraph()
    counted = {"turns": 0, "probabilities": 0}
    for each in dialogue.turns:
        now = each.started.astimezone(kb.timezone)
        for speaker, text in ((USER, each.transcription), (AGENT, each.response)):
            if not text:
                continue
            observation = detector.detect(clean(text), now=now)
            turn = graph.add_turn(speaker, [Hypothesis(observation.text)], at=now)
            nodes = [graph.add_mention(turn, mention) for mention in observation.mentions]
            with monkeypatch.context() as patch:
                recorded = Recorded(patch)
                linked = linker.link(graph, turn, observation, nodes, now=now)
            for mention in linked:
                for link in mention.links:
                    graph.add_reference(mention.node, link.entity, probability=link.probability,
                                        entity_type=kb.entity(link.entity).type,
                                        provenance=link.provenance)
            dependent = any(parents for parents, _ in recorded.judgements.values())
            if any(mention.links for mention in linked) and not recorded.is_plural \
                    and linked.readings[0][1].cut == 0 and (dependent or chance.random() < share):
                counted["turns"] += 1
                counted["probabilities"] += compare(linked, recorded)
    return counted


def replay_all(dialogues: Mapping[str, Dialogue], monkeypatch: pytest.MonkeyPatch,
               share: float) -> dict[str, int]:
    """Dialogues one after the other; how many turns and probabilities were compared."""
    chance = random.Random(0)
    total = {"turns": 0, "probabilities": 0}
    for dialogue in dialogues.values():
        for name, number in replay(dialogue, monkeypatch, chance, share).items():
            total[name] += number
    return total


def test_linking_of_real_turns_is_what_plain_problog_gives(dev_dialogues, monkeypatch):
    # Of every sixth dialogue all turns in which mentions depend on each other, and a third of the
    # others, which are alike.
    total = replay_all(dict(list(dev_dialogues.items())[::6]), monkeypatch, share=0.33)
    assert total["turns"] >= 8
    assert total["probabilities"] >= 25


@pytest.mark.parametrize("defect", ["links", "joint", "support"])
def test_linking_comparison_notices_what_is_wrong(dev_dialogues, monkeypatch, defect):
    if defect == "links":
        right = linking._exclusive
        monkeypatch.setattr(linking, "_exclusive", lambda *given: right(*given) * 0.999)
    elif defect == "joint":
        monkeypatch.setattr(Worlds, "probability", lambda worlds, entities: 0.37)
    else:
        monkeypatch.setattr(_Judgement, "_meant", lambda judgement, world: NOTHING)
    with pytest.raises(AssertionError):
        replay_all(dev_dialogues, monkeypatch, share=0.3)
