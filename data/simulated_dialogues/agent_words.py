"""What the agent says, in the register of a receptionist: patterns of :mod:`.wording` by reply.

``{ok}`` is an opener of the speaker's style ("Alright,"), ``{event}`` an event's name with or
without an article, ``{title}`` one in quotation marks or not, ``{her}`` a possessive and ``{She}``
a pronoun.
"""

from __future__ import annotations

ASK_ELSE = (
    "Is there anything else I can (help you with|do for you)?",
    "Was there anything else I can (do for you|help you with|help with)?",
    "Can I (help you with|do) anything else( for you|)?",
    "Anything else?",
)

WORDS: dict[str, tuple[str, ...]] = {
    "ask_else": ASK_ELSE,
    # Courtesies
    "hello_named": ("Hi {first}!", "Hello {first}.", "Hi {first}.", "Hello {first}!",
                    "Welcome {first}!", "Good day {first}!"),
    "hello": ("Hello!", "Hi!", "Hello.", "Hi.", "Hi there!", "Welcome!"),
    "offer": ("How can I help you?", "What can I do for you?",
              "I'd be happy to help(,|.) (what can I do for you?|what do you need?)",
              "How (may|can) I (help|assist) you( today|)?", "What (do you need help with?"
              "|would you like help with?|can I help you with?)", "I'm happy to help!"),
    "offer_asked": ("I'd be happy to help(, what can I do for you?|. What can I do for you?|!)",
                    "I can help you( with that|). What do you need( help with|)?",
                    "Of course, (how can I help you?|what do you need?)",
                    "I'm happy to help, what can I do for you?", "Sure, what can I do for you?"),
    "how_are_you": ("I'm doing well(,| today,) how about you?",
                    "I am doing well, thank you! How can I help you?",
                    "I'm (fine|good), thank you! What can I do for you?",
                    "I'm doing great, thanks for asking! How can I help?"),
    "my_name": ("My name is {robot}. How can I help you?",
                "I'm {robot}(.|, the receptionist.) What can I do for you?",
                "You can call me {robot}! How can I help you?"),
    "no_access": ("Sorry, I don't have access to that( kind of|) information(!|.)",
                  "I'm sorry, I don't know that.", "Sorry, I (can't|cannot) help (you |)with that.",
                  "I'm afraid I don't have that information.",
                  "Sorry, that is not something I (know|can find out).",
                  "Unfortunately I don't have any information about that."),
    "welcome": ("Happy to help!", "Happy to help! {else}", "Glad to help!", "You're welcome!",
                "My pleasure!", "You're welcome! {else}", "Happy to help. {else}",
                "Glad I could help!", "Great, happy to help!", "Glad to help. {else}",
                "I'm happy to help!", "My pleasure! {else}", "No problem! {else}",
                "You are welcome!", "Great, is there anything else I can help you with?",
                "You're welcome, happy to help!"),
    "bye": ("(OK|Ok|Okay|Great)! Have a (nice|great) day!", "Great, have a nice day!", "OK, have a nice day!",
            "Happy to help! Have a (nice|great) day!", "Have a nice day!", "OK, goodbye!",
            "Happy to help! Goodbye!", "Goodbye!", "Thank you, you too!", "Thank you, goodbye!",
            "My pleasure, have a nice day!", "Glad to help. Goodbye!", "You're welcome! Goodbye!",
            "Happy to help!", "Glad to help!", "My pleasure!"),
    "what_else": ("{ok} {else}", "{ok} What (else |)can I do for you?",
                  "OK! Is there anything else I can help you with?"),
    "sorry": ("Sorry, I didn't understand that. Could you( please|) (repeat|say that again)?",
              "Sorry, I couldn't understand that. Could you( please|) (say that again|repeat)?",
              "I didn't (quite |)understand that(, sorry|). Could you( please|) repeat?",
              "Sorry, I didn't (quite |)(understand|catch that).",
              "I'm sorry, could you( please|) repeat that?",
              "Sorry, could you say that again( please|)?"),
    "ask_name": ("{ok} Can I (first |)(please |)get your name( first|)?",
                 "I can help you with that. (Can|Could) I (please |first |)get your name(, please|)?",
                 "First, (can|could) I (please |)get your name?", "What (is|was) your name?",
                 "I'm happy to help with that. (What is your name?|First, could I please get your "
                 "name?)"),
    "name_again": ("I didn't quite (understand|catch) (your name|that though), what was your name?",
                   "(Just to confirm, |)(what|could you repeat what) your name (is|was)( again|)?",
                   "Sorry, what was your name( again|)?", "Can I confirm your name?"),
    "thanks_named": ("Thanks {first}!", "Hi {first}!", "Thanks, {first}.", "Thank you, {first}!",
                     "{ok} Thanks {first}!", "Hi {first}.", "Hello {first}!"),
    # Events
    "when": ("{event} is {day} at {time}.", "{event} is at {time} {day}.",
             "{event} (will take place|takes place|will be|will be held) {day} at {time}.",
             "({ok} |){event} is {day} from {time} to {end}.", "{event} (starts|begins) at {time} "
             "{day}.", "It('s| is) {day} at {time}.", "{ok} {event} is {day}, at {time}.",
             "{event} is scheduled for {time} {day}."),
    "where": ("{event} (will be|is|will be held) in {room}.", "{event} (takes|will take) place in "
              "{room}.", "The meeting (will be held|will be|is) in {room}.", "It('s| is| will be) in "
              "{room}.", "It will be held in {room}.", "({ok} |)The (event|meeting) is in {room}.",
              "You can find it in {room}."),
    "when_where": ("{event} (will take place|takes place|is|will be) {day} at {time}(,|) in {room}.",
                   "{event} will be {day}(,|) at {time}. (The event|It) will be in {room}.",
                   "{ok} {event} (is|will take place) {day} at {time}, in {room}.",
                   "{event} is at {time} {day} in {room}.",
                   "It (will take place|is) {day} at {time}, in {room}.",
                   "{event} will be held in {room} {day} at {time}."),
    "organiser": ("{event} is organized by {person}.", "{person} is organizing {event}.",
                  "({ok} |){event} is organized by {person}.",
                  "The person organizing {event} is {person}.", "The organizer( of {event}|) is "
                  "{person}.", "It's organized by {person}.", "That would be {person}.",
                  "{person} is the organizer( of {event}|)."),
    "organiser_phone": ("{event} is organized by {person}. {Her} phone number is {phone}(.|)",
                        "{person} is organizing {event}(. {Her}|, and {her}) phone number is "
                        "{phone}(.|)",
                        "The organizer is {person}, and {her} phone number is {phone}(.|)"),
    "attendees": ("{people} (are|will be) attending {event}.", "{ok} {people} are attending "
                  "{event}.", "{event} has {count} attendees: {people}.",
                  "There are {count} (people|attendees): {people}.", "{people} are attending.",
                  "The attendees( of {event}|) are {people}.", "{people} will be there."),
    "attends": ("Yes, {person} is attending {event}.", "Yes, {short} (will be|is) attending"
                "( that meeting| {event}|).", "{person} is attending {event}.",
                "Yes, {short} is one of the attendees.", "Yes, {she} will be there."),
    "attends_not": ("{person} is not attending {event}.", "No, {short} is not attending {event}.",
                    "No, {person} is not on the list of attendees.",
                    "It doesn't look like {person} is attending {event}.",
                    "No, I can't find {short} among the attendees.",
                    "{person} isn't attending {event}. Would you like me to (invite|add) {them}?"),
    "duration": ("The meeting (is {minutes} long|lasts {minutes}).", "{event} (is {minutes} long"
                 "|lasts {minutes}).", "It (lasts|takes) {minutes}(, from {time} to {end}|).",
                 "It's {minutes} long.", "It is scheduled to last {minutes}.",
                 "{event} is from {time} to {end}."),
    # Not found, not sure
    "no_event": ("I (can't|couldn't|cannot) find (a meeting|any event|an event|any meeting) called "
                 "{title}(. Could you repeat the name( of the meeting|)?|, could you repeat the name"
                 "( of the meeting|)?)",
                 "Sorry, I (can't|couldn't) find {title}( on my calendar| in my calendar|). "
                 "(Could you (repeat that|say that again)?|What was the name of the meeting?)",
                 "I'm not sure which (meeting|event) you mean, could you repeat (its|the) name?",
                 "Sorry, I am (still |)not sure which meeting you mean. What (is it called|was the "
                 "name( of the meeting|))?"),
    "mean_event": ("Did you mean {event}?", "Is it {event}?", "I can't find {title}, did you mean "
                   "{event}?", "Sorry, do you mean {event}?",
                   "I (can't|couldn't) find (a|any) meeting called {title}. Did you mean {event}?",
                   "You're looking for {event}, is that (correct|right)?"),
    "no_person": ("I (can't|couldn't) find anyone (named|called) {heard}(, could you repeat who "
                  "you're looking for?|. Could you repeat the name?|.)",
                  "Sorry, I (can't|couldn't) find {heard}(. Could you repeat that?|.)",
                  "Sorry, I couldn't understand (the|that) name. Could you repeat who you (would like "
                  "to speak to|are looking for)?"),
    "mean_person": ("I (can't|couldn't) find anyone (named|called) {heard}, did you mean {person}?",
                    "Did you mean {person}?", "Sorry, I (can't|couldn't) find {heard}. Did you mean "
                    "{person}?", "You're looking for {person}(. Is that correct?|, is that right?)",
                    "{person} from the {group} group?", "I (can't|couldn't) find {heard}. (Is it|Are you looking "
                    "for) {person}?", "I've found {person}, is that who you (meant|are looking for)?",
                    "Do you mean {person}?"),
    # People
    "phone": ("{Person} phone number is {phone}(.|)", "{Her} phone number is {phone}(.|)",
              "{ok} {Her} phone number is {phone}(.|)", "{ok} {Person} phone number is {phone}(.|)",
              "Of course, {her} (phone |)number is {phone}(.|)", "You can call {them} (on|at) "
              "{phone}(.|)", "It's {phone}(.|)"),
    "email": ("{Person} email address is {email}(.|)", "{Her} email( address|) is {email}(.|)",
              "{ok} {Her} email address is {email}(.|)", "Of course, {her} email( address|) is "
              "{email}(.|)", "It's {email}(.|)", "{ok} {Person} email is {email}(.|)"),
    "contact": ("{ok} {Her} phone number is {phone}, and {her} email( address|) is {email}(.|)",
                "{ok} {Her} email( address|) is {email}(,|) and {her} phone number is {phone}(.|)",
                "{Person} phone number is {phone}(,|) and {her} email address is {email}(.|)",
                "{Person} email( address|) is {email}, and {her} phone number is {phone}(.|)",
                "You can reach {them} at {phone} or {email}(.|)"),
    "office": ("{Her} office is (room |){office}.", "{Person} office is room {office}.",
               "{Person} office number is {office}(.|)",
               "({ok} |){Person} office is room {office}.", "{She} is in room {office}.",
               "It's room {office}.", "{Her} office number is {office}(.|)",
               "You can find {them} in room {office}."),
    "my_office": ("Yes! Your office is room {office}.", "Your office is room {office}.",
                  "Your office number is {office}(.|)", "You're in room {office}."),
    "floor": ("Room {office} is on the {floor} floor.", "{Person} office is on the {floor} floor"
              "(, room {office}|).", "{Her} office is on the {floor} floor(, room {office}|).",
              "It's on the {floor} floor.", "({ok} |)That's on the {floor} floor.",
              "{She} is on the {floor} floor, in room {office}."),
    "group_of": ("{person} is (in|a member of) the {group} group.", "{person} (works in|belongs to) "
                 "the {group} group.", "{ok} {person} is a member of the {group} group.",
                 "{She} is in the {group} group.", "{short} is in the {group} group.",
                 "{She} (works in|is a member of) the {group} group."),
    "free_now": ("{person} is not in any meetings right now.", "{person} is available right now.",
                 "Yes, {person} is (available|free)( right now|).",
                 "{ok} {person} is not in any meetings( right now| at the moment|).",
                 "{short} is not in (any meetings|a meeting) (right now|at the moment).",
                 "{person} is not in a meeting (right now|at the moment), so {she} is most likely in "
                 "{her} office.",
                 "{She} is not in any meetings (right now|at the moment)."),
    "ask_meet": ("Would you like to (schedule|set up) a meeting( with {them}|)?",
                 "Would you like (me to set up a meeting|to meet with {them})?",
                 "Do you wish to meet {them}?", "Should I schedule a meeting( with {them}|)?"),
    "busy_now": ("{person} is in a meeting (right now|at the moment)(, until {end}|).",
                 "{person} is (attending|in) {event} (right now|until {end}).",
                 "No, {person} is (not available|busy) (right now|at the moment).",
                 "{person} is (currently|now) in {event}, in {room}.",
                 "{short} is in a meeting until {end}.", "Sorry, {person} is (busy|in a meeting) until"
                 " {end}."),
    "free_then": ("Yes, {person} is (available|free) {at}.", "{person} is available {at}.",
                  "{ok} {person} is available {at}.", "{short} (is available|has no meetings) {at}.",
                  "{person} doesn't have any (meetings|events) {at}.",
                  "{person} is not in any meetings {at}.", "Yes, {she} is (free|available) {at}."),
    "busy_then": ("{person} is (not available|unavailable|busy) {at}.",
                  "No, {person} is (in a meeting|busy|not available) {at}.",
                  "{person} is not available {at}. {She} (has|is in) a meeting from {start} to {end}.",
                  "{person} has a meeting from {start} to {end}( {day}|).",
                  "Unfortunately, {short} is (busy|in a meeting) {at}.",
                  "{person} is unavailable {at}, {she} is attending {event}."),
    # Groups
    "members_count": ("There are {count} members (of|in) the {group} group.",
                      "There are {count} members (of|in) the {group} group(, would you like their "
                      "names?|. Who would you like to contact?|. Anyone in particular?)",
                      "{ok} There are {count} members of the {group} group.",
                      "The {group} group has {count} members.",
                      "There are {count} people in (that|the {group}) group."),
    "members": ("{people} are (members of|in) the {group} group.", "The members( of the {group} group|"
                ") are {people}.", "{ok} {people} are members of the {group} group.",
                "The {group} group has {count} members: {people}.", "In the {group} group there are "
                "{people}."),
    "some_member": ("{person} is (in|a member of) the {group} group. Would you like to (speak to"
                    "|talk to|contact|meet) {them}?", "{person} is a member of (that|the {group}) "
                    "group. Do you wish to meet {them}?", "{ok} {person} is in the {group} group. "
                    "Would you like {her} contact information?", "Maybe {person} can help you. {She} "
                    "is in the {group} group.", "You could talk to {person}, {she} is a member of the "
                    "{group} group."),
    "free_member": ("{person} is available right now.", "{person} from the {group} group is available"
                    "( right now|).", "({ok} |){person} is not in any meetings right now.",
                    "Yes, {person} (is available|is free).",
                    "{person} is in the {group} group and has no meetings right now."),
    "free_members": ("{people} are not in any meetings right now.", "{people} from the {group} group "
                     "are available( right now|).", "({ok} |){people} are available( right now|).",
                     "Yes, {people} are (available|free)."),
    "all_free": ("All members of the {group} group are available {at}.",
                 "{ok} All (the |)members of the {group} group are (available|free) {at}.",
                 "Everyone in the {group} group is available {at}."),
    "group_events": ("The {group} group has {events} {day}.", "({ok} |)The {group} group has {events} "
                     "{day}(, {names}|: {names}|. Would you like to hear more about {it}?).",
                     "There {are} {events} with the {group} group {day}(, {names}|).",
                     "{ok} The {group} group has {events} {day}.", "{Day} there {are} {events} with the {group} "
                     "group(, {names}|).", "The {group} group has {events} {day}. {times}."),
    "group_none": ("The {group} group (has no events|doesn't have any events) {day}.",
                   "I can't find any events for the {group} group {day}.",
                   "There are no events with the {group} group {day}."),
    "names_of": ("The (meetings|events) are called {names}.", "They are {names}.", "{names}.",
                 "The (events|meetings) are {names}.", "{ok} They are called {names}."),
    "name_of": ("It's called {names}.", "The (meeting|event) is called {names}.", "{ok} It's {names}."),
    "times_of": ("{times}.", "{ok} {times}.", "{times}(. Is there anything else?|.)"),
    # The user's calendar
    "agenda": ("You have {events} on your calendar {day}(, {times}|: {times}|).",
               "You have {events} {day}(: {times}|, {times}).", "{ok} You have {events} {day}, "
               "{times}.", "You have {events} (scheduled|on your calendar) {day}: {times}.",
               "There {are} {events} on your calendar {day}, {times}."),
    "agenda_both": ("You have {events} (on your calendar |)today at {time} and {more} tomorrow at "
                    "{time2}.", "You have {events} today, {name}, and {more} tomorrow, {name2}.",
                    "There is {events} on your calendar today at {time}, and {more} tomorrow at {time2}.",
                    "{ok} You have {events} today at {time} and {more} tomorrow at {time2}."),
    "agenda_one": ("You (don't have|have no) events (on your calendar |){off}, but you have one "
                   "{day} at {time}( called {name}|, {name}|).", "You have one event on your calendar "
                   "{day} at {time}, called {name}.", "You have one event {day}, {name} at {time}.",
                   "There is one event on your calendar {day}, {name} at {time}."),
    "agenda_neither": ("You (do not|don't) have any (events|meetings) (on your calendar |)today or "
                       "tomorrow.", "I can't find any (events|meetings) (on your calendar |)today or "
                       "tomorrow.", "There are no events on your calendar today or tomorrow."),
    "agenda_of": ("{person} has {events} on {her} calendar {day}(, {times}|).",
                  "{person} has {events} {day}(: {times}|).", "{ok} {person} has {events} {day}, "
                  "{times}.", "{She} has {events} {day}, {times}."),
    "agenda_of_none": ("{person} (has no|doesn't have any) (events|meetings) {day}.",
                       "{person} is not in any meetings {day}.", "There are no events on {her} calendar "
                       "{day}."),
    "agenda_none": ("You (do not|don't) have any (events|meetings) (in|on) your calendar {day}.",
                    "You don't (seem to |)have any (events|meetings)( on your calendar|) {day}.",
                    "It doesn't look like there are any (events|meetings) on your calendar {day}.",
                    "There are no (meetings|events) on your calendar {day}.",
                    "I can't find any (events|meetings) (on your calendar|for you) {day}.",
                    "You have no (events|meetings) {day}."),
    "cancelled": ("{ok} I've cancelled {event}.", "{ok} I'll cancel {event}( for you|).",
                  "{ok} I've cancelled (that meeting|that event)( for you|).",
                  "{ok} I have cancelled {event}( {day}|).", "{event} has been cancelled.",
                  "{ok} I'll cancel {event} from your calendar."),
    "cancel_sure": ("{ok} I can cancel {event} {day} at {time}. Is that the one( you (want|mean)|)?",
                    "You mean {event} at {time}?", "Just to confirm, should I cancel {event}?",
                    "{ok} You'd like me to cancel {event}, is that (right|correct)?"),
    "nothing_to_cancel": ("I can't find any (meetings|events) (on your calendar |){day}, so there "
                          "isn't anything to cancel.", "You don't have any (meetings|events) (on your "
                          "calendar |){day}.", "There are no (meetings|events) to cancel {day}."),
    "moved": ("{ok} I'll move {event} to {time} {day}.", "{ok} I've moved {event} to {time} {day}.",
              "{ok} {event} is now {day} at {time}.", "{ok} {event} has been moved to {time} {day}.",
              "{ok} I have rescheduled {event} to {day} at {time}."),
    "renamed": ("{ok} I've changed the (event |)name to {title}.", "{ok} I'll call it {title} instead"
                "(.|, is that right?|.)", "{ok} The meeting is now called {title}.",
                "{ok} I'll name the (meeting|event) {title} then(.|, is that right?)",
                "{ok} I've renamed it to {title}."),
    # Rooms
    "rooms_free": ("The {rooms} conference rooms are available {at}.",
                   "{ok} The {rooms} conference rooms are (available|free) {at}.",
                   "There are {count} (available|free) conference rooms {at}: {rooms}.",
                   "{rooms} are available {at}."),
    "room_free": ("The {room} conference room is available {at}.", "Yes, the {room} conference room is"
                  " (available|free) {at}.", "Yes, {room} is (available|free) {at}. Would you like to "
                  "book it?", "{ok} The {room} conference room is available {at}. Would you like to "
                  "book (it|that room)?"),
    "room_busy": ("The {room} conference room is (unavailable|not available|occupied) {at}.",
                  "No, {room} is (not available|booked) {at}.",
                  "Sorry, the {room} conference room is (booked|busy) {at}, from {start} to {end}."),
    "room_instead": ("The {room} conference room is (unavailable|not available) {at}. Would you like "
                     "(to book |)the {other} conference room instead?", "Sorry, {room} is (booked"
                     "|not available) {at}. Would you like {other} instead?"),
    # Bookings
    "which_event": ("(What|Which) (meeting|event) are you looking for?", "I'd be happy to help. What "
                    "meeting are you looking for?", "{ok} What is the (meeting|event) called?",
                    "I can help you with that. What is the name of the meeting?"),
    "start_booking": ("{ok} I can (set up|schedule) a meeting for you.", "{ok} I can do that"
                      "( for you|)(!|.)", "{ok} I can help you with that.", "{ok}",
                      "{ok} I'll (create|set up|add) that (meeting|event) for you.", "{ok} I'll add an event to "
                      "your calendar.", "{ok} I can add that to your calendar."),
    "ask_time": ("What time would you like (your|the) (meeting|event)( to be|)?",
                 "When would you like (your|the) (meeting|event) to be( scheduled|)?",
                 "What time would you like (it to be|to have the meeting|to schedule it)?",
                 "What time (do you want|would you like) to meet?",
                 "At what time (do you wish|would you like) to have the meeting?"),
    "ask_title": ("What would you like (your|the) (meeting|event) to be called?",
                  "What would you like to call (your|the) meeting?",
                  "What (do you want|would you like) to call (your meeting|it)?",
                  "What should the meeting be called?"),
    "ask_room_if": ("Would you like to (set|choose|select|add) a location for (your|the) (meeting"
                    "|event)?", "One last thing, would you like to (set|choose) a location for (your"
                    "|the) (meeting|event)?", "Would you like to (book|reserve) a (conference "
                    "|meeting |)room?", "Would you like to (choose|select) a location for it?",
                    "Would you like me to book a (conference |)room?"),
    "ask_room": ("Where would you like your meeting to be?",
                 "One last thing, where would you like your meeting to be?",
                 "Where would you like (it|the meeting) to (be|take place)?"),
    "ask_minutes": ("How long would you like (your|the) meeting to be?",
                    "How long (do you want|should) the meeting( to|) be?",
                    "How long (will|should) it (last|be)?"),
    "ask_invite_if": ("Would you like (me to |to )invite anyone?",
                      "Did you want to invite anyone( to your meeting|)?",
                      "Is there anyone you would like to invite?", "Should I invite anyone?"),
    "ask_invite": ("Who would you like to invite?", "Who should I invite?",
                   "Who would you like to have in the meeting?"),
    "ack_time": ("{ok} I'll (schedule|set|add) (it|the meeting) (for|at) {time} {day}.",
                 "{ok} I('ll| will) (schedule|add) (the|your) (meeting|event) (at|for) {time} {day}.",
                 "{ok} {Day} at {time}.", "{ok} I'll make it at {time} {day}.",
                 "{ok} I can (schedule|add) that for {time} {day}."),
    "sure_time": ("{ok} I'll (set|schedule|add) (the meeting|it) (for|at) {time} {day}, (is that right"
                  "|does that sound (right|alright|good))?", "{ok} Would you like (the meeting|it) to "
                  "be at {time} {day}?", "Just to confirm, you'd like (the meeting|it) to be at {time} "
                  "{day}(, is that correct|)?"),
    "propose_time": ("{ok} I can (schedule a meeting|set it up) at {time} {day}. Does that (sound right"
                     "|work for you|sound alright)?", "{ok} {who} available at {time} {day}. Should I "
                     "schedule it then?", "{ok} How about {time} {day}?",
                     "{who} available for a meeting at {time} {day}. Does that sound (good|correct)?",
                     "Would you like (to set up a meeting|the meeting to be) at {time} {day}?"),
    "propose_time_alone": ("{ok} I can (schedule a meeting|set it up) at {time} {day}. Does that (sound right"
                           "|work for you|sound alright)?", "{ok} How about {time} {day}?",
                           "You are available at {time} {day}, should I schedule it then?",
                           "Would you like (to set up a meeting|the meeting to be) at {time} {day}?"),
    "good": ("Great!", "(OK|Ok|Okay|Alright), great!", "{ok}", "Perfect.", "(OK|Ok|Okay), thank you!",
             "{ok} Thanks!", "Got it."),
    "ack_title": ("{ok} I'll (call|name) (it|the meeting|the event) {title}.",
                  "{ok} I'll add {title} to your calendar.", "{ok} {title} it is.",
                  "{ok} I've called it {title}.", "{ok} The meeting is called {title}."),
    "sure_title": ("{ok} I'll call (it|the (meeting|event)) {title}. (Does that sound (right|correct)"
                   "|Is that (right|correct))?", "{ok} I'll (name|call) (it|the meeting) {title}, (is "
                   "that right|does that sound right|is that correct)?",
                   "{ok} Just to confirm, (you'd like the meeting to be called|the meeting should be "
                   "called) {title}(, is that correct|)?",
                   "{ok} You'd like the meeting to be called {title}, is that correct?"),
    "ack_room": ("{ok} I've booked {place} for (your meeting|you).", "{ok} I'll book {place}( for you"
                 "|).", "{ok} I'll (set|add) the location (to|as) {place}.",
                 "{ok} The meeting will be in {place}.", "{ok} I've (reserved|booked) {place}."),
    "outside": ("{ok} I'll make the location {title}.", "{ok} I'll add {title} as the location( for your "
                "meeting|).", "{ok} I'll set the location (to|as) {title}."),
    "place_again": ("Sorry, I couldn't find {title}( as a location|). Could you repeat what location you'd "
                    "like( for the event|)?", "{ok} I'll add a location. Could you repeat what location "
                    "you wanted?"),
    "propose_room": ("The {room} conference room is (available|free). Would you like to book (that "
                     "room|it)?", "{ok} The {room} conference room is (available|free). Should I book "
                     "it?", "{ok} I can book the {room} conference room, is that alright?"),
    "ack_minutes": ("{ok} I'll make (it|the meeting) {minutes}( long|).",
                    "{ok} I'll schedule it for {minutes}.", "{ok} The meeting will be {minutes}( long|"
                    ").", "Got it, I'll make it {minutes}."),
    "ack_invite": ("{ok} I'll invite {people}( to your meeting| to the meeting|).",
                   "{ok} I've sent {people} an invitation( to the event| to your meeting|).",
                   "{ok} I('ll| will) (send|add) {people}( an invitation|) to (the|your) meeting.",
                   "{ok} I can invite {people}( to your meeting|).",
                   "{ok} I've (added|invited) {people}( to (the|your) meeting|)."),
    "invite_member": ("{ok} Shall I invite {person}? {She} (works|is) in the {group} group.",
                      "{ok} {person} is available (at that time|at {time}), would you like to invite "
                      "{them}?", "{person} is (in|a member of) the {group} group. (Should I invite"
                      "|Would you like me to invite) {them}?",
                      "{ok} I can invite {person} from the {group} group."),
    "invite_everyone": ("{ok} I'll invite all members of the {group} group.",
                        "{ok} I'll invite everyone from the {group} group( to your meeting|).",
                        "{ok} I've sent an invitation to all members of the {group} group."),
    "invite_all": ("{ok} I'll invite all members of the {group} group(, is that (correct|right)?|.)",
                   "{ok} I can invite {people} to your meeting.",
                   "{ok} I'll (invite everyone from the {group} group|send everyone from the {group} group an invitation)(.|, is that "
                   "right?)"),
    "invite_busy": ("{person} is (unavailable|not available) at that time. {She} is in a meeting from "
                    "{start} to {end}.", "{person} has a meeting from {start} to {end} which would "
                    "conflict. Would you like me to invite {them} (anyway|all the same)?",
                    "I can (invite|send {person} an invitation to) {them}, although {she} has a "
                    "meeting from {start} to {end}. Should I?"),
    "booked": ("{ok} {title} is now on your calendar (for|at) {time} {day}.",
               "{ok} I've (added|scheduled) {title} (to your calendar |)(at|for) {time} {day}.",
               "{ok} The meeting is (set up|booked|scheduled)(!|.)",
               "{ok} It's (added to|on) your calendar(.|!)",
               "{ok} {title} is scheduled for {time} {day}.",
               "{ok} (Done|It's done)(!|.) {else}", "{ok} I've added it to your calendar.",
               "{ok} Your meeting is at {time} {day}."),
    "booked_there": ("{ok} I've booked {place} for {title} at {time} {day}.",
                     "{ok} I've (added|scheduled) {title} (at|for) {time} {day} in {place}.",
                     "{ok} {title} is now on your calendar (for|at) {time} {day} in {place}.",
                     "{ok} I've booked {place} for your meeting at {time}( {day}|).",
                     "{ok} {title} is scheduled for {time} {day} in {place}."),
    "recap": ("{ok} (so |)to (recapitulate|confirm), I('ll| will) book {place} for {title} {day} at "
              "{time}(, for {minutes}|){with}, is that correct?",
              "{ok} To confirm, you'd like {title} to be scheduled at {time} {day}{with}. Is that "
              "correct?", "{ok} Just to confirm, I'll schedule {title} at {time} {day}{with}.",
              "{ok} So that's {title} in {place} {day} at {time}{with}(, correct|. Is that right)?"),
    "what_time_booked": ("I've scheduled {title} for {time} {day}.", "{title} is at {time} {day}.",
                         "It's {day} at {time}.", "Your meeting is at {time} {day}."),
    "joined": ("{ok} I'll send you an invitation to {event}.", "{ok} I've (added you to|sent you an "
               "invitation to) {event}.", "{ok} I can (send you an invitation to|add you to) {event}.",
               "{ok} You're now attending {event}."),
    "never_mind": ("{ok} (No problem|That's fine)(!|.) {else}", "{ok} {else}",
                   "OK! I won't schedule anything. {else}"),
}
