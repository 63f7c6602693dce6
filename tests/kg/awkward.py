"""A small organisation with awkward names, and one fact for every predicate of the schema."""

import datetime as dt
from zoneinfo import ZoneInfo

from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.windows import PartOfDay, Window, day_window, now_window, part_window

ZONE = ZoneInfo("Europe/Oslo")
#: A Wednesday, with seconds that no sentence says.
NOW = dt.datetime(2026, 3, 4, 10, 17, 33, tzinfo=ZONE)
TODAY = day_window(NOW.date(), ZONE)
TOMORROW = day_window(dt.date(2026, 3, 5), ZONE)
MORNING = part_window(dt.date(2026, 3, 9), PartOfDay.MORNING, ZONE)
RIGHT_NOW = now_window(NOW)


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


def span(day: int, start: int, end: int) -> Window:
    return Window(at(day, start), at(day, end))


def knowledge_base() -> KnowledgeBase:
    return KnowledgeBase(
        name="Acme", timezone=ZONE,
        people=[
            Person("jo", "Jo Stevens", "jo@acme.example", "+4721784294", "bio", "r327"),
            Person("jo2", "Jo Stevens", "jo2@acme.example", "", "and"),
            Person("jo3", "jo stevens", "jo3@acme.example", "", "and"),
            Person("chris", "Chris Reeves", phone="ext. 5", group="bio", office="r327"),
            Person("van", "van Dyck, Bo and Sons", group="bio"),
            Person("brace", "{0.is} 100%s", group="bio")],
        groups=[Group("bio", "Biology"), Group("and", "Research and Development"),
                Group("the", "The Optics"), Group("team", "People Team"),
                Group("dept", "Department of Physics")],
        rooms=[Room("r327", "327", 3, bookable=False), Room("alpha", "Alpha", 0),
               Room("is", "What is in here"), Room("beta", "Beta, left", -1),
               Room("beta2", "Gamma and Delta", 22)],
        events=[
            Event("review", "budget review", at(4, 10), at(4, 11), "alpha", "jo",
                  ("jo", "chris"), "bio"),
            Event("qa", "Q&A: what is new, and why", at(5, 9), at(5, 10, 30), "is", "chris",
                  ("van",)),
            Event("night", "night shift", at(5, 22), at(6, 2), "alpha", "jo", ("jo", "brace")),
            Event("fair", "trade fair", at(9, 0), at(12, 0), organizer="van", all_day=True),
            Event("format", "{1.on} %d \u201cx\u201d", at(9, 9), at(9, 10), attendees=("jo",)),
            Event("bang", "!!!", at(10, 9), at(10, 9)),
            Event("same1", "catch-up", at(9, 14), at(9, 15), organizer="jo"),
            Event("same2", "catch-up", at(9, 16), at(9, 17), organizer="chris"),
            Event("up1", "standup", at(4, 8), at(4, 8, 15), series="s"),
            Event("up2", "standup", at(5, 8), at(5, 8, 15), series="s"),
            Event("up3", "standup", at(6, 8), at(6, 8, 15), series="s"),
            Event("old", "kick-off", dt.datetime(2025, 12, 31, 9, 0, 30, tzinfo=ZONE),
                  dt.datetime(2025, 12, 31, 10, tzinfo=ZONE))])


#: For every predicate facts, each with its sentence; the speaker is Chris.
SAID: dict[str, list[tuple[tuple[object, ...], str]]] = {
    "date": [
        (("review", dt.date(2026, 3, 4)), "The budget review is today, Wednesday 4 March."),
        (("qa", dt.date(2026, 3, 5)),
         "\u201cQ&A: what is new, and why\u201d is tomorrow, Thursday 5 March."),
        (("fair", dt.date(2026, 3, 9)), "The trade fair is on Monday 9 March."),
        (("old", dt.date(2025, 12, 31)), "The kick-off is on Wednesday 31 December 2025."),
        (("up1", dt.date(2026, 3, 4)),
         "The standup (today from 08:00 to 08:15) is today, Wednesday 4 March."),
        (("bang", dt.date(2026, 3, 10)), "\u201c!!!\u201d is on Tuesday 10 March.")],
    "start_time": [(("review", dt.time(10)), "The budget review starts at 10:00."),
                   (("old", dt.time(9, 0, 30)), "The kick-off starts at 09:00.")],
    "end_time": [(("format", dt.time(10)),
                  "\u201c{1.on} %d \u201cx\u201d\u201d ends at 10:00.")],
    "location": [(("review", "alpha"), "The budget review is in Alpha."),
                 (("night", "r327"), "The night shift is in room 327."),
                 (("qa", "is"),
                  "\u201cQ&A: what is new, and why\u201d is in What is in here.")],
    "organizer": [
        (("review", "jo"), "The budget review is organised by Jo Stevens (the Biology group)."),
        (("qa", "chris"), "\u201cQ&A: what is new, and why\u201d is organised by you.")],
    "attendees": [
        (("review", ("jo", "chris")),
         "Jo Stevens (the Biology group) and you are attending the budget review."),
        (("qa", ("van",)),
         "Van Dyck, Bo and Sons is attending \u201cQ&A: what is new, and why\u201d."),
        (("same1", ("chris",)),
         "You are attending the catch-up (organised by Jo Stevens)."),
        (("same2", ("van", "brace", "jo2")),
         "Van Dyck, Bo and Sons, {0.is} 100%s and Jo Stevens (jo2@acme.example) are attending "
         "the catch-up (organised by Chris Reeves).")],
    "held_by": [(("review", "bio"), "The budget review is held by the Biology group."),
                (("night", "the"), "The night shift is held by the Optics group."),
                (("night", "dept"), "The night shift is held by the Department of Physics.")],
    "email": [(("jo", "jo@acme.example"),
               "Jo Stevens' (the Biology group) email address is jo@acme.example."),
              (("chris", "c.r@x.example"), "Your email address is c.r@x.example."),
              (("van", "x@y.example"),
               "Van Dyck, Bo and Sons' email address is x@y.example.")],
    "phone": [(("van", "+4721784294"),
               "Van Dyck, Bo and Sons' phone number is +47 21 78 42 94."),
              (("chris", "ext. 5"), "Your phone number is ext. 5.")],
    "office": [(("brace", "r327"), "{0.is} 100%s' office is room 327."),
               (("chris", "beta"), "Your office is Beta, left.")],
    "member_of": [(("van", "bio"), "Van Dyck, Bo and Sons is in the Biology group."),
                  (("chris", "team"), "You are in the People Team.")],
    "members": [
        (("bio", ("chris", "van")),
         "You and van Dyck, Bo and Sons are in the Biology group."),
        (("and", ("jo2",)),
         "Jo Stevens (jo2@acme.example) is in the Research and Development group.")],
    "floor": [(("alpha", 0), "Alpha is on the ground floor."),
              (("r327", 3), "Room 327 is on the 3rd floor."),
              (("beta2", 22), "Gamma and Delta is on the 22nd floor."),
              (("beta", -1), "Beta, left is on basement level 1.")],
    "takes_place": [
        (("review", span(4, 10, 11)), "The budget review is today from 10:00 to 11:00."),
        (("fair", Window(at(9, 0), at(12, 0), TODAY.kind.ALL_DAY)),
         "The trade fair is all day from Monday 9 March to Wednesday 11 March."),
        (("night", Window(at(5, 22), at(6, 2))), "The night shift is from 22:00 on Thursday "
         "5 March to 02:00 on Friday 6 March."),
        (("bang", span(10, 9, 9)), "\u201c!!!\u201d is on Tuesday 10 March at 09:00."),
        (("old", Window(dt.datetime(2025, 12, 31, 9, 0, 30, tzinfo=ZONE),
                        dt.datetime(2025, 12, 31, 10, tzinfo=ZONE))),
         "The kick-off is on Wednesday 31 December 2025 from 09:00 to 10:00."),
        (("up2", span(5, 8, 9)), "The standup is tomorrow from 08:00 to 09:00."),
        (("up3", span(6, 8, 9)), "The standup (on Friday 6 March from 08:00 to 08:15) is on "
         "Friday 6 March from 08:00 to 09:00.")],
    "duration": [(("review", 60), "The budget review lasts 1 hour."),
                 (("night", 1530), "The night shift lasts 1 day, 1 hour and 30 minutes.")],
    "attends": [(("van", "review"), "Van Dyck, Bo and Sons is attending the budget review."),
                (("chris", "review"), "You are attending the budget review.")],
    "does_not_attend": [
        (("van", "review"), "Van Dyck, Bo and Sons is not attending the budget review."),
        (("chris", "review"), "You are not attending the budget review.")],
    "organises": [
        (("van", ("fair",)), "Van Dyck, Bo and Sons organises the trade fair all day from "
         "Monday 9 March to Wednesday 11 March."),
        (("chris", ("review", "qa")), "You organise the budget review today from 10:00 to 11:00 "
         "and \u201cQ&A: what is new, and why\u201d tomorrow from 09:00 to 10:30.")],
    "organises_nothing": [(("van",), "Van Dyck, Bo and Sons organises no events."),
                          (("chris",), "You organise no events.")],
    "office_floor": [(("chris", 3), "Your office is on the 3rd floor."),
                     (("van", 0), "Van Dyck, Bo and Sons' office is on the ground floor.")],
    "office_of": [(("r327", ("van", "brace")),
                   "Van Dyck, Bo and Sons and {0.is} 100%s have room 327 as their office."),
                  (("r327", ("chris",)), "You have room 327 as your office.")],
    "group_size": [(("bio", 1), "The Biology group has 1 member."),
                   (("and", 12), "The Research and Development group has 12 members.")],
    "event_size": [(("review", 1), "The budget review has 1 attendee."),
                   (("review", 2), "The budget review has 2 attendees.")],
    "person_available": [(("van", RIGHT_NOW), "Van Dyck, Bo and Sons is free now."),
                         (("chris", MORNING), "You are free on Monday 9 March in the morning.")],
    "person_busy": [
        (("chris", TODAY, ("review",)),
         "You are not free today because of the budget review from 10:00 to 11:00."),
        (("van", RIGHT_NOW, ("review", "night")), "Van Dyck, Bo and Sons is not free now because "
         "of the budget review from 10:00 to 11:00 and the night shift from 22:00 on Thursday "
         "5 March to 02:00 on Friday 6 March.")],
    "person_free_slots": [
        (("chris", TOMORROW, (span(5, 8, 9), span(5, 11, 12))),
         "You are free tomorrow from 08:00 to 09:00 and from 11:00 to 12:00."),
        (("van", Window(TODAY.start, TOMORROW.end, TODAY.kind), (span(4, 8, 9), span(5, 8, 9))),
         "Van Dyck, Bo and Sons is free from Wednesday 4 March to Thursday 5 March today from "
         "08:00 to 09:00 and tomorrow from 08:00 to 09:00.")],
    "room_available": [(("r327", TOMORROW), "Room 327 is free tomorrow.")],
    "room_busy": [(("alpha", MORNING, ("same1",)), "Alpha is not free on Monday 9 March in the "
                   "morning because of the catch-up from 14:00 to 15:00.")],
    "room_free_slots": [(("alpha", TODAY, (span(4, 8, 9),)),
                         "Alpha is free today from 08:00 to 09:00.")],
    "available_rooms": [
        ((("r327",), TODAY), "Room 327 is free today."),
        ((("r327", "beta", "beta2"), RIGHT_NOW),
         "Room 327, Beta, left and Gamma and Delta are free now.")],
    "no_rooms_available": [((TODAY,), "No meeting room is free today.")],
    "available_members": [
        ((("van",), "bio", TODAY), "Van Dyck, Bo and Sons of the Biology group is free today."),
        ((("van", "chris"), "bio", TODAY),
         "Van Dyck, Bo and Sons and you of the Biology group are free today.")],
    "no_members_available": [(("team", RIGHT_NOW), "Nobody of the People Team is free now.")],
    "person_events": [
        (("chris", TODAY, ("review",)),
         "You have 1 event today: the budget review from 10:00 to 11:00."),
        (("van", TOMORROW, ("up2", "qa")), "Van Dyck, Bo and Sons has 2 events tomorrow: the "
         "standup from 08:00 to 08:15 and \u201cQ&A: what is new, and why\u201d from 09:00 to "
         "10:30.")],
    "no_person_events": [(("chris", TODAY), "You have no events today."),
                         (("van", TODAY), "Van Dyck, Bo and Sons has no events today.")],
    "group_events": [(("team", TODAY, ("review",)), "The People Team has 1 event today: the "
                      "budget review from 10:00 to 11:00.")],
    "no_group_events": [(("the", TODAY), "The Optics group has no events today.")],
    "room_events": [(("r327", TODAY, ("review", "up1")), "Room 327 has 2 events today: the budget "
                     "review from 10:00 to 11:00 and the standup from 08:00 to 08:15.")],
    "no_room_events": [(("is", MORNING),
                        "What is in here has no events on Monday 9 March in the morning.")],
    "events_during": [
        ((("review",), TODAY),
         "There is 1 event today: the budget review from 10:00 to 11:00."),
        ((("review", "up1"), TODAY), "There are 2 events today: the budget review from 10:00 to "
         "11:00 and the standup from 08:00 to 08:15.")],
    "no_events_during": [((TOMORROW,), "There are no events tomorrow.")],
    "next_event": [
        (("chris", "qa", Window(at(5, 9), at(5, 10, 30))), "Your next event is \u201cQ&A: what is "
         "new, and why\u201d, tomorrow from 09:00 to 10:30."),
        (("van", "review", span(4, 10, 11)), "Van Dyck, Bo and Sons' next event is the budget "
         "review, today from 10:00 to 11:00.")],
    "no_next_event": [(("chris",), "You have no coming events."),
                      (("van",), "Van Dyck, Bo and Sons has no coming events.")],
    "located_now": [
        (("chris", "alpha", "review", span(4, 10, 11)),
         "You are in Alpha now, at the budget review, today from 10:00 to 11:00."),
        (("van", "beta", "review", span(4, 10, 11)), "Van Dyck, Bo and Sons is in Beta, left now, "
         "at the budget review, today from 10:00 to 11:00.")],
    "in_event_now": [(("chris", "review", span(4, 10, 11)),
                      "You are now at the budget review, today from 10:00 to 11:00.")],
    "office_now": [
        (("chris", "r327"), "You are not at any event now; your office is room 327."),
        (("van", "r327"),
         "Van Dyck, Bo and Sons is not at any event now; their office is room 327.")],
    "shared_events": [(("van", "chris", ("review", "qa")), "Van Dyck, Bo and Sons and you are "
                       "both at the budget review today from 10:00 to 11:00 and \u201cQ&A: what "
                       "is new, and why\u201d tomorrow from 09:00 to 10:30.")],
    "no_shared_events": [(("chris", "van"),
                          "You and van Dyck, Bo and Sons have no event together.")],
    "conflict": [
        (("chris", "same1", "night"), "You have two events at the same time: the catch-up "
         "(organised by Jo Stevens) and the night shift."),
        (("van", "review", "qa"), "Van Dyck, Bo and Sons has two events at the same time: the "
         "budget review and \u201cQ&A: what is new, and why\u201d.")],
    "no_conflicts": [(("chris",), "You have no overlapping events."),
                     (("van",), "Van Dyck, Bo and Sons has no overlapping events.")],
    "today": [((dt.date(2026, 3, 4),), "Today is Wednesday 4 March 2026.")],
    "time_now": [((NOW.time(),), "It is 10:17 now.")],
    "pending_title": [(("the new meeting", "“Q&A: why”"),
                       "The new meeting is to be called “Q&A: why”.")],
    "pending_time": [(("the new meeting", span(5, 10, 11)),
                      "The new meeting is to be tomorrow from 10:00 to 11:00.")],
    "pending_location": [(("the new meeting", "r327"), "The new meeting is to be in room 327.")],
    "pending_attendees": [(("the new meeting", ("jo", "chris")),
                           "Jo Stevens (the Biology group) and you are to come to the new "
                           "meeting.")],
    "pending_missing": [(("the new meeting", "start time"),
                         "The new meeting has no start time yet.")],
    "pending_unconfirmed": [(("the new meeting",), "The new meeting is not confirmed yet.")],
}


def said() -> list[tuple[Fact, str]]:
    """Every fact of :data:`SAID` with its sentence."""
    return [(Fact(predicate, arguments), sentence)  # type: ignore[arg-type]
            for predicate, rows in SAID.items() for arguments, sentence in rows]
