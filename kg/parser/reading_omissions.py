"""What a reading of an utterance leaves out of it: times, names and quotations that are plain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.parser.parser_input import KnownName
from frontdesk.kg.parser.trained_parser import ParsedForms
from frontdesk.kg.times.time_grammar import all_expressions
from frontdesk.kg.times.time_words import canonical

#: Kinds of expressions of the time grammar that always say a time.
_TIMES = frozenset({"date", "weekday", "clock", "range", "days"})
#: What is marked as it is to be written.
_QUOTED = re.compile(r"“[^“”]+”|\"[^\"]+\"")
#: How much less likely a reading is for each time, name or quotation that it leaves out.
_LEFT_OUT = 0.1
#: Further ones make no difference.
_MOST_LEFT_OUT = 4


def omissions(forms: Sequence[Form], utterance: str, names: Sequence[KnownName]) -> list[str]:
    """The times, names and quotations of an utterance that its forms have no word of.

    Args:
        forms: With the places of their words.
        names: Known names in it.
    """
    return [utterance[start:end] for start, end in _without(forms, _said(utterance, names))]


def that_leave_out_least(readings: Sequence[ParsedForms], utterance: str,
                         names: Sequence[KnownName]) -> tuple[ParsedForms, ...]:
    """Readings, those that leave out what is said plainly less likely than the parser has them."""
    said = _said(utterance, names)
    weights = [each.probability if any(form.head == "alarm" for form in each.forms)
               else each.probability * _LEFT_OUT ** min(
                   len(_without(each.forms, said)), _MOST_LEFT_OUT)
               for each in readings]  # of a danger it does not matter what else is said
    return tuple(replace(reading, probability=each / sum(weights))
                 for reading, each in zip(readings, weights, strict=True))


def _without(forms: Sequence[Form], said: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches of an utterance that no word of its forms is from."""
    spans = [span for form in forms for span in form.spans()]
    return [(start, end) for start, end in said
            if not any(span.start < end and start < span.end for span in spans)]


def _said(utterance: str, names: Sequence[KnownName]) -> list[tuple[int, int]]:
    """Where the times, names and quotations of an utterance stand."""
    words = canonical(utterance)
    return [*(words.span(each.start, each.end) for each in all_expressions(words.text)
              if each.kind in _TIMES), *sorted({(each.start, each.end) for each in names}),
            *(each.span() for each in _QUOTED.finditer(utterance))]
