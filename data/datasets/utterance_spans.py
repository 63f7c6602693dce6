"""Which words of an utterance say a name or a time of its annotation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from frontdesk.data.datasets.parsed_turns import NotConvertedError, Reason, make
from frontdesk.kg.graph.logical_forms import Argument, Form, Span
from frontdesk.kg.times.time_grammar import all_expressions
from frontdesk.kg.times.time_words import canonical

#: Kinds of expressions of :mod:`frontdesk.kg.times.time_grammar` that say a time or a length.
_TIMES = frozenset({"date", "day", "week", "weekday", "clock", "part", "range", "days", "lunch",
                    "ahead", "edge", "within", "same_time", "same_day", "beside", "now", "unread",
                    "whole"})
_LENGTHS = frozenset({"length", "longer", "shift"})
#: Such that stand in sentences that do not speak of a time, too.
_WEAK = frozenset({"now", "unread", "beside", "whole", "same_time", "same_day"})
_BETWEEN = re.compile(r"(?:[\s,]|'s|\b(?:at|on|in|of|the|from|for|around|about|this|starting)\b)*",
                      re.IGNORECASE)
_BEFORE = re.compile(r"(?:(?:at|on|in|for|to|by|around|about|until|till|til|through|starting|start"
                     r"|starts|ends|end|ending|before|after|since|not)\s+)+", re.IGNORECASE)
#: What stands before a stretch or a length and says nothing of it.
_BEFORE_STRETCH = re.compile(r"(?:(?:at|on|for|to)\s+)+(?=\S)", re.IGNORECASE)
_BEFORE_LENGTH = re.compile(r"(?:last(?:s|ing)?|about|around|for)\s+(?=\S)", re.IGNORECASE)
_HEADS = {"before": "before", "after": "after", "since": "from", "until": "until", "till": "until",
          "til": "until", "by": "until"}


@dataclass(frozen=True)
class _Said:
    """An expression of time in an utterance."""

    kind: str
    words: frozenset[str]
    start: int
    end: int


@dataclass
class Wanted:
    """A time or a length of an annotation that an utterance should say.

    Args:
        evidence: Words and numbers of which the utterance may have some.
        length: Whether it is a length.
    """

    evidence: frozenset[str]
    length: bool = False
    found: list[_Said] = field(default_factory=list)
    shares: bool = False

    def score(self, said: _Said) -> int:
        """How many of the words an expression has."""
        if self.length != (said.kind in _LENGTHS):
            return 0
        return sum(any(mine == word or (mine.isalpha() and mine in word) for word in said.words)
                   for mine in self.evidence)


def name_span(utterance: str, name: str) -> Span:
    """Where an utterance says a name, whatever its case and its punctuation.

    Raises:
        NotConvertedError: Nowhere.
    """
    words = re.findall(r"\w+", name)
    pattern = r"\b" + r"\W*".join(map(re.escape, words)) + r"\b"
    found = re.search(pattern, utterance, re.IGNORECASE) if words else None
    if found is None:
        raise NotConvertedError(Reason.TITLE_NOT_SAID, name)
    return Span(found[0], found.start(), found.end())


def find_wanted(utterance: str, wanted: Sequence[Wanted], names: Sequence[Span]) -> None:
    """Find the expressions that say times and lengths; fills ``found`` of each.

    Args:
        utterance: As said.
        wanted: All times and lengths of its annotation, in order.
        names: Names and titles in it: what they say of a time does not count.

    Raises:
        NotConvertedError: A time is not said, or one that is said is not wanted.
    """
    left = []
    for said in _expressions(utterance, names):
        best = max((each.score(said) for each in wanted), default=0)
        takers = [each for each in wanted if best and each.score(said) == best]
        if takers:
            fresh = [each for each in takers if not each.found] or takers
            fresh[0].found.append(said)
            if said.kind in ("range", "days"):
                for each in wanted:
                    each.shares = each.shares or bool(each is not fresh[0] and each.score(said))
        else:
            left.append(said)
    _join_neighbours(utterance, wanted, left)
    _give_the_rest(wanted, left)
    if over := [each for each in left if each.kind in _TIMES - _WEAK]:
        raise NotConvertedError(Reason.TIME_LEFT_OVER, utterance[over[0].start:over[0].end])


def _expressions(utterance: str, names: Sequence[Span]) -> list[_Said]:
    words = canonical(utterance)
    found = []
    for each in all_expressions(words.text):
        start, end = words.span(each.start, each.end)
        inside = any((name.start <= start and end <= name.end)
                     or (start <= name.start and name.end <= end) for name in names)
        if each.kind in _TIMES | _LENGTHS and not inside:
            found.append(_Said(each.kind, frozenset(re.findall(r"[a-z]+|\d+", each.words)),
                               start, end))
    return found


def _join_neighbours(utterance: str, wanted: Sequence[Wanted], left: list[_Said]) -> None:
    """What stands beside an expression that was found goes with it."""
    for said in list(left):
        for each in wanted:
            if not each.length and said.kind in _TIMES and any(
                    _connected(utterance, said, other) for other in each.found):
                each.found = sorted([*each.found, said], key=lambda one: one.start)
                left.remove(said)
                break


def _give_the_rest(wanted: Sequence[Wanted], left: list[_Said]) -> None:
    """The only time or length that nothing was found for takes what is left of its kind."""
    for kinds, length in ((_TIMES, False), (_LENGTHS, True)):
        empty = [each for each in wanted if each.length == length and not each.found
                 and not each.shares]
        rest = [each for each in left if each.kind in kinds]
        if len(empty) == 1 and rest:
            empty[0].found = rest
            left[:] = [each for each in left if each not in rest]


def _connected(utterance: str, one: _Said, other: _Said) -> bool:
    first, second = sorted((one, other), key=lambda each: each.start)
    return _BETWEEN.fullmatch(utterance[first.end:second.start]) is not None


def time_forms(utterance: str, wanted: Wanted) -> list[Form]:
    """The times that an utterance says of what is wanted, as forms; empty where another says it.

    Raises:
        NotConvertedError: Nothing says it.
    """
    return [make(head, span) for head, span in _stretches(utterance, wanted)]


def length_span(utterance: str, wanted: Wanted) -> Span:
    """The words that say a length.

    Raises:
        NotConvertedError: Nothing says it, or several do.
    """
    found = _stretches(utterance, wanted)
    if len(found) != 1:
        raise NotConvertedError(Reason.TIME_NOT_SAID, " ".join(sorted(wanted.evidence)))
    return found[0][1]


def _stretches(utterance: str, wanted: Wanted) -> list[tuple[str, Span]]:
    if not wanted.found and not wanted.shares:
        raise NotConvertedError(Reason.TIME_NOT_SAID, " ".join(sorted(wanted.evidence)))
    groups: list[list[_Said]] = []
    for said in sorted(wanted.found, key=lambda each: each.start):
        if groups and _connected(utterance, groups[-1][-1], said):
            groups[-1].append(said)
        else:
            groups.append([said])
    return [_bare(utterance, group[0].start, group[-1].end, group[0].kind) for group in groups]


def _bare(utterance: str, start: int, end: int, kind: str) -> tuple[str, Span]:
    """A stretch without its preposition, which may tell how it bounds."""
    before = _BEFORE.match(utterance, start, end)
    head = "at"
    if before and kind not in ("range", "days", "beside", "shift", "lunch", "ahead", "within"):
        head = next((_HEADS[word] for word in before[0].casefold().split() if word in _HEADS),
                    head)
        start = before.end()
    for kinds, pattern in (({"range"}, _BEFORE_STRETCH), (_LENGTHS - {"shift"}, _BEFORE_LENGTH)):
        if kind in kinds and (idle := pattern.match(utterance, start, end)):
            start = idle.end()
    end = start + len(utterance[start:end].rstrip(" ,;").removesuffix(" long"))
    return head, Span(utterance[start:end], start, end)


def time_form(utterance: str, span: Span) -> Form:
    """The words that say a time as a form; the word before them may tell how it bounds."""
    head, bare = _bare(utterance, span.start, span.end, "")
    before = re.search(r"(\w+)\s+(?:the\s+)?$", utterance[:span.start])
    if head == "at" and before:
        head = _HEADS.get(before[1].casefold(), "at")
    return make(head, bare)


def time_around(utterance: str, span: Span) -> Span:
    """The whole expression of time that some words are of: ``this friday`` of ``friday``.

    Raises:
        NotConvertedError: It is a length, or they say no time.
    """
    for said in _expressions(utterance, ()):
        if said.start <= span.start and span.end <= said.end:
            if said.kind in _LENGTHS | {"within", "ahead"}:
                raise NotConvertedError(Reason.UNKNOWN, utterance[said.start:said.end])
            return _bare(utterance, said.start, said.end, "")[1]
        if said.start < span.end and span.start < said.end and said.kind in _TIMES:
            return span
    raise NotConvertedError(Reason.TIME_NOT_SAID, span.text)


def join_spans(utterance: str, spans: Sequence[Span]) -> list[Span]:
    """Words that say times, in order; those that stand side by side are one span."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda each: each.start):
        if found and _BETWEEN.fullmatch(utterance[found[-1].end:span.start]) is not None:
            start = found.pop().start
            found.append(Span(utterance[start:span.end], start, span.end))
        else:
            found.append(span)
    return found


def require_no_other_time(utterance: str, spans: Sequence[Span]) -> None:
    """See that an utterance says no time beside those of its annotation.

    Raises:
        NotConvertedError: It does.
    """
    for said in _expressions(utterance, spans):
        if said.kind in _TIMES - _WEAK and all(
                said.end <= span.start or span.end <= said.start for span in spans):
            raise NotConvertedError(Reason.TIME_LEFT_OVER, utterance[said.start:said.end])


def join_times(form: Form, utterance: str) -> Form:
    """A form in which a day and an hour that stand side by side are one span."""
    arguments: list[Argument] = []
    for each in form.arguments:
        each = join_times(each, utterance) if isinstance(each, Form) else each
        both = _joined(arguments[-1], each, utterance) if arguments else None
        if both is not None:
            arguments[-1] = both
        else:
            arguments.append(each)
    return Form(form.head, tuple(arguments))


def _joined(one: Argument, other: Argument, utterance: str) -> Form | None:
    """Two times side by side as one; None where they are no such."""
    if not isinstance(one, Form) or not isinstance(other, Form) or one.head != other.head \
            or one.head not in ("at", "time") or not one.arguments or not other.arguments:
        return None
    first, second = one.arguments[0], other.arguments[0]
    if one.head == "time":
        both = _joined(first, second, utterance)
        return make("time", both) if both is not None else None
    if not isinstance(first, Span) or not isinstance(second, Span):
        return None
    first, second = sorted((first, second), key=lambda each: each.start)
    if _BETWEEN.fullmatch(utterance[first.end:second.start]) is None:
        return None
    return make("at", Span(utterance[first.start:second.end], first.start, second.end))
