"""The product's packages: their lines of code, and how often each imports which.

    make structure
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import grimp
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACT = SETTINGS["tool"]["importlinter"]
FOLDERS = [name.removeprefix("frontdesk.") for name in CONTRACT["root_packages"]]


def packages() -> list[str]:
    """The parts of the product: folders of ``kg``, ``agent``, …; a folder without any is one."""
    found = [f"{folder}.{below.parent.name}" for folder in FOLDERS
             for below in sorted((ROOT / folder).glob("*/__init__.py"))]
    return found + [each for each in FOLDERS if not any(one.startswith(f"{each}.")
                                                        for one in found)]


def layers() -> list[str]:
    """The packages in the order of the contract in ``pyproject.toml``, what all rest on first."""
    lines = CONTRACT["contracts"][0]["layers"]
    return [each.strip(" ()").removeprefix("frontdesk.") for line in reversed(lines)
            for each in line.split("|")]


def import_graph() -> grimp.ImportGraph:
    """Imports between all modules, those for types only included."""
    return grimp.build_graph(*CONTRACT["root_packages"], cache_dir=None,
                             exclude_type_checking_imports=False)


def package_of(module: str, names: list[str]) -> str:
    """The package that a module of frontdesk is in; its folder where that only holds packages."""
    parts = module.split(".")[1:]
    return next(name for name in (".".join(parts[:2]), parts[0]) if name in (*names, *FOLDERS))


def main() -> None:
    """Print both tables."""
    names, graph, imports = layers(), import_graph(), Counter[tuple[str, str]]()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            imports[package_of(module, names), package_of(imported, names)] += 1
    table = Table("package", "modules", "lines", "longest", "imports, most important first")
    sums = [0, 0]
    for name in names:
        files = [*(ROOT / name.replace(".", "/")).rglob("*.py")]
        lengths = [len(path.read_text(encoding="utf-8").splitlines()) for path in files]
        sums = [sums[0] + len(files), sums[1] + sum(lengths)]
        others = sorted(((count, other) for (one, other), count in imports.items()
                         if one == name != other), reverse=True)
        table.add_row(name, str(len(files)), f"{sum(lengths):,}", str(max(lengths, default=0)),
                      ", ".join(f"{other} {count}" for count, other in others))
    table.add_row("all", str(sums[0]), f"{sums[1]:,}", style="bold")
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
