"""For those who run the service: whether it lives, and whether it can answer."""

from __future__ import annotations

from fastapi import APIRouter, Response

from frontdesk.agent.serving.operations.service_metrics import CONTENT_TYPE
from frontdesk.agent.serving.sessions.conversations import Conversations


def router(conversations: Conversations) -> APIRouter:
    """The routes of operation; they need no key and tell nothing of what is said."""
    routes = APIRouter(tags=["operation"])

    @routes.get("/healthz")
    async def alive() -> dict[str, str]:
        """Whether the process lives."""
        return {"status": "ok"}

    @routes.get("/readyz")
    def ready() -> dict[str, str]:
        """Whether the sessions and the calendar can be reached; status 503 when not."""
        conversations.check_reach()
        return {"status": "ok"}

    @routes.get("/metrics", response_class=Response)
    def metrics() -> Response:
        """Counts and times, as Prometheus reads them."""
        return Response(conversations.metrics.text(), media_type=CONTENT_TYPE)

    return routes
