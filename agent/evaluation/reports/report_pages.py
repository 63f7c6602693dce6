"""Pages of reports: their templates lie beside this module, with one style and one script."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment

from frontdesk.agent.evaluation.reports.report_measures import MISSING
from frontdesk.kg.pictures import standalone_page


def report_page(template: str, title: str, *, data: object = None, **context: Any) -> bytes:
    """A page that is complete in itself, in UTF-8.

    Args:
        template: A file beside this module.
        data: What ``report_page.js`` reads; the page has no script without it. Its ``view`` says
            what is listed: ``turns``, ``comparison``, ``visits`` or ``understanding``.
    """
    return standalone_page.render(
        templates(), template, title=title, data=data, **context,
        style=standalone_page.asset(__package__, "report_page.css"),
        script="" if data is None else standalone_page.asset(__package__, "report_page.js"))


@cache
def templates() -> Environment:
    """The templates, with the filters ``fixed`` and ``percent``."""
    found = standalone_page.environment(__package__)
    found.filters["fixed"] = fixed
    found.filters["percent"] = lambda value: fixed(
        None if value is None else 100 * value, 1) + ("" if value is None else " %")
    return found


def fixed(value: float | None, decimals: int = 3, *, signed: bool = False) -> str:
    """A number as text; a dash for None.

    >>> [fixed(0.12345), fixed(-0.5, 1, signed=True), fixed(None)]
    ['0.123', '\u22120.5', '\u2013']
    """
    if value is None:
        return MISSING
    return f"{value:{'+' if signed else ''}.{decimals}f}".replace("-", "\N{MINUS SIGN}")
