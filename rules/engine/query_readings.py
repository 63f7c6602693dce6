"""What the references and times of a query may mean: alternatives and possible worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import islice
from math import prod

from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_answer import Resolution

#: Meanings of one reference or time that are looked into, the likeliest.
MOST_MEANINGS = 4
#: Possible worlds in which an order, a comparison or a number is found out, the likeliest.
MOST_WORLDS = 6
#: A reference is not sure where what was taken is less probable.
SURE = 0.7
#: Heads that mean what was said before, whatever their arguments are.
_ANAPHORS = frozenset({"that", "those", "answers", "you", "us", "me"})
#: Conditions by words alone: they belong to the reference.
_WORDS = frozenset({"like", "type"})


@dataclass(frozen=True)
class Meaning:
    """What a reference may mean.

    Args:
        entities: Ids; several where it means all of them, or occurrences of one event.
        probability: In (0, 1].
    """

    entities: tuple[str, ...]
    probability: float


@dataclass(frozen=True)
class World:
    """A possible world: every reference and time in question means one thing.

    Args:
        drawn: The alternative of each form that has several.
        probability: In (0, 1].
    """

    resolution: Resolution
    drawn: Mapping[Form, int]
    probability: float


def reference(form: Form, resolution: Resolution) -> Form | None:
    """The key of a form in a resolution; None where it has no words and is no anaphor."""
    if form in resolution.entities:
        return form
    plain = Form(form.head, tuple(each for each in form.arguments if isinstance(each, Span) or (
        isinstance(each, Form) and each.head in _WORDS)))
    return plain if plain.arguments or plain.head in _ANAPHORS else None


class Readings:
    """The alternatives of a resolution.

    Args:
        group: Puts candidates that are one meaning together, occurrences of an event.
    """

    def __init__(self, resolution: Resolution,
                 group: Callable[[Sequence[tuple[str, float]]], list[Meaning]]) -> None:
        self.resolution, self._group = resolution, group

    def meanings(self, form: Form) -> list[Meaning]:
        """What a reference may mean, the likeliest first; nothing for what is not known."""
        found = self.resolution.entities.get(form)
        if found is None and form.head == "me" and self.resolution.speaker:
            found = ((self.resolution.speaker, 1.0),)
        if not found:
            return []
        if form in self.resolution.plural:
            together = min(1.0, sum(weight for _, weight in found))
            return [Meaning(tuple(dict.fromkeys(each for each, _ in found)), together)]
        meanings = sorted(self._group(found), key=lambda each: -each.probability)
        return [each for each in meanings[:MOST_MEANINGS] if each.probability > 0.0]

    def windows(self, form: Form) -> list[tuple[Window, float]]:
        """What a time may mean, the likeliest first; nothing for what was not understood."""
        found = sorted(self.resolution.windows.get(form, ()), key=lambda each: -each[1])
        return [each for each in found[:MOST_MEANINGS] if each[1] > 0.0]

    def weights(self, forms: Iterable[Form]) -> dict[Form, list[float]]:
        """The probabilities of the alternatives of every reference and time in forms."""
        found: dict[Form, list[float]] = {}
        for each in (part for form in forms for part in form.walk()):
            if each in self.resolution.windows:
                found[each] = [weight for _, weight in self.windows(each)]
            elif (key := reference(each, self.resolution)) is not None:
                found[key] = [meaning.probability for meaning in self.meanings(key)]
        return {form: weights for form, weights in found.items() if weights}

    def worlds(self, forms: Iterable[Form]) -> tuple[list[World], bool]:
        """The likeliest worlds of forms, and whether some were left out."""
        weights = self.weights(forms)
        drawn = list(islice(_likeliest([*weights.values()]), MOST_WORLDS + 1))
        worlds = [World(self._only(dict(zip(weights, each, strict=True))),
                        dict(zip(weights, each, strict=True)), weight)
                  for weight, each in drawn[:MOST_WORLDS]]
        return worlds, len(drawn) > MOST_WORLDS

    def _only(self, drawn: Mapping[Form, int]) -> Resolution:
        """The resolution in which everything drawn is sure."""
        entities, windows = dict(self.resolution.entities), dict(self.resolution.windows)
        for form, number in drawn.items():
            if form in windows:
                windows[form] = ((self.windows(form)[number][0], 1.0),)
            else:
                ids = self.meanings(form)[number].entities
                entities[form] = tuple((each, 1.0 / len(ids)) for each in ids)
        return replace(self.resolution, entities=entities, windows=windows)

    def unsure(self, form: Form) -> Iterator[tuple[Form, str]]:
        """References and times of a form that are not sure, with what was taken."""
        for each, weights in self.weights([form]).items():
            if weights[0] < SURE:
                if each in self.resolution.windows:
                    start = self.windows(each)[0][0].start
                    yield each, f"{start:%Y-%m-%dT%H:%M}"
                else:
                    yield each, self.meanings(each)[0].entities[0]


def _likeliest(weights: Sequence[Sequence[float]]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Choices of one of each, the likeliest first: with its weight the numbers of what is chosen.

    No more is looked at than is taken: the next to each that is taken are all that may follow it.
    """
    orders = [sorted(range(len(each)), key=[-weight for weight in each].__getitem__)
              for each in weights]

    def choice(places: Sequence[int]) -> tuple[float, tuple[int, ...]]:
        numbers = tuple(order[place] for order, place in zip(orders, places, strict=True))
        return prod(each[number] for each, number in zip(weights, numbers, strict=True)), numbers

    first = (0,) * len(weights)
    waiting, seen = [(-choice(first)[0], first)], {first}
    while waiting:
        _, places = heappop(waiting)
        yield choice(places)
        for position, place in enumerate(places):
            following = (*places[:position], place + 1, *places[position + 1:])
            if place + 1 < len(orders[position]) and following not in seen:
                seen.add(following)
                heappush(waiting, (-choice(following)[0], following))
