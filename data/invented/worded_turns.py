"""Turns of invented dialogues with their forms: productions put together, and worded carelessly."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import as_file, files

from frontdesk.data.datasets.parsed_samples import load_parsed_samples
from frontdesk.data.datasets.parsed_turns import Context, ParsedTurn
from frontdesk.data.invented.worded_forms import Drawn, Grammar, Piece, join
from frontdesk.kg.graph.logical_forms import Form, Span

#: How often each kind of turn is drawn.
_KINDS = {"ask": 46, "follow": 17, "answer": 8, "courtesy": 5, "meta": 3, "visit": 6,
          "unsupported": 7, "request": 10, "revise_request": 5}
#: What may have been said last before each kind: an own kind, or nothing.
_BEFORE = {"ask": ("ask", "ask", "visit", ""), "follow": ("ask",), "answer": ("ask", "request"),
           "courtesy": ("ask", "request", ""), "meta": ("ask", "request"), "visit": ("",),
           "unsupported": ("ask", ""), "request": ("ask", "request", "", ""),
           "revise_request": ("request",)}
_JOINED = ("ask", "visit", "unsupported", "request", "follow")
_POLITE = (", please", " please", " pls", ", if you can", " if possible")
_HESITANT = ("um, ", "er ", "uh ", "so ", "ok ", "right, ", "well, ", "hey, ", "please ",
             "quick question, ", "ah ", "oh and ", "and ", "hmm ", "listen, ",
             "yeah so ", "actually ", "btw ", "also, ")
_AND = (" and ", ", and ", ". ", "? ", " also ", ", ", "? And ", ". also ", " - ", "?? ")
_SHORT = {"you": "u", "are": "r", "please": "pls", "tomorrow": "tmrw", "meeting": "mtg",
          "thanks": "thx", "people": "ppl", "because": "cos", "going to": "gonna",
          "want to": "wanna", "I am": "im", "minutes": "mins", "and": "&", "with": "w/"}
_WORD = re.compile(r"[A-Za-z]{4,}")


def invented_turns(grammar: Grammar, seed: int) -> Iterator[ParsedTurn]:
    """Turns without end, the same for the same seed."""
    rng = random.Random(seed)
    number = 0
    while True:
        number += 1
        yield _turn(grammar, rng, f"invented-{seed}-{number}")


def _turn(grammar: Grammar, rng: random.Random, name: str) -> ParsedTurn:
    kind = rng.choices(list(_KINDS), list(_KINDS.values()))[0]
    before = rng.choice(_BEFORE[kind])
    earlier = _plain(grammar, rng, before) if before else ()
    parts, asked = _parts(grammar, rng, kind)
    utterance, forms = carelessly(parts, rng)
    return ParsedTurn(name, 1, utterance, Context(forms=earlier, asked=asked), forms)


def _plain(grammar: Grammar, rng: random.Random, kind: str) -> tuple[Form, ...]:
    drawn = grammar.draw(rng, kind)
    return join(drawn.pieces, drawn.forms)[1]


def _parts(grammar: Grammar, rng: random.Random, kind: str) -> tuple[list[Drawn | str], str]:
    """What is said one after the other, and what was asked before."""
    drawn = grammar.draw(rng, kind)
    parts: list[Drawn | str] = [drawn]
    if kind in _JOINED:
        if rng.random() < 0.12:
            parts.insert(0, grammar.draw(rng, "courtesy", ""))
            parts.insert(1, rng.choice((", ", " ", ". ", "! ", " - ")))
        if rng.random() < 0.08:
            more = grammar.draw(rng, "follow" if rng.random() < 0.5 else "ask")
            parts += [rng.choice(_AND), more]
    elif kind == "answer" and rng.random() < 0.1:
        parts += [rng.choice((", ", ". ", " and ")), grammar.draw(rng, "ask")]
    if kind != "courtesy" and rng.random() < 0.07:
        parts += [rng.choice((", ", ". ", " ")), grammar.draw(rng, "courtesy", "")]
    if rng.random() < 0.1:
        parts.insert(0, rng.choice(_HESITANT))
    if rng.random() < 0.08:
        parts.append(rng.choice(_POLITE))
    return parts, drawn.asked


def carelessly(parts: Sequence[Drawn | str], rng: random.Random) -> tuple[str, tuple[Form, ...]]:
    """What is said, as people type and as speech recognisers hear it.

    Args:
        parts: Drawn forms and what stands between them.

    Returns:
        The utterance, and the forms of all parts with their spans in it.
    """
    pieces, forms, first = [], [], 0
    for part in parts:
        if isinstance(part, str):
            pieces.append(Piece(part))
            continue
        highest = max((each.span or 0 for each in part.pieces), default=0)
        pieces += [replace(each, span=each.span + first) if each.span is not None else each
                   for each in part.pieces]
        forms += [_shifted(each, first) for each in part.forms]
        first += highest
    for change, often in ((_lower, 0.4), (_unmarked, 0.25), (_mistyped, 0.15), (_shortened, 0.08)):
        if rng.random() < often:
            pieces = change(pieces, rng)
    if rng.random() < 0.5:
        pieces = [*pieces[:-1], replace(pieces[-1], text=pieces[-1].text.rstrip("?.! "))]
    return join(pieces, forms)


def _shifted(form: Form, by: int) -> Form:
    return Form(form.head, tuple(
        _shifted(each, by) if isinstance(each, Form)
        else Span(f"\0{int(each.text[1:]) + by}") if isinstance(each, Span) else each
        for each in form.arguments))


def _lower(pieces: Sequence[Piece], rng: random.Random) -> list[Piece]:
    return [replace(each, text=each.text.lower()) for each in pieces]


def _unmarked(pieces: Sequence[Piece], rng: random.Random) -> list[Piece]:
    marks = "[,?!;]" if rng.random() < 0.5 else "[,?!;'’]"
    return [replace(each, text=re.sub(marks, "", each.text)) if each.span is None
            else replace(each, text=re.sub("[,?!;]", "", each.text)) for each in pieces]


def _mistyped(pieces: Sequence[Piece], rng: random.Random) -> list[Piece]:
    """With one or two letters left out, doubled or swapped."""
    found = list(pieces)
    for _ in range(rng.randint(1, 2)):
        places = [(number, word.start(), word.end()) for number, each in enumerate(found)
                  for word in _WORD.finditer(each.text)]
        if not places:
            break
        number, start, end = rng.choice(places)
        text, at = found[number].text, rng.randrange(start + 1, end - 1)
        new = rng.choice((text[:at] + text[at + 1:], text[:at] + text[at] + text[at:],
                          text[:at] + text[at + 1] + text[at] + text[at + 2:]))
        found[number] = replace(found[number], text=new)
    return found


def _shortened(pieces: Sequence[Piece], rng: random.Random) -> list[Piece]:
    chosen = {long for long in _SHORT if rng.random() < 0.6}
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(chosen))})\b") if chosen else None
    if pattern is None:
        return list(pieces)
    return [replace(each, text=pattern.sub(lambda found: _SHORT[found[0]], each.text))
            for each in pieces]


#: Words that stand for names of each type, and how often a name is another one.
_NAMES = {"person": "person_name", "group": "group_name", "room": "room_name",
          "event": "event_title", "title": "event_title"}
_RENAMED = 0.7


def renamed(turn: ParsedTurn, grammar: Grammar, rng: random.Random) -> ParsedTurn:
    """A turn with other names, as often as not.

    Args:
        turn: As it was written.
    """
    chosen = {(part.arguments[0].start, part.arguments[0].end): _NAMES[part.head]
              for form in turn.forms for part in form.walk() if part.head in _NAMES
              and part.arguments and isinstance(part.arguments[0], Span)
              and rng.random() < _RENAMED}
    pieces, numbers, end = [], dict[tuple[int, int], int](), 0
    places = sorted({(span.start, span.end) for form in turn.forms for span in form.spans()})
    for start, stop in places:
        if start < end:  # spans that overlap: the turn stays as it is
            return turn
        numbers[start, stop] = len(numbers) + 1
        text = turn.utterance[start:stop]
        if (start, stop) in chosen:
            new = grammar.word(rng, chosen[start, stop])
            text = new.lower() if text.islower() else new
        pieces += [Piece(turn.utterance[end:start]), Piece(text, numbers[start, stop])]
        end = stop
    pieces.append(Piece(turn.utterance[end:]))
    utterance, forms = join(pieces, tuple(_numbered(each, numbers) for each in turn.forms))
    return replace(turn, utterance=utterance, forms=forms)


def _numbered(form: Form, numbers: Mapping[tuple[int, int], int]) -> Form:
    return Form(form.head, tuple(
        _numbered(each, numbers) if isinstance(each, Form)
        else Span(f"\0{numbers[each.start, each.end]}") if isinstance(each, Span) else each
        for each in form.arguments))


@lru_cache(maxsize=1)
def written_turns() -> tuple[ParsedTurn, ...]:
    """All their turns."""
    found: list[ParsedTurn] = []
    with as_file(files(__package__).joinpath("written")) as folder:
        for path in sorted(folder.glob("*.jsonl")):
            found += load_parsed_samples(path)[0]
    return tuple(found)
