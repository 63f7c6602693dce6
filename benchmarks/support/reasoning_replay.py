"""Replays dialogues on calendars of several sizes; part of ``benchmarks/reasoning.py``."""

from __future__ import annotations

import datetime as dt
import gc
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.progress import Progress
from whole_facts import WholeTurn
from whole_program import Atom, differences, every_pair

from frontdesk.agent import Agent, load_settings
from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.agent.settings.settings import EmbeddedSettings, Settings
from frontdesk.agent.turn.reply import Reply
from frontdesk.data.datasets.graphwoz import Dialogue
from frontdesk.kg.graph.facts import Fact
from frontdesk.rules.engine.derived import Derived
from frontdesk.rules.linking.linked import LinkedTurn
from frontdesk.rules.organisation.organisation_reasoner import Goal
from frontdesk.scoring.encoder import SentenceEncoder

from .plain_problog import PlainProbLog
from .reasoning_report import Case, TurnKey
from .scale import scaled

#: Candidates of a mention whose probabilities are given.
MOST_RANKED = 25
STAGES = ("link", "infer")


def reasoning_settings() -> Settings:
    """With templates: how replies are worded is not measured."""
    return replace(load_settings(), profile="embedded",
                   embedded=EmbeddedSettings(words="templates"))


def reasoned_ms(reply: Reply) -> float:
    """What linking and inferring took in a turn that answers."""
    return sum(reply.timings_ms[stage] for stage in STAGES)


@dataclass
class Recorded:
    """What the stages of a turn were given and gave.

    Args:
        goal: What it can ask about; None where nothing was derived.
    """

    linked: LinkedTurn | None = None
    goal: Goal | None = None
    facts: Sequence[Fact] = ()
    now: dt.datetime | None = None


class Recorder:
    """Stands before a stage of an agent, lets calls through and keeps what they give."""

    def __init__(self, stage: Any) -> None:
        self._stage, self.turn = stage, Recorded()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stage, name)

    def link(self, *arguments: Any, **options: Any) -> LinkedTurn:
        self.turn.linked = self._stage.link(*arguments, **options)
        return self.turn.linked

    def derive(self, goal: Goal, *, now: dt.datetime) -> Derived:
        derived = self._stage.derive(goal, now=now)
        self.turn.goal, self.turn.now, self.turn.facts = goal, now, derived.facts
        return derived


@dataclass
class Bench:
    """One run.

    Args:
        dialogues: Those that are replayed.
        scales: Sizes of calendars, the original first.
        repeat: How often every turn is measured.
        limit_s: After which plain ProbLog is stopped.
        plain_turns: That plain ProbLog evaluates at the original size; fewer at larger ones.
        seed: Of the calendars and of the sample of turns.
        progress: Shows how far it is.
    """

    dialogues: Sequence[Dialogue]
    scales: Sequence[int]
    repeat: int
    limit_s: float
    plain_turns: int
    seed: int
    encoder: SentenceEncoder
    progress: Progress

    def run(self) -> list[Case]:
        """Every size, dense and sparse."""
        cases = [Case(scale, dense) for scale in self.scales
                 for dense in ([None] if scale == 1 else [True, False])]
        task = self.progress.add_task("", total=len(cases) * len(self.dialogues))
        plain_turns = self._choose_plain_turns()
        with PlainProbLog() as plain:
            for case in cases:
                self._skip(case, cases)
                chosen = plain_turns[:max(1, round(self.plain_turns / case.scale ** 0.5))]
                for dialogue in self.dialogues:
                    self.progress.update(task, description=f"{case.name}, {dialogue.id}")
                    recorded = self._replay(case, dialogue)
                    for key in chosen:
                        if key in recorded and recorded[key].goal is not None:
                            self._evaluate(case, key, recorded[key], plain)
                    self.progress.advance(task)
        return cases

    def _replay(self, case: Case, dialogue: Dialogue, *,
                repeat: int | None = None) -> dict[TurnKey, Recorded]:
        """Measure a dialogue's turns; what its last session was asked about."""
        self._kb = dialogue.knowledge_base if case.dense is None else scaled(
            dialogue.knowledge_base, case.scale, dense=case.dense, seed=self.seed)
        case.events.append(len(self._kb.events))
        settings = reasoning_settings()
        domain = organisation_components(self._kb, settings)
        self._recorders = Recorder(domain.linker), Recorder(domain.reasoner)
        linker, reasoner = self._recorders
        self._agent = Agent(replace(domain, linker=linker, reasoner=reasoner), settings,
                            encoder=self.encoder)
        # As the chat does when it is loaded; what was frozen for the calendar before may go.
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        found: dict[TurnKey, Recorded] = {}
        counted = self.repeat if repeat is None else repeat
        for repetition in range(1 + counted):  # the first warms up
            session = self._agent.session()
            for position, turn in enumerate(dialogue.turns):
                key = (dialogue.id, position)
                recorded = self._record()
                reply = session.reply(turn.transcription, now=turn.ended)
                if any(stage not in reply.timings_ms for stage in STAGES):
                    case.acting.add(key)
                    continue
                found[key] = recorded
                spent = reasoned_ms(reply)
                if repetition:
                    case.milliseconds.setdefault(key, []).append(spent)
                if repetition and position == 0:
                    case.first_turns.append(spent)
        return found

    def _record(self) -> Recorded:
        """Keep what the agent's next turn is about."""
        recorded = Recorded()
        for each in self._recorders:
            each.turn = recorded
        return recorded

    def _choose_plain_turns(self) -> list[TurnKey]:
        """A sample of the turns that link and derive something; others would measure parsing."""
        found = [key for dialogue in self.dialogues
                 for key, turn in self._replay(Case(1, None), dialogue, repeat=0).items()
                 if turn.facts and any(each.links for each in turn.linked or ())]
        random.Random(self.seed).shuffle(found)
        return found[:self.plain_turns]

    def _skip(self, case: Case, cases: Sequence[Case]) -> None:
        """Leave out what took too long on a smaller calendar."""
        for smaller in cases:
            if smaller.scale < case.scale and smaller.dense in (None, case.dense):
                for baseline, before in ((case.everything, smaller.everything),
                                         (case.told, smaller.told)):
                    if before.is_bound:
                        baseline.skipped = f"over the limit at {smaller.name}"

    def _evaluate(self, case: Case, key: TurnKey, turn: Recorded, plain: PlainProbLog) -> None:
        """Both programs of a turn."""
        linker = self._agent.domain.linker
        pairs = every_pair(self._kb, linker.index, turn.linked, linker.circuit.evidence)
        whole = WholeTurn(self._kb, turn.goal, turn.now)
        for baseline, about_all in ((case.told, False), (case.everything, True)):
            if baseline.skipped:
                continue
            start = time.perf_counter()
            program = whole.program(pairs, about_all=about_all)
            written = time.perf_counter() - start
            seconds, answers = plain.evaluate(program.text, self.limit_s)
            baseline.milliseconds[key] = (written + seconds) * 1000
            if answers is None:
                baseline.stopped.add(key)
            elif self._differs(turn, whole, program.read(answers)):
                baseline.differing.add(key)

    def _differs(self, turn: Recorded, whole: WholeTurn, answers: dict[Atom, float]) -> bool:
        """Whether any link or fact is not the same."""
        circuit = self._agent.domain.linker.circuit
        ours = {("refers_to", (each.node, entity)): circuit.probability(evidence)
                for each in turn.linked or () for entity, evidence in each.evidence.items()}
        # Of many candidates ours gives the best ones; there can be no others only of few.
        many = {each.node for each in turn.linked or () if len(each.evidence) >= MOST_RANKED}
        links = {atom: value for atom, value in answers.items()
                 if atom[0] == "refers_to" and (atom in ours or atom[1][0] not in many)}
        facts = [{(fact.predicate, fact.arguments): fact.probability for fact in each}
                 for each in (turn.facts, whole.facts(answers))]
        return bool(differences(ours, links)) or bool(differences(*facts))
