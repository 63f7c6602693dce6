"""What a process that serves takes of memory does not grow with the time that it runs."""

from __future__ import annotations

import contextlib
import ctypes
import os

#: Of ``malloc.h``.
_M_ARENA_MAX = -8
#: Read by oneDNN, and by what is between it and torch, when their first product is made.
_KERNEL_CACHES, _MOST_KERNELS = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"), "32"


def bound_memory() -> None:
    """Have what this process takes not grow with the time that it runs.

    All threads allocate from one heap, where the C library is glibc: it gives each thread one of
    its own, none of which ever shrinks below what a model's pass took there, so that with four
    workers a process grew by a half in four minutes. And few compiled products of matrices are
    kept, which there are of every number of tokens that is read at once: of the thousand that are
    kept otherwise 200 MB were taken in three minutes. Neither makes it slower.
    """
    for name in _KERNEL_CACHES:
        os.environ.setdefault(name, _MOST_KERNELS)
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
