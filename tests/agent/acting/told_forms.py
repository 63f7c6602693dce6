"""A receptionist who is told what utterances mean, for tests of what is done with right forms."""

from __future__ import annotations

from frontdesk.agent.understanding.meaning import MeaningReader

from ...templates import TEMPLATES
from ...told_parser import ToldParser
from .offices import Office


class ToldOffice(Office):
    """An office whose utterances are said together with what they mean."""

    def __init__(self, encoder, monkeypatch, speaker: str | None = "ines") -> None:
        self.parser = ToldParser()
        monkeypatch.setattr("frontdesk.agent.sessions.agent.load_meaning",
                            lambda *_: MeaningReader(self.parser))
        super().__init__(TEMPLATES, encoder, speaker=speaker)

    def hear(self, utterance: str, forms: str = "") -> str:
        """The reply to an utterance that means some forms; to "yes" and "no" without them."""
        if forms:
            self.parser.forms[utterance] = forms
        return self.say(utterance)
