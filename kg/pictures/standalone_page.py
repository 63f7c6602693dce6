"""HTML pages that are complete in themselves: no network, and nothing runs but their own script.

What a page shows is a Jinja2 template that extends ``standalone_page.html``. All text is escaped,
whatever data sets, models and people wrote.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

#: Characters that no HTML document may hold: controls, lone surrogates, non-characters.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """The text with characters that HTML cannot hold replaced by U+FFFD.

    >>> clean("a\\x00b") == "a\\ufffdb"
    True
    """
    return _FORBIDDEN.sub("\ufffd", text)


def environment(package: str) -> Environment:
    """The templates of a package, escaping; a name that has no value is an error.

    Args:
        package: Its full name; the templates lie beside its modules.
    """
    return Environment(
        loader=ChoiceLoader([PackageLoader(package, ""), PackageLoader(__package__, "")]),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=lambda value: value if isinstance(value, Markup) else clean(str(value)))


def render(templates: Environment, name: str, *, style: str, script: str = "",
           data: object = None, **context: Any) -> bytes:
    """A page in UTF-8.

    Args:
        templates: Of :func:`environment`.
        style: CSS.
        script: JavaScript; without it the page has none and no ``data``.
        data: What the script reads, as JSON in the element ``page-data``.
        context: What the template names, ``title`` among it.
    """
    runs = f"; script-src {_digest(script)}" if script else ""
    return templates.get_template(name).render(
        style=Markup(style), script=Markup(script), data=Markup(embedded(data)),
        policy=Markup("default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
                      f"style-src {_digest(style)}{runs}"), **context).encode()


def asset(package: str, name: str) -> str:
    """A style or script that lies beside the modules of a package."""
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def embedded(data: object) -> str:
    """JSON that no text within can end: ``<``, ``>`` and ``&`` are written as escapes.

    >>> embedded(["</script>", float("nan")])
    '["\\\\u003c/script\\\\u003e",null]'
    """
    text = json.dumps(_finite(data), separators=(",", ":"), allow_nan=False)
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _finite(data: Any) -> Any:
    """The data with numbers that JSON does not know as null and the others in 5 digits."""
    if isinstance(data, float):
        return float(f"{data:.5g}") if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, Sequence) and not isinstance(data, str):
        return [_finite(value) for value in data]
    return data


def _digest(text: str) -> str:
    """The source expression by which a content security policy allows just this text."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
