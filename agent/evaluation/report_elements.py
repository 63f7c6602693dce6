"""HTML elements and self-contained pages: what all report pages are built from.

Pages are trees of elements, so text from data sets and models can never become markup.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
import re
import string
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

Child = ET.Element | str | None

#: Characters that no HTML document may hold: controls, lone surrogates, non-characters.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """The text with characters that HTML cannot hold replaced by U+FFFD.

    >>> clean("a\\x00b") == "a\\ufffdb"
    True
    """
    return _FORBIDDEN.sub("\ufffd", text)


def element(tag: str, *children: Child, **attributes: str | None) -> ET.Element:
    """An element of HTML or SVG.

    Args:
        tag: Its name.
        children: Elements and text, in order; None is left out.
        attributes: Underscores become hyphens, ``class_`` becomes ``class``; None is left out.

    >>> render(element("p", "1 < 2 ", element("b", "&"), class_="note"))
    '<p class="note">1 &lt; 2 <b>&amp;</b></p>'
    """
    made = ET.Element(tag, {name.rstrip("_").replace("_", "-"): clean(value)
                            for name, value in attributes.items() if value is not None})
    append(made, *children)
    return made


def append(parent: ET.Element, *children: Child) -> None:
    """Put elements and text behind what an element holds already; None is left out."""
    for child in children:
        if isinstance(child, ET.Element):
            parent.append(child)
        elif child is not None and len(parent):
            parent[-1].tail = (parent[-1].tail or "") + clean(child)
        elif child is not None:
            parent.text = (parent.text or "") + clean(child)


def render(tree: ET.Element) -> str:
    """The element as HTML."""
    return ET.tostring(tree, encoding="unicode", method="html")


def scrolling(table: ET.Element, label: str) -> ET.Element:
    """A wide table that scrolls by itself, with the keyboard too."""
    return element("div", table, class_="scroll", tabindex="0", role="region", aria_label=label)


def pairs_list(pairs: Sequence[tuple[str, str]], class_: str = "pairs") -> ET.Element:
    """Names with their values."""
    made = element("dl", class_=class_)
    for name, value in pairs:
        append(made, element("div", element("dt", name), element("dd", value, dir="auto")))
    return made


def page(*, title: str, body: Sequence[ET.Element], script: str, data: object) -> bytes:
    """A page that is complete in itself, in UTF-8: nothing is fetched, nothing else may run.

    Args:
        title: Of the document.
        body: What it shows without its script.
        script: Name of the script beside this module.
        data: What the script reads, as JSON.
    """
    style, code = asset("report_page.css"), asset("report_common.js") + asset(script)
    text = string.Template(asset("report_page.html")).substitute(
        title=html.escape(clean(title)), style=style, script=code, data=embedded(data),
        policy="default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
               f"style-src {_digest(style)}; script-src {_digest(code)}",
        body="\n".join(render(part) for part in body))
    return text.encode()


def static_page(title: str, body: Sequence[ET.Element]) -> bytes:
    """A page without a script, complete in itself, in UTF-8.

    Args:
        title: Of the document.
        body: What it shows.
    """
    style = asset("report_page.css")
    policy = (f"default-src 'none'; img-src data:; style-src {_digest(style)}; "
              "base-uri 'none'; form-action 'none'")
    tree = element("html", element(
        "head", element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("link", rel="icon", href="data:,"),
        element("title", title), element("style", style)), element("body", *body), lang="en")
    return f"<!doctype html>\n{render(tree)}\n".encode()


def embedded(data: object) -> str:
    """JSON that no text within can end: ``<``, ``>`` and ``&`` are written as escapes.

    >>> embedded(["</script>", float("nan")])
    '["\\\\u003c/script\\\\u003e",null]'
    """
    text = json.dumps(_finite(data), separators=(",", ":"), allow_nan=False)
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def asset(name: str) -> str:
    """A template, style or script that lies beside this module."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


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
