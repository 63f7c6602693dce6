"""What the logical forms of an utterance refer to, by what was spoken of before it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.rules.engine.query_answer import Resolution
from frontdesk.rules.linking.choice_resolution import meant_among
from frontdesk.rules.linking.dialogue_context import DialogueContext, context_before, first_asked
from frontdesk.rules.linking.form_resolution import FormResolver

#: Ids of what a reference means with all its conditions, each with its probability.
Which = Callable[[Form], Sequence[tuple[str, float]]]


@dataclass(frozen=True)
class MeantReferences:
    """What the references of forms mean.

    Args:
        which: Ids of what a reference means with all its conditions, each with its probability.
    """

    resolution: Resolution
    which: Which


class FormLinks:
    """What forms refer to in the last utterance of a dialogue.

    The forms of an utterance are linked when they are looked at, each list of them once: of its
    readings most are never taken.

    Args:
        resolver: Of the graph that whoever speaks may see.
        saliency: How present the entities of the turns before one are, each in (0, 1].
        which: Proves what a reference means by what references mean.
        dialogue: With the utterance as its last turn.
        now: Zone-aware present.

    Attributes:
        before: What was spoken of before the utterance.
    """

    def __init__(self, resolver: FormResolver,
                 saliency: Callable[[DialogueGraph, str], Mapping[str, float]],
                 which: Callable[[Resolution], Which], dialogue: DialogueGraph, *,
                 now: dt.datetime) -> None:
        self.dialogue, self.now = dialogue, now
        self._resolver, self._saliency, self._which = resolver, saliency, which
        self.before = self._spoken_of_before(dialogue.turns[-1])
        self._meant: dict[tuple[tuple[Form, ...], frozenset[tuple[Form, str]]],
                          MeantReferences] = {}

    def meant(self, forms: Sequence[Form], chosen: Mapping[Form, str] | None = None
              ) -> MeantReferences:
        """What the references of forms mean.

        Args:
            chosen: Ids of what the user chose for references of the forms.
        """
        key = tuple(forms), frozenset((chosen or {}).items())
        if key not in self._meant:
            resolution = self._resolver.resolve(forms, self.before, now=self.now, chosen=chosen)
            self._meant[key] = MeantReferences(resolution, self._which(resolution))
        return self._meant[key]

    def meant_among(self, said: Form, options: Sequence[str]) -> tuple[str, ...]:
        """Those of the entities that were offered that a form can mean.

        Args:
            said: Of the sort ``entities``.
            options: Ids, in the order in which they were offered.
        """
        return meant_among(said, options, self._resolver, now=self.now)

    def asked(self, queries: Sequence[Form], chosen: Mapping[Form, str] | None) -> Resolution:
        """What queries mean; one that was just asked of other times: of those of whom it was.

        Args:
            queries: In full, in order.
            chosen: Ids of what the user chose for references of the queries.
        """
        resolution = self.asked_after(self.before, queries, chosen)
        turn = self.dialogue.turns[-1]
        first = first_asked(queries[0], self.dialogue, turn) if len(queries) == 1 else turn
        if first == turn:
            return resolution
        earlier = self.asked_after(self._spoken_of_before(first), queries)
        those = {form: found for form, found in earlier.entities.items()
                 if form.head in ("answers", "those")}
        return replace(resolution, entities={**resolution.entities, **those},
                       plural=resolution.plural | (earlier.plural & those.keys()))

    def asked_after(self, context: DialogueContext, queries: Sequence[Form],
                    chosen: Mapping[Form, str] | None = None) -> Resolution:
        """What queries mean after what was spoken of, the answers to others of them included."""
        return self._resolver.resolve(queries, context, now=self.now, chosen=chosen)

    def _spoken_of_before(self, turn: str) -> DialogueContext:
        return context_before(self.dialogue, turn, self._saliency(self.dialogue, turn))
