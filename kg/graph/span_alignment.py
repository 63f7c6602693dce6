"""Where the words of forms stand in the utterance that they were read from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from frontdesk.kg.graph.logical_forms import Argument, Form, Span


def placed(forms: Sequence[Form], utterance: str) -> tuple[Form, ...]:
    """Forms whose spans say where they stand in an utterance; -1 where they are not in it.

    Args:
        forms: In the order in which they were said: of words that are said twice, the second span
            is the second of them.
    """
    after: dict[str, int] = {}

    def place(span: Span) -> Span:
        places = [found.start() for found in re.finditer(
            rf"(?<!\w){re.escape(span.text)}(?!\w)", utterance)]
        if not places:
            return Span(span.text)
        start = next((each for each in places if each >= after.get(span.text, 0)), places[0])
        after[span.text] = start + 1
        return Span(span.text, start, start + len(span.text))

    def inner(argument: Argument) -> Argument:
        if isinstance(argument, Span):
            return place(argument)
        return Form(argument.head, tuple(map(inner, argument.arguments))) \
            if isinstance(argument, Form) else argument

    return tuple(Form(form.head, tuple(map(inner, form.arguments))) for form in forms)
