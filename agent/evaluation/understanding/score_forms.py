"""Forms that were found beside those that are right."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

import numpy as np

from frontdesk.kg.graph.logical_forms import CORE, Argument, Form, Sort, Span

#: Acts that count for nothing before the first and after the last of the others.
COURTESIES = frozenset(("greet", "thank", "acknowledge", "apologise"))
_ARTICLES = ("the ", "a ", "an ", "my ")
_OUTER = string.punctuation + string.whitespace + "\u2018\u2019\u201c\u201d\u2026"
#: Where an argument of a set of entities stands: conditions, then times, then orders.
_ENTITY_ORDER = {Sort.TIME: 2, Sort.ORDER: 3}
_UNNAMED = Form("unsupported")
_ROLES = {name: number for number, name in enumerate(CORE)}


def plain_words(text: str) -> str:
    """Words without their case, outer punctuation and leading article.

    >>> plain_words("The Kaplan thing?")
    'kaplan thing'
    """
    text = " ".join(text.casefold().strip(_OUTER).split())
    article = next((each for each in _ARTICLES if text.startswith(each)), "")
    return text.removeprefix(article)


def canonical_form(form: Form) -> Form:
    """A form by which forms that say the same are equal: its spans as :func:`plain_words`, the
    conditions, times and orders of a set of entities and the roles of a request in order."""
    arguments = [_canonical_argument(each) for each in form.arguments]
    sort = CORE[form.head].sort if form.head in CORE else Sort.ENTITIES
    if sort is Sort.ENTITIES and form.head not in ("or", "and"):
        arguments.sort(key=_in_entities)
    elif sort is Sort.REQUEST:
        arguments.sort(key=_in_request)
    return Form(form.head, tuple(arguments))


def _canonical_argument(argument: Argument) -> Argument:
    if isinstance(argument, Form):
        return canonical_form(argument)
    return Span(plain_words(argument.text)) if isinstance(argument, Span) else argument


def _in_entities(argument: Argument) -> tuple[int, str]:
    if not isinstance(argument, Form):
        return 0, ""
    sort = CORE[argument.head].sort if argument.head in CORE else Sort.CONDITION
    if sort is Sort.ENTITIES:
        return 0, ""
    place = _ENTITY_ORDER.get(sort, 1)
    # Several times say where one begins and another ends: they stay in their order.
    return place, str(argument) if place == 1 else ""


def _in_request(argument: Argument) -> tuple[int, str]:
    if not isinstance(argument, Form) or CORE.get(argument.head, CORE["me"]).sort is not Sort.ROLE:
        return -1, ""
    role = argument
    while role.head in ("unwanted", "instead") and isinstance(role.arguments[0], Form):
        role = role.arguments[0]
    return _ROLES[role.head], str(argument)


def acts_of(forms: Sequence[Form]) -> tuple[str, ...]:
    """The acts, without courtesies at the edges; with them where there is nothing else."""
    heads = [each.head for each in forms]
    others = [place for place, head in enumerate(heads) if head not in COURTESIES]
    return tuple(heads[others[0]:others[-1] + 1] if others else heads)


def slots_of(forms: Sequence[Form]) -> Counter[tuple[str, str]]:
    """How often each innermost head has which words."""
    return Counter(slot for each in forms for slot in _slots(canonical_form(each)))


def _slots(form: Form) -> Iterator[tuple[str, str]]:
    for part in form.walk():
        for each in part.arguments:
            if isinstance(each, Span):
                yield part.head, each.text


@dataclass(frozen=True)
class TurnScore:
    """What was found in an utterance beside what is in it.

    Args:
        cells: Pairs of an act that is in it and the one that was found for it; empty where there
            is none.
        slots: How many words of heads are in it, were found, and are right.
        acts_right: The acts are the same, in order.
    """

    gold: tuple[str, ...]
    found: tuple[str, ...]
    cells: tuple[tuple[str, str], ...]
    slots: tuple[int, int, int]
    acts_right: bool
    right: bool


def score_turn(alternatives: Sequence[Sequence[Form]], found: Sequence[Form]) -> TurnScore:
    """Score a parse by the alternative that is most like it.

    Args:
        alternatives: Forms that are right, at least one.
    """
    return max((_score(each, found) for each in alternatives),
               key=lambda score: (score.right, score.acts_right, score.slots[2],
                                  -score.slots[0]))


def _score(gold: Sequence[Form], found: Sequence[Form]) -> TurnScore:
    if _UNNAMED in gold:  # what it is about is not annotated
        found = [_UNNAMED if each.head == _UNNAMED.head else each for each in found]
    own, other = acts_of(gold), acts_of(found)
    mine, theirs = slots_of(gold), slots_of(found)
    return TurnScore(
        own, other, tuple(_aligned(own, other)),
        (mine.total(), theirs.total(), (mine & theirs).total()), own == other,
        tuple(map(canonical_form, gold)) == tuple(map(canonical_form, found)))


def _aligned(gold: Sequence[str], found: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Acts in pairs: those that are the same, and between them one after the other."""
    matcher = SequenceMatcher(None, gold, found, autojunk=False)
    for _, first, last, start, end in matcher.get_opcodes():
        yield from zip_longest(gold[first:last], found[start:end], fillvalue="")


_OUT = "unsupported"


def measure_understanding(scores: Sequence[TurnScore], milliseconds: Sequence[float]
                          ) -> dict[str, Any]:
    """The figures of a report, null with a reason under ``unavailable`` where there is none.

    Args:
        milliseconds: How long each was parsed.

    Returns:
        ``act_accuracy``, ``act_f1`` (micro over acts), ``slot_f1`` (micro over pairs of the
        innermost head and its words), ``form_exact_match``, each in [0, 1]; ``out_of_scope`` with
        ``precision`` and ``recall`` of turns all of whose acts are out of scope; ``per_act`` with
        ``gold``, ``found``, ``right``, ``precision``, ``recall`` and ``f1`` of each act; and
        ``latency_ms`` with ``p50`` and ``p95``.
    """
    right = Counter(act for each in scores for act in (Counter(each.gold) & Counter(each.found))
                    .elements())
    gold = Counter(act for each in scores for act in each.gold)
    found = Counter(act for each in scores for act in each.found)
    slots = tuple(sum(numbers) for numbers in zip(*(each.slots for each in scores), strict=True)) \
        or (0, 0, 0)
    out = [(set(each.gold) == {_OUT}, set(each.found) == {_OUT}) for each in scores]
    both = sum(mine and theirs for mine, theirs in out)
    report = {
        "act_accuracy": _share(sum(each.acts_right for each in scores), len(scores)),
        "act_f1": f1(gold.total(), found.total(), right.total()),
        "slot_f1": f1(*slots) if slots[0] else None,
        "form_exact_match": _share(sum(each.right for each in scores), len(scores)),
        "out_of_scope": {"precision": _share(both, sum(theirs for _, theirs in out)),
                         "recall": _share(both, sum(mine for mine, _ in out))},
        "per_act": {act: _act(gold[act], found[act], right[act])
                    for act, _ in (gold + found).most_common()},
        "latency_ms": {"p50": None, "p95": None} if not milliseconds else {
            name: round(float(np.quantile(milliseconds, level)), 2)
            for name, level in (("p50", 0.5), ("p95", 0.95))}}
    return {**report, "unavailable": _reasons(report, bool(scores))}


def _act(gold: int, found: int, right: int) -> dict[str, Any]:
    return {"gold": gold, "found": found, "right": right, "precision": _share(right, found),
            "recall": _share(right, gold), "f1": f1(gold, found, right)}


def _reasons(report: Mapping[str, Any], any_turn: bool) -> dict[str, str]:
    if not any_turn:
        return dict.fromkeys(("act_accuracy", "act_f1", "slot_f1", "form_exact_match",
                              "out_of_scope.precision", "out_of_scope.recall", "latency_ms"),
                             "no turn has forms")
    out = report["out_of_scope"]
    said = {"slot_f1": (report["slot_f1"], "no form of the data has words"),
            "out_of_scope.precision": (out["precision"], "no turn was found to be out of scope"),
            "out_of_scope.recall": (out["recall"], "no turn of the data is out of scope")}
    return {name: reason for name, (value, reason) in said.items() if value is None}


def f1(gold: int, found: int, right: int) -> float | None:
    """F1 in [0, 1]; None where there is nothing on either side."""
    return _share(2 * right, gold + found)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
