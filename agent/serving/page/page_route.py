"""The page on which visitors talk, and see what each reply rests on."""

from __future__ import annotations

import hashlib
from importlib.resources import files

from fastapi import APIRouter, HTTPException, Request, Response

from frontdesk.kg.pictures.picture_page import graph_script, graph_style

_INDEX = "index.html"
_TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
          ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
#: Nothing is loaded from, or sent to, anywhere else, and no text can become a script.
_POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
           "connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'")


def router() -> APIRouter:
    """The routes of the page; they need no key, as the page itself asks for it."""
    routes = APIRouter(include_in_schema=False)
    found = {each.name: each.read_bytes()
             for each in files(__package__).joinpath("page_files").iterdir()}
    found |= {"draw_graph.js": graph_script().encode(), "draw_graph.css": graph_style().encode()}

    @routes.get("/")
    async def index(request: Request) -> Response:
        return _file(request, _INDEX, found[_INDEX])

    @routes.get("/page/{name}")
    async def file(name: str, request: Request) -> Response:
        if name not in found:
            raise HTTPException(404, f"the page has no file {name!r}")
        return _file(request, name, found[name])

    return routes


def _file(request: Request, name: str, content: bytes) -> Response:
    """A file, or that the browser has it already."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"content-security-policy": _POLICY, "cache-control": "no-cache", "etag": tag}
    known = request.headers.get("if-none-match", "")
    if tag in (each.strip().removeprefix("W/") for each in known.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=_TYPES[name[name.rindex("."):]], headers=headers)
