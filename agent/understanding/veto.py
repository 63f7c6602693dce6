"""The strict veto: nothing is set in motion at the word of a model alone.

What the trained parser takes for a yes must consist of words that agree, and what it takes for a
request must not stand in words that say not to do it, or that somebody else does, or only if.
It can only object: what an utterance asks for is read from its forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from frontdesk.kg.english.lexicon import PLAIN_YES, YES_WORDS
from frontdesk.kg.graph.logical_forms import Form, Span

#: Words of which a yes has one at least.
_ASSENT_TEXT = """
y ye yea yah ya aye haan ehen ok okay k correct exactly right indeed
absolutely definitely certainly course please do book perfect great excellent fine good lovely
wonderful brilliant better rightio suits agreed deal works sounds sound alright confirm confirmed
cool super amazing righto righty go grand spot beauty smashing splendid ideal send can true jolly
that'll that’ll yesss ace marvellous fantastic nice done think does proceed affirmative awesome
"""
_ASSENT = frozenset((*PLAIN_YES, *_ASSENT_TEXT.split()))
#: Words that change nothing about a yes that they come with.
_COURTESY_TEXT = """
thank thanks very much so that that's that’s is it it's it’s this will would should be for me
us bye goodbye robot cheers ahead of let's let’s with the and i i'd i’d i'll i’ll like believe
suppose to um uh er erm h hm hmm mm ah oh well as possible now then on put in job by means
quite what wanted ta mate love pal yours idea a kind kindly could absolutely perfectly totally
needful pls plz lah lor it'll it’ll your looks look seems thats work want got you're you’re
"""
#: How "you" is spelt.
_YOU = ("you", "u", "ya")
_COURTESY = frozenset((*_COURTESY_TEXT.split(), *_YOU))
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_CLAUSE = re.compile(r"[,.;!:]|\band\b", re.IGNORECASE)
#: Harmless with a negation in them.
_NO_HARM = re.compile(r"\b(?:why not|no (?:problem|worries))\b", re.IGNORECASE)
_OBJECTS = re.compile(
    r"\b(?:no|nope|nah|not|never|wrong|don|dont|stop|wait|but|instead)\b|n['’]t\b", re.IGNORECASE)
_KEEPS = re.compile(r"\b(?:not|never|nor|keep|leave|stays?|but|except|without|is|are|was|has)\b"
                    r"|n['’]t\b", re.IGNORECASE)
_REFUSES = re.compile(
    r"\b(?:do not|dont|cannot|never(?! ?mind)|no (?:need|undo)|keep|unless)\b|"
    r"(?<!did)(?<!was)n['’]t\b|"  # "I didn't mean to" is said of what was done
    r"(?:\bnot|n['’]t)\b[^,.;!?]*\b(?:undo|undone|revert|take|put|back)\b", re.IGNORECASE)
_DOUBTS = re.compile(r"^\W*(?:yeah,? right|is|are|am|should|shall|would|could|can|will|what|"
                      r"i(?:['’]ll| will) think)\b", re.IGNORECASE)
#: A question, which a speech recogniser gives no mark: "ok does that work".
_ASKS = re.compile(
    rf"^\W*(?:(?:so|ok|okay|well|then|and|right|{YES_WORDS}|h?mm?|u[hm]|er)\W+)*"
    r"(?:do (?:i|we|they|he|she|it (?:work|look)|you|u|ya)|does|did)\b|"
    r".*\b(?:does|did) (?:it|that|this)\W*$", re.IGNORECASE)
#: Who takes leave, or may mean something else, agrees with one of these words alone.
_PLAIN = frozenset({*PLAIN_YES, "y", "aye", "ya", "correct", "exactly", "confirm", "confirmed",
                    "book", "do", "go"})
_LEAVES = frozenset({"bye", "goodbye"})
#: Something is to be done only if something else is so.
_CONDITION = re.compile(
    r"\b(?:unless|in case|only if|provided(?: that)?|as long as)\b|"
    r"\bif (?:he|she|they|(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?) "
    r"(?:(?:is|are)(?! (?:free|available))|has|have|can|cannot|does|do|comes?|says?|agrees?|wants?|"
    r"isn|can['’]t|doesn|don)\b|\b(?:once|as soon as) (?:he|she|they|(?-i:[A-Z])\w+) "
    r"(?:has|have|says?|agrees?|confirms?)\b", re.IGNORECASE)
#: Before a name that is not wanted.
_NEGATED = re.compile(r"\b(?:not|never|without)\b(?: (?:in|with|at|on|for|to|the|inviting))*\s*$",
                      re.IGNORECASE)
#: What is said of an event that is not to be cancelled.
_STAYS = re.compile(r"\b(?:keep|stays?|remains?|leave (?:it|that) (?:in|on|alone))\b",
                    re.IGNORECASE)
#: What leaves something out.
_EXCEPTS = re.compile(
    r"\b(?:except(?:ing)?|excluding|apart from|other than|minus)\b|"
    r"\b(?:every\w*|all|any\w*|each)\b[^.?!;]{0,40}?\b(?:but|bar|not)\b", re.IGNORECASE)
_ACTION_VERB = (
    r"(?:moving|inviting|deleting|removing|(?:re-?)?scheduling|planning|dropping|arranging|changing|"
    r"renaming|putting|leaving|book|schedule|arrange|organi[sz]e|set up|create|reserve|plan|cancel|"
    r"delete|call off|scrap|move|re-?schedule|postpone|shift|push|delay|invite|uninvite|add|remove|"
    r"drop|rename|extend|shorten|change|put|tell|inform|notify|let|ask|remind|leave|pass|send)")
_DONE = (r"(?:booked|scheduled|arranged|cancell?ed|called off|moved|re-?scheduled|postponed|"
         r"invited|added|removed|renamed|told|informed|asked|deleted|left|sent)")
#: What is said not to be done, to be done by somebody else, or to have been done.
_UNWANTED = re.compile(
    # "I don't want you to cancel the demo", "no need to tell Bo"; "can't you move it?" asks for it
    r"(?P<negated>(?<!why )\b(?:(?:do|does|did|should|must|need|shall|can|ca|could|would|will)"
    r"(?:n['’]?t| not)|cannot|dont|never|not|no (?:need|reason)|avoid|refrain from|"
    r"hold off(?: on)?|(?:nobody|no ?one)(?: \w+)??|forbid|by no means|hate to|shame to|"
    r"un-?(?=cancel)|(?:instead of|without)(?=\s+\w+ing\b))"
    rf"(?!\s+(?:{'|'.join(_YOU)}|we)\b)"
    r"(?:\s+(?:actually|really|ever|yet|think|should|believe|suppose|please|want(?:ed)?|need|have|"
    r"like|wish|meant?|ask(?:ed)?|tell|told|say|said|you|me|us|to|that|going|trying|supposed|just|i|we))*?"
    rf"\s*\b{_ACTION_VERB}(?:s|l?ing)?\b(?! (?:me|us) (?:know|who|what|when|where))[^,;.!?]*)"
    rf"|\b{_ACTION_VERB}\s+neither\b[^.!?]*"
    # "Bo said that I should cancel the demo"
    r"|\b(?!i\b|we\b)[\w'’-]+ (?:said|told (?:me|us)|asked (?:whether|if))\b"
    rf"(?:(?!\b(?:so|please)\b)[^,;.!?])*\b{_ACTION_VERB}\b[^,;.!?]*"
    # "can Bo cancel the demo?"
    r"|^\W*(?:can|could|may|will|would|should|does)\s+"
    rf"(?!(?:{'|'.join(_YOU)}|i|we|it|this|that|the|my|our|all|every(?:one|body)|"
    r"some(?:one|body)|any(?:one|body)|please)\b)"
    rf"[\w'’-]+(?: [\w'’-]+)?\s+{_ACTION_VERB}\b[^.!?]*"
    # "I have already told Bo", "the demo is cancelled", "I heard it was moved"
    r"|\b(?:i|we|he|she|they|somebody|someone|you)(?:['’]ve|['’]s)?\s+(?:(?:have|has|had|just|already)"
    rf"\s+)*{_DONE}\b(?:(?!\b(?:so|please|but|and)\b)[^,;.!?])*"
    rf"|\b(?:is|are|was|were|been|got)(?:n['’]t| not)?\s+(?:(?:already|just|really)\s+)?{_DONE}\b"
    # "remind me to cancel the demo"
    r"|\bremind (?:me|us)\b[^.!?]*", re.IGNORECASE)
#: "Cancel the demo? No way!"
_TAKEN_BACK = re.compile(
    r"^.*[,.;:!?–-]\s*(?:(?:(?:no|oh|actually|sorry|wait|well|hmm?|but)\b\W*)*(?:never ?mind|"
    r"forget (?:it|that|about it)|(?:just|only) kidding|scrap (?:that|it)|on second thoughts?\b.*)|"
    r"(?:(?:no|oh|actually|sorry|wait|well|hmm?|but)\b\W*)+(?:(?:please )?(?:do ?n[o'’]?t|do not)|"
    r"(?:keep|leave) it(?: as it is)?|no))\W*$|"
    r"^[^?]*\?\s*(?:no way|never(?! ?mind)|certainly not|of course not|"
    r"no,? (?:please )?do ?n[o'’]t|"
    r"i would never)\b.*$", re.IGNORECASE)


def may_agree(text: str, *, plainly: bool = False) -> bool:
    """Whether an utterance may agree, and to all that was asked.

    A word that is neither assent nor courtesy may change what is agreed to.

    Args:
        plainly: "Great" may be about something else, so only words like "yes" count.
    """
    words = set(_WORDS.findall(_NO_HARM.sub(" yes ", text.lower())))
    assent = _PLAIN if plainly or words & _LEAVES else _ASSENT
    return bool(words & assent) and words <= _ASSENT | _COURTESY \
        and not text.rstrip().endswith("?") and not _DOUBTS.match(text) and not _ASKS.match(text)


def may_agree_first(text: str, after: Sequence[Form]) -> bool:
    """Whether an utterance may agree first, and go on with something of its own.

    Args:
        after: What it goes on with; its messages may say anything.
    """
    begins = min((span.start for form in after for span in form.spans() if span.start >= 0),
                 default=len(text))
    clauses = _CLAUSE.split(_without_spans(text, after)[:begins])
    agreeing = clauses[:-1] if len(clauses) > 1 else clauses
    return all(may_agree(each) for each in agreeing if each.strip()) and any(agreeing) \
        and not objects(_without_spans(text, after))


def as_a_yes(text: str, repeated: Sequence[Form], question: str) -> str:
    """An utterance in which what it agrees to, said once more, is a yes: "yes, cancel it".

    Args:
        repeated: What it says once more by the parser.
        question: What it answers: only the verbs in which that asks count, and the name of what is
            asked for, not other words for what is to be done.
    """
    if not repeated:
        return text
    asked = {verb[0].casefold() for verb in re.finditer(rf"\b{_ACTION_VERB}\b", re.sub(
        "“[^”]*”", "", question), re.IGNORECASE)} | {
            each.head for form in repeated for each in form.walk()}
    return re.sub(rf"\b{_ACTION_VERB}\b", lambda verb: "yes".ljust(len(verb[0]))
                  if verb[0].casefold() in asked else verb[0],
                  _blanked(text, [span for form in repeated for span in form.spans()]),
                  flags=re.IGNORECASE)


def names_deed(text: str) -> bool:
    """Whether an utterance says what is to be done: "great, book it"."""
    return re.search(rf"\b{_ACTION_VERB}\b", text, re.IGNORECASE) is not None


def objects(text: str) -> bool:
    """Whether an utterance has a word that turns something down."""
    return _OBJECTS.search(_NO_HARM.sub(" ", text)) is not None


def may_keep(text: str) -> bool:
    """Whether what an utterance names may be what is to stay: "yes, but keep the demo"."""
    return _KEEPS.search(text) is not None


def may_undo(text: str) -> bool:
    """Whether an utterance may want something taken back, which is done at once."""
    return not _REFUSES.search(text) and not _CONDITION.search(text)


def is_conditional(text: str, forms: Sequence[Form]) -> bool:
    """Whether something is to be done only if something else is so."""
    return _CONDITION.search(_without_spans(text, forms)) is not None


def tells_what_not(text: str) -> bool:
    """Whether an utterance says what not to do."""
    return any(match["negated"] for match in _UNWANTED.finditer(text)) \
        or _TAKEN_BACK.search(text) is not None


def may_ask(text: str, forms: Sequence[Form]) -> bool:
    """Whether an utterance may ask for what its forms say.

    Args:
        forms: What it means by the parser; their titles and messages may say anything.
    """
    said = _without_spans(text, forms)
    wanted = _UNWANTED.sub(" ", _TAKEN_BACK.sub(" ", said))
    if wanted != said and not re.search(rf"\b{_ACTION_VERB}\b", wanted, re.IGNORECASE):
        return False
    if _EXCEPTS.search(wanted) and not any(map(_leaves_out, forms)):
        return False
    if _STAYS.search(wanted) and any(each.head == "cancel" for form in forms
                                     for each in form.walk()) \
            and not any(map(_leaves_out, forms)):
        return False
    negated = [each.span() for each in _UNWANTED.finditer(said) if each["negated"]]
    return not any(_NEGATED.search(text[:span.start])
                   or any(start <= span.start < end for start, end in negated)
                   for form in forms for span in _wanted_names(form) if span.start > 0)


def _leaves_out(form: Form) -> bool:
    """Whether a form says that something is left out: not whom alone it takes off."""
    if {*_who_comes(form)} == {True, False}:
        return True  # it wants others
    return any(each.head in ("except", "not", "tell") or (
        each.head == "unwanted" and any(part.head == "venue" for part in each.walk()))
        for each in form.walk())


def _who_comes(form: Form, comes: bool = True) -> Iterator[bool]:
    """Of each attendee in a form whether they are to come, not to stay away."""
    comes = comes and form.head != "unwanted"
    if form.head == "attendee":
        yield comes
    for each in form.arguments:
        if isinstance(each, Form):
            yield from _who_comes(each, comes)


def _wanted_names(form: Form) -> Iterator[Span]:
    """The names of whom and what a form wants."""
    if form.head in ("answer", "choose", "replace"):
        first = form.arguments[0] if form.arguments else None
        if isinstance(first, Form) and not any(
                each.head in ("except", "not", "unwanted") for each in first.walk()):
            yield from first.spans()
        return
    for each in form.arguments:
        if isinstance(each, Form) and each.head in ("attendee", "venue"):
            yield from each.spans()
        elif isinstance(each, Form) and each.head == "instead":
            yield from _wanted_names(Form("instead", each.arguments[:1]))
        elif isinstance(each, Form) and each.head not in ("unwanted", "tell", "event"):
            yield from _wanted_names(each)


def _without_spans(text: str, forms: Sequence[Form]) -> str:
    """An utterance without its titles and messages."""
    spans = [span for form in forms for each in form.walk()
             if each.head in ("title", "note", "tell") for span in each.arguments
             if isinstance(span, Span)]
    return _blanked(text, spans)


def _blanked(text: str, spans: Sequence[Span]) -> str:
    for span in spans:
        if span.start >= 0:
            text = text[:span.start] + "_" * (span.end - span.start) + text[span.end:]
    return text
