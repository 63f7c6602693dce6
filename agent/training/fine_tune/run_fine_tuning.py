"""Fine-tunes a model of the hub to say what was said, given the dialogue so far and the facts."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from frontdesk.agent.domains.domain_registry import pack_about
from frontdesk.agent.training.checkpoint import seeded
from frontdesk.agent.training.fine_tune.fine_tune_task import FineTuneTask, forced_examples
from frontdesk.agent.training.model_card import trained_parameters, versions_of
from frontdesk.agent.training.processes import joined, rank
from frontdesk.agent.training.training_folder import try_folder
from frontdesk.agent.training.training_loop import LoopSettings, loop_identity, train
from frontdesk.data.datasets.generation_examples import GenerationExample
from frontdesk.generation.voice.causal_lm import CausalLMGenerator
from frontdesk.generation.voice.seq2seq import GODEL, Seq2SeqGenerator
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.optional_packages import import_extra
from frontdesk.kg.models.hub_models import HubModel, quietly, torch_device


@dataclass(frozen=True)
class FineTuneSettings:
    """How a model is fine-tuned; what is not said here is as in :class:`LoopSettings`.

    Args:
        lora: Whether only low-rank additions to the linear layers are learned (Hu et al. 2022);
            else all weights are.
        rank: Of those additions, at least 1.
        precision: T5 overflows in ``fp16``.
        learning_rate: The highest, above 0; None for 1e-4, with LoRA 1e-3.
        patience: Epochs in a row without a better loss on development data that end the training;
            0 never ends it early.
        max_input_tokens: Most tokens of a prompt; None for what the model takes.
        max_reply_tokens: Examples with longer replies are left out; at least 1.
        max_facts: Most facts in a prompt, at least 0.
        device: A torch device, or ``auto`` for the accelerators where there are some.

    Raises:
        InputError: A value is out of its range.
    """

    lora: bool = False
    rank: int = 16
    precision: str = "auto"
    epochs: int = 3
    batch_size: int = 8
    accumulation: int = 1
    learning_rate: float | None = None
    warmup: float = 0.05
    weight_decay: float = 0.01
    patience: int = 2
    max_input_tokens: int | None = None
    max_reply_tokens: int = 128
    max_facts: int = 10
    seed: int = 0
    device: str = "auto"
    checkpoint_s: float = 60.0

    def __post_init__(self) -> None:
        for name in ("rank", "max_reply_tokens"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}", remedy="Use 1 or more")
        self.loop()

    @property
    def highest_rate(self) -> float:
        """The highest learning rate."""
        if self.learning_rate is not None:
            return self.learning_rate
        return 1e-3 if self.lora else 1e-4

    def loop(self) -> LoopSettings:
        """Of the training loop: the weights themselves, measured before and after every epoch."""
        return LoopSettings(
            epochs=self.epochs, batch_size=self.batch_size, learning_rate=self.highest_rate,
            warmup=self.warmup, weight_decay=self.weight_decay, ema=0.0, patience=self.patience,
            seed=self.seed, precision=self.precision, checkpoint_s=self.checkpoint_s,
            accumulation=self.accumulation, evaluate_first=True)

    def identity(self) -> dict[str, Any]:
        """What of them the result depends on."""
        return {name: value for name, value in asdict(self).items() if name != "checkpoint_s"}

    def versions(self) -> dict[str, str]:
        """Of packages that the result depends on."""
        return versions_of("torch", "transformers", *(["peft"] if self.lora else []))


@dataclass(frozen=True)
class FineTuned:
    """What a fine-tuning came to.

    Args:
        folder: Of the model, which the generator's class loads.
        seq2seq: Whether it is an encoder-decoder.
        loss_before: Mean loss a token on development data of the model as it was, nats.
        loss: The same of the weights that are kept.
        epoch: Epochs that were done, a fraction.
        seconds: That it took, without the time between a stop and going on.
        left_out: Examples, development data included, that did not fit into the model's input or
            had too long a reply.
        trained_parameters: How many numbers were learned.
        main: Whether this process is the one that writes; others help it on further GPUs.
    """

    folder: Path
    seq2seq: bool
    loss_before: float
    loss: float
    step: int
    epoch: float
    seconds: float
    examples: int
    left_out: int
    trained_parameters: int
    main: bool


def fine_tune(model: str, examples: Sequence[GenerationExample],
              dev_examples: Sequence[GenerationExample], output: Path,
              settings: FineTuneSettings | None = None, *, resume: bool = False,
              progress: bool | None = None,
              clock: Callable[[], float] = time.monotonic) -> FineTuned:
    """Fine-tune a model on the replies of examples, by cross-entropy given the generator's prompts.

    The weights with the least loss on development data are kept, be it those from before. The
    folder then holds the model, LoRA's additions merged into it, for
    :class:`~frontdesk.generation.voice.seq2seq.Seq2SeqGenerator` or
    :class:`~frontdesk.generation.voice.causal_lm.CausalLMGenerator`, beside what
    :func:`~frontdesk.agent.training.training_loop.train` writes. In several processes, as
    ``accelerate launch`` starts them, each GPU takes its share of every step.

    Args:
        model: Name on the hub of a model that is on this machine, or a folder; an encoder-decoder
            or a causal language model.
        output: The folder; made when it does not exist.
        settings: How; the defaults when not given.
        resume: Whether to go on with the training that the folder holds, if it does.
        progress: True for a bar, False for nothing, None for a bar on a terminal and plain lines
            elsewhere.
        clock: Seconds from any start.

    Raises:
        MissingExtraError: Packages of the extra ``train`` are not installed.
        MissingModelError: The model is not on this machine, or cannot be used.
        InputError: The folder cannot be written or holds another training, no example fits, the
            loss is not finite, there is no such device or it has not that precision, or its memory
            does not suffice.
        KeyboardInterrupt: Ctrl-C; a checkpoint was written and standard error says so.
    """
    settings = settings or FineTuneSettings()
    if settings.lora:
        import_extra("peft", "fine-tuning")
    with joined(torch_device(settings.device)) as device, seeded(settings.seed), quietly():
        identity = {
            **loop_identity(settings.loop(), device), "model": model, "data": _digest(examples),
            "dev": _digest(dev_examples), "settings": settings.identity(),
            "versions": settings.versions()}
        if rank() == 0:
            # Before the model is loaded, which may take long; one that cannot be takes no folder.
            try_folder(output, identity, resume=resume)
        generator = _generator(model, settings, {each.domain for each in examples})
        network = generator.model
        if settings.lora:
            network = _with_lora(generator, settings.rank)
        training, held_out = (forced_examples(generator, each, settings.max_reply_tokens)
                              for each in (examples, dev_examples))
        tokens = generator.tokenizer.pad_token_id, generator.tokenizer.eos_token_id
        task = FineTuneTask(network.to(device), training, held_out, batch_size=settings.batch_size,
                            padding=next((each for each in tokens if each is not None), 0))
        trained = trained_parameters(network)
        result = train(task, settings.loop(), output, resume=resume, identity=identity,
                       progress=progress, clock=clock)
        if rank() == 0:
            kept = network.merge_and_unload() if settings.lora else network
            kept.save_pretrained(output)
            generator.tokenizer.save_pretrained(output)
        return FineTuned(
            output, isinstance(generator, Seq2SeqGenerator), result.first["loss"],
            result.best["loss"], result.step, result.epoch, result.seconds, len(training),
            len(examples) + len(dev_examples) - len(training) - len(held_out), trained,
            main=rank() == 0)


def _generator(model: str, settings: FineTuneSettings, topics: Collection[str]
               ) -> Seq2SeqGenerator | CausalLMGenerator:
    """The generator of a model, on the CPU, where weights are float32.

    A chat model's prompts have the rules that it is used with in a domain, that of the examples.

    Raises:
        InputError: It is a chat model and the examples are about several domains.
    """
    packs = {pack.name: pack for topic in topics if (pack := pack_about(topic)) is not None}
    seq2seq = getattr(HubModel(model, example=GODEL).config(), "is_encoder_decoder", False)
    if len(packs) > 1 and not seq2seq:
        raise InputError(f"the examples are about {' and '.join(sorted(packs))}, and a chat model "
                         "has other rules for each", remedy="Train one for each")
    causal = next((partial(CausalLMGenerator, instruction=pack.chat_instruction)
                   for pack in packs.values()), CausalLMGenerator)
    return (Seq2SeqGenerator if seq2seq else causal)(
        model, device="cpu", max_new_tokens=settings.max_reply_tokens,
        max_input_tokens=settings.max_input_tokens, max_facts=settings.max_facts)


def _with_lora(generator: Seq2SeqGenerator | CausalLMGenerator, size: int) -> torch.nn.Module:
    """The model of a generator with additions of so low a rank to its linear layers."""
    from peft import LoraConfig, get_peft_model

    network: torch.nn.Module = get_peft_model(generator.model, LoraConfig(
        r=size, lora_alpha=2 * size, lora_dropout=0.05, target_modules="all-linear",
        task_type="SEQ_2_SEQ_LM" if isinstance(generator, Seq2SeqGenerator) else "CAUSAL_LM"))
    return network


def _digest(examples: Sequence[GenerationExample]) -> str:
    """SHA-256 of examples, hexadecimal."""
    digest = hashlib.sha256()
    for each in examples:
        digest.update(json.dumps(asdict(each)).encode() + b"\n")
    return digest.hexdigest()
