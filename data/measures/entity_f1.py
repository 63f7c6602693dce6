"""Entity F1 on KVRET, by the two definitions of the literature, which are not comparable.

Both look for known entities in a reply and its reference and leave out turns whose reference
names none. A turn without a reply is the empty string and misses every entity.

``glmp`` (Mem2Seq, Madotto et al., 2018; GLMP, Wu et al., 2019): the mean over turns of the F1 of
each.

- *Canonicalisation.* Case, underscores and punctuation fall away; "3 pm", "3:00 pm" and "3pm" are
  one, and so are "20-30F" and "20F 30F"; ``avenue`` is ``ave`` and ``drive`` is ``dr``; words
  lose the s of a plural or genitive. Each text is then read from left to right for the longest
  known entity in whole words, which becomes one word joined by underscores.
- *Known* are the ontology and the values of the dialogue's own table.
- *Gold* are the different entities of the reference. F1 is that of the sets. (GLMP's published
  lists of gold entities hold those of the ontology only, its false positives both; here both
  sides know the same entities, so that no right answer counts as wrong.)

``qtod`` (Raghu et al., 2021; Q-TOD, Tian et al., 2022): true and false positives and misses are
summed over all turns, then made into one F1.

- *Surface forms* are searched as parts of the lower-cased text, the longest first; one that is
  part of a form already found is passed over. Only "3 pm" and "20-30F" are rewritten first. Forms
  of up to three characters must be whole words, and "the 5th" is left out where "5th" is a form.
- *Known* is the ontology only.

Without an ontology the values of all tables of the file stand in for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from frontdesk.kg.graph.errors import InputError

#: The key of the figure over all domains.
ALL = "all"

_ABSENT = ("", "-")
_SHORT_FORM = 3
_HOUR = re.compile(r"\b(\d{1,2})(?::00)?\s*([ap])\.?\s?m\b\.?")
_LOOSE_HOUR = re.compile(r"\b(\d{1,2}) ([ap]m)\b")
_DEGREES = re.compile(r"\b(\d{1,3})\s*(?:-|–|to)\s*(\d{1,3})\s*°?\s*f\b")
_DEGREE = re.compile(r"\b(\d{1,3})\s*°?\s*f\b")
_STREETS = {"avenue": "ave", "drive": "dr"}


@dataclass(frozen=True)
class EntityTurn:
    """A reply with what it is measured against.

    Args:
        reply: The reply; empty for a turn that has none.
        domain: The dialogue's domain; empty for none.
        items: Rows of the dialogue's table, column → value.
    """

    reply: str
    reference: str
    domain: str = ""
    items: Sequence[Mapping[str, str]] = ()


@dataclass(frozen=True)
class EntityCounts:
    """What one turn's reply has of the entities of its reference."""

    found: int
    wrong: int
    missed: int

    @property
    def f1(self) -> float:
        """F1 in [0, 1]; 0 when nothing was found."""
        return 2 * self.found / (2 * self.found + self.wrong + self.missed) if self.found else 0.0

    def __add__(self, other: EntityCounts) -> EntityCounts:
        return EntityCounts(self.found + other.found, self.wrong + other.wrong,
                            self.missed + other.missed)


class EntityMetric:
    """Both entity F1s with one ontology.

    Args:
        ontology: Type → surface forms, blanks as such or as underscores.
    """

    def __init__(self, ontology: Mapping[str, Iterable[str]]) -> None:
        forms = [form for listed in ontology.values() for form in listed]
        self._canonical = frozenset(_canonical_names(forms))
        surface = {_surface(form) for form in forms if form.strip() not in _ABSENT}
        # "the 5th" would be found before "5th" and be another form.
        surface -= {form for form in surface if form.removeprefix("the ") in surface - {form}}
        self._surface = sorted(surface, key=lambda form: (-len(form), form))

    @classmethod
    def from_tables(cls, tables: Iterable[Sequence[Mapping[str, str]]]) -> EntityMetric:
        """With the values of tables, one a dialogue, in place of an ontology."""
        return cls({"value": [part for items in tables for part in table_values(items)]})

    def glmp_counts(self, turn: EntityTurn) -> EntityCounts | None:
        """Counts of different canonical entities; None when the reference names none."""
        known = self._canonical | _canonical_names(table_values(turn.items))
        return _count(_read_entities(turn.reply, known), _read_entities(turn.reference, known))

    def qtod_counts(self, turn: EntityTurn) -> EntityCounts | None:
        """Counts of different surface forms; None when the reference has none."""
        return _count(self._find_forms(turn.reply), self._find_forms(turn.reference))

    def turn_f1(self, turn: EntityTurn) -> float | None:
        """F1 of one turn by the definition ``glmp``; None when the reference names no entity."""
        counts = self.glmp_counts(turn)
        return None if counts is None else counts.f1

    def glmp(self, turns: Sequence[EntityTurn]) -> dict[str, float | None]:
        """Mean of :meth:`turn_f1`, in [0, 1], over :data:`ALL` turns and those of each domain.

        None where no reference names an entity.

        Raises:
            InputError: There are no turns.
        """
        return _by_domain(turns, self.glmp_counts,
                          lambda counts: sum(each.f1 for each in counts) / len(counts))

    def qtod(self, turns: Sequence[EntityTurn]) -> dict[str, float | None]:
        """F1 of summed :meth:`qtod_counts`, in [0, 1], over :data:`ALL` turns and by domain.

        None where no reference has a surface form.

        Raises:
            InputError: There are no turns.
        """
        return _by_domain(turns, self.qtod_counts,
                          lambda counts: sum(counts, EntityCounts(0, 0, 0)).f1)

    def _find_forms(self, text: str) -> frozenset[str]:
        lowered = _DEGREES.sub(r"\1f-\2f", _LOOSE_HOUR.sub(r"\1\2", text.lower()))
        lowered = lowered.replace("_", " ")
        found: list[str] = []
        for form in self._surface:
            if form not in lowered or any(form in longer for longer in found):
                continue
            if len(form) > _SHORT_FORM or re.search(rf"(?<!\w){re.escape(form)}(?!\w)", lowered):
                found.append(form)
        return frozenset(found)


def table_values(items: Iterable[Mapping[str, str]]) -> list[str]:
    """The values of a table, those that list several divided at the commas.

    What a value measures is left out: "low of 61F" gives "61F".

    >>> table_values([{"location": "elm town", "monday": "hail, low of 61F, high of 83F"}])
    ['elm town', 'hail', '61F', '83F']
    """
    parts = (part.strip() for item in items for value in item.values()
             for part in value.split(","))
    return [re.sub(r"^\w+ of (?=\d)", "", part) for part in parts if part not in _ABSENT]


def canonical_words(text: str) -> list[str]:
    """The words of a text by the canonicalisation of ``glmp``.

    >>> canonical_words("Two gas stations on Elm Avenue at 3:00 PM, 20-30°F")
    ['two', 'gas', 'station', 'on', 'elm', 'ave', 'at', '3pm', '20f', '30f']
    """
    text = re.sub(r"['’]", "", text.lower().replace("_", " "))
    text = _DEGREE.sub(r" \1f ", _DEGREES.sub(r" \1f \2f ", _HOUR.sub(r" \1\2m ", text)))
    # A lone s is what is left of a genitive.
    return [_STREETS.get(word, _singular(word)) for word in re.findall(r"[^\W_]+", text)
            if word != "s"]


def _singular(word: str) -> str:
    """A word without a plural s; a few others lose theirs too, alike in every text."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith("ss"):
        return word
    return word[:-3] + "y" if word.endswith("ies") else word[:-1]


def _canonical_names(forms: Iterable[str]) -> set[str]:
    names = set()
    for form in forms:
        words = canonical_words(form)
        if len(words) > 1 and words[0] == "the":
            words = words[1:]
        if words:
            names.add("_".join(words))
    return names


def _read_entities(text: str, known: frozenset[str] | set[str]) -> frozenset[str]:
    """The known entities of a text, the longest first from left to right."""
    words = canonical_words(text)
    longest = max((name.count("_") + 1 for name in known), default=0)
    found = set()
    start = 0
    while start < len(words):
        for end in range(min(start + longest, len(words)), start, -1):
            name = "_".join(words[start:end])
            if name in known:
                found.add(name)
                start = end
                break
        else:
            start += 1
    return frozenset(found)


def _surface(form: str) -> str:
    return " ".join(form.replace("_", " ").lower().split())


def _count(reply: frozenset[str], gold: frozenset[str]) -> EntityCounts | None:
    if not gold:
        return None
    return EntityCounts(len(reply & gold), len(reply - gold), len(gold - reply))


def _by_domain(turns: Sequence[EntityTurn],
               count: Callable[[EntityTurn], EntityCounts | None],
               figure: Callable[[Sequence[EntityCounts]], float]) -> dict[str, float | None]:
    if not turns:
        raise InputError("there are no replies to score", remedy="Evaluate at least one turn")
    counted: dict[str, list[EntityCounts]] = {ALL: []}
    for turn in turns:
        counts = count(turn)
        for name in dict.fromkeys((ALL, turn.domain or ALL)):
            counted.setdefault(name, [])
            if counts is not None:
                counted[name].append(counts)
    return {name: figure(listed) if listed else None for name, listed in counted.items()}
