"""The strict veto on notices: nobody is told of a visitor at the word of a model alone.

As the veto on confirmations it can only object: what is told is read from the forms. It objects to
what is denied, asked, supposed, quoted, or of another time. A danger is told of in doubt; there it
objects only where the danger itself is denied or asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from frontdesk.agent.understanding.veto import is_conditional, objects
from frontdesk.kg.graph.logical_forms import ENTITY_TYPES, Form, Span

#: Heads of forms with a name.
_NAMED = {*map(str, ENTITY_TYPES)}
_WH = r"(?:who|whom|whose|what|when|where|why|which|how|whether)"
_ASKS = re.compile(rf"\?|\b{_WH}\b|^\W*(?:did|do|does|is|are|was|were|has|have|can|could|may)\b",
                   re.IGNORECASE)
#: How what somebody wants is not asked for.
_ASKS_OTHERWISE = re.compile(rf"^\W*(?:{_WH}|did|does|has|have)\b", re.IGNORECASE)
_SUPPOSES = re.compile(r"\b(?:if|suppose|maybe|perhaps|might)\b", re.IGNORECASE)
_QUOTES = re.compile(r"[\"“”«»]|\b(?:said|says|asked|asks|told|tells|heard)\b", re.IGNORECASE)
_OTHER_TIME = re.compile(
    r"\b(?:will|shall|gonna|going to|would(?! (?:like|love|prefer))|was|were|had|did|used to|"
    r"yesterday|tomorrow|tonight|later|soon|ago|(?:last|next) \w+)\b|"
    r"['’](?:ll\b|d\b(?! (?:like|love|prefer)))", re.IGNORECASE)
#: Where a danger begins in the text before it and its own words.
_HERE = "\0"
_DENIES_DANGER = re.compile(
    rf"(?:\b(?:is|are|was|were|see|smell|hear|have)|['’]s) no (?:{_HERE}|\w+ {_HERE})|"
    rf"\b(?:is|are|was|were)(?: not|n['’]t) (?:an?|any) {_HERE}|"
    rf"\b(?:do|does|did)(?: not|n['’]t) (?:see|smell|hear|need|want)\b", re.IGNORECASE)
_ASKS_OF_DANGER = re.compile(
    rf"^\W*(?:if|whether|(?:is|are|was|were|did|do|does|has|have)(?: \w+){{0,2}} {_HERE}|"
    rf"{_WH}\b.*(?:\bif\b.*{_HERE}|{_HERE}.*\?))", re.IGNORECASE | re.DOTALL)
_CLAUSE_ENDS = re.compile(r"[,.;:!?]")


def may_tell(text: str, act: Form, besides: Sequence[Form] = (), *, wish: bool = False) -> bool:
    """Whether an utterance may tell that something is so now.

    Args:
        act: What it tells by the parser; the names in it may be any words.
        besides: What else it says, for which words may stand that object here: "book it tomorrow".
        wish: It tells what its speaker wants, which may be asked for: "can I talk to a person?"
    """
    said = text
    for span in (*_names(act), *(span for form in besides for span in form.spans())):
        if span.start >= 0:
            said = said[:span.start] + "_" * (span.end - span.start) + said[span.end:]
    asks = (_ASKS_OTHERWISE if wish else _ASKS).search(said)
    return not (asks or objects(said) or is_conditional(said, ()) or any(
        each.search(said) for each in (_SUPPOSES, _QUOTES, _OTHER_TIME)))


def may_warn(text: str, danger: Form) -> bool:
    """Whether an utterance may tell of a danger, which it neither denies nor asks about.

    Args:
        danger: It by the parser.
    """
    span = next((each for each in danger.spans() if each.start >= 0), None)
    if span is None:
        return True
    begins = max((each.end() for each in _CLAUSE_ENDS.finditer(text, 0, span.start)), default=0)
    ends = _CLAUSE_ENDS.search(text, span.end)
    clause = text[begins:span.start] + _HERE + text[span.start:ends.end() if ends else None]
    return not (_DENIES_DANGER.search(clause) or _ASKS_OF_DANGER.search(clause))


def _names(form: Form) -> Iterator[Span]:
    """The spans that name somebody or something known, not when it is nor what is brought."""
    for each in form.walk():
        if each.head in _NAMED:
            yield from (span for span in each.arguments if isinstance(span, Span))
