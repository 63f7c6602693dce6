from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from frontdesk.kg.names.known_names import stretches
from frontdesk.kg.names.name_sets import NameSets, lowest

LETTERS = "abcde"
names_of_words = st.lists(st.lists(st.sampled_from(LETTERS), min_size=1, max_size=5), max_size=12)
hits_of_texts = st.lists(st.dictionaries(st.sampled_from(LETTERS),
                                         st.sampled_from((0.85, 0.9, 1.0)), max_size=3), max_size=7)


def stretches_of(name: list[str], hits: list[dict[str, float]]) -> set[tuple[object, ...]]:
    """The stretches of one name, word by word."""
    found: list[dict[int, tuple[str, float]]] = []
    for position, similar in enumerate(hits):
        own = {word: score for word, score in similar.items() if word in name}
        if not own:
            continue
        hit = max(own.items(), key=lambda each: each[1])
        if (not found or position - 1 not in found[-1]
                or hit[0] in {word for word, _ in found[-1].values()}):
            found.append({})
        found[-1][position] = hit
    return {(min(each), max(each), tuple(each.values())) for each in found}


@given(names_of_words, hits_of_texts)
@example([["a", "b"]], [{"a": 1.0}, {"b": 1.0}, {"a": 1.0}]).via("a word comes again")
@example([["a", "b"], ["a"]], [{"a": 0.9, "b": 0.9}, {"b": 1.0}]).via("as like as another")
def test_stretches_are_those_of_each_name(names, hits):
    found: dict[int, set[tuple[object, ...]]] = {number: set() for number in range(len(names))}
    for each in stretches(hits, NameSets(names)):
        for number in lowest(each.names):
            found[number].add((each.first, each.last, tuple(each.matched.items())))
    assert found == {number: stretches_of(name, hits) for number, name in enumerate(names)}
