"""What a dialogue has spoken of: what pronouns, "then" and "which of them" can mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from frontdesk.kg.english.lexicon import OF_ONE_PERSON
from frontdesk.kg.graph.dialogue_graph import AGENT, DialogueGraph
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import Argument, Form, Sort, read_forms
from frontdesk.kg.graph.windows import Window

#: Turns in which several things spoken of together, answers and a time are looked for.
_TURNS_BACK = 6
#: Turns in which what was asked about, and by what pronoun, is looked for.
_TOPICS_BACK = 12
#: How present what the last turn asked about is, what becomes of that from turn to turn, and how
#: present one of several answers is beside the only one.
_LAST, _FADING, _ONE_OF_MANY = 0.95, 0.5, 0.4
#: How present one of several answers is by itself: a list is "those" or "they", not "she".
_BY_ITSELF = 0.05
#: How much of their presence others keep, which only words in passing may have meant.
_BESIDE_FORMS = 0.2
#: How present the only answer of the last question is.
ONLY_ANSWER = 0.9
#: A mention that means one thing with less than this is left out of what is meant together.
_LEAST = 0.3


@dataclass(frozen=True)
class DialogueContext:
    """What was spoken of before an utterance.

    Args:
        mentioned: By id, how present each entity is, in (0, 1]; the most recent first.
        answered: Ids of what the last questions were answered with, each in the order of the
            answer; the last question first.
        together: Ids of what was spoken of together last, two at least; empty when nothing was.
        window: The time that was spoken of last; None where none was.
        speaker: Id of who speaks; empty where that is not known.
        sure: The probability of that, in [0, 1].
        by_itself: How present each of several answers is apart from that it is one of them.
        called: The pronouns for one person that the user has used of late, ``he`` or ``she``,
            each with the ids of what was asked about by it; the first use first.
        answered_then: Ids of what the question about ``window`` was answered with.
        times: Those that a question was answered with since several entities were the answer, of
            which one may have been picked since.
    """

    mentioned: Mapping[str, float]
    answered: tuple[tuple[str, ...], ...] = ()
    together: tuple[str, ...] = ()
    window: Window | None = None
    speaker: str = ""
    sure: float = 1.0
    by_itself: Mapping[str, float] = field(default_factory=dict)
    called: tuple[tuple[str, tuple[str, ...]], ...] = ()
    answered_then: tuple[str, ...] = ()
    times: tuple[Window, ...] = ()

    def and_then(self, about: Sequence[str], answered: Sequence[str],
                 window: Window | None = None) -> DialogueContext:
        """What has been spoken of after one more question, about some entities and a time, and
        answered with some."""
        one_of = 1.0 if len(answered) == 1 else _ONE_OF_MANY
        before = {each: presence * _FADING for each, presence in self.mentioned.items()}
        spoken_of = {**before, **dict.fromkeys(answered, one_of * _LAST),
                     **dict.fromkeys(about, _LAST)}
        by_itself = {each: max(_BY_ITSELF, _FADING * self.by_itself.get(
            each, self.mentioned.get(each, 0.0))) for each in (
                *self.by_itself, *(answered if len(answered) > 1 else ()))}
        return replace(self, mentioned=spoken_of, window=window or self.window, by_itself={
            each: presence for each, presence in by_itself.items()
            if each not in about and (len(answered) > 1 or each not in answered)
        }, answered=tuple(filter(None, (tuple(answered), *self.answered))),
            together=tuple(answered) if len(answered) > 1 else self.together,
            answered_then=tuple(answered) if window else self.answered_then)


def context_before(dialogue: DialogueGraph, turn: str,
                   saliency: Mapping[str, float]) -> DialogueContext:
    """What was spoken of before a turn.

    Args:
        turn: The turn, of the dialogue or its next one.
        saliency: By id, how present the entities of the turns before are, as a linker tells.
    """
    turns = dialogue.turns
    position = turns.index(turn) if turn in turns else len(turns)
    recent = turns[max(0, position - _TURNS_BACK):position][::-1]
    answered = _answered(dialogue, recent)
    topics = turns[max(0, position - _TOPICS_BACK):position][::-1]
    # Of several things that a turn wants done one may be over already.
    over = [turn] if turn in turns and (done := dialogue.action_after(turn)) is not None \
        and not done.is_open else []
    mentioned, by_itself = _by_forms(dialogue, [*over, *topics])
    share = _BESIDE_FORMS if mentioned else 1.0
    for entity, presence in saliency.items():
        mentioned[entity] = max(mentioned.get(entity, 0.0), share * presence)
    last = answered[0] if answered else ()
    if len(last) == 1:
        mentioned[last[0]] = max(ONLY_ANSWER, mentioned.get(last[0], 0.0))
    user = dialogue.user()
    window, answered_then = _window(dialogue, recent)
    return DialogueContext(
        dict(sorted(mentioned.items(), key=lambda each: -each[1])), answered,
        _arranged_with(dialogue, [*over, *recent]) or (
            last if len(last) > 1 else _together(dialogue, recent)),
        window, user[0] if user else "", user[1] if user else 0.0,
        by_itself, tuple(_called(dialogue, topics[::-1])), answered_then,
        _times(dialogue, turns[:position][::-1]))


def first_asked(query: Form, dialogue: DialogueGraph, turn: str) -> str:
    """The first of the turns of the user in a row that ask the same as a query, of other times.

    Args:
        query: In full.
    """
    turns = dialogue.turns
    before = [each for each in turns[:turns.index(turn)] if dialogue.speaker(each) != AGENT]
    for each in reversed(before[-_TURNS_BACK:]):
        asked = [part for form in _forms(dialogue, each) if form.head == "ask"
                 for part in form.arguments]
        if len(asked) != 1 or asked[0] == query or _timeless(asked[0]) != _timeless(query):
            break
        turn = each
    return turn


def _timeless(form: Argument) -> Argument:
    """A form without its times."""
    return Form(form.head, tuple(_timeless(each) for each in form.arguments if not (
        isinstance(each, Form) and each.is_of(Sort.TIME)))) if isinstance(form, Form) else form


def _by_forms(dialogue: DialogueGraph, recent: Sequence[str]
              ) -> tuple[dict[str, float], dict[str, float]]:
    """How present each entity is that turns asked about, were answered with or arranged something
    of, and of those that were one of several answers how present they are apart from that."""
    alone: dict[str, float] = {}
    listed: dict[str, float] = {}
    presence = _LAST
    for turn in recent:
        if dialogue.speaker(turn) == AGENT:
            continue
        about, answers = dialogue.about(turn), dialogue.forms(turn)[1]
        if not (about or answers) and (action := dialogue.action_after(turn)) is not None:
            answers = action.events
            if action.room:
                alone.setdefault(action.room, presence * _ONE_OF_MANY)
        for entity in (*about, *(answers if len(answers) == 1 else ())):
            alone.setdefault(entity, presence)
        for entity in answers if len(answers) > 1 else ():
            listed.setdefault(entity, presence * _ONE_OF_MANY)
        if about or answers:  # what speaks of nothing leaves everything as it was
            presence *= _FADING
    found = {each: max(alone.get(each, 0.0), listed.get(each, 0.0)) for each in (*alone, *listed)}
    return found, {each: max(_BY_ITSELF, alone.get(each, 0.0)) for each, presence in listed.items()
                   if alone.get(each, 0.0) < presence}


def _called(dialogue: DialogueGraph, turns: Sequence[str]
            ) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The pronouns for one person in what turns asked, with what they asked about."""
    for turn in turns:
        pronouns = {OF_ONE_PERSON[word] for form in _forms(dialogue, turn)
                    for part in form.walk() if part.head == "type" for span in part.spans()
                    if (word := span.text.casefold()) in OF_ONE_PERSON}
        if len(pronouns) == 1 and dialogue.about(turn):
            yield pronouns.pop(), dialogue.about(turn)


def _forms(dialogue: DialogueGraph, turn: str) -> Sequence[Form]:
    try:
        return read_forms(dialogue.forms(turn)[0])
    except FormatError:  # of another version
        return ()


def _answered(dialogue: DialogueGraph, recent: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """What questions were answered with: as it was noted, or what only the reply names."""
    found = []
    for place, turn in enumerate(recent):
        if dialogue.speaker(turn) != AGENT:
            if dialogue.forms(turn)[0]:
                found.append(dialogue.forms(turn)[1])
            if _asks_for_times(dialogue, turn):
                break  # what was answered before them is not what "the second" means
            continue
        before = recent[place + 1] if place + 1 < len(recent) else None
        if before is None or not dialogue.forms(before)[0]:
            asked = _referents(dialogue, before) if before is not None else ()
            named = _referents(dialogue, turn)
            found.append(tuple(each for each in named if each not in asked) or named)
    return tuple(filter(None, found))


def _times(dialogue: DialogueGraph, before: Sequence[str]) -> tuple[Window, ...]:
    """The times that were told last, where several entities have not been since; where one of them
    was picked, all that it was picked of."""
    picked: tuple[Window, ...] = ()
    for place, turn in enumerate(before):
        times = dialogue.times(turn)
        if times and _picks_time(dialogue, turn):
            picked = picked or times
        elif times:
            return times if set(picked) <= set(times) else picked
        elif len(dialogue.forms(turn)[1]) > 1 or (place >= _TURNS_BACK and not picked):
            break
    return picked


def _picks_time(dialogue: DialogueGraph, turn: str) -> bool:
    """Whether a turn asks only when a time is: one that was told."""
    asked = [part for form in _forms(dialogue, turn) if form.head == "ask"
             for part in form.arguments]
    return len(asked) == 1 and isinstance(asked[0], Form) and asked[0].head == "when" and all(
        isinstance(each, Form) and each.head == "at" for each in asked[0].arguments)


def _asks_for_times(dialogue: DialogueGraph, turn: str) -> bool:
    """Whether a turn asks when somebody or something is free, which times answer."""
    return any(
        part.head == "when" and any(each.head == "free" for each in part.walk())
        for form in _forms(dialogue, turn) for part in form.walk())


def _arranged_with(dialogue: DialogueGraph, recent: Sequence[str]) -> tuple[str, ...]:
    """Those, several, with whom something has been arranged since several were the answer."""
    for turn in recent:
        action = dialogue.action_after(turn)
        if len(dialogue.forms(turn)[1]) > 1:
            break
        if action is not None and len(action.people) > 1:
            return action.people
    return ()


def _together(dialogue: DialogueGraph, recent: Sequence[str]) -> tuple[str, ...]:
    """The entities of the last turn that speaks of several."""
    return next((found for turn in recent if len(found := _referents(dialogue, turn)) > 1), ())


def _referents(dialogue: DialogueGraph, turn: str) -> tuple[str, ...]:
    """What the mentions of a turn most probably mean, in order, each once."""
    best = [dialogue.referents(mention)[:1] for mention in dialogue.mentions(turn)]
    return tuple(dict.fromkeys(link.entity for links in best for link in links
                               if link.probability >= _LEAST))


def _window(dialogue: DialogueGraph, recent: Sequence[str]
            ) -> tuple[Window | None, tuple[str, ...]]:
    """The time that was spoken of last, as it was noted of a question, else in the reply to it; and
    what that question was answered with."""
    for place, turn in enumerate(recent):
        asked = turn
        if dialogue.speaker(turn) == AGENT and place + 1 < len(recent):
            asked = recent[place + 1]
        nodes = (asked, *dialogue.mentions(turn))
        window = next((found for node in nodes if (found := dialogue.window(node))), None)
        if window is not None:
            return window, dialogue.forms(asked)[1]
    return None, ()
