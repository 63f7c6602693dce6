"""CI-ToD: replies of KVRET dialogues with what they are inconsistent with.

Reads the official JSON: a list of ``{"id", "dialogue": [{"turn", "utterance"}], "scenario": {"kb":
{"items"}, "qi", "hi", "kbi"}}``; the labelled reply is the last utterance. Source: Qin et al.,
*Don't be Contradicted with Anything! CI-ToD: Towards Benchmarking Consistency for Task-oriented
Dialogue System*, EMNLP 2021.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from frontdesk.data.formats import DataFormat, expect, read_data, require
from frontdesk.generation.consistency import ConsistencyCase
