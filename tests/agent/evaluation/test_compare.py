import io
import json
from html.parser import HTMLParser

import pytest
from rich.console import Console

from frontdesk.agent.evaluation.reports.compare_runs import compare_runs
from frontdesk.agent.evaluation.reports.report_comparison import (
    print_comparison,
    write_comparison_html,
)
from frontdesk.data.measures.text_metrics import corpus_bleu
from frontdesk.kg.graph.errors import FormatError, InputError

from . import fake_runs
from .chromium import browser


def runs(folder, *, a=None, b=None, report_a=None, report_b=None):
    """Two runs on disk; the second is the first again unless told otherwise."""
    lines = fake_runs.turns(30)
    first = fake_runs.save(folder / "a", lines if a is None else a, report_a)
    second = fake_runs.save(folder / "b", fake_runs.turns(30) if b is None else b, report_b)
    return first, second


def changed(index: int, **changes):
    """The turns of a run, one of them changed."""
    lines = fake_runs.turns(30)
    lines[index].update(changes)
    return lines


def metric(comparison, name):
    return next(each for each in comparison.metrics if each.metric == name)


def printed(comparison, **options) -> str:
    console = Console(width=160, file=io.StringIO())
    print_comparison(console, comparison, **options)
    return console.file.getvalue()


# ---- turns


def test_compare_of_a_run_with_itself_finds_no_difference(tmp_path):
    comparison = compare_runs(*runs(tmp_path))
    assert comparison.shared == 30
    assert comparison.changed == comparison.only_a == comparison.only_b == comparison.settings == ()
    assert {(each.difference, each.p_value) for each in comparison.metrics} == {(0.0, 1.0)}


def test_compare_finds_the_replies_that_changed_and_what_that_does_to_them(tmp_path):
    before = fake_runs.turns(30)[3]
    comparison = compare_runs(*runs(tmp_path, b=changed(
        3, reply="Something else.", metrics={**before["metrics"], "bleu": 1.5})))
    (turn,) = comparison.changed
    assert (turn.dialogue, turn.turn, turn.reply_changed) == ("TALK_1", 4, True)
    assert (turn.reply_a, turn.reply_b) == (before["reply"], "Something else.")
    assert turn.bleu == pytest.approx(1.5 - before["metrics"]["bleu"])


def test_compare_takes_no_notice_of_timings(tmp_path):
    slow = fake_runs.turns(30)
    for line in slow:
        line["timings_ms"] = {"total": 9000.0}
    comparison = compare_runs(*runs(tmp_path, b=slow))
    assert comparison.changed == ()
    assert not any("latency" in each.metric or "ms" in each.metric for each in comparison.metrics)
    assert "Timings are not compared" in printed(comparison)


@pytest.mark.parametrize(("changes", "failing"), [
    ({"errors": {"hallucination": True, "retrieval_error": False}}, "hallucination"),
    ({"errors": {"hallucination": False, "retrieval_error": True}}, "retrieval error"),
    ({"checks": {"graph": {"verdict": "contradicted", "claims": []}}}, "verdict"),
    ({"checks": {"graph": {"verdict": "unsupported", "claims": []}}}, "verdict"),
    ({"error": {"type": "E", "message": "m"}}, "failed"),
])
def test_compare_names_what_newly_fails_and_the_other_way_round_what_is_fixed(
        tmp_path, changes, failing):
    good = {"errors": {"hallucination": False, "retrieval_error": False}, "error": None,
            "checks": {"graph": {"verdict": "supported", "claims": []}}}
    a, b = runs(tmp_path, a=changed(2, **good), b=changed(2, **good | changes))
    (worse,) = compare_runs(a, b).changed
    assert (worse.newly_failing, worse.fixed, worse.reply_changed) == ((failing,), (), False)
    comparison = compare_runs(b, a)
    (better,) = comparison.changed
    assert (better.newly_failing, better.fixed) == ((), (failing,))
    assert (comparison.count(failing), comparison.count(failing, fixed=True)) == (0, 1)


def test_compare_does_not_call_a_turn_fixed_that_has_no_reply_any_more(tmp_path):
    wrong = changed(2, errors={"hallucination": True, "retrieval_error": False},
                    checks={"graph": {"verdict": "contradicted", "claims": []}})
    gone = changed(2, reply=None, errors={"hallucination": None, "retrieval_error": None},
                   checks={"graph": None}, error={"type": "E", "message": "m"})
    (turn,) = compare_runs(*runs(tmp_path, a=wrong, b=gone)).changed
    assert (turn.newly_failing, turn.fixed) == (("failed",), ())


def test_compare_does_not_call_a_turn_newly_failing_that_was_not_checked_before(tmp_path):
    unchecked = changed(2, checks={"graph": None})
    checked = changed(2, checks={"graph": {"verdict": "unsupported", "claims": []}})
    assert compare_runs(*runs(tmp_path, a=unchecked, b=checked)).changed == ()


def test_compare_names_the_turns_of_one_run_alone_and_compares_the_others(tmp_path):
    lines = fake_runs.turns(30)
    comparison = compare_runs(*runs(tmp_path, a=lines[:25], b=lines[5:]))
    assert comparison.shared == 20
    assert comparison.only_a == tuple(("TALK_1", turn) for turn in range(1, 6))
    assert comparison.only_b == tuple(("TALK_6", turn) for turn in range(1, 6))
    assert "Only in A: 5 turns, from TALK_1 turn 1 to TALK_1 turn 5." in printed(comparison)


# ---- figures


def test_compare_figures_are_those_of_the_shared_turns(tmp_path):
    a, b = fake_runs.turns(30, condition="no-facts"), fake_runs.turns(25)
    comparison = compare_runs(*runs(tmp_path, a=a, b=b))
    bleu = metric(comparison, "bleu")
    references = [line["reference"] for line in b]
    assert bleu.turns == 25
    # A turn that failed said nothing.
    assert bleu.a == pytest.approx(
        corpus_bleu([line["reply"] or "" for line in a[:25]], references).value)
    assert bleu.b == pytest.approx(corpus_bleu([line["reply"] or "" for line in b],
                                               references).value)
    assert bleu.difference == pytest.approx(bleu.b - bleu.a)
    judged = [line for line in a[:25] if line["error"] is None]
    rate = metric(comparison, "hallucination_rate")
    assert rate.turns == len(judged) == 24
    assert rate.a == pytest.approx(sum(line["errors"]["hallucination"] for line in judged) / 24)


def test_compare_gives_small_p_values_to_large_differences_alone(tmp_path):
    worse, same = fake_runs.turns(100), fake_runs.turns(100)
    for line in worse:
        if line["error"] is None:
            line["errors"]["hallucination"] = True
    comparison = compare_runs(*runs(tmp_path, a=same, b=worse))
    rate = metric(comparison, "hallucination_rate")
    assert rate.b == 1.0
    assert rate.p_value < 0.001
    assert 0 < rate.low <= rate.difference <= rate.high
    assert metric(comparison, "bertscore_f1").p_value == 1.0


def test_compare_counts_recall_over_facts_and_links_over_mentions(tmp_path):
    def hits(found, wanted, ranks):
        lines = fake_runs.turns(10)
        for line, (hit, want, rank) in zip(lines, zip(found, wanted, ranks, strict=True),
                                           strict=False):
            line["recall"] = {"values": ["x"] * want,
                              "hits": {"relevance+logic": hit}}
            line["linking"] = {"given": [{"mention": "m", "gold": ["e"], "ranked": [],
                                          "rank": each} for each in rank]}
        for line in lines[len(found):]:
            line.update(recall=None, linking=None)
        return lines

    comparison = compare_runs(*runs(
        tmp_path, a=hits([1, 0], [1, 3], [[1, 1, 2], [None]]),
        b=hits([1, 3], [1, 3], [[1, 1, 1], [1]])))
    recall, linking = metric(comparison, "recall_at_10"), metric(comparison,
                                                                 "linking.precision_at_1")
    assert (recall.a, recall.b, recall.turns) == (0.25, 1.0, 2)
    assert (linking.a, linking.b, linking.turns) == (0.5, 1.0, 2)


def test_compare_reads_recall_under_the_name_of_the_runs_own_ranking(tmp_path):
    without_logic = fake_runs.turns(10)
    for line in without_logic:
        if line["recall"]:
            line["recall"]["hits"] = {"relevance": 0, "bm25": 1}
    recall = metric(compare_runs(*runs(tmp_path, a=without_logic)), "recall_at_10")
    assert (recall.a, recall.b) == (0.0, 1.0)


def test_compare_names_figures_that_neither_run_has(tmp_path):
    comparison = compare_runs(*runs(tmp_path))
    assert set(comparison.undefined) == {"q2", "pmi_faith", "entity_f1"}
    assert "Not compared: Entity F1, Q², PMI-FAITH" in printed(comparison)


def test_compare_is_repeatable_with_a_seed(tmp_path):
    folders = runs(tmp_path, a=fake_runs.turns(60, condition="no-facts"), b=fake_runs.turns(60))
    assert compare_runs(*folders, seed=3) == compare_runs(*folders, seed=3)


# ---- settings


def test_compare_names_settings_and_versions_that_differ_but_not_when_and_where(tmp_path):
    report = fake_runs.report(lines=fake_runs.turns(30))
    other = json.loads(json.dumps(report))
    other["run"].update(started="2027-01-01T00:00:00+00:00", seconds=99, machine="64 cores",
                        command="another", packages={"problog": "2.3.0", "ray": "2.40"})
    other["run"]["settings"]["knowledge"]["facts"] = 20
    comparison = compare_runs(*runs(tmp_path, report_a=report, report_b=other))
    assert [(each.name, each.a, each.b) for each in comparison.settings] == [
        ("packages.problog", "2.2.6", "2.3.0"), ("settings.knowledge.facts", "10", "20"),
        ("packages.ray", None, "2.40")]


# ---- mistakes


def test_compare_refuses_runs_over_different_data_sets(tmp_path):
    folders = runs(tmp_path, report_b=fake_runs.report(dataset="kvret"))
    with pytest.raises(InputError, match=r"is over graphwoz, .* over kvret\. .*same data set"):
        compare_runs(*folders)


def test_compare_refuses_runs_over_different_files(tmp_path):
    folders = runs(tmp_path, report_b=fake_runs.report(data={"sha256": "cd" * 32}))
    with pytest.raises(InputError, match="different files"):
        compare_runs(*folders)


def test_compare_refuses_runs_without_a_common_turn(tmp_path):
    lines = fake_runs.turns(30)
    with pytest.raises(InputError, match="no turn in common"):
        compare_runs(*runs(tmp_path, a=lines[:10], b=lines[10:]))


def test_compare_names_the_conditions_of_a_folder_that_holds_several(tmp_path):
    report, _ = fake_runs.report_of_all(5)
    folders = runs(tmp_path, report_b=report)
    with pytest.raises(InputError, match=r"several conditions.*no-facts.*relevance\+logic"):
        compare_runs(*folders)


def test_compare_says_that_a_folder_holds_no_run(tmp_path):
    first, _ = runs(tmp_path)
    with pytest.raises(InputError, match="holds no run") as caught:
        compare_runs(first, tmp_path / "nowhere")
    assert "--output" in caught.value.remedy


@pytest.mark.parametrize(("name", "text", "place"), [
    ("report.json", "{", "report.json"), ("report.json", "[]", "report.json"),
    ("turns.jsonl", '{"dialogue": "D", "turn": 1}\n{"dialogue"', "turns.jsonl, line 2"),
    ("turns.jsonl", '{"turn": 1}', "turns.jsonl, line 1"), ("turns.jsonl", "7", "line 1")])
def test_compare_names_the_place_of_what_cannot_be_read(tmp_path, name, text, place):
    first, second = runs(tmp_path)
    (second / name).write_text(text)
    with pytest.raises(FormatError) as caught:
        compare_runs(first, second)
    assert caught.value.place.endswith(place)


# ---- for people and programs


@pytest.fixture
def differing(tmp_path):
    return compare_runs(*runs(tmp_path, a=fake_runs.turns(60, condition="no-facts"),
                              b=fake_runs.turns(60)))


def test_print_comparison_shows_some_turns_and_counts_the_others(differing):
    text = printed(differing, turns=3)
    assert text.count(" turn ") >= 3
    assert f"… and {len(differing.changed) - 3} more turns that changed" in text
    assert "newly failing in B" in text
    worst = next(each for each in differing.changed if each.newly_failing)
    assert f"{worst.dialogue} turn {worst.turn}" in text


def test_print_comparison_reads_no_markup_in_replies(tmp_path):
    comparison = compare_runs(*runs(tmp_path, b=changed(1, reply="[bold]x[/bold] [/oops]")))
    assert "[bold]x[/bold] [/oops]" in printed(comparison)


def test_comparison_is_json(differing):
    data = json.loads(json.dumps(differing.to_dict()))
    assert data["shared"] == 60
    assert len(data["changed"]) == len(differing.changed)
    assert {"metric", "a", "b", "difference", "p_value"} <= set(data["metrics"][0])


class Scripts(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data):
        if self.cdata_elem == "script":
            self.scripts[-1] += data


def test_comparison_page_is_complete_in_itself_and_keeps_hostile_text_as_text(tmp_path):
    comparison = compare_runs(*runs(tmp_path, b=changed(1, reply=fake_runs.HOSTILE)))
    write_comparison_html(tmp_path / "c.html", comparison)
    page = Scripts((tmp_path / "c.html").read_text(encoding="utf-8"))
    assert len(page.scripts) == 2
    assert json.loads(page.scripts[0])["turns"][0]["reply_b"] == fake_runs.HOSTILE
    for tag, attributes in page.tags:
        assert tag not in ("img", "iframe", "object", "base")
        assert all((attributes.get(name) or "#").startswith(("#", "data:"))
                   for name in ("src", "href"))


def test_comparison_page_marks_the_words_that_changed(tmp_path):
    comparison = compare_runs(*runs(tmp_path, a=changed(1, reply="It is in Alpha at nine."),
                                    b=changed(1, reply="It is in Birch at nine.")))
    write_comparison_html(tmp_path / "c.html", comparison)
    with browser(tmp_path / "profile") as tab:
        tab.open(tmp_path / "c.html", width=360)
        assert tab.run("document.querySelector('.found').textContent").startswith("1 turn of 1")
        tab.run("document.querySelector('button.open').click()")
        marked = "[...document.querySelectorAll('{}')].map(each => each.textContent)"
        assert tab.run(marked.format("del")) == ["Alpha"]
        assert tab.run(marked.format("ins")) == ["Birch"]
        assert tab.run("document.documentElement.scrollWidth") <= 360
        assert tab.complaints == []
