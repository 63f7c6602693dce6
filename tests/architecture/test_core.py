"""The tests of ``make check``, listed in ``tests/core.txt``, are about every package."""

from __future__ import annotations

import pytest

from .structure import ROOT, packages

LINES = (ROOT / "tests" / "core.txt").read_text(encoding="utf-8").splitlines()
FILES = [file for path in (ROOT / line.partition("::")[0] for line in LINES)
         for file in ([path] if path.is_file() else path.rglob("test_*.py"))]


@pytest.mark.parametrize("package", packages())
def test_every_package_has_a_core_test(package):
    folder = ROOT / "tests" / package.replace(".", "/")
    imports = f"from frontdesk.{package}."
    assert any(file.is_relative_to(folder) or imports in file.read_text(encoding="utf-8")
               for file in FILES)
