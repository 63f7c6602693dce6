"""What a process takes is bounded before its models make their first product."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

_PROGRAM = """
import os
from frontdesk.agent.serving.operations.memory import bound_memory
bound_memory()
print(os.environ["LRU_CACHE_CAPACITY"], os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"])
"""


def test_few_compiled_products_are_kept_unless_whoever_runs_it_says_otherwise():
    clean = {name: value for name, value in os.environ.items()
             if name not in ("LRU_CACHE_CAPACITY", "ONEDNN_PRIMITIVE_CACHE_CAPACITY")}
    found = [subprocess.run([sys.executable, "-c", _PROGRAM], env={**clean, **more}, check=True,
                            capture_output=True, text=True).stdout.split()
             for more in ({}, {"LRU_CACHE_CAPACITY": "7"})]
    assert found == [["32", "32"], ["7", "32"]]


_HOLES = """
import threading, time
import psutil
from frontdesk.agent.serving.operations.memory import bound_memory, give_back_holes

def megabytes():
    return psutil.Process().memory_full_info().uss / 1e6

bound_memory()
begin = megabytes()
pieces = [bytes([1]) * 20_000 for _ in range(5_000)]  # 100 MB
pieces = pieces[::10]
full = megabytes()
stopped = threading.Event()
give_back_holes(stopped, every_s=0.1)
for _ in range(100):
    if megabytes() < begin + 30:
        break
    time.sleep(0.1)
print(full - begin, megabytes() - begin)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="of glibc's heap")
def test_what_is_free_amid_the_heap_is_given_back():
    before, after = map(float, subprocess.run(
        [sys.executable, "-c", _HOLES], check=True, capture_output=True, text=True).stdout.split())
    assert before > 80  # which is what happens by itself
    assert after < 30
