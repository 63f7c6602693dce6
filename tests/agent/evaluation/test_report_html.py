import json
import math
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from jinja2 import UndefinedError

from frontdesk.agent.evaluation.reports.report_charts import Bar, BarChart, reliability
from frontdesk.agent.evaluation.reports.report_html import report_html, write_report_html
from frontdesk.agent.evaluation.reports.report_measures import figure, interval, reason
from frontdesk.agent.evaluation.reports.report_pages import templates
from frontdesk.agent.evaluation.reports.report_turns import pack_turns
from frontdesk.kg.pictures.standalone_page import embedded

from . import fake_runs
from .chromium import browser

VOID = {"meta", "link", "input", "br", "hr", "img"}


class Page(HTMLParser):
    """What a page is made of: elements, text by section, the embedded data."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.rows: list[list[str]] = []
        self.texts: dict[str | None, str] = {}
        self._section: str | None = None
        self._open: list[str] = []
        self.feed(page.decode())
        assert not self._open, f"unclosed: {self._open}"
        self.data = json.loads(self.scripts[0])

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "section":
            self._section = dict(attrs)["id"]
        elif tag == "script":
            self.scripts.append("")
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self._open.pop() == tag
        if tag == "section":
            self._section = None

    def handle_data(self, data):
        if self._open[-1:] == ["script"]:
            self.scripts[-1] += data
            return
        if set(self._open) & {"td", "th"}:
            self.rows[-1][-1] += data
        self.texts[self._section] = self.texts.get(self._section, "") + data

    def row(self, name: str) -> list[str]:
        return next(row for row in self.rows if row and row[0].startswith(name))


def one_run(lines=None, **changes) -> Page:
    lines = fake_runs.turns() if lines is None else lines
    return Page(report_html(fake_runs.report(lines=lines, **changes), {"relevance+logic": lines}))


def all_conditions(count: int = 40) -> Page:
    return Page(report_html(*fake_runs.report_of_all(count)))


@pytest.fixture(params=["one", "all"])
def page(request) -> Page:
    return one_run() if request.param == "one" else all_conditions()


# ---- complete in itself


def test_page_fetches_nothing(page):
    for tag, attributes in page.elements:
        assert tag not in ("iframe", "object", "embed", "base", "img", "form", "audio", "video")
        for name in ("src", "href", "srcset", "action", "data", "style", "formaction"):
            value = attributes.get(name)
            assert value is None or value.startswith(("#", "data:")), (tag, name, value)
        assert not any(name.startswith("on") for name in attributes)


def test_page_style_and_script_load_nothing_and_parse_no_markup(page):
    written = report_html(*fake_runs.report_of_all(5)).decode()
    style = written.split("<style>")[1].split("</style>")[0]
    assert not re.search(r"url\(|@import|https?:", style)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|fetch\(|"
                         r"XMLHttp|https?:|import\(", page.scripts[1])


def test_page_policy_allows_just_its_own_style_and_script(page):
    policy = next(attributes["content"] for tag, attributes in page.elements
                  if attributes.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert {rules[name] for name in ("default-src", "base-uri", "form-action")} == {"'none'"}
    assert rules["img-src"] == "data:"
    assert re.fullmatch(r"'sha256-[\w+/]{43}='", rules["script-src"])
    assert re.fullmatch(r"'sha256-[\w+/]{43}='", rules["style-src"])
    assert "unsafe" not in policy


def test_page_embeds_the_data_once_in_a_script_that_does_not_run(page):
    scripts = [attributes for tag, attributes in page.elements if tag == "script"]
    assert [each.get("type") for each in scripts] == ["application/json", None]


def test_write_report_html_writes_the_page_and_replaces_an_older_one(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    report, turns = fake_runs.report_of_all(5)
    write_report_html(path, report, turns)
    assert path.read_bytes() == report_html(report, turns)


# ---- hostile text


def hostile_run() -> tuple[dict, dict]:
    lines = fake_runs.turns(6)
    for line in lines:
        line.update(dialogue=fake_runs.HOSTILE, user=fake_runs.HOSTILE, reply=fake_runs.HOSTILE,
                    domain=fake_runs.HOSTILE, notes=[fake_runs.HOSTILE],
                    history=[[fake_runs.HOSTILE, fake_runs.HOSTILE]])
        line["facts"][0].update(text=fake_runs.HOSTILE, rule=fake_runs.HOSTILE)
        line["errors"]["reasons"] = [fake_runs.HOSTILE]
        line["checks"]["graph"]["verdict"] = fake_runs.HOSTILE
        line["linking"] = {fake_runs.HOSTILE: line["linking"]["given"]}
    name = fake_runs.HOSTILE
    report = fake_runs.report(
        name, lines=lines, dataset=name, errors=[{"reason": name, "turns": 3}],
        unavailable={name: name, "q2": name}, retrieval={name: 0.4},
        latency_ms={"p50": 1, "p95": 2, "stages": {name: {"p50": 1, "p95": 2}}},
        data={"file": name, "defects": {name: 1}},
        paper={"table": [{"model": name, "split": name, "bleu": 1.0, name: name}], "source": name},
        run={"command": name, "settings": {name: {name: name}}, "started": name})
    return report, {name: lines}


def test_page_keeps_hostile_text_as_text():
    page = Page(report_html(*hostile_run()))
    assert len(page.scripts) == 2
    assert "img" not in {tag for tag, _ in page.elements}
    assert page.data["turns"][0]["user"] == fake_runs.HOSTILE
    shown = fake_runs.HOSTILE.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    assert {"results", "errors", "data", "run"} <= {
        name for name, text in page.texts.items() if shown in text or name == "results"}


def test_embedded_json_cannot_be_ended_from_within_and_knows_no_nan():
    text = embedded({"a": "</script><!--", "b": math.nan, "c": [math.inf, 1.23456789]})
    assert not set("<>&") & set(text)
    assert json.loads(text) == {"a": "</script><!--", "b": None, "c": [None, 1.2346]}


def test_templates_escape_text_and_attributes_and_know_no_value_that_is_not_given():
    parts = templates().get_template("report_parts.html").module
    made = str(parts.section('"><b onclick="', "<b>&</h2>", caller=lambda: ""))
    page = HTMLParser()
    found = []
    page.handle_starttag = lambda tag, attributes: found.append((tag, attributes))
    page.feed(made)
    assert found == [("section", [("id", '"><b onclick="')]), ("h2", [])]
    assert "<h2>&lt;b&gt;&amp;&lt;/h2&gt;</h2>" in made
    with pytest.raises(UndefinedError, match="missing"):
        templates().from_string("{{ missing }}").render()


# ---- figures


def test_report_shows_every_figure_of_every_condition_with_its_interval():
    page = all_conditions()
    assert page.row("Measure") == ["Measure", *fake_runs.CONDITIONS]
    assert page.row("BLEUcorpus") == ["BLEUcorpus, 0–100", "9.17.9 – 10.4", "11.310.1 – 12.6",
                                      "13.512.3 – 14.8", "15.714.5 – 17.0"]
    assert page.row("Turns with a hallucination")[1:] == [
        "21.0 %16.0 – 26.0", "16.0 %11.0 – 21.0", "11.0 %6.0 – 16.0", "6.0 %1.0 – 11.0"]
    assert page.row("METEOR")[1:] == ["0.301", "0.321", "0.341", "0.361"]


def test_report_sets_the_best_figure_in_bold_where_lower_is_better_too():
    text = report_html(*fake_runs.report_of_all(5)).decode()
    assert "<b>15.7</b>" in text
    assert "<b>6.0 %</b>" in text
    assert "<b>21.0 %</b>" not in text
    # All are equal: none is the best.
    assert "<b>0.781</b>" not in text


def test_report_shows_a_missing_figure_as_a_dash_with_its_reason_never_as_zero():
    page = one_run()
    assert page.row("Q²")[1] == page.row("Entity F1")[1] == "–"
    titles = [attributes["title"] for tag, attributes in page.elements
              if tag == "a" and attributes.get("class") == "missing"]
    assert "the weights of the question generator are not on this machine" in titles
    assert "defined on the in-car data set alone" in page.texts["unavailable"]
    assert "the weights of UniEval are not on this machine" in page.texts["unavailable"]


def test_report_says_that_a_reason_is_not_given_rather_than_nothing():
    page = one_run(pmi_faith=None)
    assert "PMI-FAITHthe report does not say why" in page.texts["unavailable"]


def test_report_of_all_says_which_conditions_lack_a_figure():
    report, turns = fake_runs.report_of_all(5)
    report["conditions"]["no-facts"].update(recall_at_10=None)
    report["conditions"]["no-facts"]["unavailable"]["recall_at_10"] = "no facts are ranked"
    page = Page(report_html(report, turns))
    assert "no facts are ranked (no-facts)" in page.texts["unavailable"]
    assert page.row("Recall@10")[1:3] == ["–", "0.620"]


def test_report_of_a_run_in_which_nothing_could_be_measured_is_a_page_all_the_same():
    page = Page(report_html({"dataset": "graphwoz", "condition": "relevance"}, {"relevance": []}))
    assert page.row("BLEUcorpus")[1] == "–"
    assert page.data["turns"] == []


def test_figure_interval_and_reason_read_nested_keys():
    report = fake_runs.report()
    assert figure(report, "linking.precision_at_1") == 0.781
    assert figure({"bleu": True}, "bleu") is None
    assert figure({"bleu": math.nan}, "bleu") is None
    assert interval(report, "linking.precision_at_1") == (0.71, 0.84)
    assert interval(report, "meteor") is None
    assert reason(report, "unieval.overall") == "the weights of UniEval are not on this machine"


def test_report_shows_the_papers_figures_as_the_papers():
    page = all_conditions()
    text = page.texts["paper"]
    assert text.index("This run") < text.index("Published: other models")
    assert page.row("BigModel, no facts") == ["BigModel, no facts", "dev", "3.4", "0.2", "0.86"]
    assert "no like-for-like comparison" in text
    assert "An Invented Paper, table 9" in text


def test_report_puts_the_papers_bleu_on_our_scale_and_says_so():
    paper = {"table": [{"model": "M", "split": "dev", "bleu": 0.18, "meteor": 0.4}], "source": "S"}
    page = one_run(paper=paper)
    assert ["M", "dev", "18", "0.4"] in page.rows
    assert "is multiplied by 100" in page.texts["paper"]


def test_report_puts_our_figures_above_the_papers_other_tables():
    report = fake_runs.report()
    paper = {**report["paper"], "linking": {
        "table": [{"method": "by chance", "split": "dev", "precision_at_1": 0.25}], "source": "S"},
        "errors": {"table": [{"model": "M", "condition": "no-facts", "split": "dev", "turns": 50,
                              "hallucinations": 9, "retrieval_errors": 4}], "source": "S"}}
    page = one_run(paper=paper)
    assert ["by chance", "dev", "0.25"] in page.rows
    assert ["relevance+logic", "–", "0.781"] in page.rows
    assert ["M (no-facts)", "dev", "50", "9", "4"] in page.rows
    # 6 % of the 38 turns that did not fail, each.
    assert ["relevance+logic", "–", "40", "2", "2"] in page.rows


def test_report_puts_no_published_figure_into_the_results():
    assert "3.4" not in all_conditions().texts["results"]


def test_report_without_the_papers_figures_has_no_such_section():
    assert "paper" not in one_run(paper={"table": [], "source": ""}).texts


def test_report_shows_comparisons_of_conditions_with_their_p_values():
    page = all_conditions()
    assert ["BLEU", "no-facts", "relevance+logic", "+6.6", "+2.1 … +9.9", "< 0.001"] in page.rows
    assert ["Turns with a hallucination", "relevance", "relevance+logic",
            "\N{MINUS SIGN}5.0 pp", "–", "0.210"] in page.rows


def test_report_shows_errors_data_defects_and_how_the_run_was_made():
    page = all_conditions()
    assert page.row("contradicts the calendar") == ["contradicts the calendar", "14", "11", "8",
                                                    "5"]
    assert ["unreadable annotation", "cannot be read", "5"] in page.rows
    assert "ab" * 32 in page.texts["data"]
    for said in ("frontdesk evaluate graphwoz --condition no-facts", "knowledge.facts10",
                 "problog2.2.6", "seed7", "nrefs:1|case:mixed|eff:no|tok:13a"):
        assert said in page.texts["run"]


def test_report_names_the_failed_turns_in_its_head():
    assert "Failed turns2" in one_run().texts[None]
    assert "Failed turns8 over all conditions" in all_conditions().texts[None]


def test_report_shows_linking_by_variant_and_what_it_leaves_out():
    page = one_run()
    assert ["given", "0.781", "0.823", "–", "–", "–", "203"] in page.rows
    assert ["own", "0.702", "–", "–", "0.810", "–", "203"] in page.rows
    assert "Left out of the annotated mentions: 3 (nobody of that name)" in page.texts["results"]


# ---- plots


def test_report_plots_say_their_values_in_words():
    labels = [attributes["aria-label"] for tag, attributes in all_conditions().elements
              if tag == "svg" and "aria-label" in attributes]
    assert any(label.startswith("BLEU. no-facts: 9.1; all-facts: 11.3") for label in labels)
    assert any("bm25: 0.610" in label for label in labels)
    assert any("rank: 11 / 44" in label for label in labels)
    assert any(label.startswith("Reliability") for label in labels)


def test_bar_chart_draws_bars_in_proportion_and_none_for_a_missing_value():
    charts = templates().get_template("report_charts.html").module
    chart = ET.fromstring(charts.bars(BarChart(
        "T", [Bar("a", 1.0, "1", 0.5, 2.0), Bar("b", 2.0, "2"), Bar("c", None, "–")])))
    bars = [float(each.get("width", "")) for each in chart.iter("rect")]
    assert len(bars) == 2
    assert bars[1] == pytest.approx(2 * bars[0], abs=0.2)
    whiskers = [each for each in chart.iter("line") if each.get("class") == "whisker"]
    assert len(whiskers) == 3
    assert [each.text for each in chart.iter("text") if each.get("class") == "value"] == [
        "1", "2", "–"]


def test_reliability_is_the_share_of_right_links_by_probability():
    def turn(probability, rank):
        return {"linking": {"given": [{"ranked": [["x", probability]], "rank": rank}]}}

    bins = reliability([turn(0.91, 1), turn(0.97, 1), turn(0.93, 2), turn(0.2, None),
                        {"linking": None}, {"linking": {"given": [{"ranked": [], "rank": None}]}}])
    assert [(round(each.probability, 4), each.correct, each.links) for each in bins] == [
        (0.2, 0.0, 1), (0.9367, pytest.approx(2 / 3), 3)]


# ---- turns


def test_page_holds_every_turn_of_every_condition():
    report, turns = fake_runs.report_of_all(40)
    data = Page(report_html(report, turns)).data
    assert data["conditions"] == list(fake_runs.CONDITIONS)
    assert [(turn["dialogue"], turn["turn"]) for turn in data["turns"]] == [
        (line["dialogue"], line["turn"]) for line in turns["no-facts"]]
    for place, lines in enumerate(turns.values()):
        runs = [turn["runs"][str(place)] for turn in data["turns"]]
        assert [run["reply"] for run in runs] == [line["reply"] for line in lines]


def test_pack_turns_keeps_facts_and_history_and_writes_each_once():
    lines = fake_runs.turns(5)
    packed = pack_turns({"one": lines, "two": lines})
    turn = packed["turns"][4]
    assert [[who, packed["texts"][place]] for who, place in turn["history"]] == lines[4]["history"]
    for run in turn["runs"].values():
        facts = [{**packed["facts"][place], "relevance": relevance}
                 for place, relevance in run["facts"]]
        assert facts == lines[4]["facts"]
    assert len({json.dumps(fact) for fact in packed["facts"]}) == len(packed["facts"])
    assert len(set(packed["texts"])) == len(packed["texts"])


def test_pack_turns_keeps_a_turn_that_one_condition_lacks():
    lines = fake_runs.turns(5)
    packed = pack_turns({"one": lines[:3], "two": lines[1:]})
    assert [sorted(turn["runs"]) for turn in packed["turns"]] == [
        ["0"], ["0", "1"], ["0", "1"], ["1"], ["1"]]


def test_pack_turns_shortens_long_rankings_and_says_by_how_much():
    line = fake_runs.turns(1)[0]
    line["linking"]["given"][0]["ranked"] = [[f"p{place}", 0.5] for place in range(25)]
    mention = pack_turns({"one": [line]})["turns"][0]["runs"]["0"]["linking"]["given"][0]
    assert (len(mention["ranked"]), mention["more"]) == (10, 15)


def test_page_of_many_turns_stays_small():
    report, turns = fake_runs.report_of_all(1000, facts=30)
    written = sum(len(json.dumps(line)) for lines in turns.values() for line in lines)
    assert len(report_html(report, turns)) < written / 2


# ---- in a browser


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def all_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "all.html"
    write_report_html(path, *fake_runs.report_of_all(60))
    return path


ROWS = "[...document.querySelectorAll('.browser tbody tr:not(.detail)')]"
STATUS = "document.querySelector('.found').textContent"


def choose(tab, control: str, value: str) -> None:
    tab.run(f"{{const it = document.getElementById({control!r}); it.value = {json.dumps(value)};"
            "it.dispatchEvent(new Event('change'))}")


def test_browser_shows_the_turns_in_pages(tab, all_path):
    tab.open(all_path)
    assert tab.run(STATUS) == "60 turns of 60, showing 1 to 25"
    assert tab.run(f"{ROWS}.length") == 25
    tab.run("[...document.querySelectorAll('.pages button')].at(-1).click()")
    assert tab.run(STATUS) == "60 turns of 60, showing 51 to 60"
    assert tab.complaints == []


def test_browser_filters_turns_by_text_error_and_condition(tab, all_path):
    tab.open(all_path)
    choose(tab, "filter-errors", "failed")
    assert tab.run(STATUS).startswith("3 turns of 60")
    choose(tab, "filter-condition", "")
    assert tab.run(STATUS).startswith("12 turns of 240")
    choose(tab, "filter-errors", "")
    choose(tab, "filter-condition", "0")
    tab.run("{const it = document.getElementById('find'); it.value = 'WORKSHOP number 37';"
            "it.dispatchEvent(new Event('input'))}")
    tab.run("new Promise(done => setTimeout(done, 300))")
    assert tab.run(STATUS) == "1 turn of 60, showing 1 to 1"


def test_browser_sorts_both_ways_with_missing_values_last(tab, all_path):
    tab.open(all_path)
    head = ("[...document.querySelectorAll('.browser thead th')]"
            ".find(each => each.textContent === 'BLEU')")
    values = f"{ROWS}.map(row => row.querySelector('[data-name=BLEU]').textContent)"
    choose(tab, "size", "100")
    for direction in ("descending", "ascending"):
        tab.run(f"{head}.firstChild.click()")
        assert tab.run(f"{head}.getAttribute('aria-sort')") == direction
        shown = tab.run(values)
        assert shown[-3:] == ["–"] * 3
        figures = [float(each) for each in shown[:-3]]
        assert figures == sorted(figures, reverse=direction == "descending")


def test_browser_opens_a_turn_with_all_conditions_side_by_side(tab, all_path):
    tab.open(all_path)
    tab.run("document.querySelectorAll('button.open')[1].click()")
    assert tab.run("document.querySelectorAll('button.open')[1].ariaExpanded") == "true"
    names = tab.run("[...document.querySelectorAll('.detail article')].map(each => each.ariaLabel)")
    assert names == list(fake_runs.CONDITIONS)
    text = tab.run("document.querySelector('.detail:not([hidden])').textContent")
    for said in ("commonsense.pl:available/2", "does_not_attend(p1,e1)", "The workshop starts at",
                 "is left out: nobody of that name", "no weights here", "linking.pl:refers_to/2",
                 "Recall of the facts", "0.13 of 1", "Timings"):
        assert said in text
    widths = tab.run("[...document.querySelectorAll('.detail .facts .share i')]"
                     ".map(each => each.style.inlineSize)")
    assert any(0 < float(width.removesuffix("%")) <= 100 for width in widths)


def test_browser_opens_the_turn_that_the_address_names(tab, all_path):
    name = quote(json.dumps(["TALK_9", 2, "no-facts"]))
    tab.open(all_path, f"#turn={name}")
    assert tab.run("document.querySelector('.opened button').textContent") == "TALK_9\u00a0·\u00a02"
    tab.open(all_path, "#turn=%7Bbroken")
    assert tab.run(STATUS).startswith("60 turns")


def test_browser_says_why_a_turn_failed(tab, all_path):
    tab.open(all_path)
    choose(tab, "filter-errors", "failed")
    tab.run("document.querySelector('button.open').click()")
    assert tab.run("document.querySelector('.failure').textContent") == (
        "EndpointError: the endpoint did not answer")


def test_browser_runs_nothing_that_hostile_text_contains(tab, tmp_path):
    path = tmp_path / "hostile.html"
    report, turns = hostile_run()
    write_report_html(path, report, turns)
    tab.open(path)
    tab.run("document.querySelectorAll('button.open').forEach(each => each.click())")
    assert tab.run("document.title") != "owned"
    assert tab.run("document.images.length") == 0
    assert tab.run("document.scripts.length") == 2
    assert tab.run("document.querySelector('.reply').textContent") == fake_runs.HOSTILE
    assert tab.complaints == []


@pytest.mark.parametrize("width", [360, 1280])
def test_browser_page_is_no_wider_than_the_screen(tab, all_path, width):
    tab.open(all_path, width=width)
    tab.run("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    tab.run("document.querySelector('button.open').click()")
    assert tab.run("document.documentElement.scrollWidth") <= width


def test_browser_controls_have_names(tab, all_path):
    tab.open(all_path)
    assert tab.run("[...document.querySelectorAll('input, select')].filter("
                   "each => !each.labels.length).length") == 0
    assert tab.run("[...document.querySelectorAll('button, a')].filter("
                   "each => !(each.textContent.trim() || each.ariaLabel)).length") == 0
