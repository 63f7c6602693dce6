"""Whom to tell of a visitor: the host of who arrives, for whom something is brought, the desk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.notices.letter import mail_address
from frontdesk.agent.notices.notice_wording import word
from frontdesk.agent.understanding.meaning import LIKELY, Meaning
from frontdesk.agent.understanding.notice_veto import may_tell, may_warn
from frontdesk.agent.understanding.revised_query import comes_for
from frontdesk.kg.english.phrases import say_list
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.changes import Message, NoticeKind
from frontdesk.kg.graph.entities import Event, Person
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.names.fitting_names import is_called

#: Acts that people are told of.
ACTS = {"arrive": NoticeKind.ARRIVAL, "deliver": NoticeKind.DELIVERY, "alarm": NoticeKind.ALARM,
        "handover": NoticeKind.HANDOVER}
#: Those whose dialogue whoever is told may want to read.
_FOR_DESK = ("alarm", "handover")
#: From this probability on people are told that somebody has come.
_SURE = 0.8
#: Characters of a visitor's words that are passed on, at most.
_LONGEST = 100


@dataclass(frozen=True)
class VisitorNotices:
    """What people are told of what a visitor has said.

    Args:
        here: The turn.
        name: By which the visitor has introduced themselves; empty where they have not.
        dialogue: Id of the dialogue.
        doubted: What is said, where it only may tell of a danger; else empty.
        which: Ids of what a reference means, each with its probability.
    """

    here: ActionContext
    name: str
    dialogue: str
    doubted: str
    which: Callable[[Form], Sequence[tuple[str, float]]]

    @property
    def visitor(self) -> str:
        """What they are called where people are told of them."""
        if self.here.user is not None:
            return clean(self.here.kb.entity(self.here.user).name)[:_LONGEST]
        name = clean(self.name)[:_LONGEST]
        return word("visitor", "named", name=name) if name else word("visitor", "unknown")

    def messages(self, forms: Sequence[Form]) -> tuple[Message, ...]:
        """Whom to tell what; of hidden events nobody is told, for nobody may learn of them.

        Args:
            forms: Acts of :data:`ACTS`.
        """
        return tuple(dict.fromkeys(Message(
            recipient, text, self.here.user, ACTS[form.head],
            self.dialogue if form.head in _FOR_DESK else "")
            for form in forms for recipient, text in self._told(form)
            if recipient != self.here.user))

    def said(self, messages: Sequence[Message], reaches: Callable[[str | None], bool], *,
             again: Collection[Message] = ()) -> str:
        """What the visitor hears of it: who is told, of those whom notices reach; empty for none.

        Args:
            reaches: Whether somebody with an e-mail address is reached.
            again: Those that were left before.
        """
        new = self._whom([each for each in messages if each not in again], reaches)
        old = self._whom([each for each in messages if each in again], reaches)
        return " ".join(filter(None, (
            word("told", "whom", whom=say_list(new)) if new else "",
            word("told", "already", whom=say_list(old)) if old else "")))

    def _whom(self, messages: Sequence[Message], reaches: Callable[[str | None], bool]
              ) -> list[str]:
        """Those whom notices reach, as the visitor knows them."""
        people, desk = self.here.kb.people, set(self._desk())
        reached = [each for each in messages if reaches(
            mail_address(people[each.recipient].email if each.recipient in people
                         else each.recipient))]
        names = [self.here.wording.people([each.recipient]) for each in reached
                 if each.recipient not in desk]
        return [*dict.fromkeys(names), *[word("told", "desk")][:sum(
            each.recipient in desk for each in reached)]]

    def _told(self, form: Form) -> Iterator[tuple[str, str]]:
        """The recipients of what is told of an act, each with its words."""
        what = clean(" ".join(each.text for each in form.arguments
                              if isinstance(each, Span)))[:_LONGEST]
        if form.head == "arrive":
            yield from self._hosts(form)
            return
        if form.head == "deliver":
            brought = word("visitor", "what" if what else "something", what=what)
            people = [each for reference in comes_for(form) for each in self._meant(reference)
                      if isinstance(self.here.seen.entity(each), Person)]
            yield from ((each, self._words("brought_for", what=brought)) for each in people)
            if not people:
                named = clean(" ".join(span.text for reference in comes_for(form)
                                       for span in reference.spans()))[:_LONGEST]
                words = self._words("brought_for_named" if named else "brought", what=brought,
                                    named=named)
                yield from ((each, words) for each in self._desk())
            return
        doubted = self.doubted if form.head == "alarm" else ""
        words = self._words("doubted" if doubted else form.head,
                            what=clean(doubted)[:_LONGEST] if doubted else what)
        yield from ((each, words) for each in self._desk())

    def _words(self, which: str, /, **said: str) -> str:
        return word("visitor", which, visitor=self.visitor, **said)

    def _hosts(self, form: Form) -> Iterator[tuple[str, str]]:
        """Whom a visitor comes to, each with what they are told."""
        for reference in comes_for(form):
            for each in self._meant(reference):
                entity = self.here.seen.entity(each)
                if isinstance(entity, Person):
                    yield entity.id, self._words("person")
                elif isinstance(entity, Event) and entity.organizer and not entity.masked:
                    name = Verbaliser(self.here.seen, self.here.now).name(entity.id)
                    yield entity.organizer, self._words("event", event=clean(name)[:_LONGEST])

    def _meant(self, reference: Form) -> list[str]:
        """The id of what a reference means, where it is one thing and said to be so: people by a
        name that is theirs, for a description that happens to fit somebody is nobody's name."""
        likely = [entity for entity, probability in self.which(reference) if probability > LIKELY]
        if len(likely) != 1 or likely[0] not in self.here.kb \
                or any(each.head == "like" for each in reference.walk()):
            return []
        entity = self.here.kb.entity(likely[0])
        if reference.head != "person" or not isinstance(entity, Person):
            return likely
        names = [each.text for each in reference.arguments if isinstance(each, Span)]
        return likely if names and all(is_called(each, entity.name) for each in names) else []

    def _desk(self) -> list[str]:
        """Who is told of what concerns nobody in particular, by id where somebody has one."""
        ids = {each.email.casefold(): each.id for each in self.here.kb.people.values()}
        desk = self.here.components.settings.notices.desk
        return [ids.get(each.casefold(), each) for each in desk]


@dataclass(frozen=True)
class ActsToTell:
    """What of an utterance people are told of.

    Args:
        forms: Acts of :data:`ACTS`.
        doubted: The utterance, where it only may tell of a danger; else empty.
    """

    forms: tuple[Form, ...]
    doubted: Span


def acts_to_tell(meaning: Meaning, said: str) -> ActsToTell:
    """The acts of an utterance that people are told of: what it surely tells of, what has waited
    for it, and a danger in doubt; not against the veto.

    Args:
        said: The utterance.
    """
    return ActsToTell((*meaning.visits, *(form for form in meaning.forms if form.head in ACTS and (
        may_warn(said, form) if form.head == "alarm" else
        _is_sure_of(meaning, form.head)
        and may_tell(said, form, [each for each in meaning.forms if each is not form],
                     wish=form.head == "handover")))),
        Span("" if _is_sure_of(meaning, "alarm") else said))


def _is_sure_of(meaning: Meaning, act: str) -> bool:
    """Whether an utterance surely has an act."""
    return sum(each.probability for each in meaning.readings if any(
        form.head == act for form in each.forms)) >= _SURE
