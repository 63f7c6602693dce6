"""How weights are learned, where learning is, and what it gives; see :mod:`.learning`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from frontdesk.kg.graph.errors import InputError


@dataclass(frozen=True)
class LearningSettings:
    """How to learn.

    Args:
        iterations: Most iterations from each start, at least 1.
        tolerance: Learning ends when the objective grows by no more, in nats, at least 0.
        prior: Interpretations that each start value counts as, at least 0; 0 for no prior.
        restarts: Random starts beside the rules' own weights, at least 0.
        seed: Of the random starts.

    Raises:
        InputError: One of them is out of range.
    """

    iterations: int = 200
    tolerance: float = 1e-6
    prior: float = 5.0
    restarts: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, least in (("iterations", self.iterations, 1),
                                   ("tolerance", self.tolerance, 0), ("prior", self.prior, 0),
                                   ("restarts", self.restarts, 0), ("seed", self.seed, 0)):
            if not least <= value < float("inf"):
                raise InputError(f"{name} is {value}", remedy=f"Give at least {least}")


@dataclass(frozen=True)
class LearningState:
    """Where learning is; with the same settings and interpretations it can be gone on with.

    Args:
        start: Which start this is: 0 for the rules' own weights, then the random ones.
        weights: Of all rules in their order, after the last iteration.
        log_likelihoods: Of the observations, in nats, before the first and after each iteration.
        objectives: The same with the log-density of the prior.
        best: The best finished start; None while the first one runs.
        converged: Whether the tolerance was reached before the most iterations.
    """

    start: int
    weights: tuple[float, ...]
    log_likelihoods: tuple[float, ...]
    objectives: tuple[float, ...]
    best: LearningState | None = None
    converged: bool = False

    def to_json(self) -> dict[str, Any]:
        """As JSON, exact to the last bit."""
        return {"start": self.start, "weights": list(self.weights),
                "log_likelihoods": list(self.log_likelihoods),
                "objectives": list(self.objectives), "converged": self.converged,
                "best": self.best.to_json() if self.best else None}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LearningState:
        """What :meth:`to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: It is something else.
        """
        best = cls.from_json(data["best"]) if data["best"] is not None else None
        weights, likelihoods, objectives = (
            tuple(float(each) for each in data[name])
            for name in ("weights", "log_likelihoods", "objectives"))
        return cls(int(data["start"]), weights, likelihoods, objectives, best,
                   bool(data["converged"]))


@dataclass(frozen=True)
class LearnedWeights:
    """The outcome.

    Args:
        weights: By name of the rule, in [0.001, 0.999]; only of rules whose weight has a name.
        bodies: By name, the expected number of interpretations in which its body holds.
        unused: Names of the rules whose body never holds; they keep their weights.
        unexplained: Interpretations whose observation no weights make possible; left out.
        log_likelihoods: Of the others' observations, in nats, before the first and after each
            iteration from the best start.
        converged: Whether the tolerance was reached before the most iterations.
        start: The best start: 0 for the rules' own weights.
    """

    weights: Mapping[str, float]
    bodies: Mapping[str, float]
    unused: tuple[str, ...]
    unexplained: int
    log_likelihoods: tuple[float, ...]
    converged: bool
    start: int = 0

    @property
    def iterations(self) -> int:
        """How many there were from the best start."""
        return len(self.log_likelihoods) - 1

    def to_json(self) -> dict[str, Any]:
        """As JSON, exact to the last bit."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LearnedWeights:
        """What :meth:`to_json` wrote.

        Raises:
            KeyError, TypeError: It is something else.
        """
        return cls(**{**data, "unused": tuple(data["unused"]),
                      "log_likelihoods": tuple(data["log_likelihoods"])})
