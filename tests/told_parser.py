"""A parser that is told what utterances mean, for tests of what is done with right forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from frontdesk.kg.graph.logical_forms import read_forms
from frontdesk.kg.graph.span_alignment import placed
from frontdesk.kg.parser.parser_input import ParserInput
from frontdesk.kg.parser.trained_parser import ParsedForms

from .any_forms import LANGUAGE


class ToldParser:
    """Parses utterances by their forms.

    Args:
        forms: Of utterances, on one line each; of "yes" and "no" it knows them.
    """

    tokens = SimpleNamespace(language=LANGUAGE)

    def __init__(self, forms: Mapping[str, str] | None = None) -> None:
        self.forms = {"yes": "(confirm)", "no": "(deny)", **(forms or {})}

    def parse_all(self, inputs: Sequence[ParserInput]) -> list[list[ParsedForms]]:
        return [self._readings(each) for each in inputs]

    def _readings(self, each: ParserInput) -> list[ParsedForms]:
        forms = placed(read_forms(self.forms[each.utterance]), each.utterance)
        for form in forms:
            LANGUAGE.check(form)
            assert all(span.start >= 0 for span in form.spans()), f"{form} has words not said"
        return [ParsedForms(forms, 1.0)]
