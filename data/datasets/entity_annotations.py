"""Annotations of mentions: ``words : entity, words : entity``, and the entities they mean.

They were typed by hand: an entity is left out, names have commas, blanks are missing or too many,
a type stands beside a name. An entity may also be described:
``{type="events", name="...", organizer="..."}``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.data.datasets.defects import DefectKind
from frontdesk.data.datasets.dialogue_acts import parse_arguments
from frontdesk.kg.graph.entities import Entity, EntityType, Event, Person
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name

PLACEHOLDER = "@"
#: The colon of an entry has a blank beside it; that of a time has not.
_COLON = re.compile(r"\s+:\s*|\s*:\s+|(?<!\d):|:(?!\d)")
_SEPARATE = re.compile(r"[,{}]")
_TYPES = {
    EntityType.PERSON: ("person", "people"),
    EntityType.GROUP: ("group", "groups"),
    EntityType.ROOM: ("room", "rooms", "meeting room", "conference room", "office"),
    EntityType.EVENT: ("event", "events", "meeting"),
}


@dataclass(frozen=True)
class EntityAnnotation:
    """A mention and what it refers to.

    Args:
        entity: The name of the entity as annotated, or a placeholder such as ``@speaker``;
            empty when the annotation names none.
        candidates: Ids of the entities of the knowledge base with that name (case, accents and
            blanks aside) that fit the description; none for placeholders and unknown names.
    """

    text: str
    entity: str
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class ParsedEntities:
    """The mentions of an annotation and what is wrong with it: kinds of defects with details."""

    mentions: tuple[EntityAnnotation, ...]
    defects: tuple[tuple[DefectKind, str], ...] = ()


def parse_entities(text: str, kb: KnowledgeBase) -> ParsedEntities:
    """Read an annotation of mentions; it never fails.

    Examples:
        >>> from zoneinfo import ZoneInfo
        >>> from frontdesk.kg.graph.entities import Group
        >>> kb = KnowledgeBase(name="Acme", timezone=ZoneInfo("UTC"),
        ...                    groups=[Group("g1", "Optics")])
        >>> parse_entities("their group : optics, Tom : @speaker", kb).mentions[0]
        EntityAnnotation(text='their group', entity='optics', candidates=('g1',))
    """
    defects: list[tuple[DefectKind, str]] = []
    mentions = []
    for words, name in _pairs(_split(text), kb, defects):
        if not name:
            defects.append((DefectKind.ENTITY_NOT_NAMED, words))
            mentions.append(EntityAnnotation(words, "", ()))
            continue
        if name.startswith("{"):
            name, found = _described(name, kb, defects)
        else:
            found = [] if name.startswith(PLACEHOLDER) else _named(name, kb)
        if len(found) > 1:
            defects.append((DefectKind.ENTITY_AMBIGUOUS, name))
        elif not found and not name.startswith(PLACEHOLDER):
            defects.append((DefectKind.ENTITY_UNKNOWN, name))
        mentions.append(EntityAnnotation(words, name, tuple(entity.id for entity in found)))
    return ParsedEntities(tuple(mentions), tuple(defects))


def _split(text: str) -> list[list[str]]:
    """The entries between commas, each split at its colons; commas in braces do not count."""
    entries, start, depth = [], 0, 0
    for match in _SEPARATE.finditer(text):
        if match[0] != ",":
            depth = max(0, depth + (1 if match[0] == "{" else -1))
        elif depth == 0 or "}" not in text[match.start():]:
            entries.append(text[start:match.start()])
            start = match.end()
    entries.append(text[start:])
    return [_colons(entry) for entry in entries]


def _colons(entry: str) -> list[str]:
    """An entry split at its colons, but not within a description in braces."""
    words, brace, description = entry.partition("{")
    parts = [" ".join(part.split()) for part in _COLON.split(words.strip())]
    if brace:
        parts = [part for part in parts if part]
        parts.append(brace + description.strip())
    return parts


def _pairs(entries: Sequence[list[str]], kb: KnowledgeBase,
           defects: list[tuple[DefectKind, str]]) -> list[tuple[str, str]]:
    """Words and entity of each entry; commas that belong to names are put back."""
    found: list[tuple[str, str]] = []
    for words, *names in entries:
        name = names[0] if names else ""
        if not words and not name:
            if len(names) > 1:
                defects.append((DefectKind.UNREADABLE_ANNOTATION, ": ".join(names)))
            elif names or len(entries) > 1:
                defects.append((DefectKind.REPAIRED_ANNOTATION, "empty entry"))
            continue
        for extra in names[1:]:
            defects.append((DefectKind.ENTITY_REPEATED, f"{words}: {extra}"))
        before, known = found[-1] if found else ("", "")
        if known and not names and not _named(known, kb) and _named(f"{known}, {words}", kb):
            found[-1] = before, f"{known}, {words}"
        else:
            found.append((words, name))
    joined: list[tuple[str, str]] = []
    for words, name in found:
        before, known = joined[-1] if joined else ("", name)
        if not known and normalise_name(f"{before}, {words}") == normalise_name(name):
            joined[-1] = f"{before}, {words}", name
        else:
            joined.append((words, name))
    return joined


def _named(name: str, kb: KnowledgeBase) -> list[Entity]:
    """Entities of that name; failing that, those whose name has a type beside it."""
    found = kb.named(name)
    if found:
        return found
    plain = normalise_name(name)
    for entity_type, words in _TYPES.items():
        for word in words:
            for rest in (plain.removeprefix(f"{word} "), plain.removesuffix(f" {word}")):
                if rest != plain:
                    found += [entity for entity in kb.named(rest) if entity.type == entity_type]
    return list(dict.fromkeys(found))


def _described(text: str, kb: KnowledgeBase,
               defects: list[tuple[DefectKind, str]]) -> tuple[str, list[Entity]]:
    """The name in a description and the entities that fit all of it."""
    parsed = parse_arguments(text.strip().lstrip("{").rstrip("}"))
    defects.extend((DefectKind.REPAIRED_ANNOTATION, each) for each in parsed.repaired)
    defects.extend((DefectKind.UNREADABLE_ANNOTATION, each) for each in parsed.unreadable)
    arguments = parsed.acts[0].arguments
    name = next((value for role, value in arguments if role == "name"), "")
    fitting = list(_named(name, kb) if name else kb.entities())
    for role, value in arguments:
        if role == "name":
            continue
        if role not in ("type", "organizer", "location", "group", "office", "date",
                        "start_time", "end_time"):
            defects.append((DefectKind.UNREADABLE_ANNOTATION, f"{role}={value}"))
            continue
        fitting = [entity for entity in fitting if _fits(entity, role, value, kb)]
    return name or text, fitting


def _fits(entity: Entity, role: str, value: str, kb: KnowledgeBase) -> bool:
    if role == "type":
        return normalise_name(value) in _TYPES.get(entity.type, ())
    if role == "date":
        return isinstance(entity, Event) and entity.start.date().isoformat() == value
    if role in ("start_time", "end_time"):
        moment = getattr(entity, role.removesuffix("_time"), None)
        return moment is not None and f"{moment:%H:%M}" == value[:5]
    if not isinstance(entity, Event | Person):
        return False
    reference = getattr(entity, role, None)
    return reference is not None and (
        normalise_name(kb.entity(reference).name) == normalise_name(value))
