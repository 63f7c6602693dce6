"""What a speech recogniser makes of what users say: no marks, small letters, misheard words."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from functools import cache, lru_cache

import jellyfish

#: What is written for an utterance in which no words could be made out.
UNHEARD = "UNK"

#: Everyday words that names are taken for.
_EVERYDAY_TEXT = """
act able again all are art ask back bad ball band bank bar bare base bath bear beat bed been beer
bell best bill bird black blow board boat body book born boss both box boy bread break bring brown
built burn bus busy buy cake call came car card care carry case cash cast catch chair change
charge chase cheap check chest child church city class clean clear clerk close cloud coal coat
coffee cold color come cook cool copper corn corner cost could count cousin cover cross crowd cry
cup cut dance dark date day dead deal dear deck deep den dinner dirty dish doctor dog door dot
double down draw dream dress drink drive drop dry duck dust each ear early earth east easy eat egg
end even ever every eyes face fact fair fall family far farm fast father fear feel field fight
find fine fire first fish five flat flight floor flow flower fly follow food foot for form four
free fresh friend from front full game garden gas gate general get gift girl give glass go gold
gone good got grain gray great green ground group grow guess had hair half hall hand happen happy
hard hat have head hear heart heat heavy help her here hide high hill him hit hold hole holiday
home hope horse hot hour house how human hurry ice in ink iron island it job join joy jump just
keep key kind king kitchen knew know lady lake land large last late laugh law lay lead leaf learn
leave left leg less let letter level life lift light like line list listen little live lock long
look lost loud love low luck lunch made mail main make man many map march mark market marry mat
match may me meal mean meat meet men metal might mild mile milk mill mind mine minute miss money
month moon more morning most mother mouth move much music my name near neck need never new news
next nice night no noise noon north nose note now number ocean odd of off office oil old on one
only open or orange order other our out over own page pain paint pair paper park part party past
patch path pattern pay peace pen penny people pepper person phone picture piece pink place plain
plan plane plant plate play please pole pool poor port post pot power press price print proud pull
push put queen quick quiet quite race rain ran rather reach read real red rest rice rich ride
right ring rise river road rock roll room root rose rough round row rule run safe sail salt same
sand save saw say school sea seat see seem sell send set seven shade shall shape share sharp she
sheep shell shine ship shirt shoe shop shore short shot should show shut sick side sign silver
simple sing sink sister sit six size skin sky sleep slow small smell smile smoke snow so soft soil
some son song soon sort sound soup south space speak spell spend spoke sport spot spring square
stage stair stand star start state stay steel step stick still stone stood stop store storm story
straight strange street strong such sugar suit summer sun sure sweet swim table tail take talk
tall taste tea teach team tell ten test than that the them then there these thick thin thing think
thirty this those thought three through throw till time tin tire to today together told tomorrow
tone too took tool top total touch toward town track trade train travel tree trip trouble true
trust try turn twelve twenty two type under union until up use valley value very view visit voice
wait walk wall want war warm was wash watch water wave way we weak wear weather week weight well
went were west wet what wheel when where which while white who whole why wide wife wild will win
wind window wine winter wise wish with woman wonder wood wool word work world worse would write
wrong yard year yellow yes yet you young
"""
_EVERYDAY = tuple(_EVERYDAY_TEXT.split())
_MARKS = re.compile(r"(?<=\w)[,;:](?=\s|$)|[!?\"“”]|(?<![ap]\.m)\.(?=\s|$)")
_FIRST_PERSON = re.compile(r"\bi\b(?!\.)")
_SWAPS = (("ph", "f"), ("ck", "k"), ("ee", "ea"), ("ea", "ee"), ("ai", "ay"), ("ay", "ai"),
          ("ie", "y"), ("y", "ie"), ("c", "k"), ("k", "c"), ("z", "s"), ("s", "z"), ("v", "b"),
          ("b", "p"), ("d", "t"), ("t", "d"), ("m", "n"), ("n", "m"), ("o", "au"), ("e", "a"),
          ("i", "e"), ("u", "o"), ("oo", "u"), ("ll", "l"), ("nn", "n"), ("tt", "t"), ("th", "t"),
          ("x", "ks"), ("g", "k"), ("j", "g"), ("w", "v"), ("sch", "sh"), ("qu", "kw"))


def as_heard(text: str) -> str:
    """A written sentence without marks, in small letters; names are filled in later."""
    text = _MARKS.sub("", text)
    return _FIRST_PERSON.sub("I", " ".join(text.lower().split()))


def misheard(name: str, rng: random.Random) -> str:
    """A name with one of its words taken for another one, or slightly off."""
    words = name.split()
    at = rng.randrange(len(words)) if rng.random() < 0.4 else len(words) - 1
    everyday = _everyday(words[at].lower())
    if everyday and rng.random() < 0.5:
        words[at] = rng.choice(everyday)
    else:
        words[at] = _respelt(words[at], rng)
    return " ".join(words)


@cache
def _by_beginning() -> dict[str, list[tuple[str, str]]]:
    """The everyday words with their sounds, by their first letter."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for word in _EVERYDAY:
        found[word[0]].append((word, jellyfish.metaphone(word)))
    return found


@lru_cache(maxsize=4096)
def _everyday(word: str) -> tuple[str, ...]:
    sound = jellyfish.metaphone(word)
    return tuple(each for each, its_sound in _by_beginning().get(word[0], ()) if each != word and (
        its_sound == sound or jellyfish.jaro_winkler_similarity(each, word) >= 0.85))


def _respelt(word: str, rng: random.Random) -> str:
    """A word with one stretch of letters replaced by others that sound alike."""
    lower = word.lower()
    places = [(lower.find(old, 1), old, new) for old, new in _SWAPS if lower.find(old, 1) > 0]
    if not places:
        return word + rng.choice(("s", "e", "n"))
    at, old, new = rng.choice(places)
    return word[:at] + new + word[at + len(old):]


def lost(rng: random.Random) -> str:
    """An utterance of which nothing was heard, or nothing that makes sense."""
    if rng.random() < 0.7:
        return UNHEARD
    return " ".join(rng.sample(_EVERYDAY, rng.randint(1, 2)))
