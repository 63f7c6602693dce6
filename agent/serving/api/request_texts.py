"""Texts of clients as every database can keep them."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator

_UNKEPT = re.compile("[\x00\ud800-\udfff]")


def kept(text: str) -> str:
    """A text with U+FFFD for what is no character: NUL, and halves of surrogate pairs."""
    return _UNKEPT.sub("\N{REPLACEMENT CHARACTER}", text)


#: A text in a request.
KeptText = Annotated[str, AfterValidator(kept)]
