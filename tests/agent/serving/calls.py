"""Requests to a service, by a client that knows nothing of ours."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

from .conftest import LOBBY


def call(url: str, data: Any = None, *, key: str | None = LOBBY, method: str | None = None,
         body: bytes | None = None) -> tuple[int, Any, dict[str, str]]:
    """Status, data and headers (their names in small letters) of a response."""
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    if data is not None:
        body = json.dumps(data).encode()
    request = urllib.request.Request(url, body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return _read(response.status, response)
    except urllib.error.HTTPError as error:
        with error:
            return _read(error.code, error)


def _read(status: int, response: Any) -> tuple[int, Any, dict[str, str]]:
    content = response.read()
    return (status, json.loads(content) if content else None,
            {name.lower(): value for name, value in response.headers.items()})
