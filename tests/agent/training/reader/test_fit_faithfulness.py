from __future__ import annotations

import random

from frontdesk.agent.cli.main import main
from frontdesk.agent.training.reader.fit_faithfulness import fitted
from frontdesk.agent.training.reader.pair_examples import PairExample, write_pairs
from frontdesk.generation.checks.faithful_score import FaithfulnessParts, load_faithfulness


def invented(count):
    """Replies of which the reader and Q² tell something, and the overlap the contrary."""
    rng = random.Random(0)
    parts, faithful = [], []
    for _ in range(count):
        is_so = rng.random() < 0.5
        lean = 1.0 if is_so else -1.0
        parts.append(FaithfulnessParts(
            lean + rng.gauss(0, 1), rng.gauss(0, 1),
            None if rng.random() < 0.3 else 0.5 + 0.2 * lean + rng.gauss(0, 0.2), None,
            0.5 - 0.2 * lean + rng.gauss(0, 0.2), None))
        faithful.append(is_so)
    return parts, faithful


def test_parts_count_as_far_as_they_tell_and_none_the_other_way_round():
    parts, faithful = invented(400)
    model = fitted(parts, faithful)
    weights = {name: weight for name, (weight, *_) in model.weights.items()}
    assert weights["reader"] > 1
    assert weights["q2"] > 0.4
    assert "overlap" not in weights
    assert "words" not in weights
    scores = [model.probability(each) for each in parts]
    true = sum(score for score, is_so in zip(scores, faithful, strict=True) if is_so)
    assert true / sum(faithful) > 0.75
    assert abs(sum(scores) - sum(faithful)) < 1


def test_the_command_writes_weights_from_replies_that_are_held_out(tmp_path, capsys):
    pairs = tmp_path / "pairs.jsonl.gz"
    write_pairs(pairs, [PairExample(
        "replies of dialogues", f"The talk is in {room}.", f"The talk is in {told}.", None, None,
        room == told, held_out=True) for room in ("Zeta", "Eta", "Iota")
        for told in ("Zeta", "Eta", "Iota")])
    assert main(["train", "faithfulness", "--pairs", str(pairs), "--output",
                 str(tmp_path / "out")]) == 0
    assert "of 9 replies" in capsys.readouterr().out
    assert load_faithfulness(tmp_path / "out") is not None


def test_replies_of_one_kind_alone_are_refused(tmp_path, capsys):
    assert main(["train", "faithfulness", "--output", str(tmp_path)]) == 2
    assert "of both kinds" in capsys.readouterr().err
