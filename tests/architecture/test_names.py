"""What a module is called says what is in it, without its folder."""

from __future__ import annotations

from collections import Counter

from .structure import FOLDERS, ROOT


def test_no_two_modules_have_the_same_name():
    modules = [path for folder in (*FOLDERS, "benchmarks")
               for path in (ROOT / folder).rglob("*.py") if path.name != "__init__.py"]
    names = Counter(path.stem for path in modules)
    assert [str(path.relative_to(ROOT)) for path in modules if names[path.stem] > 1] == []
