"""How what is not certain is said: ``Ada Berg is probably free tomorrow (70 % likely).``"""

from __future__ import annotations

import re

_BE = re.compile(r"\{\d\.is\}|\b(?:is|are)\b")
_HAVE = re.compile(r"\{\d\.has\}|\b(?:has|have)\b")
_DO = re.compile(r"\{\d\.organise\}")
#: Each verb with what it becomes when its fact is improbable.
_VERBS = ((_BE, "may be"), (_HAVE, "may have"), (_DO, "may organise"))


def hedge(template: str, certainty: float) -> str:
    """A template as it says something uncertain: ``probably``, or ``may`` where it is no more
    probable than not.

    Args:
        template: Of a predicate of the schema.
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
