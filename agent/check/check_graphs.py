"""What the graph of a dialogue says of a given reply to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from frontdesk.agent.check.check_cases import CheckCase
from frontdesk.agent.domains.domain_registry import data_sets, pack_of_dataset, titles
from frontdesk.agent.evaluation.measure_encoder import EvaluationEncoder
from frontdesk.agent.evaluation.replay_dialogue import (
    DialogueEvaluation,
    DialogueEvaluator,
    Record,
    RunSettings,
)
from frontdesk.agent.sessions.load_components import load_bare_encoder
from frontdesk.agent.settings.settings import EmbeddedSettings, Settings
from frontdesk.agent.turn.reply import Reply
from frontdesk.data.datasets.data_set import EvaluationDialogue, EvaluationTurn, data_set_of
from frontdesk.generation.checks.error_labels import ErrorLabels
from frontdesk.generation.checks.graph_check import GraphVerdict
from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.kg.graph.dialogue_graph import USER, Hypothesis
from frontdesk.kg.graph.errors import InputError
from frontdesk.scoring.ranked_fact import RankedFact


@dataclass(frozen=True)
class Judged:
    """The graph's judgement of a reply.

    Args:
        relevant: The facts for the turn, the most relevant first.
        request: What a generator is given for the turn.
    """

    verdict: GraphVerdict
    labels: ErrorLabels
    relevant: Sequence[RankedFact]
    request: GenerationInput | None
    domain: str


class GraphJudge:
    """Judges replies by the graphs of the dialogues that they belong to."""

    def __init__(self, settings: Settings) -> None:
        # Nothing is generated: the replies are given.
        self._settings = replace(settings, profile="embedded",
                                 embedded=EmbeddedSettings(words="templates"))
        self._encoder = EvaluationEncoder(load_bare_encoder(settings))

    def judge(self, case: CheckCase, source: EvaluationDialogue) -> Judged:
        """The judgement of a reply.

        Args:
            case: The reply with the dialogue before it, which has a turn of the user.
            source: The dialogue whose graph judges; see :func:`graph_dialogue`.

        Raises:
            InputError: The case has no turn of the user, or its turn is not understood.
        """
        turns = _turns(case, source)
        if not turns:
            raise InputError("the history has no turn of the user",
                             remedy="Give what the response answers")
        domain = pack_of_dataset(source.dataset).name
        evaluator = DialogueEvaluator(RunSettings(self._settings, domain=domain), self._encoder)
        judged = _JudgedDialogue(evaluator, replace(source, turns=turns))
        records = list(judged.run([turn.number for turn in turns[:-1]]))
        if judged.found is None:
            raise InputError(f"the turn could not be understood ({records[-1]['error']})",
                             remedy="Check the history")
        return replace(judged.found, domain=domain)


class _JudgedDialogue(DialogueEvaluation):
    """Judges what is said to the last turn instead of answering it."""

    found: Judged | None = None

    def answered(self, turn: EvaluationTurn, reply: Reply) -> Record:
        """Judge; nothing is recorded."""
        verdict, labels = self.judge(turn, turn.reference or "", reply, self.known(turn, reply))
        self.found = Judged(verdict, labels, reply.candidates, reply.request, "")
        return {}


@lru_cache(maxsize=4)
def _loaded(path: Path) -> Sequence[EvaluationDialogue]:
    if not path.exists():
        raise InputError(f"there is no file {str(path)!r}",
                         remedy=f"Name a {titles()} file, relative to the working directory")
    data_set = data_set_of(path, data_sets().values())
    if data_set is None or data_set.load is None:
        raise InputError(f"{path} holds no {titles()} dialogues", remedy="Name an official file")
    return data_set.load(path, "manual")


def graph_dialogue(path: Path, name: str) -> EvaluationDialogue:
    """The dialogue that a case belongs to.

    Args:
        path: Of a file of a data set.
        name: Its id, or its number in the file from 0.

    Raises:
        InputError: There is no such file or dialogue.
        FormatError: The file cannot be read.
    """
    dialogues = _loaded(path)
    found = next((each for each in dialogues if each.id == name), None)
    if found is None and re.fullmatch("[0-9]{1,9}", name) and int(name) < len(dialogues):
        found = dialogues[int(name)]
    if found is None:
        raise InputError(f"{path} has no dialogue {name!r}",
                         remedy=f"Give an id, e.g. {dialogues[0].id}"
                                f" or a number up to {len(dialogues) - 1}")
    return found


def _turns(case: CheckCase, source: EvaluationDialogue) -> tuple[EvaluationTurn, ...]:
    """The history as turns of the user, each with what was answered; last the given reply."""
    said: list[tuple[str, list[str]]] = []
    for speaker, text in case.history:
        if speaker == USER:
            said.append((text, []))
        elif said:
            said[-1][1].append(text)
        else:
            said.append(("", [text]))
    if not said or case.history[-1][0] != USER:
        return ()
    when = {turn.user: turn.now for turn in source.turns}
    now = source.now
    turns = []
    for number, (user, answers) in enumerate(said, start=1):
        now = when.get(user, now)
        last = number == len(said)
        turns.append(EvaluationTurn(number, (Hypothesis(user),),
                                    case.response if last else " ".join(answers) or None, now))
    return tuple(turns)
