"""The exceptions that frontdesk raises on purpose.

FrontdeskError
├── InputError           a value the user gave is wrong: names value, place and remedy
│   ├── OrganisationError    people, groups, rooms or events that contradict each other
│   └── FormatError          a file that does not have the format it should have
├── UnavailableError     something the product needs is missing here
│   ├── MissingExtraError    an optional dependency is not installed
│   ├── MissingModelError    model weights are not on this machine
│   └── EndpointError        a language-model endpoint did not answer as it should
└── ReasoningError       a question to the rules has no answer
    ├── DeadlineError        the time for a turn's reasoning is used up
    ├── UncertaintyError     an answer rests on too many uncertain facts to be exact
    ├── RuleError            a rule cannot be evaluated
    └── ProverError          the process that evaluates the rules ended by itself

The command line turns each of them into one line on stderr and exit status 2.
Every other exception is a defect of ours and exits with status 1.
"""

from __future__ import annotations

from typing import Any


class FrontdeskError(Exception):
    """An error with a remedy.

    Args:
        message: What went wrong, naming the offending value.
        place: Where, e.g. ``people.csv, line 3``; empty when there is no place.
        remedy: What the user can do about it; empty when nothing is known.
    """

    def __init__(self, message: str, *, place: str = "", remedy: str = "") -> None:
        self.message = message
        self.place = place
        self.remedy = remedy
        parts = [f"{place}: {message}" if place else message]
        if remedy:
            parts.append(remedy)
        super().__init__(" ".join(part if part.endswith(".") else part + "." for part in parts))

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes; their classes take different arguments."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[FrontdeskError], args: tuple[Any, ...],
              state: dict[str, Any]) -> FrontdeskError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class InputError(FrontdeskError):
    """A value given by the user is wrong."""


class OrganisationError(InputError):
    """People, groups, rooms or events that contradict each other."""


class FormatError(InputError):
    """A file does not have the format it should have."""


class UnavailableError(FrontdeskError):
    """Something the product needs is missing here."""


class MissingExtraError(UnavailableError):
    """An optional dependency is not installed.

    Args:
        feature: What needs the dependency, e.g. ``the openai profile``.
        extra: The name of the extra that installs it.
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs packages that are not installed",
            remedy=f"Install them with: pip install 'frontdesk[{extra}]'",
        )


class MissingModelError(UnavailableError):
    """Model weights are not on this machine."""


class EndpointError(UnavailableError):
    """A language-model endpoint did not answer as it should."""


class ReasoningError(FrontdeskError):
    """A question to the rules has no answer; others, and the facts so far, stand."""


class DeadlineError(ReasoningError):
    """The time for a turn's reasoning is used up."""


class UncertaintyError(ReasoningError):
    """An answer rests on too many uncertain facts to be exact."""


class RuleError(ReasoningError):
    """A rule cannot be evaluated."""


class ProverError(ReasoningError):
    """The process that evaluates the rules ended by itself."""
