"""What a user wants with an utterance: the intents, several of which one utterance may have."""

from __future__ import annotations

from enum import StrEnum


class Intent(StrEnum):
    """An intent, after the annotations of GraphWOZ (Walker et al., section 4.1)."""

    # What belongs to every conversation.
    GREET = "greet"
    INTRODUCE = "introduce"                        # "I'm Ada Berg"
    PLEASANTRY = "pleasantry"
    THANK = "thank"
    GOODBYE = "goodbye"
    ASK_HELP = "ask_help"
    # What is asked.
    REQUEST_ATTRIBUTE = "request_attribute"        # "where is the lens workshop?"
    REQUEST_INFORMATION = "request_information"    # "what do you know about Ada Berg?"
    REQUEST_AVAILABILITY = "request_availability"  # "is Gorse free at two?"
    REQUEST_MEMBERS = "request_members"            # "who is in Optics?"
    REQUEST_CONTACT = "request_contact"            # "how do I reach Ada Berg?"
    REQUEST_AGENDA = "request_agenda"              # "what do I have today?"
    # What is to be done.
    CREATE_EVENT = "create_event"                  # "book a meeting", "I need a room at ten"
    MOVE_EVENT = "move_event"                      # "move it to Friday", "an hour later"
    CANCEL_EVENT = "cancel_event"                  # "cancel my two o'clock"
    INVITE = "invite"                              # "add Ada", "with two people of Optics"
    REMOVE_ATTENDEE = "remove_attendee"            # "Ada need not come"
    SET_NAME = "set_name"                          # "call it lens workshop"
    SET_DATE = "set_date"
    SET_TIME = "set_time"
    SET_DURATION = "set_duration"
    SET_PLACE = "set_place"
    FIND_TIME = "find_time"                        # "when could we all meet?"
    LEAVE_MESSAGE = "leave_message"                # "tell Ada that I am late"
    # What goes on with something said before.
    CONFIRM = "confirm"
    DENY = "deny"
    ANY = "any"                                    # "anyone will do", "whenever is free"
    CHOOSE = "choose"                              # "the second one"
    CORRECT = "correct"                            # "no, I meant Friday"
    UNDO = "undo"                                  # of something done: "no, cancel that"
    ABANDON = "abandon"                            # of something not done yet: "never mind"


#: Intents of something that is to be done to a calendar.
ACTIONS = frozenset({
    Intent.CREATE_EVENT, Intent.MOVE_EVENT, Intent.CANCEL_EVENT, Intent.INVITE,
    Intent.REMOVE_ATTENDEE, Intent.SET_NAME, Intent.SET_DATE, Intent.SET_TIME,
    Intent.SET_DURATION, Intent.SET_PLACE, Intent.FIND_TIME, Intent.LEAVE_MESSAGE})
#: Intents of a question.
QUESTIONS = frozenset({
    Intent.REQUEST_ATTRIBUTE, Intent.REQUEST_INFORMATION, Intent.REQUEST_AVAILABILITY,
    Intent.REQUEST_MEMBERS, Intent.REQUEST_CONTACT, Intent.REQUEST_AGENDA})
