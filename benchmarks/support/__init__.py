"""What benchmarks share; nothing here is one. The oracles of the tests are theirs too."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "oracles"))
