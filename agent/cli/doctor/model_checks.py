"""The models: those that come with frontdesk answer, others are on this machine or reachable."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from frontdesk.agent.cli.doctor.finding import Finding, Subject, failed, skipped, warning
from frontdesk.agent.domains.domain_pack import DomainPack
from frontdesk.agent.domains.domain_registry import pack_named
from frontdesk.agent.settings.settings import Settings
from frontdesk.kg.models.minilm import NAME

_ASKED = "Which rooms are free now?"
_ENDPOINT_S = 5.0
_CACHE = "XDG_CACHE_HOME"


def own_models(subject: Subject) -> Sequence[Finding]:
    """Whether the models that come with frontdesk load, and answer a turn.

    Where another generator words the replies, templates do here: it has a check of its own.
    """
    settings = subject.settings
    settings = replace(
        settings, profile="embedded", check=replace(settings.check, q2="embedded"),
        encoder=replace(settings.encoder, cache=str(subject.scratch / "encoder")),
        embedded=settings.embedded if settings.profile == "embedded" else
        replace(settings.embedded, words="templates"))
    with _caches_in(subject.scratch):
        from frontdesk.agent.sessions.agent import Agent

        began = time.monotonic()
        pack, kb = subject.organisation.pack, subject.organisation.kb
        with closing(Agent(kb, settings, pack=pack, clock=subject.clock)) as agent:
            agent.session().reply("Hello")  # some is loaded with the first turn
            loaded = time.monotonic()
            reply = agent.session().reply(pack.examples(kb)[0])
    found = [Finding(f"loaded in {loaded - began:.1f} s, a reply after "
                     f"{time.monotonic() - loaded:.1f} s")]
    if not reply.text.strip():
        found.append(failed("the reply is empty", "Please report it"))
    return found + [warning(each, "See frontdesk chat --explain") for each in reply.notes]


@contextmanager
def _caches_in(folder: Path) -> Iterator[None]:
    """What is compiled and kept for the next start goes to a folder instead of the user's cache."""
    import huggingface_hub  # noqa: F401 - it remembers where its models are when it is imported

    before = os.environ.get(_CACHE)
    os.environ[_CACHE] = str(folder / "cache")
    try:
        yield
    finally:
        if before is None:
            del os.environ[_CACHE]
        else:
            os.environ[_CACHE] = before


def generator(subject: Subject) -> Sequence[Finding]:
    """Whether what words the replies, and the models of Q², are there."""
    settings = subject.settings
    found = [*_hub_models(settings)]
    if settings.profile == "openai":
        found += _endpoint(settings, pack_named(subject.options.domain))
    return found or [skipped("only models that come with frontdesk are used")]


def _hub_models(settings: Settings) -> Iterator[Finding]:
    """Those of the hub that the settings name; each is on this machine or there is an error."""
    from frontdesk.kg.models.hub_models import HubModel

    names = {"godel": [settings.godel.model],
             "causal": [settings.causal.model]}.get(settings.profile, [])
    if settings.check.q2 == "hub":
        names += [settings.check.hub_questions, settings.check.hub_reader,
                  settings.check.hub_entailment]
    for name in names:
        folder = Path(HubModel(name).folder)
        if any(folder.glob("*.safetensors")) or any(folder.glob("pytorch_model*.bin")):
            yield Finding(f"{name} is on this machine")
        else:
            yield failed(f"{folder} holds no weights",
                         "Run once where there is a network: hf download, or name another model")


def _endpoint(settings: Settings, pack: DomainPack[Any]) -> list[Finding]:
    """Whether the endpoint answers and has the model; nothing of users is sent."""
    from frontdesk.agent.sessions.load_components import load_generator

    endpoint = settings.openai
    load_generator(settings, pack)  # says what is wrong with the address and the key
    import openai

    key = os.environ.get(endpoint.api_key_env, "").strip()
    found = [Finding(f"{endpoint.api_key_env} is {'set' if key else 'not set'}")]
    client: Any = openai.OpenAI(base_url=endpoint.base_url, api_key=key or "no-key-needed",
                                timeout=_ENDPOINT_S, max_retries=0)
    # The causes are not shown: theirs may quote the key.
    try:
        models = {each.id for each in client.models.list()}
    except openai.APIConnectionError:
        return [*found, failed("the endpoint cannot be reached",
                               "Check openai.base_url and that the endpoint runs")]
    except openai.AuthenticationError:
        return [*found, failed("the endpoint does not take the key",
                               f"Check the key in {endpoint.api_key_env}")]
    except openai.OpenAIError as error:
        status = getattr(error, "status_code", type(error).__name__)
        return [*found, warning(f"the endpoint does not list its models ({status})",
                                "Try it with frontdesk chat --profile openai")]
    if endpoint.model not in models:
        return [*found, warning(f"the endpoint does not list {endpoint.model!r}",
                                f"Set openai.model to one of {', '.join(sorted(models)[:8])}")]
    return [*found, Finding(f"the endpoint has {endpoint.model!r}")]


def encoder(subject: Subject) -> Sequence[Finding]:
    """Whether the sentence encoder is there, and what it computed can be kept."""
    settings = subject.settings.encoder
    found = []
    if settings.name == NAME:
        found.append(Finding(f"{NAME}, which comes with frontdesk"))
    else:
        from frontdesk.scoring.encoder import SentenceTransformerEncoder

        width = SentenceTransformerEncoder(settings.name).encode([_ASKED]).shape[1]
        found.append(Finding(f"{settings.name}, {width} dimensions"))
    folder = Path(settings.cache) if settings.cache else user_cache_path("frontdesk")
    file = folder / "embeddings.sqlite"
    there = next(each for each in (file, *file.parents) if each.exists())
    if os.access(there, os.W_OK) and (there.is_dir() or (
            there == file and os.access(folder, os.W_OK))):
        return [*found, Finding(f"its cache {file} can be written")]
    return [*found, warning(f"its cache {file} cannot be written: every start computes anew",
                            "Set encoder.cache to a folder that can be written")]
