"""The options of ``frontdesk train``, without what they are for: cheap to import."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from frontdesk.agent.domains.domain_registry import data_sets

#: What the parser calls fine-tuning; users do not.
FINE_TUNE = "fine-tune"
METHODS = ("in-turn", "together", "separate")

_FOLDER = """\
The folder gets model/ with the weights, their configuration and a card, log.csv, TensorBoard files,
and a checkpoint, so that a training that was stopped goes on with --resume."""
_GENERATOR_EXAMPLES = f"""\
examples:
  frontdesk train generator --kvret kvret_train_public.json \\
      --held-out-kvret kvret_dev_public.json --output runs/car
  frontdesk train generator --graphwoz graphwoz_train.json --augmented 6 --simulated 1200 \\
      --held-out-graphwoz graphwoz_dev.json --output runs/receptionist
  frontdesk train generator ... --output runs/receptionist --resume
  frontdesk train generator --kvret kvret_train_public.json \\
      --held-out-kvret kvret_dev_public.json --output runs/examples --examples-only
  frontdesk train generator --model microsoft/GODEL-v1_1-base-seq2seq \\
      --examples runs/examples/train.jsonl --dev-examples runs/examples/dev.jsonl \\
      --output runs/godel        # fine-tunes a model of transformers; see --model NAME --help

{_FOLDER} To use the
model, name its folder in your settings: [embedded] model = "DIR/model".
"""
FINE_TUNE_EXAMPLES = """\
fine-tuning a model of the hub that is on this machine, or a folder:
  frontdesk train generator --model microsoft/GODEL-v1_1-base-seq2seq --examples train.jsonl \\
      --dev-examples dev.jsonl --output runs/godel
  frontdesk train generator --model Qwen/Qwen2.5-0.5B-Instruct --lora --examples train.jsonl \\
      --dev-examples dev.jsonl --output runs/qwen
  accelerate launch --num_processes 2 -m frontdesk.agent.cli.main train generator --model ...

The folder then holds the model. To use it, name the folder in your settings:
[godel] model = "DIR" for an encoder-decoder, [causal] model = "DIR" for a causal language model.
"""
_READER_EXAMPLES = f"""\
examples:
  frontdesk train reader --qamr qamr_dev.tsv qamr_test.tsv --dialogue-audit dialogue_audit.jsonl \\
      --kvret kvret_train_public.json --graphwoz graphwoz_train.json --output runs/reader
  frontdesk train reader --kvret kvret_train_public.json --pairs-only --output runs/pairs
  frontdesk train reader --pairs runs/pairs/pairs.jsonl.gz --output runs/reader --resume

One in ten sentences, replies and dialogues is held out. {_FOLDER} To use the
reader, name its folder in your settings: [check] reader = "DIR/model".
"""
_FAITHFULNESS_EXAMPLES = """\
examples:
  frontdesk train faithfulness --dialogue-audit dialogue_audit.jsonl \\
      --pairs runs/pairs/pairs.jsonl.gz --output runs/reader/model

The folder gets faithfulness.json, which belongs beside the weights of the reader.
"""
_RELEVANCE_EXAMPLES = """\
examples:
  frontdesk train relevance --reduced graphwoz_train_turns.json --augmented 2 --simulated 200 \\
      --generator runs/receptionist/model --held-out-graphwoz graphwoz_dev.json \\
      --output runs/relevance
  frontdesk train relevance --kvret kvret_train_public.json --generator runs/car/model \\
      --method together --output runs/relevance-car
  frontdesk train relevance ... --ablation --output runs/ablation

The folder gets relevance.json with the weights and where they are from, curve.csv and curve.png;
with --ablation also ablation.md, ablation.csv and ablation.png. A generator that was trained too is
in generator/. To use the weights, name the file in your settings:
[relevance] model = "DIR/relevance.json".
"""
_PARSER_EXAMPLES = f"""\
examples:
  frontdesk train parser --smcalflow smcalflow_dialogues.jsonl.gz --clinc clinc_oos_full.json.gz \\
      --output runs/parser
  frontdesk train parser --invented 4000 --epochs 1 --output runs/small      # invented ones alone
  frontdesk train parser ... --output runs/parser --resume

{_FOLDER}
"""

Parsers = argparse._SubParsersAction


def named_by_model(words: Sequence[str]) -> list[str]:
    """The words of a command line, ``train generator --model NAME`` told from training our own."""
    found = list(words)
    if found[:2] == ["train", "generator"] and any(
            word == "--model" or word.startswith("--model=") for word in found):
        found[1] = FINE_TUNE
    return found


def add_model_parsers(models: Parsers[argparse.ArgumentParser]) -> None:
    """Add all that the training loop trains, and relevance, to what can be trained."""
    _add_generator(models)
    add_fine_tune_options(_parser(
        models, FINE_TUNE, None, FINE_TUNE_EXAMPLES,
        "Fine-tune a model of the transformers library.", prog="frontdesk train generator"))
    _add_relevance(models)
    _add_reader(models)
    _add_faithfulness(models)
    _add_semantic_parser(models)


def _add_generator(models: Parsers[argparse.ArgumentParser]) -> None:
    parser = _parser(models, "generator", "the generator of replies", _GENERATOR_EXAMPLES,
                     "Train the embedded generator on dialogues, jointly with the relevance model, "
                     "or fine-tune a model of the transformers library (--model).")
    _numbers(_dialogues(parser), ("repeats", 3, "N", "times that an epoch has each GraphWOZ "
                                                     "dialogue that is no copy"))
    _numbers(parser,
             ("members", 1, "N", "models from different random starts whose probabilities are "
                                 "averaged"),
             ("facts", 20, "N", "most facts of a turn"))
    _loop(parser, epochs=24, batch_size=48, batch_of="turns", learning_rate=1.2e-3, dropout=0.2,
          patience=4, figure="BLEU")
    _numbers(parser,
             ("no-facts", 0.05, "P", "probability that a turn comes without its facts, in [0, 1)"),
             ("samples", 64, "N", "replies that the model is to draw in use, by all members "
                                  "together"),
             ("evaluate-every", 2.0, "EPOCHS", "epochs between evaluations"))
    _precision(parser)
    parser.add_argument("--start", type=Path, metavar="DIR",
                        help="folder of a model to begin with; its words and predicates are kept")
    _machine(parser, jobs=2)
    parser.add_argument("--examples-only", action="store_true",
                        help="write train.jsonl and dev.jsonl, from which other models can be "
                             "fine-tuned, and train nothing")
    _resume(parser)


def add_fine_tune_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of fine-tuning to a parser."""
    parser.add_argument("--model", required=True, metavar="NAME",
                        help="name on the hub of an encoder-decoder (T5, GODEL, BART) or causal "
                             "language model that is on this machine, or a folder")
    for option, said in (("--examples", "to learn from"), ("--dev-examples", "to judge by")):
        parser.add_argument(option, type=Path, nargs="+", action="extend", required=True,
                            metavar="FILE.jsonl", help=f"generation examples {said}, plain or "
                                                       "compressed with gzip")
    _output(parser, "folder for the model, its log and checkpoint")
    parser.add_argument("--lora", action="store_true",
                        help="learn low-rank additions to the linear layers instead of all weights")
    _numbers(parser, ("rank", 16, "N", "of those additions"))
    parser.add_argument("--precision", default="auto", metavar="auto|fp32|bf16|fp16",
                        help="auto is bf16 on a GPU that has it, else fp32")
    parser.add_argument("--device", default="auto",
                        help="a device of torch; auto takes the GPUs where there are some")
    _numbers(parser,
             ("epochs", 3, "N", "times that every example is seen"),
             ("batch-size", 8, "N", "examples of a batch on each device"),
             ("accumulation", 1, "N", "batches whose gradients make one step"))
    parser.add_argument("--learning-rate", type=float, metavar="RATE",
                        help="the highest (1e-4, with --lora 1e-3)")
    _numbers(parser, ("patience", 2, "N", "epochs without a better loss that end the training, 0 "
                                          "for none"))
    parser.add_argument("--max-input-tokens", type=int, metavar="N",
                        help="most tokens of a prompt (what the model takes)")
    _numbers(parser,
             ("max-reply-tokens", 128, "N", "examples with longer replies are left out"),
             ("facts", 10, "N", "most facts in a prompt"),
             ("seed", 0, "N", "of all randomness"),
             ("checkpoint-s", 60.0, "SECONDS", "most seconds between checkpoints"))
    _resume(parser)


def _add_relevance(models: Parsers[argparse.ArgumentParser]) -> None:
    parser = _parser(models, "relevance", "the relevance model, with the generator",
                     _RELEVANCE_EXAMPLES,
                     "Train the relevance model through the generator's likelihood of replies: "
                     "P(y|x) = sum over facts z of P(y|x,z) P(z|x).")
    _dialogues(parser)
    parser.add_argument("--generator", type=Path, metavar="DIR",
                        help="folder of a trained embedded generator; not for --method separate")
    parser.add_argument("--method", choices=METHODS, default="in-turn",
                        help="in-turn: relevance by the generator's likelihood, then the generator "
                             "on its ranking; together: one loss for both; separate: by the values "
                             "that facts and replies share, without a generator (in-turn)")
    _numbers(parser,
             ("facts", 20, "K", "most relevant facts that the sum goes over, at most 64"),
             ("rounds", 1, "N", "in-turn: trainings of the relevance model"),
             ("generator-epochs", 0, "N", "in-turn: epochs of the generator after each; none "
                                          "leave it as it is"),
             ("epochs", 2, "N", "together: times that every turn is seen"),
             ("hidden", 16, "N", "units of the hidden layer; 0 for none"),
             ("steps", 400, "N", "most steps of a training of the relevance model"),
             ("learning-rate", 0.02, "RATE", "of these steps"),
             ("pull", 1e-3, "NATS", "by which weights are drawn to where they began"))
    parser.add_argument("--ablation", action="store_true",
                        help="also train without parts of it and write a table")
    parser.add_argument("--replies", action="store_true",
                        help="with --ablation: answer the held-out dialogues for every row of the "
                             "table too (BLEU, entity F1, hallucination rate; takes long)")
    _machine(parser, jobs=1)


def _add_reader(models: Parsers[argparse.ArgumentParser]) -> None:
    parser = _parser(models, "reader", "the reader that Q² and faithfulness go by",
                     _READER_EXAMPLES,
                     "Fine-tune MiniLM to answer questions from sentences, to tell whether they "
                     "entail or contradict a claim, and whether all of a reply rests on them.")
    _files(_dialogues(parser),
           ("qamr", "sentences with questions and answers, QAMR's readable form"),
           ("dialogue-audit", "judged replies with their knowledge, JSON lines"),
           ("pairs", "questions and claims that --pairs-only has written"),
           ("leave-out", "files with replies that are not to be learned from, of any form"))
    parser.add_argument("--pairs-only", action="store_true",
                        help="write what is learned of dialogues to pairs.jsonl.gz, and train "
                             "nothing")
    _numbers(parser, ("facts", 10, "N", "most facts of a turn"),
             ("examples", 60000, "N", "questions and claims of an epoch, drawn from all"))
    _loop(parser, epochs=5, batch_size=32, batch_of="questions and claims", learning_rate=8e-4,
          dropout=0.1, patience=0, figure="score")
    _numbers(parser, ("evaluate-every", 1.0, "EPOCHS", "epochs between evaluations"))
    _precision(parser)
    _machine(parser, jobs=2, jobs_do="prepare dialogues and examples")
    _resume(parser)


def _add_faithfulness(models: Parsers[argparse.ArgumentParser]) -> None:
    parser = _parser(models, "faithfulness", "the weights of the faithfulness score",
                     _FAITHFULNESS_EXAMPLES,
                     "Calibrate the faithfulness score on the replies that are held out from the "
                     "reader: a logistic regression over what the checks tell of a reply.")
    _files(parser, ("dialogue-audit", "judged replies with their knowledge, JSON lines"),
           ("pairs", "replies of dialogues that train reader --pairs-only has written"))
    parser.add_argument("--config", type=Path, metavar="FILE.toml",
                        help="settings, such as the reader and the profile")
    _output(parser, "folder for faithfulness.json: that of the reader")
    _numbers(parser, ("seed", 0, "N", "of all randomness"))


def _add_semantic_parser(models: Parsers[argparse.ArgumentParser]) -> None:
    parser = _parser(models, "parser", "the semantic parser", _PARSER_EXAMPLES,
                     "Train the parser on utterances of public data sets whose annotations are "
                     "converted to logical forms, and on invented ones.")
    _files(parser, ("smcalflow", "SMCalFlow dialogues with programs"),
           ("sgd", "dialogues of Schema-Guided Dialogue's calendar, JSON lines"),
           ("nlu-home", "utterances to a home assistant with intents and slots, a table"),
           ("clinc", "CLINC utterances with intents"),
           ("written", "further utterances with forms to learn from, JSON lines"),
           ("held-out", "utterances with forms to measure on, JSON lines; none is learned from"),
           ("leave-out", "further utterances that are not to be learned from, one a line"))
    _output(parser)
    parser.add_argument("--start", type=Path, metavar="DIR",
                        help="folder of a trained parser to begin with")
    _numbers(parser, ("invented", 30000, "N", "invented utterances of an epoch"),
             ("repeats", 3, "N", "how often an epoch has each utterance written by hand"))
    _loop(parser, epochs=5, batch_size=32, batch_of="utterances", learning_rate=8e-4,
          dropout=0.1, patience=0, figure="share of exact forms")
    _numbers(parser, ("evaluate-every", 1.0, "EPOCHS", "epochs between evaluations"))
    _precision(parser)
    _machine(parser, jobs=0, jobs_do="make the utterances of the next epochs meanwhile, 0: none")
    _resume(parser)


# --- what trainings share

def _parser(models: Parsers[argparse.ArgumentParser], name: str, what: str | None, examples: str,
            description: str, **settings: Any) -> argparse.ArgumentParser:
    if what is not None:
        settings["help"] = what
    return models.add_parser(name, epilog=examples, description=description,
                             formatter_class=argparse.RawDescriptionHelpFormatter, **settings)


def _numbers(parser: argparse._ActionsContainer, *rows: tuple[str, float, str, str]) -> None:
    """Add numbers: name, default, of the kind of number that is meant, metavar and help."""
    for name, default, metavar, said in rows:
        parser.add_argument(f"--{name}", type=type(default), default=default, metavar=metavar,
                            help=f"{said} ({default:g})")


def _files(parser: argparse._ActionsContainer, *rows: tuple[str, str]) -> None:
    for name, said in rows:
        parser.add_argument(f"--{name}", type=Path, nargs="+", action="extend",
                            default=[], metavar="FILE", help=said)


def _output(parser: argparse.ArgumentParser, said: str = "folder for the results") -> None:
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help=said)


def _dialogues(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add dialogues and the output; the group of those to learn from, for further options."""
    files = parser.add_argument_group("dialogues to learn from")
    # An organisation's come last: its dialogues have copies and a reduced form.
    known = [*reversed(data_sets().values())]
    _files(files, *((name, f"{what}, plain or compressed with gzip") for name, what in (
        *((each.name, each.format) for each in known),
        ("reduced", "GraphWOZ dialogues in the reduced form"))))
    _numbers(files,
             ("augmented", 0, "N", "copies of each GraphWOZ dialogue with everything renamed"),
             ("simulated", 0, "N", "simulated dialogues with receptionists"))
    held = parser.add_argument_group("dialogues to measure on, never learned from")
    for each in known:
        held.add_argument(f"--held-out-{each.name}", dest=f"held_out_{each.name}", type=Path,
                          metavar="FILE", help=each.format)
    _output(parser)
    return files


def _loop(parser: argparse.ArgumentParser, *, epochs: int, batch_size: int, batch_of: str,
          learning_rate: float, dropout: float, patience: int, figure: str) -> None:
    """Add how the training loop trains."""
    _numbers(parser,
             ("epochs", epochs, "N", "most epochs"),
             ("batch-size", batch_size, "N", f"{batch_of} of a step"),
             ("learning-rate", learning_rate, "RATE", "the highest"),
             ("dropout", dropout, "P", "in [0, 1)"),
             ("patience", patience, "N", f"evaluations without a better {figure} that end the "
                                         "training; 0: none"))


def _precision(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--precision", choices=("auto", "fp32", "bf16"), default="auto",
                        help="auto takes bf16 on a GPU that has it, else fp32")


def _machine(parser: argparse.ArgumentParser, *, jobs: int,
             jobs_do: str = "prepare the dialogues") -> None:
    """Add device, seed and processes."""
    parser.add_argument("--device", default="auto", help="a torch device (auto)")
    _numbers(parser, ("seed", 0, "N", "of all randomness"),
             ("jobs", jobs, "N", f"processes that {jobs_do}"))


def _resume(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--resume", action="store_true",
                        help="go on with the training that the output folder holds")
