"""What the words of an utterance tell beside its logical forms.

The stage ``parse`` takes the words in; later stages have no text, but ask here what the strict
veto says of the forms that they settle on. They get verdicts, and spans that are passed on as they
are: a title, a message, what is kept of a task that waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from frontdesk.agent.understanding import occurrences, veto
from frontdesk.kg.english.lexicon import is_only_names
from frontdesk.kg.english.phrases import QUOTES, without_article
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.mentions import Mention

#: From this share of the likeliest hypothesis's confidence on another one may be what was said.
_RIVAL = 0.4


@dataclass(frozen=True)
class SurfaceCues:
    """What the words of an utterance, or of one task in it, tell.

    Args:
        _text: Where the spans of its forms are.
        _cleaned: Where its mentions are.
        contradicted: A speech recogniser heard a yes, and almost as surely a no.
    """

    _text: str = field(repr=False)
    _cleaned: str = field(default="", repr=False)
    contradicted: bool = False

    @classmethod
    def heard(cls, hypotheses: Sequence[Hypothesis], cleaned: str) -> SurfaceCues:
        """Those of an utterance.

        Args:
            hypotheses: What may have been said, the likeliest first, at least one.
            cleaned: The first, as mentions were found in it.
        """
        first, *others = hypotheses
        return cls(first.text, cleaned, any(
            veto.objects(each.text)
            and (each.confidence or 0.0) >= _RIVAL * (first.confidence or 1.0)
            for each in others))

    def part(self, begin: int, end: int | None) -> SurfaceCues:
        """Those of a task in it, whose words stand where they do.

        Args:
            end: None for all that follows.
        """
        return replace(self, _text=" " * begin + self._text[begin:end])

    def of_kept(self, words: str) -> SurfaceCues:
        """Those of a task that has waited, whose words were kept."""
        return replace(self, _text=words)

    # --- what is passed on

    @property
    def span(self) -> Span:
        """All words, for a message that consists of them and a task that is to wait."""
        return Span(self._text.strip())

    def as_title(self, said: Span) -> str:
        """What is to be called so: an article that is not written as a part of it is none."""
        if said.start > 0 and self._text[said.start - 1] in QUOTES:
            return said.text
        begin = len(self._text) - len(self._text.lstrip())
        return without_article(said.text, begins=said.start == begin)

    # --- what it is

    @property
    def is_silent(self) -> bool:
        """Whether nothing was said that could be a word."""
        return not any(map(str.isalnum, self._text))

    def is_phrase(self, phrase: str) -> bool:
        """Whether it is a phrase, in lower case, that the user was told to say."""
        return self._text.strip(" .,!“”").casefold() == phrase

    def is_only(self, names: Iterable[Mention]) -> bool:
        """Whether it is these names and nothing else that counts."""
        return is_only_names(self._cleaned, names)

    def has(self, name: str) -> bool:
        """Whether the words of a name are in it, in order."""
        own, wanted = (" ".join(word.text for word in split_words(each))
                       for each in (self._text, name))
        return f" {wanted} " in f" {own} "

    # --- what the strict veto says

    def may_agree(self, *, plainly: bool = False) -> bool:
        """See :func:`~frontdesk.agent.understanding.veto.may_agree`."""
        return veto.may_agree(self._text, plainly=plainly)

    def may_agree_to(self, question: str, repeated: Sequence[Form], after: Sequence[Form], *,
                     plainly: bool) -> bool:
        """Whether it may agree to what was asked, and go on with something of its own.

        Args:
            repeated: What it says once more.
            after: What it goes on with.
            plainly: Only words like "yes" count, where nothing follows.
        """
        text = veto.as_a_yes(self._text, repeated, question)
        return veto.may_agree_first(text, after) if after \
            else veto.may_agree(text, plainly=plainly)

    def may_ask(self, forms: Sequence[Form]) -> bool:
        """See :func:`~frontdesk.agent.understanding.veto.may_ask`."""
        return veto.may_ask(self._text, forms)

    def is_conditional(self, forms: Sequence[Form]) -> bool:
        """See :func:`~frontdesk.agent.understanding.veto.is_conditional`."""
        return veto.is_conditional(self._text, forms)

    @property
    def may_keep(self) -> bool:
        """See :func:`~frontdesk.agent.understanding.veto.may_keep`."""
        return veto.may_keep(self._text)

    @property
    def may_undo(self) -> bool:
        """See :func:`~frontdesk.agent.understanding.veto.may_undo`."""
        return veto.may_undo(self._text)

    @property
    def tells_what_not(self) -> bool:
        """See :func:`~frontdesk.agent.understanding.veto.tells_what_not`."""
        return veto.tells_what_not(self._text)

    @property
    def names_deed(self) -> bool:
        """See :func:`~frontdesk.agent.understanding.veto.names_deed`."""
        return veto.names_deed(self._text)

    # --- which dates of a series

    @property
    def occurrences(self) -> str:
        """See :func:`~frontdesk.agent.understanding.occurrences.read_occurrences`."""
        return occurrences.read_occurrences(self._text)

    def says_both(self, forms: Sequence[Form]) -> bool:
        """See :func:`~frontdesk.agent.understanding.occurrences.says_both`."""
        return occurrences.says_both(self._text, forms)
