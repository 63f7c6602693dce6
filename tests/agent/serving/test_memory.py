"""What a process takes is bounded before its models make their first product."""

from __future__ import annotations

import os
import subprocess
import sys

_PROGRAM = """
import os
from frontdesk.agent.serving.memory import bound_memory
bound_memory()
import torch
print(os.environ["LRU_CACHE_CAPACITY"], os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"])
"""


def test_few_compiled_products_are_kept_unless_whoever_runs_it_says_otherwise():
    clean = {name: value for name, value in os.environ.items()
             if name not in ("LRU_CACHE_CAPACITY", "ONEDNN_PRIMITIVE_CACHE_CAPACITY")}
    found = [subprocess.run([sys.executable, "-c", _PROGRAM], env={**clean, **more}, check=True,
                            capture_output=True, text=True).stdout.split()
             for more in ({}, {"LRU_CACHE_CAPACITY": "7"})]
    assert found == [["32", "32"], ["7", "32"]]
