"""Any forms that the language of an organisation allows, for tests of what must take them all."""

from __future__ import annotations

from hypothesis import strategies as st

from frontdesk.kg.graph.logical_forms import CORE, Form, Language, Sort, Span
from frontdesk.kg.graph.schema import ORGANISATION

LANGUAGE = Language(ORGANISATION)


def forms_of(sort: Sort, depth: int) -> st.SearchStrategy[Form]:
    """Forms of a sort that the language allows, of heads inside one another so deep at most."""
    heads = [name for name, head in CORE.items() if head.sort is sort]
    if sort is Sort.ENTITIES:
        heads += LANGUAGE.types
    if sort in (Sort.QUERY, Sort.STATEMENT, Sort.CONDITION):
        heads += LANGUAGE.predicates

    @st.composite
    def draw_form(draw) -> Form:
        head = draw(st.sampled_from(heads))
        found: list = []
        for slot in LANGUAGE.slots(Form(head), sort):
            most = slot.most if slot.most is not None else max(slot.least, 2 if depth else 0)
            for _ in range(draw(st.integers(slot.least, max(slot.least, most if depth else 0)))):
                found.append(draw(arguments(slot.sorts, depth - 1)))
        return Form(head, tuple(found))
    return draw_form()


def arguments(sorts: frozenset[Sort], depth: int) -> st.SearchStrategy:
    simple = {Sort.SPAN: st.text(min_size=1).map(Span), Sort.NUMBER: st.integers(-9, 99)}
    if depth < 0:
        ends = {Sort.ENTITIES: Form("me"), Sort.TIME: Form("now"), Sort.QUERY: Form("why"),
                Sort.ORDER: Form("longest"), Sort.ROLE: Form("private"),
                Sort.STATEMENT: Form("free", (Form("me"),)), Sort.ACT: Form("greet"),
                Sort.CONDITION: Form("is_free"), Sort.REQUEST: Form("create"),
                Sort.CHANGE: Form("set", (Form("private"),))}
        return st.one_of(*(simple.get(each, st.just(ends.get(each))) for each in sorted(sorts)))
    return st.one_of(*(simple[each] if each in simple else forms_of(each, depth)
                       for each in sorted(sorts)))
