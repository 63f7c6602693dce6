"""The options of ``frontdesk train generator --model NAME``, and what they do."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frontdesk.agent.training.fine_tune.run_fine_tuning import FineTuned, FineTuneSettings
    from frontdesk.data.datasets.generation_examples import GenerationExample

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


def add_fine_tune_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of fine-tuning to a parser."""
    parser.add_argument("--model", required=True, metavar="NAME",
                        help="name on the hub of an encoder-decoder (T5, GODEL, BART) or causal "
                             "language model that is on this machine, or a folder")
    for option, said in (("--examples", "to learn from"), ("--dev-examples", "to judge by")):
        parser.add_argument(option, type=Path, nargs="+", action="extend", required=True,
                            metavar="FILE.jsonl", help=f"generation examples {said}, plain or "
                                                       "compressed with gzip")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR",
                        help="folder for the model, its log and checkpoints")
    parser.add_argument("--lora", action="store_true",
                        help="learn low-rank additions to the linear layers instead of all weights")
    parser.add_argument("--rank", type=int, default=16, metavar="N", help="of those additions (16)")
    parser.add_argument("--precision", default="auto", metavar="auto|fp32|bf16|fp16",
                        help="auto is bf16 on a GPU that has it, else fp32")
    parser.add_argument("--device", default="auto",
                        help="a device of torch; auto takes the GPUs where there are some")
    parser.add_argument("--epochs", type=int, default=3, metavar="N",
                        help="times that every example is seen (3)")
    parser.add_argument("--batch-size", type=int, default=8, metavar="N",
                        help="examples of a step on each device (8)")
    parser.add_argument("--accumulation", type=int, default=1, metavar="N",
                        help="batches whose gradients make one step (1)")
    parser.add_argument("--learning-rate", type=float, metavar="RATE",
                        help="the highest (1e-4, with --lora 1e-3)")
    parser.add_argument("--patience", type=int, default=2, metavar="N",
                        help="epochs without a better loss that end the training, 0 for none (2)")
    parser.add_argument("--max-input-tokens", type=int, metavar="N",
                        help="most tokens of a prompt (what the model takes)")
    parser.add_argument("--max-reply-tokens", type=int, default=128, metavar="N",
                        help="examples with longer replies are left out (128)")
    parser.add_argument("--facts", type=int, default=10, metavar="N",
                        help="most facts in a prompt (10)")
    parser.add_argument("--seed", type=int, default=0, help="of all randomness (0)")
    parser.add_argument("--checkpoint-s", type=float, default=60.0, metavar="SECONDS",
                        help="most seconds between checkpoints (60)")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the training that the output folder holds")


def run_fine_tune(arguments: argparse.Namespace) -> int:
    """Fine-tune as the options say.

    Returns:
        0.

    Raises:
        FrontdeskError: The examples, the model, the options or the output folder are not usable,
            or packages are not installed.
    """
    from frontdesk.agent.training.fine_tune.run_fine_tuning import FineTuneSettings, fine_tune

    settings = FineTuneSettings(
        lora=arguments.lora, rank=arguments.rank, precision=arguments.precision,
        epochs=arguments.epochs, batch_size=arguments.batch_size,
        accumulation=arguments.accumulation, learning_rate=arguments.learning_rate,
        patience=arguments.patience, max_input_tokens=arguments.max_input_tokens,
        max_reply_tokens=arguments.max_reply_tokens, max_facts=arguments.facts,
        seed=arguments.seed, device=arguments.device, checkpoint_s=arguments.checkpoint_s)
    result = fine_tune(arguments.model, _load(arguments.examples), _load(arguments.dev_examples),
                       arguments.output, settings, resume=arguments.resume)
    if result.main:
        _write_card(arguments, settings, result)
        section = "godel" if result.seq2seq else "causal"
        sys.stdout.write(
            f"loss on development data {result.loss_before:.3f} before, {result.loss:.3f} now; "
            f"{result.examples} examples, {result.left_out} left out\n"
            f'[{section}] model = "{result.folder}"\n')
    return 0


def _load(paths: list[Path]) -> list[GenerationExample]:
    from frontdesk.data.datasets.defects import summary
    from frontdesk.data.datasets.generation_examples import load_generation_examples

    examples: list[GenerationExample] = []
    for path in paths:
        read, defects = load_generation_examples(path)
        examples += read
        if defects:
            sys.stderr.write(f"frontdesk: {summary(defects)}\n")
    return examples


def _write_card(arguments: argparse.Namespace, settings: FineTuneSettings,
                result: FineTuned) -> None:
    from frontdesk.agent.training.dialogue_options import command_line
    from frontdesk.agent.training.model_card import (
        ModelCard,
        card_file,
        hardware,
        write_model_card,
    )
    from frontdesk.data.datasets.generation_examples import load_generation_examples
    from frontdesk.kg.models.hub_models import torch_device

    how = "low-rank additions, merged," if settings.lora else "all weights"
    write_model_card(result.folder, ModelCard(
        name=f"{arguments.model}, fine-tuned",
        description=f"{arguments.model} with {how} fine-tuned to reply from ranked facts.",
        intended_use="A generator of frontdesk, whose checks read every reply before it is shown.",
        limits=["It can say what no fact supports; use it behind frontdesk's checks.",
                "The licence and the limits of the model that it was made from hold for it too."],
        weights=sorted(each.name for each in result.folder.glob("*.safetensors")),
        data=[card_file(path, examples=len(load_generation_examples(path)[0]))
              for path in (*arguments.examples, *arguments.dev_examples)],
        command=command_line("generator", arguments),
        settings={**settings.identity(), "learning_rate": settings.highest_rate},
        versions=settings.versions(), seed=settings.seed,
        hardware=hardware(torch_device(settings.device)), seconds=result.seconds,
        figures={"before": {"loss, nats a token": result.loss_before},
                 "after": {"loss, nats a token": result.loss}},
        examples=(), trained_parameters=result.trained_parameters))
