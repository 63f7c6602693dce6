"""Facts of any domain as sentences, by the templates of its schema."""

from __future__ import annotations

import datetime as dt

from frontdesk.kg.english import phrases
from frontdesk.kg.english.hedging import hedge
from frontdesk.kg.english.phrases import Phrase
from frontdesk.kg.english.verbalise import stored_name
from frontdesk.kg.graph.entities import Type
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Argument, Fact
from frontdesk.kg.graph.schema import Schema


class SchemaVerbaliser:
    """Says the facts of a fact base in English.

    Args:
        base: Where the entities of the facts are.
        schema: How they are said. Forms of an argument are ``{0.is}``, ``{0.has}``, ``{0.their}``
            and ``{0.possessive}``, of a list ``{0.count}`` too, of a date ``{0.on}``.

    Example:
        >>> from frontdesk.kg.graph.entities import Thing
        >>> from frontdesk.kg.graph.schema import Predicate
        >>> book, shelf = Type("book"), Type("shelf")
        >>> base = FactBase("shelves", [Thing("b", "Emma", book), Thing("s", "A 3", shelf)])
        >>> stands = Predicate("stands_on", (book, shelf), "{0} {0.is} on shelf {1}.", (), ())
        >>> SchemaVerbaliser(base, Schema("shelves", {"stands_on": stands})).say(
        ...     Fact("stands_on", ("b", "s")))
        'Emma is on shelf A 3.'
    """

    speaker = None
    calendar = None

    def __init__(self, base: FactBase, schema: Schema) -> None:
        self.base, self.schema = base, schema

    def say(self, fact: Fact) -> str:
        """The fact as one sentence.

        Raises:
            KeyError: The predicate or an entity is unknown.
        """
        predicate = self.schema[fact.predicate]
        arguments = [self._phrase(kind, argument)
                     for kind, argument in zip(predicate.arguments, fact.arguments, strict=True)]
        template = predicate.template if fact.certainty == 1.0 \
            else hedge(predicate.template, fact.certainty)
        return phrases.capitalise(template.format(*arguments))

    def name(self, entity_id: str) -> str:
        """An entity as people say it."""
        return self.base.entity(entity_id).name

    def plain_name(self, entity_id: str) -> tuple[str, str] | None:
        """Name and type of an entity as they are stored; None when there is no such entity."""
        return stored_name(self.base, entity_id)

    def _phrase(self, kind: Type, value: Argument) -> Phrase:
        if isinstance(value, dt.date):
            said = phrases.say_date(value)
            return Phrase(said, on=f"on {said}")
        if isinstance(value, dt.time):
            return Phrase(phrases.say_time(value))
        listed = [str(each) for each in (value if isinstance(value, tuple) else (value,))]
        names = [self.name(each) if each in self.base else each for each in listed]
        text = phrases.say_list(names)
        many = len(listed) != 1
        return Phrase(text, **{
            "is": "are" if many else "is", "has": "have" if many else "has", "their": "their",
            "possessive": phrases.possessive(text),
            "count": phrases.say_count(len(listed), str(self.schema.plurals.get(kind, kind)))})
