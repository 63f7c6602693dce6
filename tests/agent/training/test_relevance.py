"""Training of relevance, on simulated dialogues and with a tiny generator."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from frontdesk.agent.cli.main import main
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.settings import EmbeddedSettings, RelevanceSettings, Settings
from frontdesk.agent.training.generator.generator_data import of_file, of_organisation, record
from frontdesk.agent.training.generator.generator_examples import Language
from frontdesk.agent.training.relevance.joint_relevance import (
    JointGenerator,
    JointModel,
    JointSettings,
    fit_separately,
    train_in_turn,
    train_together,
)
from frontdesk.agent.training.relevance.likelihood import (
    fact_log_likelihoods,
    log_likelihoods,
    with_one_fact,
)
from frontdesk.agent.training.relevance.relevance_turns import ALL_FACTS, recall_at, score_turns
from frontdesk.data.invented.dialogues import simulate_dialogues
from frontdesk.generation.voice.model_folder import save_model
from frontdesk.generation.voice.pointer.config import PointerConfig
from frontdesk.generation.voice.pointer.encoded import collate, collate_labels
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.source import Feature
from frontdesk.generation.voice.pointer.unit_vocabulary import UNKNOWN
from frontdesk.kg.graph.errors import MissingModelError
from frontdesk.scoring.joint_training import FitSettings
from frontdesk.scoring.relevance import RelevanceModel
from frontdesk.scoring.relevance_model import (
    PARAMETERS,
    RelevanceNetwork,
    load_network,
    save_network,
)

from ...conftest import SAMPLES

GRAPHWOZ = SAMPLES / "graphwoz_sample.json"
TEMPLATES = Settings(embedded=EmbeddedSettings(words="templates"))


@pytest.fixture(scope="module")
def turns():
    dialogues = of_organisation("simulated", simulate_dialogues(6, 5))
    return [turn for dialogue, recorded in
            zip(dialogues, record(dialogues, most_facts=ALL_FACTS), strict=True)
            for turn in score_turns(dialogue, recorded)]


@pytest.fixture
def generator(turns):
    """Small and untrained: what it was not given it cannot say all the same."""
    language = Language.of_turns([turn.turn for turn in turns], least=1)
    torch.manual_seed(2)
    model = PointerGeneratorModel(PointerConfig(
        vocabulary=list(language.vocabulary.entries), predicates=list(language.predicates),
        d_model=16, encoder_depth=1, decoder_depth=1, heads=2)).eval().requires_grad_(False)
    return JointGenerator(model, language, torch.device("cpu"))


def unweighted(turns, hidden=4):
    return RelevanceNetwork.start(sorted({name for turn in turns for name in turn.predicates}),
                                  by_hand=False, hidden=hidden)


def answered(turns, count=8):
    return [turn for turn in turns if turn.has.any() and not turn.has.all(axis=0).any()][:count]


# --- turns

def test_recall_is_that_of_the_evaluation(tmp_path):
    (tmp_path / "settings.toml").write_text('[embedded]\nwords = "templates"\n')
    assert main(["evaluate", "graphwoz", "--path", str(GRAPHWOZ), "--config",
                 str(tmp_path / "settings.toml"), "--output", str(tmp_path / "run")]) == 0
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    dialogues = of_file("graphwoz", GRAPHWOZ)
    scored = [turn for dialogue, recorded in
              zip(dialogues, record(dialogues, most_facts=ALL_FACTS), strict=True)
              for turn in score_turns(dialogue, recorded)]
    ranker = Agent(dialogues[0].domain(), TEMPLATES).components.ranker.model
    assert sum(turn.has.shape[1] for turn in scored) > 0
    assert recall_at(scored, ranker) == pytest.approx(report["recall_at_10"])


def test_facts_that_have_a_value_of_the_reply_say_it(turns):
    told = answered(turns, 100)
    assert len(told) >= 5
    for turn in told:
        said = " ".join(turn.turn.facts[index].text for index in np.flatnonzero(turn.has.any(1)))
        words = {word.strip("?.,!").lower() for word in turn.turn.reference.split()}
        assert words & {word.strip("?.,!").lower() for word in said.split()}


def test_ranking_without_logic_leaves_derived_facts_out(turns):
    model = RelevanceModel()
    turn = next(each for each in turns if any(fact.derived for fact in each.turn.facts))
    stored = turn.ranking(model, logic=False)
    assert not any(turn.turn.facts[index].derived for index in stored)
    assert stored == [index for index in turn.ranking(model)
                      if not turn.turn.facts[index].derived]


def test_turn_with_its_first_facts_has_them_in_the_models_order(turns):
    model = RelevanceModel()
    turn = next(each for each in turns if len(each.turn.facts) > 5)
    first = turn.first(turn.ranking(model)[:3], model)
    relevances = [fact.relevance for fact in first.facts]
    assert len(relevances) == len(first.features) == 3
    assert relevances == sorted(relevances, reverse=True)
    assert relevances[0] == pytest.approx(model.score(turn.features).max())


def test_recall_of_no_facts_is_0_and_of_all_is_that_of_whatever_there_is(turns):
    model = RelevanceModel()
    most = sum(int(turn.has.any(0).sum()) for turn in turns if turn.turn.facts)
    wanted = sum(turn.has.shape[1] for turn in turns)
    assert recall_at(turns, model, 0) == 0.0
    assert recall_at(turns, model, ALL_FACTS) == most / wanted


# --- likelihood

def examples_of(generator, turns, most=6):
    model = RelevanceModel()
    rankings = [turn.ranking(model)[:most] for turn in turns]
    return rankings, generator.examples([turn.first(ranking, model)
                                         for turn, ranking in zip(turns, rankings, strict=True)])


def test_example_with_one_fact_has_no_other_and_no_rank(generator, turns):
    _, (example,) = examples_of(generator, answered(turns, 1))
    alone = with_one_fact(example, 3)
    ranks = alone.encoded.features[:, Feature.RANK]
    assert set(ranks.tolist()) == {0, 1}
    of_third = example.encoded.features[:, Feature.RANK] == 3
    np.testing.assert_array_equal(alone.encoded.states[ranks == 1],
                                  example.encoded.states[of_third])
    assert len(set(alone.encoded.features[ranks == 1, Feature.RELEVANCE].tolist())) == 1


def test_likelihood_is_the_models_cross_entropy_and_unknown_words_cost_more(generator, turns):
    _, examples = examples_of(generator, answered(turns, 4))
    for example in examples:
        (value,) = log_likelihoods(generator.model, [example]).tolist()
        loss = generator.model(**collate([example.encoded]),
                               labels=collate_labels([example.labels])).loss
        unknown = example.labels.count(UNKNOWN)
        assert value == pytest.approx(
            -float(loss) * len(example.labels) - unknown * math.log(10_000), rel=1e-4)


def test_likelihoods_of_facts_are_the_same_one_by_one_and_in_batches(generator, turns):
    _, examples = examples_of(generator, answered(turns, 3))
    together = fact_log_likelihoods(generator.model, examples, batch_size=7)
    for example, found in zip(examples, together, strict=True):
        alone = [float(log_likelihoods(generator.model, [with_one_fact(example, rank)])[0])
                 for rank in range(1, len(found) + 1)]
        np.testing.assert_allclose(found, alone, rtol=1e-4)


def test_reply_is_more_probable_with_a_fact_that_has_its_values(generator, turns):
    told = answered(turns, 12)
    rankings, examples = examples_of(generator, told, most=20)
    better = 0
    for turn, ranking, found in zip(told, rankings, fact_log_likelihoods(
            generator.model, examples), strict=True):
        having = turn.has[ranking].any(axis=1)
        if having.any() and not having.all():
            better += found[having].max() > np.median(found[~having])
    assert better >= 0.8 * len(told)


# --- training

def test_relevance_is_learned_from_the_generator_alone(generator, turns, tmp_path):
    start = unweighted(turns)
    fit, = train_in_turn(turns, turns, start, generator,
                         JointSettings(facts=12, fit=FitSettings(steps=30)), tmp_path, seed=0)
    assert recall_at(turns, fit.network, 3) > recall_at(turns, start, 3) + 0.05
    assert fit.curve[fit.best_step].held_out > fit.curve[0].held_out


def test_separate_training_needs_no_generator(turns):
    start = unweighted(turns)
    fit = fit_separately(turns, turns, start, JointSettings(facts=40, fit=FitSettings(steps=60)))
    assert recall_at(turns, fit.network, 3) > recall_at(turns, start, 3) + 0.1


def test_in_turn_the_generator_learns_from_the_new_ranking(generator, turns, tmp_path):
    before = {name: value.clone() for name, value in generator.model.state_dict().items()}
    told = answered(turns, 10)
    fits = train_in_turn(
        told[:7], told[7:], unweighted(turns), generator,
        JointSettings(facts=4, rounds=2, generator_epochs=1, given=4, fit=FitSettings(steps=3)),
        tmp_path, seed=0)
    assert len(fits) == 2
    after = generator.model.state_dict()
    assert any(not torch.equal(before[name], after[name]) for name in before)
    assert not np.array_equal(fits[0].network.parameters["weights"],
                              fits[1].network.parameters["weights"])


def test_likelihood_of_both_has_gradients_for_both_and_is_that_of_the_paper(generator, turns):
    turn = answered(turns, 1)[0]
    network = RelevanceNetwork.start(sorted(set(turn.predicates)), hidden=3)
    (ranking,), (example,) = examples_of(generator, [turn], most=4)
    model = JointModel(generator.model.requires_grad_(True), network).eval()
    total = model.log_likelihood(turn, ranking, example)
    scores = network.score(turn.features[ranking], [turn.predicates[each] for each in ranking])
    prior = scores / (1 - scores)
    given = fact_log_likelihoods(generator.model, [example])[0]
    expected = np.log((prior / prior.sum() * np.exp(given - given.max())).sum()) + given.max()
    assert float(total.detach()) == pytest.approx(expected, rel=1e-4)
    total.backward()
    assert float(model.relevance["weights"].grad.abs().max()) > 0
    assert float(generator.model.pointer_query.weight.grad.abs().max()) > 0
    assert model.relevance["bias"].grad is None


def test_together_both_change_and_the_likelihood_rises(generator, turns, tmp_path):
    told = answered(turns, 10)
    start = RelevanceNetwork.start(sorted({name for turn in told for name in turn.predicates}),
                                   hidden=3)

    def likelihood(network):
        model = JointModel(generator.model, network).eval()
        rankings, examples = examples_of(generator, told, most=3)
        return sum(float(model.log_likelihood(*each).detach())
                   for each in zip(told, rankings, examples, strict=True))

    before = likelihood(start)
    words = generator.model.bias.clone()
    trained = train_together(told, told, start, generator, tmp_path, facts=3, epochs=4, seed=1)
    assert likelihood(trained) > before + 1
    assert not torch.equal(words, generator.model.bias)
    assert not np.array_equal(trained.parameters["weights"], start.parameters["weights"])


# --- settings

def test_agent_ranks_by_the_network_that_the_settings_name(tmp_path):
    network = RelevanceNetwork.start(["office"], hidden=2)
    save_network(network, tmp_path / "mine.json", {})
    (tmp_path / "settings.toml").write_text(
        '[relevance]\nmodel = "mine.json"\n[embedded]\nwords = "templates"\n')
    settings = load_settings(tmp_path / "settings.toml", environment={})
    domain = of_file("graphwoz", GRAPHWOZ)[0].domain()
    assert Agent(domain, settings).components.ranker.model.predicates == ("office",)


def test_network_that_is_not_there_is_named():
    domain = of_file("graphwoz", GRAPHWOZ)[0].domain()
    with pytest.raises(MissingModelError, match=r"gone\.json"):
        Agent(domain, replace(TEMPLATES, relevance=RelevanceSettings("gone.json")))


# --- the command

def relevance(*arguments) -> int:
    return main(["train", "relevance", *map(str, arguments)])


def test_command_writes_weights_with_their_provenance_and_the_curve(tmp_path, capsys):
    output = tmp_path / "run"
    assert relevance("--simulated", 3, "--method", "separate", "--steps", 20, "--seed", 4,
                     "--hidden", 0, "--held-out-graphwoz", GRAPHWOZ, "--output", output) == 0
    network = load_network(output / "relevance.json")
    assert set(network.parameters) == set(PARAMETERS)
    provenance = json.loads((output / "relevance.json").read_text())["provenance"]
    assert provenance["seed"] == 4
    assert "--simulated 3" in provenance["command"]
    assert "--hidden 0" in provenance["command"]
    assert str(tmp_path) not in json.dumps(provenance)
    assert provenance["data"][0]["name"] == GRAPHWOZ.name
    assert set(provenance["recall_at_10"]) == {"learned", "validation", "measured"}
    rows = list(csv.DictReader((output / "curve.csv").open()))
    assert [int(row["step"]) for row in rows] == list(range(len(rows)))
    assert (output / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert "recall@10, measured:" in capsys.readouterr().out
    assert relevance("--simulated", 3, "--method", "separate", "--output", output) == 2


@pytest.mark.slow
def test_ablation_measures_every_variant(generator, tmp_path):
    save_model(generator.model, tmp_path / "model")
    output = tmp_path / "run"
    assert relevance("--simulated", 2, "--steps", 3, "--facts", 3, "--epochs", 1, "--ablation",
                     "--generator", tmp_path / "model", "--held-out-graphwoz", GRAPHWOZ,
                     "--output", output) == 0
    rows = {row["row"]: row for row in csv.DictReader((output / "ablation.csv").open())}
    assert {"weights set by hand", "only cue", "the paper's features", "trained separately",
            "trained (in-turn)", "together with the generator", "K = 3, in the sum and given",
            "trained, without logic"} <= set(rows)
    assert rows["trained, without logic"]["logic"] == "no"
    assert all(0 <= float(row["recall@10"]) <= 1 for row in rows.values())
    assert float(rows["only recency"]["recall@10"]) < float(
        rows["weights set by hand"]["recall@10"])
    table = (output / "ablation.md").read_text()
    assert table.count("\n") == len(rows) + 2
    assert (output / "ablation.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("arguments", "message"), [
    (["--method", "separate"], "nothing to learn from"),
    (["--simulated", 1], "--generator"),
    (["--simulated", 1, "--generator", "gone"], "gone"),
    (["--simulated", 1, "--method", "together", "--generator", "gone"], "to end the training by"),
    (["--simulated", 1, "--method", "separate", "--facts", 65], "from 1 to 64"),
    (["--simulated", 1, "--method", "separate", "--hidden", -1], "--hidden is -1"),
    (["--simulated", 1, "--method", "separate", "--pull", -1], "pull is -1"),
    (["--simulated", 1, "--method", "separate", "--learning-rate", "nan"], "learning rate is nan"),
    (["--simulated", 1, "--method", "separate", "--ablation"], "--ablation needs a generator"),
    (["--graphwoz", GRAPHWOZ, "--method", "separate", "--held-out-graphwoz", GRAPHWOZ],
     "both learned from and held out"),
    (["--graphwoz", "gone.json", "--method", "separate"], "gone.json"),
])
def test_mistakes_are_named_and_leave_nothing_behind(arguments, message, tmp_path, capsys):
    output = tmp_path / "run"
    assert relevance(*arguments, "--output", output) == 2
    assert message in capsys.readouterr().err
    assert not output.exists()
