"""Whose office is meant: "my office" is a place by its words alone, "his" that of who comes."""

from __future__ import annotations

from frontdesk.kg.english.lexicon import FIRST_PERSON, PRONOUNS
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.schema import RELATION_NOUNS


def with_owned_offices(form: Form) -> Form:
    """A form in which a place that is somebody's office is so, and theirs who comes is known.

    ``(venue (thing "my office"))`` is ``(venue (room (office_of (me))))``, and where one person
    alone is to come, "his office" in the same request is that person's.
    """
    coming = [each.arguments[0] for each in form.walk() if each.head == "attendee"]
    named = [each for each in coming if isinstance(each, Form) and any(
        isinstance(part, Span) for part in each.arguments)]
    return _with_offices(form, named[0] if len(named) == 1 else None)


def _with_offices(form: Form, comes: Form | None) -> Form:
    if form.head == "venue":
        form = Form("venue", tuple(_office(each) or each for each in form.arguments))
    if form.head == "office_of" and comes is not None and any(
            each.head == "that" for each in form.inner()):
        return Form("office_of", (comes,))
    return Form(form.head, tuple(_with_offices(each, comes) if isinstance(each, Form) else each
                                 for each in form.arguments))


def _office(place: object) -> Form | None:
    """The office that the words of a place name by whose it is; None where they do not."""
    if not isinstance(place, Form) or place.head not in ("thing", "room") \
            or len(place.arguments) != 1 or not isinstance(place.arguments[0], Span):
        return None
    span = place.arguments[0]
    words = split_words(span.text)
    if len(words) < 2 or RELATION_NOUNS.get(words[-1].text) != "office":
        return None
    first, last = words[0], words[-2]
    said = Span(span.text[first.start:last.end], *(
        (span.start + first.start, span.start + last.end) if span.start >= 0 else ()))
    if first.text in FIRST_PERSON:
        owner = Form("me")
    elif first.text in PRONOUNS:
        owner = Form("that", (Form("type", (said,)),))
    elif span.text[last.end:words[-1].start].strip():  # a possessive ending
        owner = Form("person", (said,))
    else:
        return None
    return Form("room", (Form("office_of", (owner,)),))
