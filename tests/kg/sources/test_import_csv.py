from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.sources.import_csv import load_csv
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture
def builder() -> OrganisationBuilder:
    return OrganisationBuilder("Lanternworks", ZoneInfo("UTC"))


@pytest.fixture
def write(tmp_path):
    def write(content: str | bytes) -> Path:
        path = tmp_path / "people.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path
    return write


def test_csv_reads_people_with_groups_and_offices(builder):
    kb = load_csv(SAMPLES / "people.csv", builder).build()
    ines = kb.people["person-ines-okafor"]
    assert (ines.email, ines.phone) == ("ines.okafor@lanternworks.example", "+44 1632 960101")
    assert kb.rooms["room-214"].floor == 2
    assert not kb.rooms["room-214"].bookable
    assert [person.name for person in kb.members("group-design")] == [
        "Ines Okafor", "Tomas Lindqvist"]
    assert len(kb.named("Mei Castellanos")) == 2
    assert builder.warnings == []


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_finds_out_the_delimiter(builder, write, delimiter, bom, end):
    lines = ["EMAIL;Name ;Phone", "a@example.org;Zoë;1,2" if delimiter == ";"
             else "a@example.org;Zoë;12", ""]
    text = end.join(line.replace(";", delimiter) for line in lines)
    load_csv(write(bom + text.encode()), builder)
    person = builder.people["person-zoe"]
    assert (person.name, person.email) == ("Zoë", "a@example.org")


def test_csv_reads_the_separator_line_of_spreadsheets(builder, write):
    load_csv(write("sep=;\nname;phone\nJo;1\n"), builder)
    assert builder.people["person-jo"].phone == "1"


def test_csv_takes_missing_cells_for_unknown_and_skips_blank_lines(builder, write):
    load_csv(write("name,email,phone\n\nJo\n , ,\nBo,b@example.org\n"), builder)
    assert [person.name for person in builder.people.values()] == ["Jo", "Bo"]


def test_csv_reads_a_name_that_is_the_only_column(builder, write):
    load_csv(write("name\nJo Stevens\n"), builder)
    assert "person-jo-stevens" in builder.people


def test_csv_warns_of_columns_that_it_does_not_use(builder, write):
    load_csv(write("name,title\nJo,Boss\n"), builder)
    assert "'title' is not used" in builder.warnings[0]


@pytest.mark.parametrize(("text", "message"), [
    ("name,phone\nJo,1\n,2\n", "line 3: the name is empty"),
    ('name,phone\n"Jo\nB",1\nBo,1,2\n', "line 4: there are 3 columns.*'2' has none"),
    ("name,office,floor\nJo,1,two\n", "line 2: the floor 'two'"),
    ("name,floor\nJo,2\n", "line 2: 'Jo' has the floor '2' and no office"),
    ("name,office,floor\nJo,9,1\nBo,9,2\n", "line 3: .*'9' is on floor 2 here.*floor 1 in line 2"),
    ("email,phone\na,b\n", "line 1: the header has no column 'name', only 'email', 'phone'"),
    ("name,Name\na,b\n", "'name' occurs twice"),
    ("", "the file is empty"),
    ('name\n"Jo\n', "line 2: this line is not CSV"),
    (b"name\nJo\nZo\xeb\n", "line 3: the byte 0xeb is not UTF-8"),
])
def test_csv_names_the_line_that_is_wrong_and_adds_nobody(builder, write, text, message):
    with pytest.raises(FormatError, match=message) as caught:
        load_csv(write(text), builder)
    assert "people.csv" in caught.value.place
    assert caught.value.remedy
    assert not builder.people


def test_csv_says_that_a_file_does_not_exist(builder, tmp_path):
    with pytest.raises(FormatError, match="there is no file"):
        load_csv(tmp_path / "none.csv", builder)
