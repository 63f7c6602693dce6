"""The report of a training: as data, as text, as the provenance of the learned weights."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from frontdesk.agent.training.compare_weights import verdict
from frontdesk.agent.training.trained_examples import DialogueExamples, Source
from frontdesk.rules.linking.circuit import Rule
from frontdesk.rules.linking.learning_state import LearnedWeights

_WIDTH = 98
Report = Mapping[str, Any]
#: The dialogues of a fold and what was learned from all others.
Fold = tuple[Sequence[str], LearnedWeights]


def training_report(*, identity: Mapping[str, Any], command: str, rules: Sequence[Rule],
                    examples: Sequence[DialogueExamples], folds: Sequence[Fold],
                    final: LearnedWeights, comparison: Mapping[str, Any]) -> dict[str, Any]:
    """The contents of ``report.json``.

    Args:
        identity: What the results depend on: data, settings, versions.
        rules: With the weights set by hand.
        examples: Of every dialogue.
        folds: In their order.
        comparison: Of both sets of weights on held-out dialogues.
    """
    return {"model": "linking", "command": command, **identity,
            "examples": {source.value: _counts([each for each in examples
                                                if each.source is source])
                         for source in Source},
            "weights": [_weight(rule, final, [learned for _, learned in folds])
                        for rule in rules],
            "learning": _learning(final),
            "cross_validation": [{"held_out": list(names), **_learning(learned)}
                                 for names, learned in folds],
            "held_out": dict(comparison)}


def _counts(examples: Sequence[DialogueExamples]) -> dict[str, int]:
    observed = [pair.refers for each in examples for pair in each.interpretations]
    return {"dialogues": len(examples), "mentions": sum(each.mentions for each in examples),
            "mentions_without_observation": sum(each.unobserved for each in examples),
            "pairs_true": observed.count(True), "pairs_false": observed.count(False)}


def _weight(rule: Rule, final: LearnedWeights, folds: Sequence[LearnedWeights]) -> dict[str, Any]:
    """A rule's weights; ``learned`` is None for one whose probability stands in its clause."""
    if rule.name not in final.weights:
        return {"name": rule.name, "reason": rule.reason, "by_hand": rule.probability,
                "learned": None, "pairs": None, "least": None, "most": None}
    over_folds = [each.weights[rule.name] for each in folds]
    return {"name": rule.name, "reason": rule.reason, "by_hand": rule.probability,
            "learned": final.weights[rule.name], "pairs": final.bodies[rule.name],
            "least": min(over_folds), "most": max(over_folds)}


def _learning(learned: LearnedWeights) -> dict[str, Any]:
    return {"iterations": learned.iterations, "converged": learned.converged,
            "log_likelihood_before": learned.log_likelihoods[0],
            "log_likelihood_after": learned.log_likelihoods[-1],
            "start": learned.start, "unused_rules": list(learned.unused),
            "unexplained_pairs": learned.unexplained}


def report_text(report: Report) -> str:
    """A report as JSON."""
    return json.dumps(report, ensure_ascii=False, indent=1) + "\n"


def provenance(report: Report) -> list[str]:
    """Where learned weights are from, a paragraph each."""
    settings, learning = report["settings"], report["learning"]
    counts = [f"{source}: {each['dialogues']} dialogues, {each['mentions']} mentions, "
              f"{each['pairs_true']} pairs true and {each['pairs_false']} false"
              for source, each in report["examples"].items() if each["dialogues"]]
    packages = ", ".join(f"{name} {each}" for name, each in report["packages"].items())
    unused = ", ".join(learning["unused_rules"]) or "none"
    return [
        "The weights of the rules of linking.pl, learned from interpretations.",
        f"Command: {report['command']}",
        f"Versions: frontdesk {report['version']}, Python {report['python']}, {packages}; code "
        f"{report['code'][:16]}.",
        *(f"Data: {each['name']}, {each['source']}, SHA-256 {each['sha256']}."
          for each in report["data"]),
        f"Examples: {'; '.join(counts)}.",
        f"Settings: {report['folds']} folds, seed {settings['seed']}, prior {settings['prior']:g} "
        f"pairs a rule, at most {settings['iterations']} iterations, tolerance "
        f"{settings['tolerance']:g}, {settings['restarts']} random starts.",
        f"Log-likelihood: {learning['log_likelihood_before']:.4f} before, "
        f"{learning['log_likelihood_after']:.4f} after {learning['iterations']} iterations "
        f"({'converged' if learning['converged'] else 'not converged'}).",
        f"Held-out dialogues: {verdict(report['held_out'])}",
        *_figure_lines(report["held_out"]["figures"]),
        f"Rules that no pair tells anything about, which keep their weights: {unused}."]


def _figure_lines(figures: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [f"Held out, {variant}, {each['mentions']} mentions in {each['dialogues']} dialogues, "
            "by hand and learned: " + "; ".join(
        f"{name} {each[name]['by_hand']:.4f} {each[name]['learned']:.4f}"
        for name in ("precision_at_1", "log_loss", "brier", "calibration_error") if name in each)
        + "." for variant, each in figures.items()]


def weights_text(weights: Mapping[str, float], provenance: Sequence[str]) -> str:
    """A program of ``weight(Rule, Probability)`` facts.

    Args:
        weights: By name of the rule, in [0, 1], in the order to write them.
        provenance: Paragraphs of the comment at its head; any text.

    Example:
        >>> print(weights_text({"same_sound": 0.5125}, ["Learned from 12 pairs."]), end="")
        % Learned from 12 pairs.
        <BLANKLINE>
        weight(same_sound, 0.5125).
    """
    lines = [f"% {line}" for paragraph in provenance
             for line in textwrap.wrap(" ".join(paragraph.split()), _WIDTH,
                                       break_on_hyphens=False) or [""]]
    return "\n".join([*lines, "", *(f"weight({name}, {value:.6g})."
                                    for name, value in weights.items())]) + "\n"
