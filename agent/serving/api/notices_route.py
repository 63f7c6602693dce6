"""The notices that wait and those that were sent last, for operators."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query

from frontdesk.agent.notices.told_notices import told_notices
from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.conversations import Conversations


def router(conversations: Conversations, authorised: Any) -> APIRouter:
    """The route of the notices."""
    routes = APIRouter(tags=["operation"])

    @routes.get("/notices")
    def notices(limit: Annotated[int, Query(ge=1, le=1000)] = 100,
                caller: Caller = authorised) -> dict[str, Any]:
        """The notices that wait, the oldest first, and those that were sent or given up last.

        It is for keys with "operator = true".
        """
        if not caller.operator:
            raise HTTPException(403, "this key may not read the notices. Use one with "
                                     "operator = true")
        with conversations.current.use() as agent:
            if agent.calendar is None:
                return {"waiting": [], "ended": []}
            return told_notices(agent.calendar.outbox(), limit)

    return routes
