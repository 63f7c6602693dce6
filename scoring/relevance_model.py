"""The relevance model: a small network over the features of facts (paper, section 3.3).

It begins as the weights set by hand: beside a hidden layer, features have weights of their own, and
so have predicates. Training (:mod:`~frontdesk.scoring.joint_training`) moves all of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from frontdesk.kg.graph.errors import InputError, MissingModelError
from frontdesk.scoring.relevance import DEFAULT_BIAS, DEFAULT_WEIGHTS
from frontdesk.scoring.relevance_features import FEATURES, Matrix

#: Changes when weights of before mean something else.
SCHEMA_VERSION = 1
#: Names of the parameters, and their shapes by: features, predicates and unknown ones, hidden.
PARAMETERS: Mapping[str, str] = {"weights": "f", "bias": "", "predicates": "p", "to_hidden": "fh",
                                 "predicates_to_hidden": "ph", "hidden_bias": "h",
                                 "from_hidden": "h"}
_REMEDY = ("Install frontdesk again, or name a file that frontdesk train relevance wrote: "
           "[relevance] model")
_MOST_HIDDEN = 1024


@dataclass(frozen=True)
class RelevanceNetwork:
    """A feed-forward network with one hidden layer beside a linear one.

    Args:
        features: Names of its inputs, among :data:`~frontdesk.scoring.relevance.FEATURES`.
        predicates: Those with weights of their own; all others share the first row.
        parameters: By :data:`PARAMETERS`, as float64.
    """

    features: tuple[str, ...]
    predicates: tuple[str, ...]
    parameters: Mapping[str, Matrix]

    @classmethod
    def start(cls, predicates: Sequence[str] = (), *, features: Sequence[str] = FEATURES,
              hidden: int = 16, by_hand: bool = True, seed: int = 0) -> RelevanceNetwork:
        """A network before training, which scores as the weights set by hand do.

        Args:
            predicates: Those with weights of their own.
            features: Its inputs.
            hidden: Units of the hidden layer; 0 for none.
            by_hand: Start from the weights set by hand; else all weights are 0 but those into the
                hidden layer, which are drawn.
            seed: Of the hidden layer.
        """
        rng = np.random.default_rng(seed)
        sizes = {"f": len(features), "p": 1 + len(predicates), "h": hidden}
        parameters = {name: np.zeros([sizes[letter] for letter in shape])
                      for name, shape in PARAMETERS.items()}
        parameters["to_hidden"] = rng.normal(0, len(features) ** -0.5,
                                             (len(features), hidden))
        if by_hand:
            parameters["weights"] = np.array([DEFAULT_WEIGHTS.get(name, 0.0)
                                              for name in features])
            parameters["bias"] = np.array(DEFAULT_BIAS)
        return cls(tuple(features), tuple(predicates), parameters)

    def score(self, features: Matrix, predicates: Sequence[str]) -> Matrix:
        """Relevance ``(n_facts,)`` in [0, 1].

        Args:
            features: ``(n_facts, len(FEATURES))``.
            predicates: Of each fact.
        """
        own = self.parameters
        inputs, rows = self.columns(features), self.rows(predicates)
        hidden = np.tanh(inputs @ own["to_hidden"] + own["predicates_to_hidden"][rows]
                         + own["hidden_bias"])
        logits = (inputs @ own["weights"] + own["bias"] + own["predicates"][rows]
                  + hidden @ own["from_hidden"])
        relevance: Matrix = 0.5 * (1 + np.tanh(logits / 2))
        return relevance

    def columns(self, features: Matrix) -> Matrix:
        """The network's inputs ``(..., len(self.features))`` among all features."""
        return features[..., [FEATURES.index(name) for name in self.features]]

    def rows(self, predicates: Sequence[str]) -> npt.NDArray[np.intp]:
        """The number of each predicate, from 1; 0 for others."""
        numbers = {name: number for number, name in enumerate(self.predicates, start=1)}
        return np.array([numbers.get(name, 0) for name in predicates], dtype=np.intp)

    def with_parameters(self, parameters: Mapping[str, Matrix]) -> RelevanceNetwork:
        """The network with other weights."""
        return replace(self, parameters={name: np.asarray(parameters[name], dtype=np.float64)
                                         for name in PARAMETERS})


def save_network(network: RelevanceNetwork, path: Path, provenance: Mapping[str, Any]) -> None:
    """Write a network with where it is from.

    Args:
        network: Its weights are written with six digits.
        path: The file; its folder must exist.
        provenance: Command, data, seed, figures.

    Raises:
        InputError: The file cannot be written.
    """
    content = {"schema_version": SCHEMA_VERSION, "provenance": dict(provenance),
               "features": list(network.features), "predicates": list(network.predicates),
               "parameters": {name: _rounded(values)
                              for name, values in network.parameters.items()}}
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
                       for name, value in content.items())
    try:
        path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path} ({error.strerror})",
                         remedy="Choose a file in a folder that exists and can be written"
                         ) from error


def load_network(path: Path) -> RelevanceNetwork:
    """The network that :func:`save_network` wrote.

    Raises:
        MissingModelError: There is no such file, it is damaged, or it was made for other features.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MissingModelError(f"there is no relevance model at {path} ({error.strerror})",
                                remedy=_REMEDY) from error
    except ValueError as error:
        raise MissingModelError(f"the relevance model {path} is damaged ({error})",
                                remedy=_REMEDY) from error
    try:
        return _network(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise MissingModelError(f"the relevance model {path} is damaged ({error})",
                                remedy=_REMEDY) from error


def _network(content: Mapping[str, Any]) -> RelevanceNetwork:
    if content["schema_version"] != SCHEMA_VERSION:
        raise ValueError(f"it is of version {content['schema_version']!r}, this is version "
                         f"{SCHEMA_VERSION}")
    features, predicates = _names(content, "features"), _names(content, "predicates")
    unknown = [name for name in features if name not in FEATURES]
    if unknown:
        raise ValueError(f"it has a feature {unknown[0]!r} that this version does not know")
    given = content["parameters"]
    hidden = len(given["from_hidden"])
    if hidden > _MOST_HIDDEN:
        raise ValueError(f"it has {hidden} hidden units")
    sizes = {"f": len(features), "p": 1 + len(predicates), "h": hidden}
    parameters = {}
    for name, shape in PARAMETERS.items():
        wanted = tuple(sizes[letter] for letter in shape)
        values = np.array(given[name], dtype=np.float64)
        if values.size == 0:
            values = values.reshape(wanted)
        if values.shape != wanted:
            raise ValueError(f"{name} has the shape {values.shape}, not {wanted}")
        if not np.isfinite(values).all():
            raise ValueError(f"{name} has a value that is no number")
        parameters[name] = values
    return RelevanceNetwork(features, predicates, parameters)


def _names(content: Mapping[str, Any], key: str) -> tuple[str, ...]:
    names = content[key]
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names) \
            or len(set(names)) != len(names):
        raise ValueError(f"{key} are no list of different names")
    return tuple(names)


def _rounded(values: Matrix) -> Any:
    return np.vectorize(lambda value: float(f"{value:.6g}"), otypes=[float])(values).tolist() \
        if values.size else values.tolist()
