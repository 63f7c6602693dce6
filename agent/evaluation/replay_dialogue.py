"""One dialogue under evaluation: every user turn answered with the real dialogue as history.

The agent answers each turn as it would in a chat. Then its reply makes room for the reference, so
that the next turn is answered in the dialogue that really took place (paper, section 4.2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from frontdesk.agent.domains.domain_pack import Linking
from frontdesk.agent.domains.domain_registry import DEFAULT, pack_named, pack_of_dataset
from frontdesk.agent.evaluation.grounding_facts import grounding_facts
from frontdesk.agent.evaluation.measure_encoder import EvaluationEncoder
from frontdesk.agent.evaluation.measure_linking import LinkingEvaluation
from frontdesk.agent.evaluation.measured_values import Context, GraphValues, NamedValue, hits_at
from frontdesk.agent.sessions.agent import Agent, Session
from frontdesk.agent.sessions.load_components import load_generator
from frontdesk.agent.settings.settings import Condition, Settings
from frontdesk.agent.turn.reply import Reply
from frontdesk.data.datasets.data_set import EvaluationDialogue, EvaluationTurn
from frontdesk.generation.checks.error_labels import ErrorLabels, label_errors
from frontdesk.generation.checks.graph_check import GraphVerdict
from frontdesk.generation.voice.generator import Generator
from frontdesk.kg.graph.dialogue_graph import AGENT, USER
from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.facts import Fact
from frontdesk.scoring.ranked_fact import RankedFact
from frontdesk.scoring.relevance import bm25_scores

Record = dict[str, Any]

#: Facts of a turn that its record holds; under all-facts there may be thousands.
_MOST_FACTS = 100


@dataclass(frozen=True)
class RunSettings:
    """What a turn's result depends on besides the data.

    Args:
        settings: Of the agent; ``settings.knowledge.condition`` is the condition.
    """

    settings: Settings
    linking: Linking | str = Linking.RULES
    domain: str = DEFAULT.name

    @property
    def condition(self) -> Condition:
        """Which facts reach the generator."""
        return Condition(self.settings.knowledge.condition)


class DialogueEvaluator:
    """Answers the turns of dialogues and records what came of them.

    Args:
        encoder: Shared by all dialogues.
        generator: Words the replies; the profile's by default.
    """

    def __init__(self, run: RunSettings, encoder: EvaluationEncoder,
                 generator: Generator | None = None) -> None:
        self.run = run
        self.encoder = encoder
        self.generator = generator or load_generator(run.settings, pack_named(run.domain))

    def evaluate(self, dialogue: EvaluationDialogue,
                 done: Collection[int] = ()) -> Iterator[Record]:
        """Answer the turns of a dialogue.

        Args:
            done: Numbers of the turns whose results are there; they only become history.

        Yields:
            A line of ``turns.jsonl`` for each other turn, its corpus metrics still to come. A
            turn that fails gives one with its error.
        """
        if all(turn.number in done for turn in dialogue.turns):
            return
        try:
            evaluation = DialogueEvaluation(self, dialogue)
        except Exception as error:  # noqa: BLE001 - a dialogue that fails must not end the run
            for turn in dialogue.turns:
                if turn.number not in done:
                    yield _asked(dialogue, turn, ()) | _failed(error)
            return
        yield from evaluation.run(done)


class DialogueEvaluation:
    """The evaluation of one dialogue.

    Args:
        evaluator: With what all dialogues share.
    """

    def __init__(self, evaluator: DialogueEvaluator, dialogue: EvaluationDialogue) -> None:
        self.condition = evaluator.run.condition
        self.dialogue = dialogue
        self.encoder = evaluator.encoder
        # Without a limit: what is measured must not depend on how busy the machine is.
        settings = evaluator.run.settings
        self.domain = pack_of_dataset(dialogue.dataset).components(
            dialogue.knowledge, replace(settings, rules=replace(settings.rules, deadline_s=0.0)),
            linking=evaluator.run.linking)
        self.agent = Agent(self.domain, evaluator.run.settings, encoder=evaluator.encoder,
                           generator=evaluator.generator or self.domain.realiser, stand_in=False)
        self.session: Session = self.agent.session()
        kb = self.domain.kb
        self.stored = list(dict.fromkeys(
            fact for entity in kb.entities() for fact in kb.facts_about(entity.id)))
        self.values = GraphValues(self.stored, kb, self.domain.schema)
        self.linking = self._linking_evaluation()
        #: Entities that somebody has named so far.
        self.named: set[str] = set()
        self.history: list[tuple[str, str]] = []
        say = self.domain.verbaliser(dialogue.turns[0].now, None).say
        self.encoder.start_dialogue(self.domain.schema, map(say, self.stored))

    def _linking_evaluation(self) -> LinkingEvaluation | None:
        annotated = self.dialogue.annotated
        return LinkingEvaluation(annotated.knowledge_base, self.domain.detector, self.domain.linker
                                 ) if annotated is not None else None

    def run(self, done: Collection[int]) -> Iterator[Record]:
        """The results of the turns that are not done."""
        for turn in self.dialogue.turns:
            self.encoder.start_turn()
            self.history.append((USER, turn.user))
            record = self._record(turn, answer=turn.number not in done)
            if turn.number not in done:
                yield record
            if turn.reference is not None:
                self.history.append((AGENT, turn.reference))

    # --- one turn

    def _record(self, turn: EvaluationTurn, *, answer: bool) -> Record:
        """The result of a turn, which becomes part of the dialogue together with its reference.

        A turn that fails anywhere has a record of that, and the dialogue goes on without it as
        far as it can.
        """
        before = len(self.session.graph.turns)
        line = _asked(self.dialogue, turn, self.history[:-1])
        try:
            line["linking"] = self._link(turn)
            self.named |= self._entities_named(turn.user, turn)
            if answer:
                reply = self.session.reply(turn.hypotheses, now=turn.now)
                line |= self.answered(turn, reply)
                self.session.take_back(before + 1)
            else:
                self.session.listen(turn.hypotheses, now=turn.now)
            self._hear_reference(turn)
        except Exception as error:  # noqa: BLE001 - a turn that fails must not end the run
            self.session.take_back(before)
            line = _asked(self.dialogue, turn, self.history[:-1]) | _failed(error) | {
                "linking": line.get("linking")}
            with suppress(Exception):  # what fails here failed above
                line["recall"] = self._unanswered(turn)
                self.session.listen(turn.hypotheses, now=turn.now)
                self._hear_reference(turn)
        return line

    def _hear_reference(self, turn: EvaluationTurn) -> None:
        if turn.reference is not None:
            self.session.say(turn.reference, now=turn.now)
            self.named |= self._entities_named(turn.reference, turn)

    def answered(self, turn: EvaluationTurn, reply: Reply) -> Record:
        """What the line of a turn says of its reply."""
        answer = reply.to_dict()
        known = self.known(turn, reply)
        return {
            "reply": reply.text, "facts": answer["knowledge"][:_MOST_FACTS],
            "facts_given": len(reply.knowledge), "used": answer["facts"],
            "links": answer["links"], "checks": answer["checks"],
            "generator": answer["generator"], "repaired": answer["repaired"],
            "steps": answer["steps"],
            "notes": answer["notes"], "recall": self._recall(turn, reply, known),
            "errors": self._errors(turn, reply, known),
            "timings_ms": answer["timings_ms"], "error": None}

    def known(self, turn: EvaluationTurn, reply: Reply) -> list[RankedFact]:
        """All facts that are stored or follow for a turn, with their sentences."""
        user = self.session.graph.user()
        say = self.domain.verbaliser(turn.now, user[0] if user else None).say
        return [RankedFact(fact, say(fact), 1.0)
                for fact in dict.fromkeys([*self.stored, *reply.derivable()])]

    # --- errors

    def _errors(self, turn: EvaluationTurn, reply: Reply, known: Sequence[RankedFact]) -> Record:
        _, labels = self.judge(turn, reply.text, reply, known)
        reference = None if turn.reference is None else self.judge(
            turn, turn.reference, reply, known)[1].hallucination
        return {"hallucination": labels.hallucination, "unsupported": labels.unsupported,
                "retrieval_error": labels.retrieval_error, "asked_back": labels.asked_back,
                "can_miss": bool(self._informative(turn)),
                "reference_hallucination": reference, "reasons": list(labels.reasons)}

    def judge(self, turn: EvaluationTurn, text: str, reply: Reply,
              known: Sequence[RankedFact]) -> tuple[GraphVerdict, ErrorLabels]:
        """The graph's verdict on a text as the reply to a turn, and its errors.

        Args:
            text: Anybody's reply, whatever a generator was given.
            reply: Our reply to the turn, with how it was understood.
            known: All that is known, see :meth:`known`.
        """
        named = self._entities_named(text, turn)
        about = [link.entity_id for link in reply.links]
        spoken_of = {*self.named, *about}
        windows = reply.context.observation.windows() if reply.context else ()
        verdict = self.domain.check.check(
            text, grounding_facts(known, spoken_of=spoken_of, named=named, about=about),
            now=turn.now, said=" ".join(said for _, said in self.history),
            spoken_of=spoken_of, asked=windows)
        informative = self._informative(turn)
        has = {form for value in self._named(text, turn) for form in value.forms}
        people = [entity for entity in named
                  if isinstance(self.domain.kb.entity(entity), Person)]
        return verdict, label_errors(
            text, self.history, verdict,
            wanted=None if turn.reference is None else [value.text for value in informative],
            given=[value.text for value in informative if value.forms & has], people=people,
            exists=lambda name: bool(self._entities_named(name, turn)))

    def _informative(self, turn: EvaluationTurn) -> list[NamedValue]:
        """Values of the reference that the graph has and nobody has said."""
        said = {form for _, text in self.history for value in self._named(text, turn)
                for form in value.forms}
        return [value for value in self._reference_values(turn) if not value.forms & said]

    # --- retrieval

    def _recall(self, turn: EvaluationTurn, reply: Reply,
                known: Sequence[RankedFact]) -> Record | None:
        """Which values of the reference the ten first facts of each ranking have.

        The rankings that ours is compared with are of all stored and derivable facts, whatever
        the condition lets through.
        """
        values = self._reference_values(turn)
        if reply.context is None or not values:
            return None
        facts, texts = [each.fact for each in known], [each.text for each in known]
        ranked = [each.fact for each in reply.candidates]
        graph = GraphValues([*facts, *ranked], self.domain.kb, self.domain.schema)
        context = self.context_of(turn)
        last = reply.context.utterances[-1]
        cosine = self.encoder.encode(texts) @ self.encoder.encode([last])[0]
        rankings = {str(self.condition): ranked,
                    "bm25": _best(facts, bm25_scores(texts, last)),
                    "cosine": _best(facts, cosine)}
        if self.condition not in (Condition.RELEVANCE, Condition.RELEVANCE_LOGIC):
            del rankings[str(self.condition)]  # it ranks nothing

        def hits(wanted: Sequence[NamedValue]) -> dict[str, float]:
            found: dict[str, float] = {
                name: hits_at(ranking, wanted, graph, context)
                for name, ranking in rankings.items()}
            found["random"] = round(sum(_chance(sum(graph.has(fact, value, context)
                                                    for fact in facts), len(facts))
                                        for value in wanted), 6)
            return found

        new = self._informative(turn)
        return {"values": [value.text for value in values], "hits": hits(values),
                "new_values": [value.text for value in new], "new_hits": hits(new)}

    def _unanswered(self, turn: EvaluationTurn) -> Record | None:
        """What a turn that failed should have found."""
        values = self._reference_values(turn)
        new = [value.text for value in self._informative(turn)]
        return {"values": [value.text for value in values], "hits": {}, "new_values": new,
                "new_hits": {}} if values else None

    def _reference_values(self, turn: EvaluationTurn) -> list[NamedValue]:
        """The values of the reference that a stored fact about what was named has."""
        context = self.context_of(turn)
        return [value for value in self._named(turn.reference or "", turn)
                if any(self.values.has(fact, value, context) for fact in self.stored)]

    def context_of(self, turn: EvaluationTurn) -> Context:
        """What the values of a reference must have to do with."""
        return Context(frozenset(self.named),
                       frozenset(self._entities_named(turn.reference or "", turn)))

    def _named(self, text: str, turn: EvaluationTurn) -> list[NamedValue]:
        return self.values.named_in(text, now=turn.now)

    def _entities_named(self, text: str, turn: EvaluationTurn) -> set[str]:
        return {form for value in self._named(text, turn) for kind, form in value.forms
                if kind == "entity"}

    # --- linking

    def _link(self, turn: EvaluationTurn) -> Record | None:
        annotated = self.dialogue.annotated
        if self.linking is None or annotated is None:
            return None
        source = next((each for each in annotated.turns if each.number == turn.number), None)
        if source is None:  # somebody has gone on with the dialogue
            return None
        linked = self.linking.turn(source)
        self.named |= {entity for annotation in source.entities
                       for entity in annotation.candidates}
        return linked.to_json()


def _asked(dialogue: EvaluationDialogue, turn: EvaluationTurn,
           history: Sequence[tuple[str, str]]) -> Record:
    return {"dialogue": dialogue.id, "turn": turn.number, "domain": dialogue.domain,
            "history": [list(each) for each in history], "user": turn.user,
            "reference": turn.reference}


def _failed(error: Exception) -> Record:
    return {"reply": None, "facts": [], "used": [], "links": [], "checks": None,
            "generator": None, "repaired": None, "steps": [], "notes": [], "recall": None,
            "facts_given": 0,
            "errors": {"hallucination": None, "unsupported": None, "retrieval_error": None,
                       "asked_back": False, "can_miss": False, "reference_hallucination": None,
                       "reasons": []},
            "linking": None, "timings_ms": {},
            "error": {"type": type(error).__name__, "message": str(error)}}


def _best(facts: Sequence[Fact], scores: Any) -> list[Fact]:
    """Facts by score, ties in the order given."""
    order = sorted(range(len(facts)), key=lambda index: (-float(scores[index]), index))
    return [facts[index] for index in order]


def _chance(having: int, facts: int) -> float:
    """Probability that one of ten facts picked at random is among those that have a value."""
    missing = 1.0
    for picked in range(min(10, facts)):
        missing *= max(0, facts - having - picked) / (facts - picked)
    return 1 - missing


def with_condition(settings: Settings, condition: str, *, seed: int = 0) -> Settings:
    """Settings under a condition."""
    return replace(settings, knowledge=replace(settings.knowledge, condition=str(condition),
                                               seed=seed))
