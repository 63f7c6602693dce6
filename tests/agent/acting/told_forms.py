"""A receptionist who is told what utterances mean, for tests of what is done with right forms."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

from frontdesk.agent.understanding.meaning import MeaningReader
from frontdesk.kg.graph.form_places import placed
from frontdesk.kg.graph.logical_forms import read_forms
from frontdesk.kg.parser.parser_input import ParserInput
from frontdesk.kg.parser.trained_parser import ParsedForms

from ...any_forms import LANGUAGE
from ...templates import TEMPLATES
from .offices import Office


class _Told:
    """A parser that is told the forms of utterances; of "yes" and "no" it knows them."""

    tokens = SimpleNamespace(language=LANGUAGE)

    def __init__(self) -> None:
        self.forms = {"yes": "(confirm)", "no": "(deny)"}

    def parse_all(self, inputs: Sequence[ParserInput]) -> list[list[ParsedForms]]:
        return [self._readings(each) for each in inputs]

    def _readings(self, each: ParserInput) -> list[ParsedForms]:
        forms = placed(read_forms(self.forms[each.utterance]), each.utterance)
        for form in forms:
            LANGUAGE.check(form)
            assert all(span.start >= 0 for span in form.spans()), f"{form} has words not said"
        return [ParsedForms(forms, 1.0)]


class ToldOffice(Office):
    """An office whose utterances are said together with what they mean."""

    def __init__(self, encoder, monkeypatch, speaker: str | None = "ines") -> None:
        self.parser = _Told()
        monkeypatch.setattr("frontdesk.agent.sessions.agent.load_meaning",
                            lambda *_: MeaningReader(self.parser))
        super().__init__(TEMPLATES, encoder, speaker=speaker)

    def hear(self, utterance: str, forms: str = "") -> str:
        """The reply to an utterance that means some forms; to "yes" and "no" without them."""
        if forms:
            self.parser.forms[utterance] = forms
        return self.say(utterance)
