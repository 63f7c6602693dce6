"""Who speaks: asked for before anything is done, and told apart from guests."""

from __future__ import annotations

from dataclasses import dataclass, replace

from frontdesk.agent.access.access_rights import VISITOR
from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.understanding.introductions import may_give_name, says_only_names
from frontdesk.agent.understanding.link_utterance import called
from frontdesk.kg.graph.mentions import MentionKind
from frontdesk.kg.graph.pending_action import ActionKind, ActionStatus, PendingAction, Slot
from frontdesk.rules.linking.linked import LinkedMention

#: Left open once a user has given a name that nobody has.
_STRANGER = "who speaks"
_NOT_VOUCHED = ("I'm sorry, I can only change the calendar for people whom I am told to know, not "
                "for who says so.")
#: How a guest who gives no name is called.
_NO_NAME = "Somebody"


@dataclass(frozen=True)
class Speaker:
    """Who speaks in a turn.

    Args:
        here: The turn.
    """

    here: ActionContext

    def gives_no_name(self, action: PendingAction) -> bool:
        """Whether who was asked for their name gives none: "no, thanks", "I'm just visiting"."""
        heads = {each.head for each in self.here.reading.forms}
        return action.asked == Slot.SPEAKER and not heads.isdisjoint(("deny", "chat", "arrive")) \
            and heads <= {"deny", "chat", "arrive", "thank", "goodbye"}

    def ask(self, action: PendingAction) -> ActionOutcome | PendingAction:
        """The question who the user is; who gave a name that nobody has is no member.

        An action with the name of a guest is gone on with.
        """
        if action.kind is ActionKind.MESSAGE:
            return self._ask_sender(action)
        if self.here.graph.user() is not None and not self.here.access.trusts_claims:
            return ActionOutcome(
                _NOT_VOUCHED, replace(action, status=ActionStatus.REFUSED, asked=""))
        stranger = self.stranger()
        # Of one whom the caller knows to be a visitor nobody need ask who it is.
        if self.gives_no_name(action) or self.here.access.certified == VISITOR or (
                stranger is not None and _STRANGER in action.left_open):
            return ActionOutcome(self.here.wording.refuse("no_member", ""),
                                 replace(action, status=ActionStatus.REFUSED, asked=""))
        return self._ask_who(action, stranger)

    def _ask_sender(self, action: PendingAction) -> ActionOutcome | PendingAction:
        """The question from whom a message is; guests may leave one under any name."""
        stranger, claimed = self.stranger(), self.here.graph.user()
        if claimed is not None and not self.here.access.trusts_claims:
            guest = self.here.kb.entity(claimed[0]).name
        elif stranger is not None:
            guest = stranger.mention.name
        elif stranger is None and action.asked == Slot.SPEAKER \
                and self.gives_no_name(action):
            guest = _NO_NAME
        else:
            return self._ask_who(action, stranger)
        return replace(action, guest=guest, asked="")

    def _ask_who(self, action: PendingAction, stranger: LinkedMention | None) -> ActionOutcome:
        """The question for the user's name; to one that nobody has nobody is suggested."""
        question, asked = self.here.wording.ask(Slot.SPEAKER, action), replace(
            action, asked=Slot.SPEAKER, offered=())
        if stranger is None:
            return ActionOutcome(question, asked)
        return ActionOutcome(self.here.wording.ask_stranger(stranger.mention.name, question),
                             replace(asked, left_open=action.left_open | {_STRANGER}))

    def stranger(self) -> LinkedMention | None:
        """The name by which a user whom nobody knows says who they are."""
        last = self.here.graph.last_action()
        asked = last is not None and last.is_open and last.asked == Slot.SPEAKER \
            and may_give_name(self.here.reading.forms)
        return next((each for each in self.here.linked if not called(each, self.here.kb) and (
            each.mention.introduces_speaker or (
                asked and each.mention.kind is MentionKind.NAME and says_only_names(
                    self.here.cues, self.here.linked, self.here.kb)))),
            None)
