"""Pictures of the dialogue graph around a turn, as .svg, .png or interactive .html.

A picture is layered from left to right: speakers, turns in temporal order, their hypotheses and
mentions, the entities these refer to, and the values that the knowledge base relates them to.
Three steps, each with a module of its own: collect what is shown (``picture_content``), lay it out
(``picture_layout``), draw it (``picture_page`` as HTML, ``picture_figure`` as SVG and PNG). One
layout serves all formats.

Every text in a picture may come from a stranger. It is stripped of control characters, escaped
where it meets markup, and never read as TeX.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.pictures.picture import Picture
from frontdesk.kg.pictures.picture_content import collect
from frontdesk.kg.pictures.picture_figure import to_png, to_svg
from frontdesk.kg.pictures.picture_layout import lay_out
from frontdesk.kg.pictures.picture_page import to_html

_WRITERS: dict[str, Callable[[Picture], bytes]] = {".svg": to_svg, ".png": to_png, ".html": to_html}


def draw(graph: DialogueGraph, kb: KnowledgeGraph, turn: str, path: Path, *, radius: int = 2,
         names: Mapping[str, str] | None = None) -> None:
    """Draw the neighbourhood of a turn with what the knowledge base relates its entities to.

    The dialogue's part is :meth:`DialogueGraph.neighbourhood`; the knowledge base adds the
    relations ``location``, ``organizer``, ``group``, ``office`` and ``attendees`` among the
    linked entities and one step around them. Hypotheses are shown where a turn has several.
    The same input gives the same picture. A .png shows an empty square for a character that the
    font DejaVu Sans lacks (emoji, Chinese, ...); .svg and .html leave fonts to the viewer. An
    .html file is complete in itself and asks for nothing from any network.

    Args:
        kb: What its entities are looked up in; unknown entities are drawn by their ids.
        turn: Id of the turn in the middle, ``u1``, ``u2``, ...
        path: Where to write; its suffix .svg, .png or .html decides the format. The file is
            replaced as a whole or not at all.
        radius: In edges, at least 0.
        names: How to call entities, by id; :attr:`Entity.name` for the rest.

    Raises:
        InputError: The suffix is another one, the file cannot be written, there is no such turn
            or the radius is negative.
    """
    path = Path(path)
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise InputError(f"no picture format has the suffix {path.suffix!r} of {str(path)!r}",
                         remedy=f"Use one of {', '.join(_WRITERS)}")
    if turn not in graph.turns:
        turns = graph.turns
        raise InputError(f"there is no turn {turn!r} in the dialogue",
                         remedy=f"Use one of {turns[0]} to {turns[-1]}" if turns
                         else "Say something first")
    if radius < 0:
        raise InputError(f"the radius {radius} is negative", remedy="Use 0 or more")
    picture = collect(graph, kb, turn, radius, names or {})
    lay_out(picture)
    _save(path, writer(picture))


def _save(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all."""
    # Opened by hand and not by tempfile, whose files only their owner may read.
    name = f".frontdesk-{os.getpid()}-{threading.get_ident()}.tmp"
    try:
        target = path.resolve()
        partial = target.with_name(name)
        try:
            partial.write_bytes(content)
            partial.replace(target)
        finally:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot write the picture {str(path)!r}: {reason}",
                         remedy="Choose a file in an existing folder that you may write to"
                         ) from error
