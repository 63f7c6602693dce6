"""Settings and their defaults; :mod:`~frontdesk.agent.settings.load_settings` loads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

#: What roles can be told about people and events.
SHOWN = ("titles", "office", "phone", "email", "group")
PROFILES = ("embedded", "godel", "openai", "causal")


class Condition(StrEnum):
    """Which facts reach the generator (paper, section 4.2).

    ``NO_FACTS``: none. ``ALL_FACTS``: all stored and derived facts, shuffled, as many as fit into
    the generator's input. ``RELEVANCE``: the most relevant stored facts. ``RELEVANCE_LOGIC``: the
    most relevant stored and derived facts.
    """

    NO_FACTS = "no-facts"
    ALL_FACTS = "all-facts"
    RELEVANCE = "relevance"
    RELEVANCE_LOGIC = "relevance+logic"


@dataclass(frozen=True)
class KnowledgeSettings:
    """Which facts reach the generator, and how many."""

    condition: str = Condition.RELEVANCE_LOGIC.value
    facts: int = -1
    seed: int = 0

    @property
    def has_derived(self) -> bool:
        """Whether what follows from the stored facts reaches the generator."""
        return Condition(self.condition) in (Condition.ALL_FACTS, Condition.RELEVANCE_LOGIC)

    def most_facts(self, usual: int) -> int:
        """How many of the most relevant facts reach the generator.

        Args:
            usual: How many where nothing is set: the domain's.
        """
        return self.facts if self.facts > 0 else usual


class Repair(StrEnum):
    """What becomes of a reply that fails its checks.

    ``FULL``: another one of the generator is said, then the verbalised facts, then that there is no
    reliable answer. ``GENERATOR``: another one of the generator where one passes. ``NONE``: it is
    said all the same.
    """

    FULL = "full"
    GENERATOR = "generator"
    NONE = "none"


@dataclass(frozen=True)
class CheckSettings:
    """What the checks of a reply lead to."""

    repair: str = Repair.FULL.value
    candidates: int = 4
    pmi_decode: bool = False
    alpha: float = 0.25
    top_p: float = 0.6
    rerank: bool = True
    budget_ms: float = 1000.0
    q2: str = "embedded"
    reader: str = ""
    hub_questions: str = "mrm8488/t5-base-finetuned-question-generation-ap"
    hub_reader: str = "ktrapeznikov/albert-xlarge-v2-squad-v2"
    hub_entailment: str = "roberta-large-mnli"
    thresholds: str = ""


@dataclass(frozen=True)
class RuleSettings:
    """Rules of the user's own, the weights of the linking rules, and the time for a turn."""

    files: tuple[str, ...] = ()
    linking_weights: str = ""
    deadline_s: float = 5.0


@dataclass(frozen=True)
class HouseSettings:
    """What the house says of itself."""

    files: tuple[str, ...] = ()
    least: float = 0.465


@dataclass(frozen=True)
class UnderstandingSettings:
    """The weights of the parser."""

    parser: str = ""


@dataclass(frozen=True)
class RelevanceSettings:
    """The weights of the relevance model."""

    model: str = ""


@dataclass(frozen=True)
class EncoderSettings:
    """The sentence encoder and where its embeddings are kept."""

    name: str = "all-MiniLM-L6-v2"
    cache: str = ""


@dataclass(frozen=True)
class EmbeddedSettings:
    """The generator that comes with frontdesk."""

    words: str = "model"
    model: str = ""
    samples: int = -1
    temperature: float = 0.7
    beams: int = 4
    max_new_tokens: int = 64


@dataclass(frozen=True)
class GodelSettings:
    """The sequence-to-sequence generator."""

    model: str = "microsoft/GODEL-v1_1-base-seq2seq"
    beams: int = 4
    max_new_tokens: int = 96


@dataclass(frozen=True)
class OpenAISettings:
    """The OpenAI-compatible endpoint."""

    base_url: str = "https://api.openai.com/v1"
    model: str = "gpt-4o-mini"
    api_key_env: str = "OPENAI_API_KEY"
    timeout_s: float = 30.0
    max_retries: int = 2


@dataclass(frozen=True)
class CausalSettings:
    """The local causal language model."""

    model: str = "Qwen/Qwen2.5-0.5B-Instruct"
    beams: int = 1
    max_new_tokens: int = 96


@dataclass(frozen=True)
class ActionSettings:
    """Booking, moving and cancelling."""

    enabled: bool = True
    minutes: int = 60
    title: str = "meeting"
    opens: int = 8
    closes: int = 18
    days: int = 7


@dataclass(frozen=True)
class AccessSettings:
    """Who may be told and may change what."""

    visitors: tuple[str, ...] = ("titles", "office", "phone", "email", "group")
    employees: tuple[str, ...] = ("titles", "office", "phone", "email", "group")
    assistants: tuple[str, ...] = ()
    trust_claims: bool = True

    def of(self, role: str) -> tuple[str, ...]:
        """What a role may be told: ``visitor``, ``employee`` or ``assistant``."""
        return self.visitors if role == "visitor" else self.employees


@dataclass(frozen=True)
class NoticeSettings:
    """How notices reach people, and whom the receptionist calls."""

    smtp: str = ""
    smtp_tls: str = "starttls"
    smtp_user: str = ""
    smtp_password_env: str = "FRONTDESK_SMTP_PASSWORD"
    sender: str = ""
    webhook: str = ""
    webhook_secret_env: str = "FRONTDESK_WEBHOOK_SECRET"
    timeout_s: float = 10.0
    give_up_days: float = 3.0
    desk: tuple[str, ...] = ()


@dataclass(frozen=True)
class ServeSettings:
    """What the service allows, and how much of it at once."""

    database: str = "sqlite:///frontdesk-sessions.sqlite"
    keys: str = ""
    jwt_keys: str = ""
    jwt_issuer: str = ""
    jwt_audience: str = ""
    turns_per_minute: int = 600
    guesses_per_minute: int = 30
    sessions_per_caller: int = 10_000
    body_timeout_s: float = 20.0
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    log_format: str = "json"
    log_level: str = "info"
    workers: int = 4
    waiting: int = 32
    hurried: int = 6
    patience_s: float = 20.0
    lease_s: float = 15.0
    longest_text: int = 4000
    longest_body: int = 1_000_000
    remembered: int = 40
    keep_days: float = 30.0
    traces: str = ""
    processes: int = 1
    reload_s: float = 5.0


@dataclass(frozen=True)
class Settings:
    """All settings; ``default.toml`` says what each means."""

    profile: str = "embedded"
    knowledge: KnowledgeSettings = field(default_factory=KnowledgeSettings)
    check: CheckSettings = field(default_factory=CheckSettings)
    actions: ActionSettings = field(default_factory=ActionSettings)
    access: AccessSettings = field(default_factory=AccessSettings)
    notices: NoticeSettings = field(default_factory=NoticeSettings)
    rules: RuleSettings = field(default_factory=RuleSettings)
    house: HouseSettings = field(default_factory=HouseSettings)
    understanding: UnderstandingSettings = field(default_factory=UnderstandingSettings)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    relevance: RelevanceSettings = field(default_factory=RelevanceSettings)
    embedded: EmbeddedSettings = field(default_factory=EmbeddedSettings)
    godel: GodelSettings = field(default_factory=GodelSettings)
    openai: OpenAISettings = field(default_factory=OpenAISettings)
    causal: CausalSettings = field(default_factory=CausalSettings)
    serve: ServeSettings = field(default_factory=ServeSettings)
