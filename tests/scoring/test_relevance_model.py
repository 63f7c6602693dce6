from __future__ import annotations

import json

import numpy as np
import pytest

from frontdesk.kg.graph.errors import InputError, MissingModelError
from frontdesk.kg.graph.schema import ORGANISATION
from frontdesk.scoring.relevance import FEATURES, RelevanceModel, RelevanceRanker
from frontdesk.scoring.relevance_model import (
    RelevanceNetwork,
    load_network,
    save_network,
)

from .test_relevance import FACTS, context  # noqa: F401

PREDICATES = ["location", "organizer", "phone", "person_available"]


@pytest.fixture
def network():
    """A network with every weight drawn."""
    rng = np.random.default_rng(3)
    start = RelevanceNetwork.start(PREDICATES[:3], hidden=4)
    return start.with_parameters({name: rng.normal(0, 0.7, values.shape)
                                  for name, values in start.parameters.items()})


@pytest.fixture
def rows():
    return np.random.default_rng(5).random((4, len(FEATURES)))


def test_network_before_training_scores_as_the_weights_set_by_hand(rows):
    scores = RelevanceNetwork.start(PREDICATES, seed=9).score(rows, PREDICATES)
    np.testing.assert_allclose(scores, RelevanceModel().score(rows), atol=1e-12)


def test_network_is_a_hidden_layer_beside_weights_of_features_and_predicates(network, rows):
    own = network.parameters
    row, predicate = rows[2], 3  # "phone"
    hidden = [np.tanh(sum(row[i] * own["to_hidden"][i, unit] for i in range(len(FEATURES)))
                      + own["predicates_to_hidden"][predicate, unit] + own["hidden_bias"][unit])
              for unit in range(4)]
    logit = (sum(row[i] * own["weights"][i] for i in range(len(FEATURES))) + float(own["bias"])
             + own["predicates"][predicate]
             + sum(h * out for h, out in zip(hidden, own["from_hidden"], strict=True)))
    score = network.score(rows, PREDICATES)[2]
    assert score == pytest.approx(1 / (1 + np.exp(-logit)))


def test_unknown_predicates_share_the_first_row(network, rows):
    same = np.repeat(rows[:1], 2, axis=0)
    one, other = network.score(same, ["told_by_a_rule_of_mine", "person_available"])
    assert one == other != network.score(rows[:1], ["location"])[0]


def test_network_of_some_features_ignores_the_others(rows):
    network = RelevanceNetwork.start(features=("cue",), hidden=0)
    changed = rows.copy()
    changed[:, FEATURES.index("recency")] = 0.0
    np.testing.assert_array_equal(network.score(rows, PREDICATES),
                                  network.score(changed, PREDICATES))


def test_scores_of_extreme_logits_are_numbers_within_the_range(network, rows):
    huge = network.with_parameters(
        {**network.parameters, "weights": np.full(len(FEATURES), 1e6)})
    scores = np.concatenate([huge.score(rows, PREDICATES), huge.score(-rows, PREDICATES)])
    assert np.isfinite(scores).all()
    assert scores.min() >= 0
    assert scores.max() <= 1


def test_ranker_orders_by_a_network(encoder, context, network):  # noqa: F811
    ranker = RelevanceRanker(encoder, network, schema=ORGANISATION)
    scores = network.score(ranker.features(FACTS, context), [fact.predicate for fact, _ in FACTS])
    best = FACTS[int(scores.argmax())][0]
    assert ranker.rank(FACTS, context)[0].fact == best


def test_saved_network_scores_the_same(network, rows, tmp_path):
    save_network(network, tmp_path / "r.json", {"seed": 3})
    loaded = load_network(tmp_path / "r.json")
    np.testing.assert_allclose(loaded.score(rows, PREDICATES), network.score(rows, PREDICATES),
                               rtol=1e-4)
    content = json.loads((tmp_path / "r.json").read_text())
    assert content["provenance"] == {"seed": 3}
    assert content["features"] == list(FEATURES)


def test_network_without_a_hidden_layer_can_be_saved(rows, tmp_path):
    network = RelevanceNetwork.start(hidden=0)
    save_network(network, tmp_path / "r.json", {})
    np.testing.assert_allclose(load_network(tmp_path / "r.json").score(rows, PREDICATES),
                               network.score(rows, PREDICATES))


def test_file_that_cannot_be_written_is_named(network, tmp_path):
    with pytest.raises(InputError, match="gone"):
        save_network(network, tmp_path / "gone" / "r.json", {})


def test_missing_file_is_named_with_a_remedy(tmp_path):
    with pytest.raises(MissingModelError, match=r"none\.json.*frontdesk train relevance"):
        load_network(tmp_path / "none.json")


def broken(**changes):
    def change(content):
        content.update(changes)
    return change


def of_parameter(name, value):
    def change(content):
        content["parameters"][name] = value
    return change


@pytest.mark.parametrize(("change", "reason"), [
    (broken(schema_version=99), "version 99"),
    (broken(features=["cue", "smell"]), "'smell'"),
    (broken(features=["cue", "cue"]), "different names"),
    (broken(predicates="location"), "different names"),
    (broken(parameters=None), "damaged"),
    (of_parameter("weights", [1.0]), "weights has the shape"),
    (of_parameter("bias", "a lot"), "damaged"),
    (of_parameter("from_hidden", [0.0] * 5000), "5000 hidden units"),
    (of_parameter("hidden_bias", [float("nan")] * 4), "no number"),
    (of_parameter("to_hidden", [[1, 2], [3]]), "damaged"),
])
def test_damaged_weights_are_refused(network, tmp_path, change, reason):
    path = tmp_path / "r.json"
    save_network(network, path, {})
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(MissingModelError, match=reason):
        load_network(path)


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "\udcff"])
def test_files_that_are_no_weights_are_refused(tmp_path, text):
    path = tmp_path / "r.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(MissingModelError, match="damaged"):
        load_network(path)
