"""``frontdesk train generator --model NAME``: fine-tune a model of the hub, write its card."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frontdesk.agent.training.fine_tune.run_fine_tuning import FineTuned, FineTuneSettings
    from frontdesk.data.datasets.generation_examples import GenerationExample


def run_fine_tune(arguments: argparse.Namespace) -> int:
    """Fine-tune as the options say.

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
    from frontdesk.agent.training.model_card import (
        ModelCard,
        card_file,
        command_line,
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
