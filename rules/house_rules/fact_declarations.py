"""How a rule file says its predicates: ``fact(Predicate, Sentence, Questions, Cues)``.

In ``fact(quiet_room(room), "{0} is a quiet room.", "Is {0} quiet?", ["quiet", "silent"])`` the
predicate has the types of its arguments, the sentence says a fact (see
:mod:`frontdesk.kg.graph.schema`), the question or list of questions is what it answers, and the
cues are words that ask for it. A fifth argument, ``yes`` or ``no``, is what it answers to a yes/no
question; without one it is yes.
"""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from problog.logic import Constant, Term, Var

from frontdesk.kg.english.phrases import Phrase
from frontdesk.kg.graph.schema import ArgumentType, Predicate
from frontdesk.rules.house_rules.rule_parser import RuleText, Statement, offset_of, signature

DECLARATION = "fact"
#: Types of one entity, and the lists of them.
ENTITIES = {ArgumentType.PERSON: ArgumentType.PEOPLE, ArgumentType.GROUP: None,
            ArgumentType.ROOM: ArgumentType.ROOMS, ArgumentType.EVENT: ArgumentType.EVENTS}
LISTS: Mapping[ArgumentType, ArgumentType] = {
    many: one for one, many in ENTITIES.items() if many is not None}
_VALUES = (ArgumentType.WINDOW, ArgumentType.NUMBER, ArgumentType.FLOOR, ArgumentType.MINUTES,
           ArgumentType.TEXT)
TYPES = {str(kind): kind for kind in (*ENTITIES, *LISTS, *_VALUES)}
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_AGREEING = ("is", "has", "organise", "their", "possessive")
_FORMS: dict[ArgumentType, tuple[str, ...]] = {
    **dict.fromkeys(ENTITIES, _AGREEING), **dict.fromkeys(LISTS, (*_AGREEING[:-1], "count")),
    ArgumentType.EVENTS: (*_AGREEING[:-1], "count", "times"),
    ArgumentType.NUMBER: ("members", "attendees")}
_POLARITY = {"yes": 1, "no": -1}


def is_declaration(statement: Statement) -> bool:
    """Whether a clause says how a predicate is said."""
    return (len(statement.heads) == 1 and statement.body is None
            and str(statement.heads[0].functor) == DECLARATION)


def read_declaration(text: RuleText, statement: Statement, *, defined: Collection[str],
                     taken: Collection[str], needs: Mapping[str, set[int]]) -> Predicate | None:
    """The row of the schema that a declaration stands for.

    Args:
        text: Where it stands; what is wrong with it is added to its problems.
        defined: ``name/arity`` of the predicates that the file defines.
        needs: By ``name/arity`` the positions of the arguments that need a value when asked for.

    Returns:
        None where something is wrong.
    """
    declaration = _Declaration(text, statement)
    problems = list(dict.fromkeys(declaration.problems(defined, taken, needs)))
    text.problems.extend(problems)
    return None if problems else declaration.predicate()


class _Declaration:
    """One declaration."""

    def __init__(self, text: RuleText, statement: Statement) -> None:
        self.text, self.statement = text, statement
        self.arguments = list(statement.heads[0].args)

    def problems(self, defined: Collection[str], taken: Collection[str],
                 needs: Mapping[str, set[int]]) -> Iterator[Any]:
        """What is wrong with it."""
        if len(self.arguments) not in (4, 5):
            yield self._problem(None, f"fact takes 4 or 5 arguments, not {len(self.arguments)}",
                                'Write fact(NAME(TYPE, ...), "SENTENCE", "QUESTION", ["CUE", ...])')
            return
        if not isinstance(self.arguments[0], Term) or isinstance(self.arguments[0], Var | Constant):
            yield self._problem(self.arguments[0], f"{self.arguments[0]} is no predicate",
                                "Write its name with the types of its arguments")
            return
        name = signature(self.arguments[0])
        if not _NAME.fullmatch(name.partition("/")[0]):
            yield self._problem(self.arguments[0], f"{name} is no name for a fact",
                                "Use lower-case letters, digits and _")
        if name.partition("/")[0] in taken:
            yield self._problem(self.arguments[0], f"there are facts named {name} already",
                                "Choose another name")
        elif name not in defined:
            yield self._problem(self.arguments[0], f"no rule of the file defines {name}",
                                "Define it, or correct its name or number of arguments")
        types = list(self._type_problems(needs.get(name, set())))
        yield from types or self._text_problems()

    def predicate(self) -> Predicate:
        """The row, of a declaration without problems."""
        kinds = tuple(TYPES[str(each)] for each in self.arguments[0].args)
        asked = tuple(_texts(self.arguments[2]))
        polarity = _POLARITY[str(self.arguments[4])] if len(self.arguments) == 5 else 1
        phrases = [_typed_phrase(kind) for kind in kinds]
        return Predicate(str(self.arguments[0].functor), kinds, _text(self.arguments[1]),
                         tuple(each.format(*phrases) for each in asked),
                         tuple(each.lower() for each in _texts(self.arguments[3])), derived=True,
                         polarity=polarity)

    def _problem(self, term: Any, message: str, remedy: str) -> Any:
        return self.text.problem(offset_of(term, self.statement.start), message, remedy)

    def _type_problems(self, needed: Collection[int]) -> Iterator[Any]:
        kinds = []
        for position, argument in enumerate(self.arguments[0].args):
            if str(argument) not in TYPES:
                yield self._problem(argument, f"{argument} is no type",
                                    f"Choose from {', '.join(TYPES)}")
                return
            kinds.append(TYPES[str(argument)])
            given = kinds[-1] is ArgumentType.WINDOW or (position == 0 and kinds[-1] in ENTITIES)
            if position in needed and not given:
                yield self._problem(argument, f"the rules give no value to argument {position + 1}",
                                    "Ask for it in their bodies, with room(R) for example")
        if not kinds or kinds[0] not in (*ENTITIES, *LISTS):
            yield self._problem(self.arguments[0], "a fact is about something",
                                f"Begin with {', '.join(map(str, (*ENTITIES, *LISTS)))}")
        if sum(kind in LISTS for kind in kinds) > 1:
            yield self._problem(self.arguments[0], "a fact has one list at most",
                                "Declare two predicates")

    def _text_problems(self) -> Iterator[Any]:
        for argument, what in zip(self.arguments[1:4], ("sentence", "question", "cue"),
                                  strict=True):
            found = _texts(argument)
            if not found or not all(each.strip() for each in found) or (
                    what == "sentence" and len(found) != 1):
                yield self._problem(argument, f"{argument} is no {what}",
                                    "Write it in double quotes" + (
                                        "" if what == "sentence" else ", several in brackets"))
            elif what != "cue":
                for each in found:
                    yield from self._template_problems(each, argument, what)
                    if what == "sentence" and not each.endswith("."):
                        yield self._problem(argument, f"the sentence {each!r} has no full stop",
                                            "Put one at its end")
        if len(self.arguments) == 5 and str(self.arguments[4]) not in _POLARITY:
            yield self._problem(self.arguments[4], f"{self.arguments[4]} is no answer",
                                "Write yes or no")

    def _template_problems(self, template: str, argument: Any, what: str) -> Iterator[Any]:
        kinds = [TYPES.get(str(each)) for each in self.arguments[0].args]
        said = set()
        try:
            pieces = list(string.Formatter().parse(template))
        except ValueError as error:
            yield self._problem(argument, f"the {what} {template!r} cannot be filled in: {error}",
                                "Write {0} for the first argument, {1} for the second")
            return
        for _, field, spec, conversion in pieces:
            if field is None:
                continue
            number, _, form = field.partition(".")
            kind = kinds[int(number)] if number.isdecimal() and int(number) < len(kinds) else None
            forms = _FORMS.get(kind, ()) if kind else ()
            if kind is None or spec or conversion or (form and form not in forms):
                allowed = "".join(f" or {{{number}.{each}}}" for each in forms) if kind else ""
                whole = field + (f"!{conversion}" if conversion else "") + (
                    f":{spec}" if spec else "")
                yield self._problem(
                    argument, f"the {what} has {{{whole}}}, which stands for nothing",
                    f"Write {{0}} to {{{len(kinds) - 1}}}{allowed}")
            if form in ("", "possessive", "times", "members", "attendees"):
                said.add(number)
        unsaid = [number for number in range(len(kinds)) if str(number) not in said]
        if what == "sentence" and unsaid:
            yield self._problem(argument, f"the sentence does not say argument {unsaid[0] + 1}",
                                f"Put {{{unsaid[0]}}} into it")


def examples(predicate: Predicate) -> tuple[str, ...]:
    """Questions about a predicate and its sentence, types in the place of its arguments."""
    return (*predicate.questions,
            predicate.template.format(*map(_typed_phrase, predicate.arguments)))


def _typed_phrase(kind: ArgumentType) -> Phrase:
    """An argument of a question: its type, or "then"."""
    if kind is ArgumentType.WINDOW:
        return Phrase("then")
    several = kind in LISTS
    return Phrase(f"the {kind}", possessive=f"the {kind}'s", their="their", count=f"the {kind}",
                  times=f"the {kind}", members="the members", attendees="the attendees",
                  **({"is": "are", "has": "have", "organise": "organise"} if several else
                     {"is": "is", "has": "has", "organise": "organises"}))


def _texts(term: Any) -> list[str]:
    """The texts of a list of texts, or of one; none where it is neither."""
    if isinstance(term, Constant):
        return [_text(term)] if isinstance(term.functor, str) else []
    if not isinstance(term, Term) or str(term.functor) != ".":
        return []
    first, rest = term.args
    if isinstance(rest, Term) and str(rest.functor) == "[]":
        return _texts(first)
    others = _texts(rest)
    return [*_texts(first), *others] if _texts(first) and others else []


def _text(term: Any) -> str:
    return re.sub(r"\\(.)", r"\1", str(term.functor)[1:-1])
