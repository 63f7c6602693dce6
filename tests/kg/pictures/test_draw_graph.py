import datetime as dt
import json
import re
import warnings
import xml.etree.ElementTree as ET
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from zoneinfo import ZoneInfo

import matplotlib.image
import pytest

from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.pictures import picture_content as module
from frontdesk.kg.pictures.draw_graph import draw

from ...agent.evaluation.chromium import browser

SVG = "{http://www.w3.org/2000/svg}"
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZoneInfo("UTC"))
LINKED = Provenance("linking.pl:refers_to/2", ("name_match(plan)", "recent(u1)"))
HOSTILE = ("</script><script>alert(1)</script><img src=x onerror=alert(2)>]]>\"'&amp; $\\frac{$ "
           "${heading} $style \x00\x07\ud800\ufffe\u202e \N{GRINNING FACE}\u200d\N{GRINNING FACE} "
           "\u6f22\u5b57 \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627")
SUFFIXES = ("svg", "png", "html")


def knowledge_base() -> KnowledgeBase:
    return KnowledgeBase(
        name="Lumen", timezone=ZoneInfo("UTC"),
        people=[Person("ada", "Ada Quill", email="ada@lumen.example", group="optics",
                       office="r12"), Person("bo", "Bo Fernsby", group="optics")],
        groups=[Group("optics", "Optics")],
        rooms=[Room("alpha", "Alpha", 1), Room("r12", "12", 1, bookable=False)],
        events=[Event("plan", "Lens planning", NOW, NOW + dt.timedelta(hours=1),
                      location="alpha", organizer="ada", attendees=("ada", "bo"),
                      group="optics")])


def mention(graph: DialogueGraph, turn: str, text: str, *entities: tuple[str, str, float]) -> None:
    node = graph.add_mention(turn, Mention(text, 0, len(text), MentionKind.NAME))
    for entity, kind, probability in entities:
        graph.add_reference(node, entity, entity_type=kind, probability=probability,
                            provenance=LINKED)


def dialogue() -> DialogueGraph:
    graph = DialogueGraph()
    turn = graph.add_turn(USER, [Hypothesis("where is the planning", 0.8),
                                 Hypothesis("wear is the planning", 0.2)], at=NOW)
    mention(graph, turn, "the planning", ("plan", "event", 0.926))
    answer = graph.add_turn(AGENT, [Hypothesis("Lens planning is in Alpha.")], at=NOW)
    graph.add_use(answer, "plan", entity_type="event", fact="Lens planning is in Alpha.",
                  relevance=0.87, provenance=None)
    turn = graph.add_turn(USER, [Hypothesis("is Ada there")], at=NOW)
    mention(graph, turn, "Ada", ("ada", "person", 1.0))
    return graph


def drawn(suffix: str, folder: Path, *, graph: DialogueGraph | None = None,
          kb: KnowledgeBase | None = None, turn: str = "u2", radius: int = 3,
          names: dict[str, str] | None = None) -> Path:
    path = folder / f"picture.{suffix}"
    draw(graph or dialogue(), kb or knowledge_base(), turn, path, radius=radius, names=names)
    return path


def nodes(svg: ET.Element) -> dict[str, str]:
    """The first line of each node's title and the whole title."""
    titles = [str(group.findtext(f"{SVG}title")) for group in svg.iter(f"{SVG}g")
              if "data-node" in group.attrib]
    return {title.split("\n")[0]: title for title in titles}


def edge_titles(svg: ET.Element) -> dict[str, str]:
    titles = [str(group.findtext(f"{SVG}title")) for group in svg.iter(f"{SVG}g")
              if group.get("class", "").startswith("edge ")]
    return {title.split("\n")[0]: title for title in titles}


def texts(svg: ET.Element) -> list[str]:
    return [str(element.text) for element in svg.iter(f"{SVG}text")]


class Page(HTMLParser):
    """Elements, attributes and the embedded data of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))
        self.data = json.loads(self.scripts[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data


def crowded() -> tuple[DialogueGraph, KnowledgeBase]:
    """A long dialogue full of hostile text over a large group."""
    people = [Person(f"q{index}{HOSTILE}", HOSTILE, email=HOSTILE, group="g")
              for index in range(40)]
    kb = KnowledgeBase(name=HOSTILE, timezone=ZoneInfo("UTC"), people=people,
                       groups=[Group("g", "W" * 500)])
    graph = DialogueGraph()
    for index in range(20):
        turn = graph.add_turn(USER if index % 2 else AGENT, [
            Hypothesis(HOSTILE, 0.7), Hypothesis("z" + "\u0301" * 900, 0.3)], at=NOW)
        for number in range(7):
            mention(graph, turn, HOSTILE, ("g", "group", 0.999), *(
                (people[index + each].id, "person", 0.1 + number / 100) for each in range(5)))
        graph.add_use(turn, "gone" + HOSTILE, entity_type="weird", fact=HOSTILE, relevance=0.5,
                      provenance=Provenance(HOSTILE, (HOSTILE,)))
    graph.identify_user(people[0].id, probability=0.999, provenance=Provenance(HOSTILE))
    return graph, kb


@pytest.fixture(scope="module")
def crowded_picture(tmp_path_factory):
    """``crowded_picture(suffix)``: of the crowded graph, drawn once and without a warning."""
    graph, kb = crowded()

    @cache
    def picture(suffix: str) -> Path:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return drawn(suffix, tmp_path_factory.mktemp("crowded"), graph=graph, kb=kb,
                         names={"g": HOSTILE})
    return picture


def test_draw_svg_shows_the_nodes_of_the_neighbourhood_with_their_details(tmp_path):
    svg = ET.parse(drawn("svg", tmp_path)).getroot()
    found = nodes(svg)
    assert {"user · u1: where is the planning", "agent · u2: Lens planning is in Alpha.",
            "user · u3: is Ada there", "mention: the planning", "mention: Ada",
            "event: Lens planning", "person: Ada Quill", "speaker: user",
            "speaker: agent"} <= set(found)
    assert "email: ada@lumen.example" in found["person: Ada Quill"]
    assert "start time: 09:00:00" in found["event: Lens planning"]
    assert "0.93" in texts(svg)
    assert "uses 0.87" in texts(svg)
    reference = edge_titles(svg)["refers_to: the planning → Lens planning"]
    assert reference.split("\n")[1:] == ["probability: 0.926", "rule: linking.pl:refers_to/2",
                                         "premise: name_match(plan)", "premise: recent(u1)"]


def test_draw_adds_the_relations_of_the_knowledge_base_one_step_around(tmp_path):
    svg = ET.parse(drawn("svg", tmp_path)).getroot()
    assert {"room · knowledge base: Alpha", "group · knowledge base: Optics",
            "person · knowledge base: Bo Fernsby", "room · knowledge base: 12"} <= set(nodes(svg))
    relations = {title for title, whole in edge_titles(svg).items() if "knowledge base" in whole}
    assert relations == {
        "location: Lens planning → Alpha", "organizer, attendees: Lens planning → Ada Quill",
        "group: Lens planning → Optics", "attendees: Lens planning → Bo Fernsby",
        "group: Ada Quill → Optics", "office: Ada Quill → 12"}


def test_draw_shows_hypotheses_only_where_there_are_several(tmp_path):
    found = nodes(ET.parse(drawn("svg", tmp_path)).getroot())
    assert [title for title in found if title.startswith("hypothesis")] == [
        "hypothesis · 0.80: where is the planning", "hypothesis · 0.20: wear is the planning"]


def test_draw_radius_zero_is_the_turn_alone(tmp_path):
    svg = ET.parse(drawn("svg", tmp_path, radius=0)).getroot()
    assert list(nodes(svg)) == ["agent · u2: Lens planning is in Alpha."]
    assert edge_titles(svg) == {}


def test_draw_calls_entities_by_the_given_names(tmp_path):
    svg = ET.parse(drawn("svg", tmp_path, names={"plan": "Monday's planning"})).getroot()
    assert "event: Monday's planning" in nodes(svg)


def test_draw_shows_an_entity_of_another_knowledge_base_by_its_id(tmp_path):
    graph = dialogue()
    mention(graph, "u2", "the barge", ("barge-7", "event", 0.5))
    found = nodes(ET.parse(drawn("svg", tmp_path, graph=graph)).getroot())
    assert "not in this knowledge base" in found["event: barge-7"]


def test_draw_joins_several_facts_about_one_entity_in_one_arrow(tmp_path):
    graph = dialogue()
    graph.add_use("u2", "plan", entity_type="event", fact="It starts at 9.", relevance=0.4,
                  provenance=None)
    svg = ET.parse(drawn("svg", tmp_path, graph=graph)).getroot()
    assert "uses 2 facts" in texts(svg)
    title = edge_titles(svg)["uses: Lens planning is in Alpha. → Lens planning"]
    assert "fact: It starts at 9.\nrelevance: 0.4" in title
    assert "fact: Lens planning is in Alpha.\nrelevance: 0.87" in title


@pytest.mark.parametrize(("probability", "label"), [
    (0.0001, "<0.01"), (0.005, "0.01"), (0.5, "0.50"), (0.994, "0.99"), (0.9999, ">0.99"),
    (1.0, "1.00")])
def test_draw_rounded_probability_never_claims_an_end_it_has_not_reached(
        tmp_path, probability, label):
    graph = DialogueGraph()
    mention(graph, graph.add_turn(USER, [Hypothesis("x")], at=NOW), "x",
            ("plan", "event", probability))
    assert label in texts(ET.parse(drawn("svg", tmp_path, graph=graph, turn="u1")).getroot())


def test_draw_shortens_a_long_label_and_keeps_it_whole_in_the_title(tmp_path):
    graph = DialogueGraph()
    words = " ".join(f"word{index}" for index in range(80))
    graph.add_turn(USER, [Hypothesis(words)], at=NOW)
    svg = ET.parse(drawn("svg", tmp_path, graph=graph, turn="u1")).getroot()
    assert words in "".join(nodes(svg))
    assert any(text.startswith("word") and text.endswith("…") for text in texts(svg))
    assert words not in texts(svg)


def test_draw_caps_a_crowded_picture_and_says_how_much_is_left_out(tmp_path):
    graph, kb = crowded()
    svg = ET.parse(drawn("svg", tmp_path, graph=graph, kb=kb, turn="u9")).getroot()
    kinds = [title.split(":")[0] for title in (
        str(group.findtext(f"{SVG}title")) for group in svg.iter(f"{SVG}g")
        if "data-node" in group.attrib)]
    outer = sum("knowledge base" in kind for kind in kinds)
    assert sum(" · u" in kind for kind in kinds) == module.MAX_TURNS
    assert 0 < outer <= module.MAX_VALUES
    note = next(text for text in texts(svg) if text.startswith("Not shown"))
    assert re.search(r"11 turns, .*mentions.*related entities of the knowledge base", note)


@pytest.mark.parametrize("case", ["plain", "crowded"])
def test_draw_places_nodes_and_labels_apart(tmp_path, case):
    graph, kb = crowded() if case == "crowded" else (dialogue(), knowledge_base())
    data = Page(drawn("html", tmp_path, graph=graph, kb=kb, turn="u2")).data
    boxes = [(node["x"], node["y"], node["x"] + node["width"], node["y"] + node["height"])
             for node in data["nodes"]]
    if case == "plain":
        for edge in data["edges"]:
            (x, y), half = edge["label_at"], edge["label_width"] / 2
            boxes += [(x - half, y - 8, x + half, y + 8)] if edge["label"] else []
    for index, one in enumerate(boxes):
        for other in boxes[:index]:
            assert (one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1]
                    or other[3] <= one[1]), (one, other)


def test_draw_orders_turns_from_top_to_bottom_and_layers_from_left_to_right(tmp_path):
    data = Page(drawn("html", tmp_path)).data
    at = {node["id"]: node for node in data["nodes"]}
    assert at["u1"]["y"] < at["u2"]["y"] < at["u3"]["y"]
    order = [at[name]["x"] for name in ("user", "u1", "u1.m1", "e:plan", "e:alpha")]
    assert order == sorted(set(order))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_draw_is_deterministic(tmp_path, suffix):
    assert drawn(suffix, tmp_path).read_bytes() == drawn(suffix, tmp_path).read_bytes()


def test_draw_png_is_an_image_of_the_size_of_the_layout(tmp_path):
    image = matplotlib.image.imread(drawn("png", tmp_path))
    svg = ET.parse(drawn("svg", tmp_path)).getroot()
    height, width = image.shape[:2]
    assert abs(width - 2 * int(svg.attrib["width"])) <= 2
    assert abs(height - 2 * int(svg.attrib["height"])) <= 2
    assert image[..., :3].std() > 0.05


def test_draw_html_data_are_the_nodes_and_edges_of_the_picture(tmp_path):
    data = Page(drawn("html", tmp_path)).data
    view = dialogue().neighbourhood("u2", radius=3)
    shown = {node for node, kind in view.nodes(data="kind")}
    shown -= {"u2.h1", "u3.h1"}
    around = {"e:alpha", "e:optics", "e:bo", "e:r12"}
    assert {node["id"] for node in data["nodes"]} == shown | around
    expected = {(source, target, key.split(":")[0]) for source, target, key
                in view.edges(keys=True) if source in shown and target in shown}
    expected |= {("e:plan", "e:alpha", "location"), ("e:plan", "e:ada", "organizer"),
                 ("e:plan", "e:ada", "attendees"), ("e:plan", "e:bo", "attendees"),
                 ("e:plan", "e:optics", "group"), ("e:ada", "e:optics", "group"),
                 ("e:ada", "e:r12", "office")}
    assert {(edge["source"], edge["target"], relation) for edge in data["edges"]
            for relation in edge["relations"]} == expected
    assert data["turn"] == "u2"


def test_draw_html_has_a_table_row_for_every_edge(tmp_path):
    page = Page(drawn("html", tmp_path))
    shown = [attributes["data-show"] for _, attributes in page.elements
             if "data-show" in attributes]
    assert shown == [str(index) for index in range(len(page.data["edges"]))]


@pytest.mark.parametrize("hostile", [False, True])
def test_draw_html_refers_to_nothing_outside_itself(tmp_path, crowded_picture, hostile):
    path = crowded_picture("html") if hostile else drawn("html", tmp_path)
    text = path.read_text(encoding="utf-8")
    assert set(re.findall(r"\w+://[^\s\"'<]*", text)) <= {"http://www.w3.org/2000/svg"}
    for tag, attributes in Page(path).elements:
        assert tag not in ("img", "iframe", "object", "embed", "base", "form", "image", "use")
        assert "src" not in attributes
        assert attributes.get("href", "data:,") == "data:,"


def test_draw_html_keeps_hostile_text_inert(crowded_picture):
    page = Page(crowded_picture("html"))
    assert [dict(attributes) for tag, attributes in page.elements if tag == "script"] == [
        {"type": "application/json", "id": "page-data"}, {}]
    assert not any(name.startswith("on") for _, attributes in page.elements
                   for name in attributes)
    labels = [node["label"] for node in page.data["nodes"]]
    assert any(label.startswith("</script><script>alert(1)</script><img src=x") for label in labels)
    assert any("${heading} $style" in label for label in labels)
    policy = next(attributes["content"] for tag, attributes in page.elements
                  if tag == "meta" and "http-equiv" in attributes)
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_draw_html_draws_all_and_tells_what_is_chosen(tmp_path):
    path = drawn("html", tmp_path)
    with browser(tmp_path / "profile") as tab:
        tab.open(path)
        assert tab.run("[...document.querySelectorAll('.node')].map(each => each.ariaLabel)") == [
            f"{node['caption']}: {node['label']}" for node in Page(path).data["nodes"]]
        tab.run("document.querySelector('[aria-label=\"event: Lens planning\"]').focus()")
        panel = tab.run("document.getElementById('panel').textContent")
        assert "start time" in panel
        assert "uses (uses 0.87) \u2190 Lens planning is in Alpha." in panel
        tab.run("{const it = document.getElementById('search'); it.value = 'optics';"
                "it.dispatchEvent(new Event('input'))}")
        assert tab.run("document.getElementById('found').textContent") == "1 found"
        wide = "Number(document.querySelector('#stage svg').getAttribute('width'))"
        before = tab.run(wide)
        tab.run("document.getElementById('larger').click()")
        assert tab.run(wide) > before
        assert tab.complaints == []


def test_draw_html_runs_nothing_that_hostile_text_contains(tmp_path, crowded_picture):
    path = crowded_picture("html")
    with browser(tmp_path / "profile") as tab:
        tab.open(path, width=360)
        assert tab.run("document.images.length") == 0
        assert tab.run("document.scripts.length") == 2
        assert tab.run("document.documentElement.scrollWidth") <= 360
        assert tab.complaints == []


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_draw_takes_hostile_text_without_an_error_or_a_warning(crowded_picture, suffix):
    assert crowded_picture(suffix).stat().st_size


def test_draw_svg_keeps_hostile_text_literal_without_control_characters(crowded_picture):
    path = crowded_picture("svg")
    svg = ET.parse(path).getroot()
    assert not list(svg.iter(f"{SVG}script"))
    assert not list(svg.iter(f"{SVG}img"))
    assert any("<img src=x onerror=alert(2)>]]>\"'&amp; $\\frac{$" in title
               for title in nodes(svg))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufffe]",
                         path.read_text(encoding="utf-8"))


def test_draw_png_writes_dollars_and_not_formulae(tmp_path):
    def image(text: str) -> bytes:
        graph = DialogueGraph()
        graph.add_turn(USER, [Hypothesis(text)], at=NOW)
        return drawn("png", tmp_path, graph=graph, turn="u1").read_bytes()

    assert image("$x$") != image("$y$")
    assert image("$\\alpha$") != image("\N{GREEK SMALL LETTER ALPHA}")
    assert image("$\\frac{$")


@pytest.mark.parametrize("name", ["picture.gif", "picture", ".svg", "picture.svg.txt"])
def test_draw_rejects_another_suffix_and_names_the_possible_ones(tmp_path, name):
    with pytest.raises(InputError, match=r"\.svg, \.png, \.html") as caught:
        draw(dialogue(), knowledge_base(), "u1", tmp_path / name)
    assert name in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_draw_reads_the_suffix_in_any_case(tmp_path):
    draw(dialogue(), knowledge_base(), "u1", tmp_path / "PICTURE.SVG")
    assert ET.parse(tmp_path / "PICTURE.SVG").getroot().tag == f"{SVG}svg"


@pytest.mark.parametrize("name", ["missing/picture.svg", "folder.svg", "nul\0.svg",
                                  "n" * 300 + ".svg", "loop.svg"])
def test_draw_names_a_path_that_cannot_be_written_and_leaves_nothing(tmp_path, name):
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "loop.svg").symlink_to(tmp_path / "loop.svg")
    with pytest.raises(InputError, match="existing folder") as caught:
        draw(dialogue(), knowledge_base(), "u1", tmp_path / name)
    assert repr(str(tmp_path / name)) in str(caught.value)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder.svg", "loop.svg"]


def test_draw_keeps_the_old_file_when_writing_fails_half_way(tmp_path, monkeypatch):
    path = tmp_path / "picture.svg"
    path.write_text("old")

    def full_disk(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(InputError, match="No space left on device"):
        draw(dialogue(), knowledge_base(), "u1", path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_draw_names_the_turns_there_are_when_there_is_no_such_turn(tmp_path):
    with pytest.raises(InputError, match=r"no turn 'u9'.*u1 to u3"):
        draw(dialogue(), knowledge_base(), "u9", tmp_path / "x.svg")
    with pytest.raises(InputError, match="Say something first"):
        draw(DialogueGraph(), knowledge_base(), "u1", tmp_path / "x.svg")


def test_draw_rejects_a_negative_radius(tmp_path):
    with pytest.raises(InputError, match="-1"):
        draw(dialogue(), knowledge_base(), "u1", tmp_path / "x.svg", radius=-1)
