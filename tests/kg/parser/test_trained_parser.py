"""What the trained parser gives does not depend on how it is asked."""

from __future__ import annotations

import pytest

from frontdesk.data.datasets.parsed_turns import LANGUAGE
from frontdesk.kg.parser.parser_input import KnownName, ParserInput
from frontdesk.kg.parser.trained_parser import TrainedParser

_INPUTS = (ParserInput("is Will in Durian at three?", names=(KnownName(3, 7, "person"),)),
           ParserInput("yes", "confirm"), ParserInput(" "),
           ParserInput("book a room for Ada and me tomorrow, an hour, and tell her why"))


@pytest.fixture(scope="module")
def parser() -> TrainedParser:
    return TrainedParser(LANGUAGE)


def test_several_are_read_as_each_by_itself(parser: TrainedParser) -> None:
    for together, each in zip(parser.parse_all(_INPUTS), _INPUTS, strict=True):
        alone = parser.parse(each)
        assert [one.forms for one in together] == [one.forms for one in alone]
        assert [one.probability for one in together] == pytest.approx(
            [one.probability for one in alone], abs=1e-2)
    assert parser.parse_all(()) == []


def test_readings_of_what_was_read_before_are_the_same(parser: TrainedParser) -> None:
    assert parser.parse(_INPUTS[0]) == parser.parse(_INPUTS[0])
    assert not parser.parse(_INPUTS[2])


def test_what_is_improbable_is_not_followed(parser: TrainedParser) -> None:
    for each in (*_INPUTS[:2], _INPUTS[3]):
        readings = parser.parse(each)
        assert readings[-1].probability > 1e-4 * readings[0].probability
        assert readings == sorted(readings, key=lambda one: -one.probability)
