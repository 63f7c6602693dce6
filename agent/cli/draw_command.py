"""``frontdesk draw``: the neighbourhood of a turn of a saved dialogue as a picture."""

from __future__ import annotations

import argparse
import sys

from frontdesk.agent.sessions.saved_dialogues import load_saved
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.pictures.draw_graph import draw


def run_draw(options: argparse.Namespace) -> int:
    """Draw as the options say.

    Raises:
        InputError: There is no such file or turn, or the picture cannot be written.
    """
    graph, kb = load_saved(options.dialogue)
    if not graph.turns:
        raise InputError("the dialogue has no turns", place=str(options.dialogue),
                         remedy="Save one in which something was said")
    draw(graph, kb, options.turn or graph.turns[-1], options.output, radius=options.radius)
    sys.stderr.write(f"wrote {options.output}\n")
    return 0
