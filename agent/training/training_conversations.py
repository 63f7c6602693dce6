"""What saved conversations teach: which entity the user meant, when the agent asked.

"Do you mean Anna Berg or Anna Holm?" offers options; the user's next turn notes which was chosen.
The mention that the question was about is linked again in the conversation as it was before it: the
chosen option is true, the other options are false, of other candidates nothing is observed.
"""

from __future__ import annotations

from frontdesk.agent.training.trained_examples import DialogueExamples, Source, pairs
from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import MentionKind
from frontdesk.kg.graph.windows import WindowKind
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.interpretations import Interpretation
from frontdesk.rules.linking.linked import LinkedMention
from frontdesk.rules.linking.linking import Linker


def conversation_examples(name: str, graph: DialogueGraph, kb: KnowledgeBase,
                          circuit: LinkingCircuit) -> DialogueExamples:
    """The interpretations of a saved conversation.

    Args:
        name: Of the conversation, unique over all data.
    """
    relinking = _Relinking(graph, kb, circuit)
    found: list[Interpretation] = []
    observed = unobserved = 0
    turns = graph.turns
    for position in range(1, len(turns)):
        options = graph.question(turns[position])[1]
        if graph.speaker(turns[position]) != AGENT or not options:
            continue
        chosen = _chosen(graph, turns[position + 1], options) if position + 1 < len(turns) else None
        mention = relinking.asked_about(position - 1, options) if chosen else None
        if chosen and mention:
            found += pairs(mention, {chosen}, set(mention.evidence) - set(options))
        observed += mention is not None
        unobserved += mention is None
    return DialogueExamples(name, Source.CONVERSATION, tuple(found), observed, unobserved)


def _chosen(graph: DialogueGraph, turn: str, options: tuple[str, ...]) -> str | None:
    """The option that a user's turn decides for; None when it does not."""
    return next((each for each in graph.chosen(turn).values() if each in options), None)


class _Relinking:
    """Links turns of a conversation again, each with what was said before it."""

    def __init__(self, graph: DialogueGraph, kb: KnowledgeBase, circuit: LinkingCircuit) -> None:
        self.graph, self.kb = graph, kb
        self.detector = GazetteerDetector(kb)
        self.linker = Linker(kb, self.detector.index, circuit)

    def asked_about(self, position: int, options: tuple[str, ...]) -> LinkedMention | None:
        """The only mention of a turn whose candidates have all of the options; None if none is.

        Args:
            position: Of the user's turn before the question.
            options: Ids of the entities to choose from.
        """
        asked = self.graph.turns[position]
        if self.graph.speaker(asked) != USER:
            return None
        before = self._before(position)
        now = self.graph.at(asked).astimezone(self.kb.timezone)
        text = self.graph.question(asked)[0] or self.graph.text(asked)
        said = [turn for turn in before.turns if before.speaker(turn) == USER][-1:]
        focus = [window.date for turn in said for mention in before.mentions(turn)
                 if (window := before.window(mention)) and window.kind is not WindowKind.NOW]
        observation = self.detector.detect(text, now=now, focus=focus)
        turn = before.add_turn(USER, self.graph.hypotheses(asked), at=now)
        nodes = [before.add_mention(turn, each, topic=each.kind is not MentionKind.FIRST_PERSON)
                 for each in observation.mentions]
        fitting = [each for each in self.linker.link(before, turn, observation, nodes, now=now)
                   if set(options) <= set(each.evidence)]
        return fitting[0] if len(fitting) == 1 else None

    def _before(self, position: int) -> DialogueGraph:
        """The conversation before a turn, with the user's identity if it was known then."""
        before = DialogueGraph.from_json(self.graph.to_json())
        identity = self.graph.user_identity()
        known = identity is not None and any(
            link.entity == identity[0] for turn in self.graph.turns[:position]
            if self.graph.speaker(turn) == USER
            for mention in self.graph.mentions(turn) for link in self.graph.referents(mention))
        before.forget_from(position, identity if known else None)
        return before
