"""Which part of a data set without parts of its own is kept for measuring."""

from __future__ import annotations

import hashlib

#: One in so many.
_SHARE = 10


def is_held_out(name: str) -> bool:
    """Whether what has this name, or text, is never learned from: one in ten, in whatever file."""
    digest = hashlib.sha256(name.encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:4], "big") % _SHARE == 0
