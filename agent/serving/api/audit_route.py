"""The audit log for operators."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query

from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.conversations import Conversations

_HIGHEST = 2**31 - 1


def router(conversations: Conversations, authorised: Any) -> APIRouter:
    """The route of the audit log."""
    routes = APIRouter(tags=["operation"])

    @routes.get("/audit")
    def audit(since: Annotated[int, Query(ge=0, le=_HIGHEST)] = 0,
              limit: Annotated[int, Query(ge=1, le=1000)] = 100,
              caller: Caller = authorised) -> dict[str, Any]:
        """What was done to the calendar and by whom, a page of entries after one with an id.

        It is for keys with "operator = true".
        """
        if not caller.operator:
            raise HTTPException(403, "this key may not read the audit log. Use one with "
                                     "operator = true")
        return {"entries": conversations.store.audit(since=since, limit=limit)}

    return routes
