"""Nothing of what is asked for is dropped in silence: it is in what is proposed, it is asked about,
or it is said that it was not taken into account."""

from __future__ import annotations

import datetime as dt
import random
import re

import pytest

from .told_forms import ToldOffice

#: Roles, each with what shows in the replies that it is taken; the words of any may be named.
SHOWN: dict[str, list[tuple[str, str]]] = {
    "title": [('(title "glue")', "“glue”"), ('(title "wax")', "“wax”")],
    "note": [('(note "oil")', "“oil”")],
    "recurs": [('(recurs "weekly")', "cannot book series"),
               ('(recurs "every other Friday")', "cannot book series")],
    "time": [('(time (at "on Friday"))', "Friday 6"), ('(time (at "on Thursday"))', "Thursday 5"),
             ('(time (at "at ten"))', "10:00"),
             ('(time (at "Thursday at noon"))', "5 March from 12:00"),
             ('(time (at "all afternoon"))', "from 12:00 to 18:00"),
             ('(time (after "three"))', "from 15:00"),
             ('(time (before "four"))', "to (09|1[0-5]):|to 16:00"),
             ('(time (at "when the comet comes"))', ""), ('(time (after (event "zebra")))', "")],
    "start": [('(start (at "half past ten"))', "from 10:30")],
    "end": [('(end (at "five"))', "to 17:00"), ('(end (at "the end of the world"))', "")],
    "duration": [('(duration "half an hour")', "0:30:00"), ('(duration "two hours")', "2:00:00"),
                 ('(duration "the length of a film")', "")],
    "attendee": [('(attendee (person "Bo"))', "Bo Haraldsen"),
                 ('(attendee (person "Zed"))', "Zed"),
                 ('(attendee (and (person "Mira") (person (attends (event "yeti")))))', "“yeti”"),
                 ('(attendee (group "Logistics"))', "Bo Haraldsen and Jonas Thorne"),
                 ('(attendee (person (related "deputy" (that (type "his")))))', "")],
    "venue": [('(venue (room "Beta"))', "Beta"), ('(venue (room "Rowan"))', "Rowan"),
              ('(venue (room "canteen"))', "canteen"),
              ('(venue (and (room "Rowan") (room "Beta")))', "“Beta”")],
    "online": [("(online)", "without a room|out of Rowan")], "private": [("(private)", "private")],
    "host": [('(host (person "Jonas"))', "Jonas Thorne")]}
#: Roles of a change alone.
SHIFTS = [('(shift "an hour later")', "from 15:00"), ('(shift "a day")', "Wednesday 4 March"),
          ('(lengthen "half an hour")', "1:30:00"), ('(shorten "half an hour")', "0:30:00")]
#: What is asked for, with what shows it and the roles that it may have.
DEEDS = [("create", "", "book", [*SHOWN]),
         ("block", "", "book", ["title", "time", "end", "recurs"]),
         ("find_time", "", "everything would be free|book|found no time",
          ["title", "time", "duration", "attendee", "venue"]),
         ("again", '(event "lens workshop") ', "lens workshop", ["time", "attendee", "venue"]),
         ("change", '(event "lens workshop") ', "lens workshop",
          ["title", "note", "recurs", "time", "duration", "attendee", "venue", "online", "shift"])]
#: What is asked for besides.
BESIDES = [("", ""), ('(unsupported "order soup")', "order soup"),
           ('(request (cancel (event "supplier call")))', "cancel the supplier call"),
           ('(request (tell (person "Mira") "the lens broke"))', "the lens broke")]
#: How questions are answered until something is proposed.
ANSWERS = [("Whom", "Jonas", '(answer (person "Jonas"))'),
           ("room", "no room", '(revise (set (unwanted (venue (room)))))'),
           ("call it", "anything", "(any)"),
           ("change about", "public", '(revise (set (title "public")))'),
           ("suit you", "yes", "(confirm)"),
           ("time|day|When|mean", "the 11th at 14:00", '(answer (at "the 11th at 14:00"))')]


def requests(number: int, seed: int) -> list[tuple[str, list[tuple[str, str]]]]:
    """Forms of requests, each with the roles in it and what shows them."""
    draw = random.Random(seed)
    found = []
    for _ in range(number):
        head, target, shown, heads = draw.choice(DEEDS)
        chosen = draw.sample(heads, min(len(heads), draw.randint(1, 4)))
        roles = [draw.choice(SHIFTS if each == "shift" else SHOWN[each]) for each in chosen]
        if draw.random() < 0.3 and "time" in heads:
            roles.append(draw.choice(SHOWN["time"]))
        besides, done = draw.choice(BESIDES)
        written = " ".join(each for each, _ in roles)
        found.append((f"(request ({head} {target}{written})) {besides}".strip(),
                      [*roles, (f"({head} {target})", shown), (besides, done)]))
    return found


def said(office: ToldOffice, forms: str) -> str:
    """All that is said until what is asked for is proposed and all of it agreed to."""
    words = ", ".join(re.findall(r'"([^"]*)"', forms))
    replies = [office.hear(f"please, {words}", forms)]
    for _ in range(8):
        question = replies[-1].rsplit(". ", 1)[-1]
        if "?" not in question:
            break
        if "Shall I" in question:
            replies.append(office.hear("yes"))
            continue
        _, answer, form = next(each for each in ANSWERS if re.search(each[0], question))
        replies.append(office.hear(answer, form))
    return "\n".join(replies)


def is_shown(role: str, shown: str, replies: str) -> bool:
    """Whether a role shows in replies: what it makes of the deed, or its words."""
    words = re.findall(r'"([^"]*)"', role)
    lengths = {str(end - start) for start, end in (
        (dt.datetime.strptime(each, "%H:%M") for each in pair)
        for pair in re.findall(r"from (\d\d:\d\d) to (\d\d:\d\d)", replies))}
    named = " ".join(re.findall("“([^”]*)”", replies))
    return (bool(words) and all(each in named for each in words)) \
        or " that you said" in replies or shown in lengths \
        or ("not free" in replies and role.startswith(("(time", "(start", "(end"))) \
        or (bool(shown) and re.search(shown, replies) is not None)


@pytest.mark.parametrize(("forms", "roles"), requests(40, seed=4))
def test_every_part_of_a_request_is_in_what_is_proposed_or_said_to_be_left_out(
        encoder, monkeypatch, forms, roles):
    replies = said(ToldOffice(encoder, monkeypatch), forms)
    assert [role for role, shown in roles if role and not is_shown(role, shown, replies)] == []


@pytest.mark.parametrize(("bound", "offered"), [
    ('(after "three")', "15:00"), ('(from "half past two")', "14:30"), ('(before "half past nine")',
                                                                        "08:00")])
def test_a_time_is_found_within_what_bounds_it(encoder, monkeypatch, bound, offered):
    office = ToldOffice(encoder, monkeypatch)
    words, = re.findall(r'"([^"]*)"', bound)
    assert office.hear(f"find a time on Friday {words}", '(request (find_time (time (at '
                       f'"on Friday")) (time {bound})))').startswith(f"At {offered} on Friday")


def test_a_place_that_is_not_clear_is_to_be_said_again_after_a_name_that_is_not(
        encoder, monkeypatch):
    assert ToldOffice(encoder, monkeypatch).hear(
        "book glue with Zed in the canteen tomorrow at ten", '(request (create (title "glue") '
        '(attendee (person "Zed")) (venue (room "canteen")) (time (at "tomorrow at ten"))))'
    ).endswith("Whom do you mean? Please name “canteen” again after that.")


def test_who_is_to_come_already_may_be_whom_a_name_means(encoder, monkeypatch):
    office = ToldOffice(encoder, monkeypatch)
    office.hear("book glue with Jonas and Zed tomorrow at ten", '(request (create (title "glue") '
                '(attendee (person "Jonas")) (attendee (person "Zed")) '
                '(time (at "tomorrow at ten"))))')
    assert office.hear("Jonas", '(answer (person "Jonas"))') == (
        "Shall I book “glue” tomorrow from 10:00 to 11:00 with Jonas Thorne, without a room?")


def test_what_an_event_is_about_does_not_rename_it(encoder, monkeypatch):
    assert ToldOffice(encoder, monkeypatch).hear(
        "move the lens workshop to four, it is about oil", '(request (change (event '
        '"lens workshop") (time (at "four")) (note "oil")))') == (
        "I did not take “oil” into account. Shall I move the lens workshop to tomorrow from 16:00 "
        "to 17:00?")


def test_a_place_that_is_asked_for_is_not_the_one_of_what_takes_place_again(encoder, monkeypatch):
    office = ToldOffice(encoder, monkeypatch)
    office.hear("the lens workshop again on Friday in the canteen", '(request (again (event '
                '"lens workshop") (time (at "on Friday")) (venue (room "canteen"))))')
    assert office.hear("no room", "(revise (set (unwanted (venue (room)))))").endswith(
        "without a room?")


@pytest.mark.parametrize(("form", "zone"), [
    ('(request (create (title "glue") (time (at "tomorrow at 11 Narnia time"))))', "Narnia time"),
    ('(request (create (title "glue") (time (at "at 11 Narnia time tomorrow"))))', "Narnia time"),
    ('(request (create (title "glue") (start (at "tomorrow at 11 Narnia time")) (duration '
     '"two hours")))', "Narnia time"),
    ('(request (change (event "lens workshop") (time (at "3 Mars time"))))', "Mars time")])
def test_a_zone_that_is_not_known_is_said_not_to_be_taken(encoder, monkeypatch, form, zone):
    office = ToldOffice(encoder, monkeypatch)
    said = "glue tomorrow at 11 Narnia time, at 11 Narnia time tomorrow two hours " \
           "lens workshop 3 Mars time"
    assert f"I did not take “{zone}” into account. " in office.hear(said, form)


@pytest.mark.parametrize("time", [
    "tomorrow at 11 London time", "11 London time tomorrow", "tomorrow at 11 this time",
    "tomorrow at lunch time", "in two hours time", "tomorrow at 11 my time"])
def test_nothing_is_left_out_of_a_time_whose_zone_is_known(encoder, monkeypatch, time):
    office = ToldOffice(encoder, monkeypatch)
    assert "into account" not in office.hear(
        f"glue {time}", f'(request (create (title "glue") (time (at "{time}"))))')


def test_what_is_left_out_is_said_to_whom_nobody_knows_yet(encoder, monkeypatch):
    office = ToldOffice(encoder, monkeypatch, speaker=None)
    said = office.hear(
        "book glue weekly with Bo in Beta and Rowan tomorrow at ten",
        '(request (create (title "glue") (recurs "weekly") (attendee (person "Bo")) (venue (and '
        '(room "Beta") (room "Rowan"))) (time (at "tomorrow at ten"))))')
    assert said == ("I cannot book series, only single meetings, so this is for one. I did not take"
                    " “Rowan” into account. May I have your name, please?")
    assert office.hear("I'm Ines Okafor", '(introduce "Ines Okafor")').endswith(
        "Shall I book “glue” tomorrow from 10:00 to 11:00 with Bo Haraldsen in Beta?")
