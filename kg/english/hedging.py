"""How what is not certain is said: ``Ada Berg is probably free tomorrow (70 % likely).``"""

from __future__ import annotations

import re
from collections.abc import Iterable

from frontdesk.kg.english.lexicon import YES_WORDS

_BE = re.compile(r"\{\d\.is\}|\b(?:is|are)\b")
_HAVE = re.compile(r"\{\d\.has\}|\b(?:has|have)\b")
_DO = re.compile(r"\{\d\.organise\}")
#: Words by which a sentence leaves open whether it is so. "May" with a capital is the month.
_HEDGE = re.compile(r"\bmay\b|(?i:\b(?:probabl[ey]|perhaps|maybe|might|could|possibl[ey]|likely|"
                    r"unlikely|chance|whether|unsure|uncertain|not (?:sure|certain|know))\b"
                    r"|n['’]t (?:sure|certain|know)\b)")
#: What a sentence names on which the hours in it depend, where they are not certain.
CONDITION = "time zone"
_CONDITIONS = re.compile(rf"(.*?)\b{CONDITION}(?: of (.*?))? is ", re.DOTALL)
_YES_OR_NO = re.compile(rf"\W*(?:(?:{YES_WORDS}|nope|certainly|definitely|indeed|of course)\b"
                        r"|no\s*[,.;:!\u2013\u2014-])", re.IGNORECASE)
#: Each verb with what it becomes when its fact is improbable.
_VERBS = ((_BE, "may be"), (_HAVE, "may have"), (_DO, "may organise"))


def is_hedged(sentence: str) -> bool:
    """Whether a sentence leaves open whether it is so, and does not begin with "yes" or "no".

    Example:
        >>> is_hedged("She may be free."), is_hedged("Yes, she is probably free.")
        (True, False)
    """
    return _HEDGE.search(sentence) is not None and _YES_OR_NO.match(sentence) is None


def has_name(text: str, name: str) -> bool:
    """Whether a text has a name, as it is or with other capitals."""
    return re.search(rf"{re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def on_condition(text: str, names: Iterable[str]) -> set[str]:
    """Of some names those of which a text says that what it tells of them depends on a condition:
    those of which the condition is, or that are named before "its"; all where none is.

    Example:
        >>> on_condition("The tea is at ten, if its time zone is Oslo's", ["the tea", "the fair"])
        {'the tea'}
    """
    found: set[str] = set()
    known = set(names) if CONDITION in text else set()
    for before, whose in _CONDITIONS.findall(text):
        named = {name for name in known if has_name(whose or before, name)}
        found |= named or (set() if whose else known)
    return found


def hedge(template: str, certainty: float) -> str:
    """A template as it says something uncertain: ``probably``, or ``may`` where it is no more
    probable than not.

    Args:
        certainty: The probability in (0, 1) of what it says.

    Example:
        >>> hedge("{0} {0.is} free {1}.", 0.7)
        '{0} {0.is} probably free {1} (70 % likely).'
        >>> hedge("{0} {0.has} no events {1}.", 0.5)
        '{0} may have no events {1} (50 % likely).'
    """
    likely = f" ({min(max(round(100 * certainty), 1), 99)} % likely)."
    text = template.removesuffix(".") + likely
    verbs = sorted((found.start(), found.end(), kind, possible) for kind, (verb, possible)
                   in enumerate(_VERBS) if (found := verb.search(text)))
    if re.match(r"No(?:body)?\b", text) or not verbs:
        # "Nobody is probably free" would say something else.
        return f"{'Probably' if certainty > 0.5 else 'Perhaps'} {text[:1].lower()}{text[1:]}"
    start, end, kind, possible = verbs[0]
    if certainty > 0.5:
        verb = f"{text[start:end]} probably" if kind == 0 else f"probably {text[start:end]}"
    else:
        verb = possible
    return f"{text[:start]}{verb}{text[end:]}".replace("may be not", "may not be")
