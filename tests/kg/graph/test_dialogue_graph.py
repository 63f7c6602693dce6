import copy
import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest

from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph, Hypothesis, Link
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.kg.graph.windows import PartOfDay, part_window

NOW = dt.datetime(2026, 3, 4, 10, 17, 33, 250, tzinfo=dt.UTC)
LINKED = Provenance("linking.pl:refers_to/2", ("name_match(\u201cplan\u201d)", "recent(u1)"))
MORNING = part_window(NOW.date(), PartOfDay.MORNING, dt.UTC)


def dialogue() -> DialogueGraph:
    graph = DialogueGraph()
    turn = graph.add_turn(USER, [Hypothesis("where is the plan", 0.8),
                                 Hypothesis("wear is the plan", 0.15)], at=NOW)
    mention = graph.add_mention(turn, Mention("the plan", 9, 17, MentionKind.DEFINITE, frozenset(
        {ArgumentType.EVENT, ArgumentType.ROOM}), probability=0.7))
    graph.add_reference(mention, "plan", entity_type="event", probability=0.4,
                        provenance=LINKED)
    graph.add_reference(mention, "plan-2", entity_type="event", probability=0.6,
                        provenance=Provenance("linking.pl:recent/2"))
    answer = graph.add_turn(AGENT, [Hypothesis("It is in Alpha.")],
                            at=NOW + dt.timedelta(seconds=2))
    graph.add_use(answer, "plan", entity_type="event", fact="It is: in Alpha.", relevance=0.87,
                  provenance=Provenance("commonsense.pl:located_now", ("a", "b")))
    graph.add_use(answer, "plan", entity_type="event", fact="It starts at 9.", relevance=0.4,
                  provenance=None)
    turn = graph.add_turn(USER, [Hypothesis("thanks \u2014 I am \u201cJo\u201d")],
                          at=NOW + dt.timedelta(seconds=9))
    graph.add_mention(turn, Mention("Jo", 14, 16, MentionKind.NAME), topic=False)
    graph.add_mention(turn, Mention("am", 12, 14, MentionKind.TIME, window=MORNING))
    graph.set_question(turn, "Which plan?", ["plan", "plan-2"], place=(6, 10))
    graph.set_forms(turn, '(ask (when (event "plan")))', about=["plan"], answers=["plan-2"],
                    window=MORNING, affirmed=True)
    graph.identify_user("bo", probability=0.2, provenance=LINKED)
    graph.identify_user("jo", probability=0.9, provenance=LINKED)
    return graph


@pytest.mark.parametrize(("afresh", "turns"), [(True, ()), (False, ("u1", "u2", "u3"))])
def test_what_another_user_would_have_said_leaves_the_dialogue_as_it_is(afresh, turns):
    graph = dialogue()
    before = graph.to_json()
    draft = graph.said_by(("bo", 0.7, LINKED), afresh=afresh)
    assert (draft.turns, draft.user()) == (turns, ("bo", 0.7))
    draft.add_turn(USER, [Hypothesis("hello")], at=NOW)
    assert graph.to_json() == before


def test_dialogue_graph_round_trip_loses_nothing():
    graph = dialogue()
    again = DialogueGraph.from_json(graph.to_json())
    assert again.to_json() == graph.to_json()
    assert list(again.nx.nodes(data=True)) == list(graph.nx.nodes(data=True))
    assert list(again.nx.edges(keys=True, data=True)) == list(
        graph.nx.edges(keys=True, data=True))
    assert again.turns == ("u1", "u2", "u3")
    assert again.at("u1") == NOW
    assert [again.is_affirmed(turn) for turn in again.turns] == [False, False, True]
    assert again.hypotheses("u1") == [Hypothesis("where is the plan", 0.8),
                                      Hypothesis("wear is the plan", 0.15)]
    assert again.hypotheses("u2") == [Hypothesis("It is in Alpha.", None)]
    assert again.referents("u1.m1") == [
        Link("u1.m1", "the plan", "plan-2", 0.6, Provenance("linking.pl:recent/2")),
        Link("u1.m1", "the plan", "plan", 0.4, LINKED)]
    assert [again.is_topic(mention) for mention in ("u1.m1", "u3.m1")] == [True, False]
    assert [again.window(mention) for mention in again.mentions("u3")] == [None, MORNING]
    assert again.question("u3") == ("Which plan?", ("plan", "plan-2"))
    assert again.question("u1") == ("", ())
    assert again.forms("u3") == ('(ask (when (event "plan")))', ("plan-2",), MORNING)
    assert [again.about(turn) for turn in ("u1", "u3")] == [(), ("plan",)]
    assert again.forms("u1") == ("", (), None)
    assert [again.place_asked(turn) for turn in ("u1", "u3")] == [None, (6, 10)]
    assert again.place("u3.m1") == (14, 16)
    assert again.user() == ("jo", 0.9)
    assert again.history(2) == [(AGENT, "It is in Alpha."),
                                (USER, "thanks \u2014 I am \u201cJo\u201d")]


def test_dialogue_graph_goes_on_after_a_round_trip():
    again = DialogueGraph.from_json(dialogue().to_json())
    assert again.add_turn(USER, [Hypothesis("bye")], at=NOW) == "u4"
    assert list(again.nx.successors("u4")) == [USER, "u3", "u4.h1"]


def test_empty_dialogue_graph_round_trip():
    again = DialogueGraph.from_json(DialogueGraph().to_json())
    assert (again.turns, again.user(), again.history()) == ((), None, [])


def test_dialogue_graph_identifies_the_user_before_any_turn_and_keeps_it():
    graph = DialogueGraph()
    graph.identify_user("jo", probability=1.0, provenance=LINKED)
    assert DialogueGraph.from_json(graph.to_json()).user() == ("jo", 1.0)


def test_neighbourhood_grows_with_the_radius_in_either_direction():
    graph = dialogue()
    assert list(graph.neighbourhood("u2", radius=0)) == ["u2"]
    assert set(graph.neighbourhood("u2", radius=1)) == {"u2", "u1", "u3", AGENT, "u2.h1",
                                                       "e:plan"}
    assert set(graph.neighbourhood("u1", radius=2)) == {
        "u1", "u1.h1", "u1.h2", "u1.m1", USER, "u2", "u2.h1", AGENT, "e:plan", "e:plan-2", "u3"}


def test_neighbourhood_has_a_speaker_but_does_not_go_on_through_it():
    graph = DialogueGraph()
    for index in range(10):
        graph.add_turn((USER, AGENT)[index % 2], [Hypothesis(str(index))], at=NOW)
    graph.identify_user("jo", probability=1.0, provenance=LINKED)
    near = graph.neighbourhood("u1", radius=3)
    assert {node for node, kind in near.nodes(data="kind") if kind == "turn"} == {
        "u1", "u2", "u3", "u4"}
    assert {USER, AGENT} <= set(near)
    assert "e:jo" not in near


def test_neighbourhood_is_a_copy_in_the_order_of_the_dialogue():
    graph = dialogue()
    view = graph.neighbourhood("u2", radius=9)
    whole = [node for node in graph.nx if node in view]
    assert list(view) == whole
    assert {"e:bo", "e:jo"}.isdisjoint(view)
    view.nodes["u1"]["text"] = "changed"
    assert graph.text("u1") == "where is the plan"


def test_neighbourhood_rejects_an_unknown_turn():
    with pytest.raises(ValueError, match="no turn 'u9'"):
        dialogue().neighbourhood("u9")


@pytest.mark.parametrize("probability", [0, -0.1, 1.1, float("nan")])
def test_add_reference_rejects_a_probability_out_of_range(probability):
    with pytest.raises(ValueError, match=r"\(0, 1\]"):
        dialogue().add_reference("u1.m1", "x", entity_type="event", probability=probability,
                                 provenance=LINKED)


def test_dialogue_graph_rejects_references_to_what_is_not_there():
    graph = dialogue()
    with pytest.raises(ValueError, match=r"no mention 'u1\.m9'"):
        graph.add_reference("u1.m9", "x", entity_type="event", probability=1, provenance=LINKED)
    with pytest.raises(ValueError, match="no turn 'u9'"):
        graph.add_mention("u9", Mention("x", 0, 1, MentionKind.NAME))
    with pytest.raises(ValueError, match="at least one hypothesis"):
        graph.add_turn(USER, [], at=NOW)


@pytest.mark.parametrize("text", [
    "", "{", "[]", "null", "3", '"x"', "{}", '{"format": 1}', '{"format": 1, "turns": []}',
    '{"format": 1, "turns": [], "graph": []}', '{"format": 1, "turns": [], "graph": {}}',
    '{"format": 2, "turns": [], "graph": {}}', "[" * 100_000, "1" * 5000])
def test_from_json_rejects_what_is_no_dialogue_graph(text):
    with pytest.raises(FormatError):
        DialogueGraph.from_json(text)


def _node(data: Any, name: str) -> dict[str, Any]:
    return next(node for node in data["graph"]["nodes"] if node["id"] == name)


def _edge(data: Any, key: str) -> dict[str, Any]:
    return next(edge for edge in data["graph"]["edges"] if edge["key"].startswith(key))


@pytest.mark.parametrize(("name", "attribute"), [
    ("u1", "speaker"), ("u1", "text"), ("u1", "at"), ("u1", "kind"), ("u1", "id"),
    ("u1.h1", "text"), ("u1.h1", "confidence"), ("u1.m1", "text"), ("u1.m1", "start"),
    ("u1.m1", "end"), ("u1.m1", "mention_kind"), ("u1.m1", "types"), ("e:plan", "entity"),
    ("e:plan", "entity_type")])
def test_from_json_rejects_a_node_without_an_attribute(name, attribute):
    data = json.loads(dialogue().to_json())
    del _node(data, name)[attribute]
    with pytest.raises(FormatError, match=r"node \d+"):
        DialogueGraph.from_json(json.dumps(data))


@pytest.mark.parametrize(("key", "attribute"), [
    ("mention", "probability"), ("mention", "topic"), ("refers_to", "probability"),
    ("refers_to", "rule"), ("refers_to", "premises"), ("is", "probability"), ("uses", "fact"),
    ("uses", "relevance"), ("uses", "premises"), ("spoken_by", "source"),
    ("spoken_by", "target"), ("spoken_by", "key")])
def test_from_json_rejects_an_edge_without_an_attribute(key, attribute):
    data = json.loads(dialogue().to_json())
    del _edge(data, key)[attribute]
    with pytest.raises(FormatError, match=r"edge \d+"):
        DialogueGraph.from_json(json.dumps(data))


@pytest.mark.parametrize(("change", "message"), [
    (lambda data: _node(data, "u1").update(kind="unicorn"), "no known kind"),
    (lambda data: _node(data, "u1").update(kind=["turn"]), "no known kind"),
    (lambda data: _node(data, "u1").update(at="yesterday"), "'yesterday' is no value"),
    (lambda data: _node(data, "u1").update(text=3), "3 is no value"),
    (lambda data: _node(data, "u1.m1").update(types="event"), "'event' is no value"),
    (lambda data: _node(data, "u1.m1").update(start=-1), "-1 is no value"),
    (lambda data: _node(data, "u3.m2").update(window=["x", "y", "now"]), "no value"),
    (lambda data: _node(data, "u3.m2")["window"].reverse(), "no value"),
    (lambda data: _node(data, "u3.m2").update(window=3), "3 is no value"),
    (lambda data: _node(data, "u3").update(question=3), "3 is no value"),
    (lambda data: _node(data, "u3").update(options="plan"), "'plan' is no value"),
    (lambda data: _node(data, "u3").update(forms=["(thank)"]), "no value"),
    (lambda data: _node(data, "u3").update(about="plan"), "'plan' is no value"),
    (lambda data: _node(data, "u3").update(answers=[3]), r"\[3\] is no value"),
    (lambda data: _node(data, "u3").update(window=["x", "y", "now"]), "no value"),
    (lambda data: _node(data, "u3").update(place=[6]), r"\[6\] is no value"),
    (lambda data: _node(data, "u3").update(place=[6, "x"]), "no value of the attribute 'place'"),
    (lambda data: _node(data, "u3").update(place=[7, 6]), r"\[7, 6\] is no value"),
    (lambda data: _node(data, "u1.h1").update(confidence="high"), "'high' is no value"),
    (lambda data: _node(data, "u1").update(id="u2"), "a second node has the id 'u2'"),
    (lambda data: data["graph"]["nodes"].append(3), "no id"),
    (lambda data: data["graph"]["edges"].append("x"), "lacks a source"),
    (lambda data: _edge(data, "respond_to").update(target="u7"), "end 'u7' does not exist"),
    (lambda data: _edge(data, "respond_to").update(key="likes"), "joined by 'likes'"),
    (lambda data: _edge(data, "respond_to").update(target="e:plan"), "kind turn and entity"),
    (lambda data: _edge(data, "refers_to").update(probability=0), "0 is no value"),
    (lambda data: _edge(data, "refers_to").update(probability=float("nan")), "nan is no value"),
    (lambda data: _edge(data, "is").update(premises=[1]), r"\[1\] is no value"),
    (lambda data: data["graph"]["edges"].append(copy.copy(_edge(data, "is"))), "occurs twice"),
    (lambda data: data["graph"]["edges"].remove(_edge(data, "mention")), "belongs to 0 turns"),
    (lambda data: data["graph"]["edges"].remove(_edge(data, "spoken_by")), "needs one speaker"),
    (lambda data: data.update(turns=["u1", "u2"]), "list of turns"),
    (lambda data: data.update(turns=["u1", "u2", "u4"]), "list of turns"),
    (lambda data: data.update(turns=["u2", "u1", "u3"]), "list of turns"),
    (lambda data: data.update(turns=3), "list of turns"),
    (lambda data: data["graph"].update(directed=False), "directed multigraph"),
    (lambda data: data["graph"].update(nodes={}), "directed multigraph"),
])
def test_from_json_rejects_what_does_not_hang_together(change: Callable[[Any], object],
                                                       message: str):
    data = json.loads(dialogue().to_json())
    change(data)
    with pytest.raises(FormatError, match=message):
        DialogueGraph.from_json(json.dumps(data))


def test_the_latest_turns_are_a_dialogue_of_their_own_that_goes_on():
    graph = dialogue()
    latest = graph.latest(2)
    assert latest.turns == graph.turns[-2:]
    assert latest.history() == graph.history()[-2:]
    assert latest.user() == graph.user()
    assert "u1" not in latest.nx
    assert not [node for node in latest.nx if not latest.nx.degree(node)]
    assert DialogueGraph.from_json(latest.to_json()).to_json() == latest.to_json()
    assert latest.add_turn(AGENT, [Hypothesis("Good.")], at=NOW) == "u4"


def test_the_latest_turns_of_a_shorter_dialogue_are_all_of_it():
    graph = dialogue()
    assert graph.latest(3).to_json() == graph.latest(99).to_json()
    assert sorted(graph.latest(99).nx.edges(keys=True)) == sorted(graph.nx.edges(keys=True))
    with pytest.raises(ValueError, match="0 turns"):
        graph.latest(0)


def test_facts_of_an_entity_are_forgotten_with_all_that_rests_on_them():
    graph = DialogueGraph()
    turn = graph.add_turn(AGENT, [Hypothesis("Bo and Mira are there.")], at=NOW)
    told, other = "Bo and Mira are attending the salary talk.", "Bo is in Optics."
    for entity in ("talk", "bo", "mira"):
        graph.add_use(turn, entity, entity_type="person", fact=told, relevance=0.9,
                      provenance=None)
    graph.add_use(turn, "bo", entity_type="person", fact=other, relevance=0.5, provenance=None)
    mention = graph.add_mention(turn, Mention("Mira", 7, 11, MentionKind.NAME))
    graph.add_reference(mention, "mira", entity_type="person", probability=1.0,
                        provenance=Provenance("verbalisation", (told,)))
    graph.forget_facts_of(["talk", "nobody"])
    assert graph.entities() == ["bo", "mira"]
    assert [data["fact"] for *_, data in graph.nx.edges(data=True) if "fact" in data] == [other]
    assert graph.referents(mention) == []


def test_what_is_forgotten_is_not_what_a_turn_asked_about_or_was_answered_with() -> None:
    graph = dialogue()
    graph.set_forms("u1", '(ask (when (event "plan")))', about=["bo", "plan"],
                    answers=["plan-2", "plan-3"], window=MORNING)
    assert {"plan", "plan-2", "plan-3"} <= set(graph.entities())  # nothing else has plan-3
    assert {"plan", "plan-2", "plan-3"} <= set(graph.entities("event"))
    graph.forget_entities(each for each in graph.entities() if each.startswith("plan"))
    assert graph.about("u1") == ("bo",)
    assert graph.forms("u1") == ('(ask (when (event "plan")))', (), MORNING)
    assert (graph.about("u3"), graph.forms("u3")[1:]) == ((), ((), None))
    assert set(graph.entities()) == {"bo", "jo"}
    assert "plan-" not in json.dumps([data for _, data in graph.nx.nodes(data=True)
                                      if data["kind"] == "entity"])


def test_facts_are_forgotten_with_what_turns_note_of_their_entities() -> None:
    graph = dialogue()
    kept = graph.to_json()
    graph.forget_facts_of(each for each in ("plan", "plan-2"))
    assert (graph.about("u3"), graph.forms("u3")[1:]) == ((), ((), None))
    again = DialogueGraph.from_json(kept)
    assert again.about("u3") == ("plan",)
    assert DialogueGraph.from_json(graph.to_json()).to_json() == graph.to_json()


def test_what_waits_is_kept_with_its_words_and_read_without_them():
    data = PendingAction(ActionKind.CREATE, waiting=(("and glue", "(confirm)"),)).to_data()
    assert PendingAction.from_data(data).waiting == (("and glue", "(confirm)"),)
    before = PendingAction.from_data({**data, "waiting": ["(confirm)"]})
    assert before.waiting == (("", "(confirm)"),)
    with pytest.raises(ValueError, match="unpack"):
        PendingAction.from_data({**data, "waiting": [["a", "b", "c"]]})
