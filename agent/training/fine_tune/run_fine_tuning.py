"""Fine-tunes a model of the hub to say what was said, given the dialogue so far and the facts."""

from __future__ import annotations

import hashlib
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from frontdesk.agent.evaluation.results import code_digest
from frontdesk.agent.training.checkpoint import seeded
from frontdesk.agent.training.fine_tune.fine_tune_features import Collator, Features, features_of
from frontdesk.agent.training.fine_tune.fine_tune_settings import FineTuned, FineTuneSettings
from frontdesk.agent.training.interrupts import Interrupts
from frontdesk.agent.training.model_card import trained_parameters, versions_of
from frontdesk.agent.training.training_folder import claim_folder, try_folder
from frontdesk.data.datasets.generation_examples import GenerationExample
from frontdesk.generation.voice.causal_lm import CausalLMGenerator
from frontdesk.generation.voice.seq2seq import GODEL, Seq2SeqGenerator
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.optional_packages import import_extra
from frontdesk.kg.models.hub_models import HubModel, quietly, torch_device

if TYPE_CHECKING:
    from collections.abc import Iterator

    from frontdesk.agent.training.fine_tune.fine_tune_progress import Course

#: Packages that the result depends on.
PACKAGES = ("torch", "transformers", "accelerate", "peft")

_CHECKPOINTS = "checkpoints"
#: The trainer writes it last: a checkpoint without it was not finished.
_STATE = "trainer_state.json"
#: Rows of the log between evaluations are so many over a whole training, about.
_ROWS = 500


def fine_tune(model: str, examples: Sequence[GenerationExample],
              dev_examples: Sequence[GenerationExample], output: Path,
              settings: FineTuneSettings | None = None, *, resume: bool = False,
              progress: bool | None = None,
              clock: Callable[[], float] = time.monotonic) -> FineTuned:
    """Fine-tune a model on the replies of examples, by cross-entropy given the generator's prompts.

    The weights with the least loss on development data are kept. The folder then holds the model,
    LoRA's additions merged into it, for
    :class:`~frontdesk.generation.voice.seq2seq.Seq2SeqGenerator` or
    :class:`~frontdesk.generation.voice.causal_lm.CausalLMGenerator`; ``log.csv``; TensorBoard's
    files; and ``checkpoints``, which are only needed to go on. In several processes, as
    ``accelerate launch`` starts them, each GPU takes its share of every step.

    Args:
        model: Name on the hub of a model that is on this machine, or a folder; an encoder-decoder
            or a causal language model.
        examples: To learn from.
        dev_examples: To judge by.
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
    for package in ("accelerate", *(["peft"] if settings.lora else [])):
        import_extra(package, "fine-tuning")
    from accelerate import PartialState

    precision = _precision(settings)
    with PartialState(cpu=torch_device(settings.device).type == "cpu").main_process_first():
        identity = {
            "model": model, "data": _digest(examples), "dev": _digest(dev_examples),
            "settings": settings.identity(), "precision": precision, "code": code_digest(),
            "versions": versions_of(*PACKAGES), "processes": PartialState().num_processes}
        if PartialState().is_main_process:
            try_folder(output, identity, resume=resume)
    with seeded(settings.seed), quietly(), Interrupts() as interrupts:
        training = _FineTuning(model, output, settings, precision)
        if PartialState().is_main_process:
            # Only now, so that a model that cannot be loaded takes no folder.
            claim_folder(output, identity, resume=resume)
        return training.run(examples, dev_examples, interrupts, progress, clock)


class _FineTuning:
    """One call of :func:`fine_tune`."""

    def __init__(self, model: str, output: Path, settings: FineTuneSettings,
                 precision: str) -> None:
        self.output, self.settings, self.precision = output, settings, precision
        self.seq2seq = bool(getattr(HubModel(model, example=GODEL).config(),
                                    "is_encoder_decoder", False))
        kind = Seq2SeqGenerator if self.seq2seq else CausalLMGenerator
        # On the CPU, where weights are float32; the trainer moves them.
        self.generator: Seq2SeqGenerator | CausalLMGenerator = kind(
            model, device="cpu", max_new_tokens=settings.max_reply_tokens,
            max_input_tokens=settings.max_input_tokens, max_facts=settings.max_facts)
        self.model = self._with_lora() if settings.lora else self.generator.model
        self.trained = trained_parameters(self.model)

    def run(self, examples: Sequence[GenerationExample], dev: Sequence[GenerationExample],
            interrupts: Interrupts, progress: bool | None,
            clock: Callable[[], float]) -> FineTuned:
        from frontdesk.agent.training.fine_tune.fine_tune_progress import Course

        train_set, dev_set = (features_of(self.generator, each, self.settings.max_reply_tokens)
                              for each in (examples, dev))
        course = Course(self.output, self.settings.checkpoint_s, interrupts, progress, clock)
        checkpoint = last_checkpoint(self.output / _CHECKPOINTS)
        trainer = self._trainer(train_set, dev_set, course, first=checkpoint is None)
        with self._ended(course, trainer):
            trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
        state = trainer.state
        measured = [each["eval_loss"] for each in state.log_history if "eval_loss" in each]
        if state.is_world_process_zero:
            self._save(trainer)
        return FineTuned(
            self.output, self.seq2seq, measured[0], min(measured[1:]), state.global_step,
            float(state.epoch), course.seconds, len(train_set),
            len(examples) + len(dev) - len(train_set) - len(dev_set), self.trained,
            main=state.is_world_process_zero)

    def _trainer(self, train_set: list[Features], dev_set: list[Features], course: Course, *,
                 first: bool) -> Any:
        from accelerate import PartialState
        from transformers import (
            EarlyStoppingCallback,
            PrinterCallback,
            Trainer,
            TrainingArguments,
        )

        settings = self.settings
        per_step = settings.batch_size * settings.accumulation * PartialState().num_processes
        steps = settings.epochs * math.ceil(len(train_set) / per_step)
        arguments = TrainingArguments(
            output_dir=str(self.output / _CHECKPOINTS), num_train_epochs=settings.epochs,
            per_device_train_batch_size=settings.batch_size,
            per_device_eval_batch_size=settings.batch_size,
            gradient_accumulation_steps=settings.accumulation,
            learning_rate=settings.highest_rate, lr_scheduler_type="cosine",
            warmup_steps=round(settings.warmup * steps), weight_decay=settings.weight_decay,
            bf16=self.precision == "bf16", fp16=self.precision == "fp16",
            use_cpu=torch_device(settings.device).type == "cpu",
            eval_strategy="epoch", save_strategy="epoch", eval_on_start=first,
            load_best_model_at_end=True, metric_for_best_model="eval_loss",
            greater_is_better=False, save_total_limit=2, prediction_loss_only=True,
            restore_callback_states_from_checkpoint=True, seed=settings.seed,
            logging_steps=max(1, steps // _ROWS), logging_first_step=True,
            logging_nan_inf_filter=False, report_to=[], disable_tqdm=True,
            remove_unused_columns=False, label_names=["labels"])
        tokenizer = self.generator.tokenizer
        padding = next((each for each in (tokenizer.pad_token_id, tokenizer.eos_token_id)
                        if each is not None), 0)
        trainer = Trainer(model=self.model, args=arguments, train_dataset=train_set,
                          eval_dataset=dev_set, data_collator=Collator(padding),
                          callbacks=[course])
        trainer.remove_callback(PrinterCallback)
        if settings.patience:
            trainer.add_callback(EarlyStoppingCallback(settings.patience))
        return trainer

    def _with_lora(self) -> Any:
        from peft import LoraConfig, get_peft_model

        return get_peft_model(self.generator.model, LoraConfig(
            r=self.settings.rank, lora_alpha=2 * self.settings.rank, lora_dropout=0.05,
            target_modules="all-linear",
            task_type="SEQ_2_SEQ_LM" if self.seq2seq else "CAUSAL_LM"))

    def _save(self, trainer: Any) -> None:
        model = trainer.accelerator.unwrap_model(trainer.model)
        if self.settings.lora:
            model = model.merge_and_unload()
        model.save_pretrained(self.output)
        self.generator.tokenizer.save_pretrained(self.output)

    @contextmanager
    def _ended(self, course: Course, trainer: Any) -> Iterator[None]:
        """What ends a training before its time is said."""
        try:
            yield
        except KeyboardInterrupt:
            course.close()
            if trainer.state.is_world_process_zero:
                kept = last_checkpoint(self.output / _CHECKPOINTS)
                sys.stderr.write("frontdesk: stopped; " + (
                    f"{kept.name} is kept, --resume goes on\n" if kept else "nothing is kept\n"))
            raise
        except torch.OutOfMemoryError as error:
            raise InputError(
                "the device's memory does not suffice for batches of "
                f"{self.settings.batch_size}", place=f"step {trainer.state.global_step + 1}",
                remedy="Give smaller batches and more accumulation, shorter prompts, or LoRA"
                ) from error
        finally:
            course.close()


def last_checkpoint(folder: Path) -> Path | None:
    """The last checkpoint that was finished; None when there is none."""
    finished = []
    for each in folder.glob("checkpoint-*"):
        try:
            state = json.loads((each / _STATE).read_text(encoding="utf-8"))
            finished.append((int(state["global_step"]), each))
        # Killed before, or while, the file was written.
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return max(finished, default=(0, None))[1]


def _precision(settings: FineTuneSettings) -> str:
    """The precision that a setting comes to on this machine."""
    device = torch_device(settings.device)
    if settings.precision == "auto":
        has = device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
        return "bf16" if has else "fp32"
    if settings.precision == "fp16" and device.type != "cuda":
        raise InputError(f"precision is 'fp16', which training on {device.type} does not have",
                         remedy="Use fp32, or a machine with a GPU")
    return settings.precision


def _digest(examples: Sequence[GenerationExample]) -> str:
    """SHA-256 of examples, hexadecimal."""
    digest = hashlib.sha256()
    for each in examples:
        digest.update(json.dumps(asdict(each)).encode() + b"\n")
    return digest.hexdigest()
