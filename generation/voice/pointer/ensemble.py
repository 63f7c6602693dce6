"""Several pointer-generators as one: the mean of their probabilities.

They have the same vocabulary and were trained from different random starts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import GenerationMixin, PreTrainedModel
from transformers.cache_utils import EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutput, Seq2SeqLMOutput

from frontdesk.generation.voice.model_folder import load_model
from frontdesk.generation.voice.pointer.config import PointerConfig
from frontdesk.generation.voice.pointer.layers import LayerCache
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel, decoder_inputs
from frontdesk.generation.voice.pointer.unit_vocabulary import Vocabulary
from frontdesk.kg.graph.errors import InputError

#: What members must have in common.
_SHAPE = ("vocabulary", "predicates", "d_model", "encoder_depth", "decoder_depth", "heads",
          "d_states", "most_positions")


class EnsembleEncoder(nn.Module):
    """The encoders of all members, side by side."""

    main_input_name = "states"

    def __init__(self, members: Sequence[PointerGeneratorModel]) -> None:
        super().__init__()
        self._members = tuple(members)

    def forward(self, states: Tensor, features: Tensor, word_ids: Tensor, attention_mask: Tensor,
                **_: Any) -> BaseModelOutput:
        """What all encoders give, ``(batch, slots, members * d_model)``."""
        memories = [member.encoder(states, features, word_ids, attention_mask).last_hidden_state
                    for member in self._members]
        return BaseModelOutput(last_hidden_state=torch.cat(memories, -1))


class PointerEnsemble(PreTrainedModel, GenerationMixin):
    """Pointer-generators whose probabilities are averaged; for use, not for training."""

    config_class = PointerConfig
    base_model_prefix = "pointer"
    main_input_name = "states"
    _supports_cache_class = True

    def __init__(self, config: PointerConfig) -> None:
        super().__init__(config)
        alone = deepcopy(config)
        alone.members = 1
        models = tuple(PointerGeneratorModel(alone) for _ in range(config.members))
        self.members = nn.ModuleList(models)
        # In tuples, which own no weights: those are the members'.
        self.models, self._encoder = models, (EnsembleEncoder(models),)
        self.post_init()

    @classmethod
    def of(cls, models: Sequence[PointerGeneratorModel]) -> PointerEnsemble:
        """The ensemble of models with one vocabulary and shape, where the first of them is.

        Raises:
            ValueError: They differ in more than their weights.
        """
        first = models[0].config
        if any(getattr(model.config, name) != getattr(first, name)
               for model in models for name in _SHAPE):
            raise ValueError("the models of an ensemble need one vocabulary and shape")
        config = PointerConfig.from_dict({**first.to_dict(), "members": len(models)})
        ensemble = cls(config)
        nn.Module.to(ensemble, models[0].device)
        for member, model in zip(ensemble.models, models, strict=True):
            member.load_state_dict(model.state_dict())
        ensemble.eval()
        return ensemble

    def _init_weights(self, module: nn.Module) -> None:
        """The members have done it."""

    def get_encoder(self, *_: Any, **__: Any) -> EnsembleEncoder:
        """What ``generate`` calls once."""
        return self._encoder[0]

    def get_input_embeddings(self) -> nn.Module:
        """The embeddings of the first member's vocabulary."""
        return self.models[0].get_input_embeddings()

    def prepare_inputs_for_generation(  # type: ignore[override]
            self, input_ids: Tensor, past_key_values: EncoderDecoderCache | None = None,
            **kwargs: Any) -> dict[str, Any]:
        """What a step of ``generate`` gives to :meth:`forward`."""
        return self.models[0].prepare_inputs_for_generation(input_ids, past_key_values, **kwargs)

    def forward(self, states: Tensor | None = None, features: Tensor | None = None,
                word_ids: Tensor | None = None, copy_ids: Tensor | None = None,
                attention_mask: Tensor | None = None, decoder_input_ids: Tensor | None = None,
                encoder_outputs: BaseModelOutput | None = None,
                past_key_values: EncoderDecoderCache | None = None, labels: Tensor | None = None,
                **_: Any) -> Seq2SeqLMOutput:
        """Log-probabilities; see :meth:`PointerGeneratorModel.forward`."""
        if encoder_outputs is None:
            encoder_outputs = self.get_encoder()(states, features, word_ids, attention_mask)
        memory, attention_mask, copy_ids, decoder_input_ids = decoder_inputs(
            encoder_outputs, attention_mask, copy_ids, decoder_input_ids, labels)
        done = 0 if past_key_values is None else past_key_values.get_seq_length()
        said = [member.log_probabilities(
            decoder_input_ids, part, attention_mask, copy_ids,
            LayerCache(past_key_values, number * (self.config.decoder_depth + 1), done))
            for number, (member, part) in enumerate(zip(
                self.models, memory.split(self.config.d_model, -1), strict=True))]
        mean = torch.stack(said).logsumexp(0) - math.log(len(said))
        return Seq2SeqLMOutput(logits=mean, past_key_values=past_key_values,
                               encoder_last_hidden_state=memory)


def load_pointer_model(folder: Path
                       ) -> tuple[PointerGeneratorModel | PointerEnsemble, Vocabulary]:
    """A model in evaluation mode, float32, and its vocabulary.

    Raises:
        MissingModelError: The folder has no model, a file of it is damaged, or the model was
            trained for another version.
    """
    model = load_model(folder, PointerConfig, _build, what="embedded generator",
                       trained_by="frontdesk train generator")
    return model, Vocabulary(model.config.vocabulary)


def load_single_model(folder: Path) -> tuple[PointerGeneratorModel, Vocabulary]:
    """A model that can learn, and its vocabulary.

    Raises:
        MissingModelError: As :func:`load_pointer_model`.
        InputError: The folder has an ensemble.
    """
    model, vocabulary = load_pointer_model(folder)
    if not isinstance(model, PointerGeneratorModel):
        raise InputError(f"{folder} holds several models",
                         remedy="Name the folder of one of them")
    return model, vocabulary


def _build(config: PointerConfig) -> PointerGeneratorModel | PointerEnsemble:
    return (PointerEnsemble if config.members > 1 else PointerGeneratorModel)(config)
