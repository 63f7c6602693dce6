"""What a process that serves takes of memory does not grow with the time that it runs."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading

#: Of ``malloc.h``: heaps, and the bytes from which on memory is taken from and given back to the
#: system by itself, or at the end of the heap.
_M_ARENA_MAX, _M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD = -8, -3, -1
_LARGE = 1 << 20
#: Read by oneDNN, and by what is between it and torch, when their first product is made.
_KERNEL_CACHES, _MOST_KERNELS = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"), "32"


def bound_memory() -> None:
    """Have what this process takes not grow with the time that it runs.

    All threads allocate from one heap, where the C library is glibc: it gives each thread one of
    its own, none of which ever shrinks below what a model's pass took there, so that with four
    workers a process grew by a half in four minutes. What models need for a pass is given back
    after it and leaves no holes in the heap, which saves 18 MB of 727 and costs a twelfth of the
    turns a second. And few compiled products of matrices are kept, which there are of every number
    of tokens that is read at once: of the thousand that are kept otherwise 200 MB were taken in
    three minutes.
    """
    for name in _KERNEL_CACHES:
        os.environ.setdefault(name, _MOST_KERNELS)
    with contextlib.suppress(OSError, AttributeError):
        for which, value in ((_M_ARENA_MAX, 1), (_M_MMAP_THRESHOLD, _LARGE),
                             (_M_TRIM_THRESHOLD, _LARGE)):
            ctypes.CDLL(None).mallopt(which, value)


def give_back_holes(stopped: threading.Event, every_s: float = 5.0) -> None:
    """Until it is stopped, give back to the system what is free amid the heap, from a thread.

    What a turn takes is free after it, but seldom at the end of the heap, so that the C library
    keeps it: where the bytes in use stayed the same, a process grew by 40 MB of 480 in a thousand
    turns. All others that allocate wait meanwhile, for about 20 ms. Nothing is done where the C
    library is not glibc.

    Args:
        stopped: Whether it is to stop.
        every_s: Seconds from one time to the next.
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return

    def give_back() -> None:
        while not stopped.wait(every_s):
            trim(0)

    threading.Thread(target=give_back, daemon=True, name="holes").start()
