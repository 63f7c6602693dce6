"""What is noted of the turns of a dialogue: what they mean, ask, and were answered with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from frontdesk.kg.graph.dialogue_turns import DialogueTurns, window_data, window_of
from frontdesk.kg.graph.windows import Window


@dataclass(frozen=True)
class AskedBack:
    """What an answer leaves to the user: which of several is meant.

    Args:
        form: The reference that is not clear, on one line.
        options: Ids of those that may be meant, in the order in which they were offered.
        queries: Those that depend on it, in full, on one line.
        taken: The option that was taken, on condition or as chosen; empty where it was asked.
    """

    form: str
    options: tuple[str, ...]
    queries: str
    taken: str = ""


class NotedTurns(DialogueTurns):
    """The turns of a dialogue with their meaning."""

    def set_question(self, turn: str, question: str, options: Sequence[str] = (), *,
                     place: tuple[int, int] | None = None) -> None:
        """Note what a user's turn asks in full, or what an agent's turn asks back about.

        Args:
            question: The question in words that need no earlier turn to be understood.
            options: Ids of the entities that an agent's turn offers to choose from.
            place: ``(start, end)`` in the question of the words that an agent's turn asks the
                meaning of; None when it is not about words of the question.
        """
        self._require_turn(turn)
        self._graph.nodes[turn]["question"] = question
        self._graph.nodes[turn]["options"] = list(options)
        if place is not None:
            self._graph.nodes[turn]["place"] = list(place)

    def question(self, turn: str) -> tuple[str, tuple[str, ...]]:
        """What :meth:`set_question` noted; an empty question when nothing was."""
        data = self._graph.nodes[turn]
        return str(data.get("question", "")), tuple(data.get("options", ()))

    def place_asked(self, turn: str) -> tuple[int, int] | None:
        """Where in its question the words are that an agent's turn asks the meaning of."""
        place = self._graph.nodes[turn].get("place")
        return None if place is None else (place[0], place[1])

    def set_forms(self, turn: str, forms: str, *, about: Sequence[str] = (),
                  answers: Sequence[str] = (), window: Window | None = None,
                  times: Sequence[Window] = (), affirmed: bool = False,
                  asked_back: AskedBack | None = None,
                  chosen: Mapping[str, str] | None = None) -> None:
        """Note what a user's turn means.

        Args:
            forms: Its logical forms, on one line.
            about: Ids of the entities that it asks about.
            answers: Ids of the entities that its question was answered with.
            times: Those that its question was answered with, in order.
            affirmed: Whether its question was answered with yes, or with what was asked for.
            chosen: Ids of the entities that the user chose, by the references that mean them.
        """
        self._require_turn(turn)
        data = self._graph.nodes[turn]
        data["forms"], data["about"], data["answers"] = forms, list(about), list(answers)
        if window is not None:
            data["window"] = window_data(window)
        if times:
            data["times"] = list(map(window_data, times))
        if affirmed:
            data["affirmed"] = True
        if asked_back is not None:
            data["unclear"], data["waiting"] = asked_back.form, asked_back.queries
            data["offered"], data["taken"] = list(asked_back.options), asked_back.taken
        if chosen:
            data["chosen"] = dict(chosen)

    def asked_back(self, turn: str) -> AskedBack | None:
        """What the answer of a turn asks back, as :meth:`set_forms` noted; None where nothing."""
        data = self._graph.nodes[turn]
        return AskedBack(data["unclear"], tuple(data.get("offered", ())),
                         data.get("waiting", ""), data.get("taken", "")) \
            if "unclear" in data else None

    def set_visits(self, turn: str, forms: str) -> None:
        """Note what a user's turn tells that people are told of: who has come, what is brought.

        Args:
            forms: Logical forms, on one line.
        """
        self._require_turn(turn)
        self._graph.nodes[turn]["visits"] = forms

    def visits(self, turn: str) -> str:
        """What :meth:`set_visits` noted; empty where nothing was."""
        return str(self._graph.nodes[turn].get("visits", ""))

    def chosen(self, turn: str) -> dict[str, str]:
        """Ids by the references for which the user chose them, as :meth:`set_forms` noted."""
        return dict(self._graph.nodes[turn].get("chosen", {}))

    def forms(self, turn: str) -> tuple[str, tuple[str, ...], Window | None]:
        """What :meth:`set_forms` noted; no forms where nothing was."""
        data = self._graph.nodes[turn]
        return str(data.get("forms", "")), tuple(data.get("answers", ())), self.window(turn)

    def times(self, turn: str) -> tuple[Window, ...]:
        """The times that the question of a turn was answered with, as :meth:`set_forms` noted."""
        return tuple(map(window_of, self._graph.nodes[turn].get("times", ())))

    def is_affirmed(self, turn: str) -> bool:
        """Whether the question of a turn was answered with yes, as :meth:`set_forms` noted."""
        return bool(self._graph.nodes[turn].get("affirmed", False))

    def about(self, turn: str) -> tuple[str, ...]:
        """Ids of the entities that a turn asks about, as :meth:`set_forms` noted."""
        return tuple(self._graph.nodes[turn].get("about", ()))

    def _forget_choices(self, entities: Collection[str]) -> None:
        """Take back that some entities are offered or were chosen."""
        for turn in self._turns:
            data = self._graph.nodes[turn]
            for name in ("options", "offered"):
                if name in data:
                    data[name] = [each for each in data[name] if each not in entities]
            if data.get("taken") in entities:
                data["taken"] = ""
            if "chosen" in data:
                data["chosen"] = {form: each for form, each in data["chosen"].items()
                                  if each not in entities}
