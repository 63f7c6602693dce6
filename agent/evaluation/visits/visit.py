"""One visit under evaluation: the visitor talks with the agent, and what came of it is judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from frontdesk.agent.domains.domain_registry import DEFAULT
from frontdesk.agent.evaluation.visits.receptionist import AgentReceptionist
from frontdesk.agent.evaluation.visits.visit_labels import VisitLabels
from frontdesk.agent.sessions.load_components import load_bare_encoder, load_generator
from frontdesk.agent.settings.settings import Settings
from frontdesk.data.datasets.parsed_files import FilePart, ParsedFormat, load_parsed
from frontdesk.data.invented.visitors.describe import wish_text
from frontdesk.data.invented.visitors.hold_visit import Visit, VisitTurn, hold_visit, new_visitor
from frontdesk.data.invented.visitors.judge import VisitVerdict, change_text, judge
from frontdesk.data.invented.visitors.judge_answers import told_values, wanted_values
from frontdesk.data.invented.visitors.refilled_wordings import RealWordings
from frontdesk.data.invented.visitors.tasks import draw_visit
from frontdesk.data.invented.visitors.visited_organisations import Split
from frontdesk.data.invented.visitors.visitor import Visitor
from frontdesk.data.invented.visitors.visitor_goals import Booking
from frontdesk.scoring.encoder import CachedEncoder

Record = dict[str, Any]


@dataclass(frozen=True)
class VisitSettings:
    """What the visits of a run depend on.

    Args:
        seed: Of tasks, organisations, words and recognition errors.
        heard: Visitors are heard through a simulated speech recogniser.
        identified: The caller vouches for who the visitor is.
        split: Which visitors come: those to measure with, or those to mend the agent by.
        wordings: Data sets with whose held-out utterances they say what they mean, too.
    """

    settings: Settings
    seed: int = 0
    heard: bool = False
    identified: bool = False
    split: Split = Split.EVALUATION
    wordings: tuple[tuple[ParsedFormat, Path], ...] = ()


def for_evaluation(settings: Settings) -> Settings:
    """Settings without limits of time: figures must not depend on how busy the machine is."""
    return replace(settings, rules=replace(settings.rules, deadline_s=0.0),
                   check=replace(settings.check, budget_ms=0.0))


class VisitEvaluator:
    """Holds visits with the agent and records what came of them."""

    def __init__(self, run: VisitSettings) -> None:
        self.settings = for_evaluation(run.settings)
        self.run = run
        self.encoder = CachedEncoder(load_bare_encoder(self.settings), None)
        self.generator = load_generator(self.settings, DEFAULT)
        self.wordings = RealWordings([
            (kind, load_parsed(path, kind, FilePart.HELD_OUT)[0])
            for kind, path in run.wordings]) if run.wordings else None

    def hold(self, number: int) -> list[Record]:
        """Hold a visit.

        Args:
            number: From 0.

        Returns:
            A record a turn; the last has ``visit``, what came of the whole. A turn in which the
            agent fails ends the visit, with its ``error``.
        """
        run = self.run
        task, world, rng = draw_visit(run.split, run.seed, number)
        visitor = new_visitor(task, world, rng, run.split, heard=run.heard,
                              wordings=self.wordings)
        receptionist = AgentReceptionist(
            world.kb, self.settings, encoder=self.encoder, generator=self.generator,
            speaker=task.visitor if run.identified else None)
        recorder = _Recorder(f"visit-{number:04d}", visitor, receptionist)
        try:
            visit = hold_visit(visitor, receptionist, rng, heard=run.heard,
                               answered=recorder.add)
        except Exception as error:  # noqa: BLE001 - a visit that fails must not end the run
            return recorder.failed(error)
        finally:
            receptionist.close()
        return recorder.finished(visit)


class _Recorder:
    """Makes the records of a visit."""

    def __init__(self, name: str, visitor: Visitor, receptionist: AgentReceptionist) -> None:
        self.name, self.visitor, self.receptionist = name, visitor, receptionist
        self.labels = VisitLabels()
        self.records: list[Record] = []

    def add(self, turn: VisitTurn) -> None:
        """The record of a turn."""
        answer = self.receptionist.answers[-1]
        user = self.receptionist.session.graph.user()
        wanted, given = self._wanted(turn)
        errors = self.labels.label(turn.hypotheses[0].text, answer, turn.now, wanted=wanted,
                                   given=given, agrees=turn.agrees, user=user[0] if user else None)
        reply = answer.reply
        self.records.append({
            "dialogue": self.name, "turn": turn.number, "user": turn.said,
            "heard": [[each.text, each.confidence] for each in turn.hypotheses],
            "refills": [asdict(each) for each in turn.refills],
            "unfitted": list(turn.unfitted), "reply": turn.reply,
            "now": turn.now.isoformat(), "repeated": turn.repeated,
            "errors": errors, "actions": [each.to_data() for each in reply.actions],
            "generator": reply.generator, "notes": list(reply.notes),
            "timings_ms": {name: round(value, 2) for name, value in reply.timings_ms.items()},
            "error": None})

    def _wanted(self, turn: VisitTurn) -> tuple[list[str] | None, list[str]]:
        """What the visitor had asked before the reply and been told by none, and what it tells."""
        before = [each["reply"] for each in self.records]
        wanted = wanted_values(self.visitor, before)
        if not wanted:
            return None, []
        return list(wanted), [each for each in wanted
                              if each in told_values(self.visitor, turn.reply)]

    def finished(self, visit: Visit) -> list[Record]:
        """The records of a visit that came to its end."""
        verdict = judge(visit)
        self.records[-1]["visit"] = {**self._about(), **_came_of(visit, verdict)}
        return self.records

    def failed(self, error: Exception) -> list[Record]:
        """The records of a visit in which the agent failed."""
        reason = f"failure: {type(error).__name__}"
        self.records.append({
            "dialogue": self.name, "turn": len(self.records) + 1,
            "user": self.visitor.said, "heard": [], "reply": None,
            "refills": [asdict(each) for each in self.visitor.refills],
            "unfitted": list(self.visitor.unfitted),
            "now": self.visitor.world.now.isoformat(), "repeated": False,
            "errors": None, "actions": [], "generator": None, "notes": [], "timings_ms": {},
            "error": {"type": type(error).__name__, "message": str(error)},
            "visit": {**self._about(), "success": False, "reasons": [reason],
                      "errands": [], "changes": [], "double_bookings": 0, "unasked": 0,
                      "gave_up": False, "turns": len(self.records) + 1}})
        return self.records

    def _about(self) -> Record:
        task, world = self.visitor.task, self.visitor.world
        return {"kind": task.kind, "task": task.text, "at_once": task.at_once,
                "now": world.now.isoformat(), "organisation": {
                    "people": len(world.kb.people), "groups": len(world.kb.groups),
                    "rooms": len(world.kb.rooms), "events": len(world.kb.events)}}


def _came_of(visit: Visit, verdict: VisitVerdict) -> Record:
    kb = visit.world.kb
    errands = []
    for errand, own, wish in zip(visit.task.errands, verdict.errands, visit.outcome.wishes,
                                 strict=True):
        final = ("nothing" if wish is None else wish_text(wish, kb)) if isinstance(
            errand, Booking) else ""
        errands.append({"kind": type(errand).__name__.lower(), "success": own.success,
                        "reasons": list(own.reasons), "wanted_in_the_end": final})
    return {"success": verdict.success, "reasons": list(dict.fromkeys(verdict.reasons)),
            "errands": errands, "changes": [change_text(each, kb) for each in verdict.changes],
            "messages": [f"{kb.people[each.recipient].name}: {each.text}"
                         for each in visit.messages],
            "double_bookings": len(verdict.conflicts), "unasked": len(verdict.unwanted),
            "gave_up": visit.outcome.gave_up, "turns": visit.outcome.turns}


def complete(records: Sequence[Record]) -> bool:
    """Whether the records of a visit are all there."""
    return any("visit" in each for each in records)
