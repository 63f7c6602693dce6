"""House documents: passages with their headings, audience and emergencies, and mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from frontdesk.data import invented
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.sources.house_documents import EMPLOYEES, VISITORS, read_house

MARKDOWN = """\
Welcome to the mill.

# Visiting

## Wifi
The network is “Mill”. It has
no password.

<!-- to be told to nobody -->

### Staff network {.employees}

The key is `green`.

#### Printers

They are on it.

### Guests again {.visitors}

Ask at the desk.

## Rules

Please:

- wear a badge
- keep quiet!

| Day | Hours |
|---|---|
| Monday | 9 to 5 |

# Emergency

Ring the bell.

## Fire

Leave by the stairs.

# Lifts

## Stuck in a lift {.alarm .employees}

Press the red button.
"""
MISTAKES = {
    "nothing": ("a.md", "<!-- later -->\n", "a.md: there is nothing to tell in this file"),
    "empty": ("a.txt", "  \n\n", "a.txt: there is nothing to tell in this file"),
    "no passages": ("a.toml", "", "a.toml: there is nothing to tell in this file"),
    "bare heading": ("a.md", "# A\n\n## B\n\n## C\n\nC it is.\n",
                     "a.md, line 3: there is nothing below the heading 'B'"),
    "last heading": ("a.md", "# A\n\nA.\n\n# B\n", "a.md, line 5: there is nothing below"),
    "twice": ("a.md", "# A\n\nOne.\n\n# a\n\nTwo.\n",
              "a.md, line 5: the heading 'a' stands in line 1 too"),
    "mark": ("a.md", "# A {.staff}\n\nOne.\n",
             "a.md, line 1: the heading 'A' has the unknown mark"),
    "text after a mark": ("a.md", "# A\n\nOne.\n\n# B {.employees} (new)\n\nTwo.\n",
                          "a.md, line 5: there are braces in 'B {.employees} (new)'"),
    "half a mark": ("a.md", "# A {.employees\n\nOne.\n", "a.md, line 1: there are braces in"),
    "mark of an item": ("a.md", "# A\n\n- One {.employees}\n",
                        "a.md, line 3: there are braces in 'One {.employees}."),
    "mark of a paragraph": ("a.md", "# A\n\nOne. {.employees}\n",
                            "a.md, line 3: there are braces in"),
    "heading in a list": ("a.md", "- One\n- # A {.employees}\n\n  Two.\n",
                          "a.md, line 2: this heading stands in a list"),
    "no words": ("a.md", "# {.employees}\n\nOne.\n", "a.md, line 1: this heading has no words"),
    "no TOML": ("a.toml", "[[passage]\n", "a.toml: not a TOML file"),
    "another table": ("a.toml", "[house]\na = 1\n", "a.toml: there is something else"),
    "no heading": ("a.toml", '\n[[passage]]\ntext = "A."\n',
                   "a.toml, line 2: the passage has no heading"),
    "no text": ("a.toml", '[[passage]]\nheading = "A"\n',
                "a.toml, line 1: the passage has no text"),
    "key": ("a.toml", '[[passage]]\nheading = "A"\ntext = "A."\nwho = "me"\n',
            "a.toml, line 1: the passage has who = 'me'"),
    "audience": ("a.toml", '[[passage]]\nheading = "A"\ntext = "A."\nfor = "staff"\n',
                 "a.toml, line 1: the passage is for 'staff'"),
    "same heading": ("a.toml", '[[passage]]\nheading = "A"\ntext = "A."\n\n'
                     '[[passage]]\nheading = "a"\ntext = "B."\n',
                     "a.toml, line 5: the heading 'a' stands in line 1 too"),
    "kind": ("a.docx", "A.", "a.docx: it is not known how to read this file"),
}


@pytest.fixture
def written(tmp_path):
    def write(name: str, text: str):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path
    return write


def test_markdown_is_split_by_headings_and_paragraphs(written):
    found = read_house([written("the_mill.md", MARKDOWN)]).passages
    assert [(each.line, each.headings, each.sentences) for each in found] == [
        (1, ("the mill",), ("Welcome to the mill.",)),
        (6, ("Visiting", "Wifi"), ("The network is “Mill”.", "It has no password.")),
        (13, ("Visiting", "Wifi", "Staff network"), ("The key is green.",)),
        (17, ("Visiting", "Wifi", "Staff network", "Printers"), ("They are on it.",)),
        (21, ("Visiting", "Wifi", "Guests again"), ("Ask at the desk.",)),
        (25, ("Visiting", "Rules"), ("Please:", "wear a badge.", "keep quiet!")),
        (30, ("Visiting", "Rules"), ("Monday: 9 to 5.",)),
        (36, ("Emergency",), ("Ring the bell.",)),
        (40, ("Emergency", "Fire"), ("Leave by the stairs.",)),
        (46, ("Lifts", "Stuck in a lift"), ("Press the red button.",))]


def test_a_heading_says_who_may_be_told_what_is_below_it(written):
    found = read_house([written("a.md", MARKDOWN)]).passages
    assert {each.headings[-1] for each in found if each.audience == EMPLOYEES} == {
        "Staff network", "Printers", "Stuck in a lift"}


@pytest.mark.parametrize("marks", ["{.employees}{.alarm}", "{.employees} {.alarm}",
                                   "{.alarm}  {.employees}", "{.employees .alarm} "])
def test_all_marks_at_the_end_of_a_heading_count(written, marks):
    (found,) = read_house([written("a.md", f"# Codes {marks}\n\nThe code is 4711.\n")]).passages
    assert (found.topic, found.audience, found.alarm) == ("Codes", EMPLOYEES, "Codes")


def test_literal_text_may_have_braces(written):
    (found,) = read_house([written("a.md", "# A\n\n```\n{x}\n```\n")]).passages
    assert found.sentences == ("{x}",)


def test_what_is_said_in_an_emergency_is_under_its_kind_or_in_all(written):
    found = read_house([written("a.md", MARKDOWN)]).passages
    assert {each.alarm: each.sentences[0] for each in found if each.alarm is not None} == {
        "": "Ring the bell.", "Fire": "Leave by the stairs.",
        "Stuck in a lift": "Press the red button."}


def test_a_table_of_passages_says_the_same(written):
    wifi, fire, all_ = read_house([written("a.toml", """\
[[passage]]
heading = "Wifi"
text = "The key is green. Ask for more."
for = "employees"

[[passage]]
heading = "Fire"
text = "Leave."
alarm = "fire"

[[passage]]
heading = "Emergency"
text = "Ring the bell."
""")]).passages
    assert (wifi.sentences, wifi.audience) == (("The key is green.", "Ask for more."), EMPLOYEES)
    assert (fire.line, fire.alarm, fire.audience) == (6, "fire", VISITORS)
    assert (all_.alarm, wifi.alarm) == ("", None)


def test_plain_text_has_the_name_of_its_file_for_a_heading(written):
    first, second = read_house([written("opening-hours.txt", "We open at 8.\n\n\nWe close\nat 5.\n")
                                ]).passages
    assert (first.headings, second.line, second.sentences) == (
        ("opening hours",), 4, ("We close at 5.",))


def test_a_folder_is_read_with_its_rules(written, tmp_path):
    written("pack/b/wifi.txt", "The network is Mill.")
    written("pack/a.md", "# A\n\nOne.\n")
    written("pack/.hidden.md", "# A\n")
    written("pack/logo.svg", "<svg/>")
    rules = written("pack/house.pl", "quiet(R) :- room(R).")
    found = read_house([tmp_path / "pack"])
    assert [each.source for each in found.passages] == [
        "a.md, line 3: A", "b/wifi.txt, line 1: wifi"]
    assert found.rules == (str(rules),)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_its_place_and_a_remedy(mistake, written):
    name, text, said = MISTAKES[mistake]
    path = written(name, text)
    with pytest.raises(FormatError) as error:
        read_house([path])
    assert str(error.value).startswith(f"{path.parent}/{said}")
    assert error.value.remedy


@pytest.mark.parametrize("name", ["missing.md", "empty"])
def test_what_is_not_there_is_told(name, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError) as error:
        read_house([tmp_path / name])
    assert name in str(error.value)
    assert error.value.remedy


def test_what_is_no_text_is_told_with_its_line(tmp_path):
    (tmp_path / "a.md").write_bytes(b"# A\n\nCaf\xe9.\n")
    with pytest.raises(FormatError, match=r"a\.md, line 3: .*UTF-8"):
        read_house([tmp_path / "a.md"])


def test_two_documents_are_one_house_and_nothing_is_in_it_twice(written):
    one, two = read_house([written("a.txt", "One.")]), read_house([written("b.txt", "Two.")])
    both = one.with_others(two).with_others(one)
    assert [each.sentences for each in both.passages] == [("One.",), ("Two.",)]


def test_the_example_that_ships_can_be_read():
    found = read_house([Path(invented.__file__).with_name("demo_house.md")]).passages
    assert {each.audience for each in found} == {VISITORS, EMPLOYEES}
    assert any(each.alarm == "" for each in found)
