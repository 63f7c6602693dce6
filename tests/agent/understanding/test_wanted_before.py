"""What an utterance may go on with: the last wish, in full, as the agent has it."""

from __future__ import annotations

from frontdesk.agent.evaluation.understanding.turns_in_dialogues import with_wanted_before
from frontdesk.agent.understanding.revised_query import Revisions
from frontdesk.agent.understanding.wanted_before import TURNS_BACK
from frontdesk.data.datasets.parsed_turns import LANGUAGE, Context, ParsedTurn
from frontdesk.kg.graph.logical_forms import read_forms

REVISIONS = Revisions(LANGUAGE)


def contexts(*turns: str, dialogue: str = "d") -> list[str]:
    """What each turn goes on with; every turn is given its predecessor's forms as they are."""
    parsed = [ParsedTurn(dialogue, number, "", Context(
        forms=tuple(read_forms(turns[number - 2])) if number > 1 else ()), tuple(read_forms(text)))
        for number, text in enumerate(turns, start=1)]
    return [" ".join(map(str, each.context.forms))
            for each in with_wanted_before(parsed, REVISIONS)]


def test_a_follow_up_goes_on_with_the_last_query_in_full():
    assert contexts('(ask (where (person "Ada")))', '(revise (replace (person "Bo")))',
                    '(revise (retime (at "noon")))', '(thank)') == [
        "", '(ask (where (person "Ada")))', '(ask (where (person "Bo")))',
        '(ask (where (person "Bo") (at "noon")))']


def test_courtesies_do_not_stand_between_a_wish_and_what_goes_on_with_it():
    assert contexts('(request (cancel (event "demo")))', '(acknowledge)', '(deny)')[-1] \
        == '(request (cancel (event "demo")))'


def test_what_was_wanted_long_ago_is_not_gone_on_with():
    turns = ['(ask (where (person "Ada")))', *['(thank)'] * TURNS_BACK]
    assert contexts(*turns)[-1] != ""
    assert contexts(*turns, '(thank)')[-1] == ""


def test_dialogues_do_not_go_on_with_one_another():
    first, second = (ParsedTurn(name, 1, "", Context(), tuple(read_forms(
        '(ask (where (person "Ada")))'))) for name in ("one", "two"))
    assert [each.context.forms for each in with_wanted_before([first, second], REVISIONS)] \
        == [(), ()]
