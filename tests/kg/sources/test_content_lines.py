"""Lines of iCalendar text, kept byte for byte."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from frontdesk.kg.sources.content_lines import Line, cut, fold, join

pieces = st.sampled_from([
    b"BEGIN:VEVENT", b"END:VEVENT", b"begin:vcalendar", b"END:VCALENDAR", b"\r\n", b"\n", b"\r",
    b" x", b"\tfolded", b"A:b", b"\xff", b"", b"SUMMARY;X=1:z", b"\n\n", b" ", b"\xef\xbb\xbf"])


@given(st.lists(pieces, max_size=30).map(b"".join))
def test_content_lines_put_together_are_the_file(data):
    assert join(cut(data)) == data


@given(st.text(st.sampled_from("aæ☂🙂 "), max_size=400))
def test_content_lines_are_folded_between_characters(text):
    folded = fold(text.encode())
    assert Line(folded).text.decode() == text
    for part in folded.removesuffix(b"\r\n").split(b"\r\n"):
        assert len(part) <= 75
        part.decode()


def test_content_lines_know_their_components():
    [calendar] = cut(b"\xef\xbb\xbfBEGIN:VCALENDAR\r\nX:1\r\nBEGIN:VEVENT\r\nUID:a\r\n b\r\n"
                     b"BEGIN:VALARM\r\nUID:c\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
    [event] = calendar.blocks("VEVENT")
    assert [line.value for line in event.lines("UID")] == ["ab"]
    assert [block.name for block in event.blocks("VALARM")] == ["VALARM"]


def test_content_lines_are_put_where_the_old_ones_stood():
    [event] = cut(b"BEGIN:VEVENT\nA:1\nB:1\nB:2\nC:1\nBEGIN:X\nEND:X\nEND:VEVENT\n")
    event.put("B", b"B:3")
    event.put("D", b"D:1")
    event.put("C")
    event.add(b"A:2")
    assert event.to_bytes() == b"BEGIN:VEVENT\nA:1\nA:2\nB:3\nD:1\nBEGIN:X\nEND:X\nEND:VEVENT\n"


def test_content_lines_that_do_not_end_are_kept():
    data = b"BEGIN:VEVENT\r\nA:1\r\nBEGIN:VALARM\r\nEND:VTODO\r\nB:2"
    assert join(cut(data)) == data
