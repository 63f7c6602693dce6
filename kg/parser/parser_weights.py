"""The parser's network and its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from frontdesk.kg.models.half_linear import pack_halves
from frontdesk.kg.models.minilm import empty_bert, minilm, pretrained_bert
from frontdesk.kg.models.weight_files import WeightFiles, require_fit
from frontdesk.kg.parser.form_tokens import FormTokens
from frontdesk.kg.parser.parser_network import ParserNetwork

FILES = WeightFiles("parser", version=2)
#: Where the weights lie that come with frontdesk.
PACKAGED = Path(__file__).parent / "trained"
#: How fast what is pretrained is changed, beside what is new.
PRETRAINED_RATE = 0.1
#: The decoder.
SHAPE: Mapping[str, Any] = {"layers": 2, "hidden": 1024, "dropout": 0.1, "longest": 96}


def new_network(tokens: FormTokens, shape: Mapping[str, Any] = SHAPE, *,
                pretrained: bool = True) -> ParserNetwork:
    """A network that is not trained: MiniLM and a decoder.

    Args:
        tokens: What it writes.
        shape: Of the decoder.
        pretrained: Whether its layers are MiniLM's; else they are to be loaded, and the file that
            MiniLM comes in is not read once more.

    Raises:
        MissingModelError: The package that carries MiniLM is not installed.
    """
    encoder = pretrained_bert() if pretrained else empty_bert()
    encoder.embeddings.word_embeddings = minilm().model.embeddings.word_embeddings
    for name, each in encoder.named_parameters():
        each.requires_grad_("word_embeddings" not in name and "pooler" not in name)
        each.rate_scale = PRETRAINED_RATE
    return ParserNetwork(encoder, tokens.size, shape)


def save_network(network: ParserNetwork, tokens: FormTokens, folder: Path,
                 shape: Mapping[str, Any] = SHAPE, **more: Any) -> None:
    """Write the weights, in half precision, and what they are.

    Args:
        network: Trained.
        tokens: What it writes.
        folder: Made when it does not exist.
        shape: Of the decoder.
        more: Further entries of the configuration.
    """
    FILES.save(folder, network.trained_part(), heads=tokens.heads, shape=dict(shape), **more)


def load_network(tokens_of: Callable[[Sequence[str]], FormTokens], folder: Path = PACKAGED
                 ) -> tuple[ParserNetwork, FormTokens, Mapping[str, Any]]:
    """The network of a folder, which can be trained on, with what it writes and its configuration.

    Args:
        tokens_of: Makes tokens of the heads in their order; it may add heads at the end, which the
            network then has still to learn.
        folder: That :func:`save_network` has written.

    Raises:
        MissingModelError: The files are missing, damaged, or of another version.
    """
    def make(config: Mapping[str, Any], halves: Mapping[str, torch.Tensor]
             ) -> tuple[ParserNetwork, FormTokens, Mapping[str, Any]]:
        tokens = tokens_of(config["heads"])
        network = new_network(tokens, config["shape"], pretrained=False)
        weights = {name: each.float() for name, each in halves.items()}
        if len(tokens.heads) > len(config["heads"]):
            weights = _with_new_rows(weights, network)
        require_fit(network.load_state_dict(weights, strict=False), network.trained_part())
        return network, tokens, config

    return FILES.load(folder, make)


def _with_new_rows(weights: Mapping[str, torch.Tensor], network: ParserNetwork
                   ) -> dict[str, torch.Tensor]:
    """Weights with the rows of a network that has further heads, where they have fewer."""
    new = network.state_dict()
    return {name: torch.cat([each, new[name][len(each):]]) if name in new and each.dim()
            and len(each) < len(new[name]) else each for name, each in weights.items()}


def quicken(network: ParserNetwork) -> None:
    """Make a network that is not trained any more faster where the processor allows it.

    Products of matrices are made in bfloat16 by processors that multiply it by themselves, as those
    of :mod:`frontdesk.kg.models.minilm` are, and with weights in half precision by others.
    """
    if minilm().precision != "bf16":
        pack_halves(network)
        return
    network.precision = torch.bfloat16
    for part in (network.encoder.encoder, network.layers, network.written, network.first,
                 network.last, network.pointed):
        for module in part.modules():
            if isinstance(module, torch.nn.Linear):
                module.to(torch.bfloat16)
