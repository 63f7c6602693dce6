"""The realiser: answers in sentences from the ranked facts.

It chooses the answer that a generated reply must give, and speaks where none does: it says nothing
but verbalised facts, greetings and what it does not know or understand.
"""

from __future__ import annotations

from dataclasses import dataclass

from frontdesk.generation.answers.answer_facts import Answer, find_answer, in_passing
from frontdesk.generation.answers.homonyms import say_options
from frontdesk.generation.answers.referents import (
    MOST_OPTIONS,
    alternatives,
    quote,
    worth_suggesting,
)
from frontdesk.generation.voice.generator import (
    Clarification,
    GeneratedReply,
    GenerationInput,
)
from frontdesk.kg.english.phrases import decapitalise
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.mentions import DialogueAct, MentionKind
from frontdesk.rules.linking.linking import LinkedMention
from frontdesk.scoring.ranked_fact import RankedFact

_AVAILABILITY = frozenset({"person_available", "person_busy", "person_free_slots",
                           "room_available", "room_busy", "room_free_slots", "available_rooms",
                           "no_rooms_available", "available_members", "no_members_available"})


@dataclass(frozen=True)
class Introduction:
    """What a realiser says of itself.

    Args:
        no_actions: That nothing can be changed.
    """

    who: str
    help: str
    no_actions: str

    @classmethod
    def about(cls, topics: str) -> Introduction:
        """That of any domain, from what can be asked about: ``books, shelves and loans``."""
        can = f"You can ask me about {topics}."
        return cls(can, can, "I can look things up, but I cannot book or change anything.")


#: That of an organisation's receptionist.
RECEPTIONIST = Introduction(
    "I am the receptionist. You can ask me who people are and how to reach them, where and "
    "when events are, who is free, and which rooms are.",
    "You can ask me about people, groups, rooms and events.",
    "I can look things up in the calendar, but I cannot book or change anything in it.")


class Realiser:
    """Words replies from the ranked facts alone; see :class:`Generator`."""

    name = "realiser"

    def __init__(self, introduction: Introduction = RECEPTIONIST) -> None:
        self.introduction = introduction

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """See :class:`frontdesk.generation.voice.generator.Generator`."""
        return _Reply(request, self.introduction).compose()


def opening(request: GenerationInput) -> str:
    """The greeting with which a reply begins; empty where nobody greets or says who they are."""
    if request.observation.acts.isdisjoint((DialogueAct.GREET, DialogueAct.INTRODUCE)):
        return ""
    user = next((linked for linked in request.links if linked.mention.introduces_speaker), None)
    if user is not None and not user.links:  # a guest
        return f"Hello, {user.mention.name.split()[0]}!"
    verbaliser = request.verbaliser.calendar if request.verbaliser else None
    first_names = set() if user is None else {
        _first_name(verbaliser, link.entity) for link in user.best} - {""}
    return f"Hello, {first_names.pop()}!" if len(first_names) == 1 else "Hello!"


class _Reply:
    """One reply in the making."""

    def __init__(self, request: GenerationInput, introduction: Introduction) -> None:
        self.request, self.introduction = request, introduction
        self.verbaliser = request.verbaliser.calendar if request.verbaliser else None
        self.observation = request.observation
        self.acts = request.observation.acts
        self.unknown = self._unknown_names()

    def compose(self) -> GeneratedReply:
        greeting = opening(self.request)
        body, used, clarification = self._body()
        closing = self._closing(bool(body))
        text = " ".join(part for part in (greeting, body, closing) if part)
        social = (not body and bool(greeting or closing)) or body == self.introduction.who
        if not text:
            text = "I'm sorry, I did not understand that. " + self.introduction.help
        declines = body.startswith(self.introduction.no_actions)
        return GeneratedReply(text, used, clarification, social=social, declines=declines)

    # --- what is said besides answers

    def _closing(self, answered: bool) -> str:
        parts = []
        if DialogueAct.PLEASANTRY in self.acts and not answered:
            parts.append("I'm well, thank you.")
        if DialogueAct.THANK in self.acts:
            parts.append("You're welcome!")
        if DialogueAct.GOODBYE in self.acts:
            parts.append("Goodbye!")
        if not parts and not answered:
            if self.acts & {DialogueAct.GREET, DialogueAct.INTRODUCE}:
                parts.append("How can I help you?")
            elif DialogueAct.DENY in self.acts:
                parts.append("All right. What would you like to know?")
            elif DialogueAct.CONFIRM in self.acts:
                parts.append("Good. Is there anything else you would like to know?")
        elif DialogueAct.PLEASANTRY in self.acts and not answered and len(parts) == 1:
            parts.append("How can I help you?")
        return " ".join(parts)

    # --- answers

    def _body(self) -> tuple[str, tuple[RankedFact, ...], Clarification | None]:
        action = DialogueAct.REQUEST_ACTION in self.acts
        if not (self.observation.asks or action or self._names_something()
                or DialogueAct.ASK_HELP in self.acts):
            return "", (), None
        if self._only_social():
            return (self.introduction.who if DialogueAct.ASK_HELP in self.acts else ""), (), None
        if self.unknown and self._blocks(self.unknown[0]):
            return self._say_unknown(self.unknown[0])
        if not action and self._needs_speaker():
            return ("I don't know who you are. Please tell me your name first.", (),
                    self.request.clarification())
        if not action and self.verbaliser is not None and (own := self._namesake()) is not None:
            people = [link.entity for link in own.best][:MOST_OPTIONS]
            return (f"There is more than one {quote(own.mention.name)}. Do you mean "
                    f"{alternatives(say_options(people, self.verbaliser))}?", (),
                    self.request.clarification(people, own.mention))
        dangling = self._dangling()
        if dangling is not None and not action and self.observation.asks:
            return f"I don't know what you mean by {quote(dangling.mention.text)}.", (), None
        if action:
            return self._decline_action()
        answer = find_answer(self.request.knowledge, self.observation, self.request.links)
        if answer is not None and not (self.observation.asks or self._about_named(answer)):
            answer = None
        if answer is not None:
            text = _say(answer)
            if self.unknown:
                return f"{self._say_unknown(self.unknown[0])[0]} {text}", answer.facts, None
            return text, answer.facts, None
        if self.unknown:
            return self._say_unknown(self.unknown[0])
        return self._say_ignorance(), (), None

    def _names_something(self) -> bool:
        return any(linked.mention.kind is MentionKind.NAME
                   and not linked.mention.introduces_speaker for linked in self.request.links)

    def _unknown_names(self) -> list[LinkedMention]:
        return [linked for linked in self.request.links
                if linked.mention.kind is MentionKind.NAME
                and not linked.mention.introduces_speaker and not linked.links]

    def _blocks(self, unknown: LinkedMention) -> bool:
        """Whether nothing can be answered without knowing a name."""
        return bool(unknown.mention.types) or not any(
            linked.links and linked.mention.kind is not MentionKind.FIRST_PERSON
            and not linked.mention.introduces_speaker for linked in self.request.links)

    def _say_unknown(self, unknown: LinkedMention
                     ) -> tuple[str, tuple[RankedFact, ...], Clarification | None]:
        name = quote(unknown.mention.name)
        kinds = sorted(str(kind) for kind in unknown.mention.types)
        what = {"person": "anyone", "event": "an event", "room": "a room",
                "group": "a group"}.get(kinds[0] if len(kinds) == 1 else "", "anyone or anything")
        text = f"I don't know {what} called {name}."
        suggestions = unknown.suggestions or worth_suggesting(unknown)
        if not suggestions:
            return text, (), None
        names = [self._name(entity) for entity in suggestions]
        text += f" Did you mean {alternatives(names)}?"
        return text, (), self.request.clarification(suggestions, unknown.mention)

    def _decline_action(self) -> tuple[str, tuple[RankedFact, ...], None]:
        text = self.introduction.no_actions
        windows = set(self.observation.windows())
        helpful = [fact for fact in self.request.knowledge
                   if fact.fact.predicate in _AVAILABILITY
                   and windows.intersection(fact.fact.arguments)][:2]
        return " ".join([text, *(fact.text for fact in helpful)]), tuple(helpful), None

    def _only_social(self) -> bool:
        """Whether nothing is asked beyond "How are you?", "Could you help me?"."""
        social = self.acts - {DialogueAct.REQUEST_ACTION, DialogueAct.CONFIRM, DialogueAct.DENY}
        return (bool(social) and not self.observation.asked.predicates and not self.unknown
                and (DialogueAct.PLEASANTRY in social or not self.observation.windows())
                and DialogueAct.REQUEST_ACTION not in self.acts
                and not any(linked.mention.kind is not MentionKind.FIRST_PERSON
                            and not self._is_speaker(linked) for linked in self.request.links))

    def _is_speaker(self, linked: LinkedMention) -> bool:
        """Whether a mention just says who the user is."""
        verbaliser = self.verbaliser
        return linked.mention.introduces_speaker or bool(
            verbaliser and linked.links and linked.links[0].entity == verbaliser.speaker)

    def _dangling(self) -> LinkedMention | None:
        """A "the meeting" or "it" that nothing was said of before, with nothing else named."""
        if any(linked.links and linked.mention.kind is not MentionKind.FIRST_PERSON
               and not linked.mention.introduces_speaker for linked in self.request.links):
            return None
        return next((linked for linked in self.request.links if not linked.links
                     and linked.mention.kind in (MentionKind.DEFINITE, MentionKind.PRONOUN)), None)

    def _needs_speaker(self) -> bool:
        """Whether the user asks about themselves without having said who they are."""
        return bool(self.observation.asked.predicates) and any(
            linked.mention.kind is MentionKind.FIRST_PERSON and not linked.links
            and not in_passing(linked)
            for linked in self.request.links)

    def _namesake(self) -> LinkedMention | None:
        """The name of who asks about themselves, where several have it."""
        about_speaker = any(linked.mention.kind is MentionKind.FIRST_PERSON
                            and not in_passing(linked) for linked in self.request.links)
        return next((linked for linked in self.request.links if about_speaker
                     and linked.mention.introduces_speaker and len(linked.best) > 1), None)

    def _about_named(self, answer: Answer) -> bool:
        """Whether an answer is about something that the turn names."""
        named = {link.entity for linked in self.request.links for link in linked.links
                 if linked.mention.kind is MentionKind.NAME}
        return not named.isdisjoint(answer.facts[0].fact.entities())

    def _say_ignorance(self) -> str:
        named = [linked for linked in self.request.links if linked.links
                 and linked.mention.kind is not MentionKind.FIRST_PERSON
                 and not self._is_speaker(linked)]
        if named and self.observation.asks:
            return f"I'm sorry, I don't know that about {self._whom(named[-1])}."
        if named:
            about = self._name(named[-1].links[0].entity)
            return f"What would you like to know about {about}?"
        if self.observation.asked.predicates:
            return "I'm sorry, I don't know. " + self.introduction.help
        return "I'm sorry, I did not understand that. " + self.introduction.help

    def _whom(self, linked: LinkedMention) -> str:
        """What is spoken of; in the user's words where they fit several."""
        several = linked.mention.kind is MentionKind.NAME and len(linked.best) > 1
        return f"any {quote(linked.mention.name)}" if several else \
            self._name(linked.links[0].entity)

    def _name(self, entity: str) -> str:
        verbaliser = self.request.verbaliser
        return verbaliser.name(entity) if verbaliser else entity


def _say(answer: Answer) -> str:
    sentences = list(dict.fromkeys(fact.text for fact in answer.facts))
    if answer.polarity:
        word = "Yes" if answer.polarity > 0 else "No"
        sentences[0] = f"{word}, {decapitalise(sentences[0])}"
    if answer.omitted:
        sentences.append("There is more; ask me about one of them.")
    return " ".join(sentences)


def _first_name(verbaliser: Verbaliser | None, person: str) -> str:
    return verbaliser.kb.entity(person).name.split()[0] if verbaliser else ""
