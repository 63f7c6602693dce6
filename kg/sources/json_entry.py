"""Objects of a JSON file, whose values are of the types that are asked for."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from typing import Any

from frontdesk.kg.graph.errors import FormatError

_SAYS = {str: "a text", bool: "true or false", int: "a whole number", list: "a list",
         dict: "an object"}


class JsonEntry:
    """An object of the file.

    A value that is missing where it must be there, or is of another type, raises a
    :class:`~frontdesk.kg.graph.errors.FormatError`.

    Args:
        place: That errors name.
    """

    def __init__(self, values: Mapping[str, Any], place: str) -> None:
        self.values = values
        self.place = place

    def text(self, key: str) -> str:
        """A text; empty where it is not there."""
        return str(self._get(key, str, ""))

    def require_text(self, key: str) -> str:
        """A text that must be there."""
        value = self.text(key).strip()
        if not value:
            raise FormatError(f"the key {key!r} is missing or empty", place=self.place,
                              remedy=f"Add \"{key}\"")
        return value

    def optional_text(self, key: str) -> str | None:
        """A text; None where it is not there or empty."""
        return self.text(key) or None

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        return bool(self._get(key, bool, default))

    def number(self, key: str) -> int | None:
        """A whole number; None where it is not there."""
        value = self._get(key, int, None)
        return None if value is None else int(value)

    def texts(self, key: str) -> list[str]:
        """A list of texts; empty where it is not there."""
        values = self._get(key, list, [])
        for value in values:
            if not isinstance(value, str):
                raise FormatError(f"{key!r} holds {excerpt(value)}, which is not a text",
                                  place=self.place, remedy="Write ids or names in quotes")
        return list(values)

    def attendees(self) -> dict[str, float]:
        """References to the attendees, each with the probability in (0, 1] of coming."""
        found: dict[str, float] = {}
        for value in self._get("attendees", list, []):
            reference, probability = (value, 1.0) if isinstance(value, str) \
                else self._uncertain_attendee(value)
            found[reference] = max(probability, found.get(reference, 0.0))
        return found

    def moment(self, key: str) -> dt.date | dt.datetime:
        """A date where no time of day is written, else a datetime."""
        text = self.require_text(key)
        try:
            return dt.date.fromisoformat(text)
        except ValueError:
            pass
        try:
            return dt.datetime.fromisoformat(text)
        except ValueError as error:
            raise FormatError(f"{key!r} is {text!r}, which is not a date or time in ISO 8601",
                              place=self.place,
                              remedy="Write it as 2026-01-31T09:30 or 2026-01-31") from error

    def _uncertain_attendee(self, value: Any) -> tuple[str, float]:
        if not isinstance(value, dict) or not {"id", "name"} & set(value):
            raise FormatError(f"'attendees' holds {excerpt(value)}, which is neither a text nor "
                              "somebody with a probability", place=self.place,
                              remedy="Write ids or names in quotes, or "
                                     "{\"name\": ..., \"probability\": 0.5}")
        check_keys(value, ("id", "name", "probability"), f"{self.place}, attendees")
        entry = JsonEntry(value, f"{self.place}, attendees")
        probability = value.get("probability", 1.0)
        if isinstance(probability, bool) or not isinstance(probability, int | float) \
                or not 0 < probability <= 1:
            raise FormatError(f"'probability' is {excerpt(probability)}, which is not a number "
                              "above 0 and at most 1", place=entry.place,
                              remedy="Leave out who will not come, and \"probability\" for who "
                                     "is certain to come")
        return entry.optional_text("id") or entry.require_text("name"), float(probability)

    def _get(self, key: str, kind: type, default: Any) -> Any:
        value = self.values.get(key)
        if value is None:
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise FormatError(f"{key!r} is {excerpt(value)}, which is not {_SAYS[kind]}",
                              place=self.place, remedy=f"Make it {_SAYS[kind]}")
        return value


def check_keys(values: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    """Refuse an object that has other keys.

    Raises:
        FormatError: It has one.
    """
    for key in values:
        if key not in known:
            raise FormatError(f"the key {key!r} is not known", place=place,
                              remedy=f"The keys are {', '.join(known)}")


def excerpt(value: Any) -> str:
    """A value as the file has it, 60 characters at most."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
