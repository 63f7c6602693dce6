"""Modules import one another in one direction; ``make lint`` holds packages to their order."""

from __future__ import annotations

import networkx

from .structure import CONTRACT, import_graph, layers, packages


def test_every_package_has_its_place_in_the_order_of_imports():
    assert set(packages()) <= set(layers())


def test_no_modules_import_one_another_in_a_circle():
    graph = import_graph()
    imports = networkx.DiGraph([(module, imported) for module in graph.modules
                                for imported in graph.find_modules_directly_imported_by(module)])
    imports.remove_edges_from(each.split(" -> ") for contract in CONTRACT["contracts"]
                              for each in contract.get("ignore_imports", ()))
    circles = [sorted(found) for found in networkx.strongly_connected_components(imports)
               if len(found) > 1]
    assert circles == []
