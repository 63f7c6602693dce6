"""What visitors and colleagues say to a receptionist, with places for names and times.

``{person}`` stands for an invented name, ``[definite:the meeting]`` for a mention of these words,
``(a|b|)`` for one of its alternatives.
"""

from __future__ import annotations

OPENINGS = tuple("""
(hi|hello|hey|good morning|good afternoon|hello there|hi there)(,|.|!|)
(hi|hello|good morning)(,|) (my name is|I'm|I am|this is|it's|my name's) {speaker}(.|,| and|)
(my name is|I'm|I am|this is|I am called|the name is) {speaker}(.|,| and|)
(hi|hello)(,|) {speaker} (here|speaking)(.|,|)
(ok|okay|great|perfect|alright|right|well|thanks|thank you|yes please|no|yes|sure|sorry|yeah)(,|.|)
(oh|um|uh|so|well|and|also|by the way|actually|one more thing|I'm sorry)(,|)
(hello|hi) (robot|receptionist|lobby|computer)(,|)
""".strip().splitlines())

CORES = tuple("""
(when|where|what time|which day) is {event}?
(when|where|at what time|in which room) (is|will) {event} (be held|take place|start|going to be)?
(when|what time) does {event} (start|begin|end|finish)?
(when|where) is the {event}?
who (is organising|organises|is in charge of|runs|is hosting|is the organiser of) (the |){event}?
who is (the [attribute:organiser]|the [attribute:organizer]) of (the |){event}?
who (is attending|will attend|is invited to|will be at|goes to) (the |){event}?
(can|could) you (tell me|give me) (some information|more|something) about (the |){event}?
I (would like|want) (some information|to know more) about (a meeting called|the meeting \
called|an event called|the event|the meeting|the meeting on) {event}
(tell me|I need to know|I'd like to know|I was wondering|do you know) (when|where) (the \
|){event} (is|takes place|will be)
I (have been|was) invited to (the |a meeting called |a ){event}
I (am|'m) (supposed to attend|here for|looking for|late for|trying to find) (the |){event}
I have {event} {date} but I don't know (where|when) [pronoun:it] is
I'm (trying to find out|wondering) who is organising the meeting (called |named |of ){event}
is {person} (attending|going to|invited to|part of|at|in) (the |){event}?
(will|does) {person} (attend|join|come to|have to be at) (the |){event}?
how long (is|does) (the |){event} (last|take|)?
what is the [attribute:duration] of (the |){event}?
which group (is holding|organises|has) (the |){event}?
is (the |){event} (still on|cancelled|already over)?
it's called {event}
(the |it's |I mean |I meant |no |no it's |not that one, |sorry I meant )(the |){event}
(can|could) you (add|invite) {person} to (the |){event}?
(add|invite) {person} (and {person} |)to [definite:the meeting] please
please (move|reschedule|postpone|cancel) (the |){event} (to {time}|to {date}|until {date} at \
{time}|)
I (would like|want|need) to (cancel|move|change) (the |my ){event}
call [pronoun:it] {event}
(let's|I'd like to) call [pronoun:it] {event} please
the name of [definite:the meeting] is {event}
[definite:the meeting] (should be|is|will be) called {event}
(I'd like to|I would like to|can I|could I|I want to) (book|arrange|schedule|set up|organise) a \
meeting (called|named) {event}
can you (book|schedule|set up|arrange) {event} (in|at) {room} (for|on) {date} (at {time}|)?
where is {person}?
where can I find {person}?
where is {person}'s [attribute:office]?
(what|where) is the [attribute:(office|office number|room number)] of {person}?
(what is|what's|can I have|could you give me|do you have|may I have|I need) {person}'s \
[attribute:(phone number|email address|email|phone|mobile number|office number|contact details)]?
(what is|I need|can you give me) the [attribute:(phone number|email address|number|email)] \
(of|for) {person}
I('m| am) (looking for|trying to reach|here to see|here for|meeting|waiting for) {person}
I (have|'ve got) a meeting with {person} (at {time}|{date}|{date} at {time}|in {room}|)
I (would like|want|need|was hoping|'d like) to (talk to|speak to|speak with|meet|meet \
with|see|get in touch with|contact|reach|find) {person} (please|{date}|at {time}|)
(can|could) you (call|contact|find|page|look up|tell) {person} (for me|please|that I am here)?
is {person} (available|free|busy|in|around|in a meeting|in the building|here) (at \
{time}|{date}|{date} at {time}|on {date}|in {time}|)?
is {person} available {date} between {time}?
when is {person} (free|available) (on {date}|{date}|in {time}|)?
(what|which) (group|team|department) (is {person} in|does {person} work in|is {person} part of)?
who is {person}?
do you know (who {person} is|where {person} is|{person})?
does {person} (work|have an office|have any meetings|have anything planned) (here|{date}|)?
what (events|meetings|appointments) does {person} have {date}?
what is {person} doing (on {date}|{date}|at {time})?
what is on {person}'s (calendar|schedule) {date}?
which floor is {person}('s office|) on?
can you (invite|add) {person} (and {person}|as well|too|)?
(invite|also invite|add|include|with) {person} (and {person}|please|too|as well|)
{person} and {person} (please|)
{person} (please|)
(I meant|I mean|no,|I said|sorry,|not {person},) {person}
(Mr|Mrs|Ms|Dr|doctor|professor|mister|miss)(.|) {person} (please|from {group}|)
(where is|I have a meeting with|I'd like to talk to) (Mr|Mrs|Ms|Dr|doctor|professor) {person}
(hi|hello) I'm (professor|doctor|Mr|Mrs|Dr) {speaker}
{person} from the {group}
someone from {group}
(who|which people) (is|are|works|work) in (the |){group}?
who (are the members of|belongs to|leads) (the |){group}?
how many people (are in|work in|are there in) (the |){group}?
(can|could) I (talk to|speak with|contact|meet) (someone|somebody|anyone|a member) (from|of|in) \
(the |){group}?
I (would like|need|want) to (talk to|get in touch with|speak to|meet) (someone|somebody|a \
person|a member) (from|in|of) (the |){group}
(is anyone|is somebody|who) (from|in|of) (the |){group} (is |)(free|available) (at \
{time}|{date}|now|)?
what (events|meetings) does (the |){group} have {date}?
tell me about (the |){group}
I am part of (the |){group}
(invite|add) (everyone|everybody|all members) (from|of|in) (the |){group}
I'm interested in (the |){group}
do you have anyone working on {group}?
(the |){group}
where is {room}?
(which floor is|how do I get to|how do I find|where can I find) {room}?
is {room} (free|available|occupied|in use|taken|booked) (at {time}|{date}|{date} at {time}|for \
{duration}|from {time}|)?
(can I|could you|I'd like to|I want to|please) (book|reserve|use) {room} (for \
{duration}|{date}|at {time}|{date} at {time}|on {date}|)?
what (is happening|meetings are|is going on|is) in {room} (at {time}|{date}|)?
(when is|until when is) {room} (free|available|in use) (on {date}|{date}|)?
who (is|sits|works) in {room}?
in {room} (please|)
{room} (please|is fine|would be great|sounds good|)
let's (take|have it in|meet in|use) {room}
[pronoun:it] (should|will|can) be in {room}
is [definite:the meeting] in {room}?
are there (any |)(free |available |)(rooms|conference rooms|meeting rooms) (at \
{time}|{date}|{date} at {time}|for {duration}|)?
which (rooms|conference rooms|meeting rooms) are (free|available) (at {time}|{date}|in {time}|on \
{date} at {time}|)?
I need a (room|meeting room|conference room) (for {duration}|{date}|at {time}|for ten people|)
where is [pronoun:it]?
(when|what time|where) is [pronoun:it] (held|happening|going to be|starting|)?
(what|which) (room|floor) is [pronoun:it] (in|on)?
who (organises|is organising|will attend|is attending) [pronoun:it]?
how long is [pronoun:it]?
(where|when) is [pronoun:that]?
what is [pronoun:(his|her|their)] [attribute:(phone number|email address|office \
number|email|office)]?
(where is|which floor is) [pronoun:(his|her|their)] [attribute:office]?
is [pronoun:(he|she)] (free|available|busy|in) (at {time}|{date}|{date} at {time}|in {time}|)?
are [pronoun:they] (free|available) (at {time}|{date}|)?
(can|could) you (tell|invite|ask|call|let) [pronoun:(him|her|them)] (know|please|that I'm here|)?
does [pronoun:(he|she)] have (any meetings|anything|time) {date}?
I would like to (meet|talk to|set up a meeting with) [pronoun:(him|her|them)] (at {time}|{date}|)
(when|where) is [definite:(the meeting|that meeting|this meeting|the event|the workshop|the \
seminar)]?
(what|which) (group|room|day|time) is [definite:(the meeting|that meeting|the event|this event)] \
(in|on|at|)?
who is (attending|organising|invited to|in) [definite:(the meeting|that meeting|the event|the \
discussion|the workshop)]?
who else is in [definite:(the group|that group|this group|the team|the department)]?
is there a contact person in [definite:(this group|that group|the group|the department)]?
how many (people|members) are in [definite:(the group|that group|that team)]?
is [definite:(the room|that room|this room)] (free|available) (at {time}|{date}|for {duration}|)?
which floor is [definite:(the room|that room|the office)] on?
who are [definite:(the|those|these) (two|three|four|five|six|other) (people|members|persons|rooms)]?
I mean [definite:the (previous|other|first|last|second) one]
(is|when is|where is) [definite:(the|that) (first|second|last|other) (one|meeting|room)]?
who are [definite:(those people|these members|those three people|the other members)]?
(can you|please) (add|invite) [definite:(those people|these people|that person)] to \
[definite:the meeting]
(move|cancel|change) [definite:(the meeting|that meeting|the appointment)] (to {time}|to \
{date}|please|)
what is the [attribute:(name|location|start time|end time|date|organiser|title)] of \
[definite:(the meeting|that event|the workshop)]?
who is the [attribute:(organiser|organizer|contact person)] of [definite:(the meeting|that \
meeting|this event)]?
(what is|can I have) the [attribute:(phone number|email address|office number)]?
(and|what about|how about) (the |)[attribute:(phone number|email|email \
address|office|location|organiser)]?
(how about|what about|and) {person}?
(how about|what about|and) {date}?
(how about|what about|and|at|let's say|preferably|make it) {time}?
(on |for |){date} (at {time}|from {time}|)
(at|around|after|before|until|from|at about) {time} (please|would be good|)
(for|it will take|it should last|it's going to last|about|maybe) {duration}
(the meeting|it) (will|should) (last|be|take) {duration}
I have (a meeting|an appointment|an interview) (at {time}|{date}|{date} at {time}) but I \
(forgot|don't know) (where|the room|with whom)
do I have (any|other) (meetings|events|appointments) (at {time}|{date}|on {date})?
what (meetings|events) (are there|are planned|do you have) {date}?
(I would like|I'd like|can you help me) to (book|arrange|schedule|set up) a meeting (with \
{person}|for {date}|on {date} at {time}|at {time} for {duration}|)
(I'd like|I want) to meet {person} {date} at {time} for {duration}
(thank you|thanks|thank you very much|great thanks) (for your help|that's all|bye|that is all I \
need|)
(yes please|yes that's correct|no thank you|no that's all|that sounds good|that's right|perfect)
(how are you|what can you do|can you help me|I have a question|I need some help|never mind|have \
a nice day)
it doesn't matter (to me |)(which room|when|who)
(yes|no|ok|) (it is|that's it|that is it|that's right|it's fine|it isn't|I would like that)
(it's|it is) (important|urgent|possible|enough|good to know|okay) (for me|if you can't|thanks|)
(is it possible|would it be possible) to (book|reserve|have) a room (for {duration}|{date}|)?
(great|ok|yes) that (sounds good|works for me|would be great|is correct)
whatever (room|time) is (available|free) is fine
(can|could) you (repeat that|say that again|spell the name)?
where (are the toilets|is the cafeteria|is the elevator|can I park|do I get coffee)?
what (time|day) is it (now|)?
is there (anything|anyone|someone|a room) else?
""".strip().splitlines())

CLOSINGS = tuple("""
please
thank you
thanks
for me
if you can
if possible
can you help me
right
or not
""".strip().splitlines())
