"""How dialogues begin and end, and small talk on the way."""

from __future__ import annotations

from frontdesk.data.invented.dialogues.questions import person_words
from frontdesk.data.invented.dialogues.scene import Scene


def begin(scene: Scene) -> None:
    """The user greets, mostly with a name, sometimes with the first request to follow."""
    form = scene.rng.random()
    if form < 0.06:
        scene.turn(scene.user("greet") + " " + scene.user("how_are_you").lower(),
                   scene.agent("hello"), scene.agent("how_are_you"))
        return
    if form < 0.14:
        if scene.chance(0.5):
            scene.open_with(scene.user("greet"), scene.agent("hello"))
        else:
            scene.open_with("", scene.agent("hello") if scene.chance(0.6) else "")
        return
    scene.known = True
    said, hello = scene.user("introduce"), scene.agent("hello_named")
    if form < 0.17:
        scene.turn(f"{said} {scene.user('your_name')}", hello, scene.agent("my_name"))
    elif form < 0.32:
        scene.turn(said, hello, scene.agent("offer"))
    elif form < 0.45:
        scene.turn(f"{said} {scene.user('help')}", hello, scene.agent("offer_asked"))
    else:
        scene.open_with(said, hello)


def small_talk(scene: Scene) -> None:
    """The user asks what the agent cannot know."""
    person = scene.rng.choice(scene.colleagues())
    scene.turn(scene.user("no_access", **person_words(person) | {"person": person.name}),
               scene.agent("no_access"))


def end(scene: Scene) -> None:
    """Thanks and goodbye."""
    form = scene.rng.random()
    if form < 0.45:
        scene.turn(scene.user("thanks"), scene.agent("welcome"))
        if "?" in scene.turns[-1].reference and scene.chance(0.85):
            scene.turn(scene.user("no_more"), scene.agent("bye"))
    elif form < 0.9:
        scene.turn(scene.user("thanks_bye"), scene.agent("bye"))
