"""The routes of the API that Litestar serves, and what their handlers have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import litestar
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath

from diamonds.server.api.tables import ErrorResponse

StringDependency = NamedDependency[str]
PathString = FromPath[str]

ERROR_RESPONSES = {
    400: ResponseSpec(ErrorResponse, description="The request is malformed or invalid."),
    401: ResponseSpec(ErrorResponse, description="The request carries no identity."),
    403: ResponseSpec(ErrorResponse, description="You may not do that."),
    404: ResponseSpec(ErrorResponse, description="Not found."),
    409: ResponseSpec(ErrorResponse, description="The rules or the state of the table do not allow it now."),
    410: ResponseSpec(ErrorResponse, description="The table is damaged: its stored data cannot be read as a game."),
    413: ResponseSpec(ErrorResponse, description="The request is too large."),
    415: ResponseSpec(ErrorResponse, description="The content type is not JSON."),
    429: ResponseSpec(ErrorResponse, description="Too many requests; Retry-After gives the wait in seconds."),
}


class ApiRoutes(list[HTTPRouteHandler]):
    """Routes in the order of their definition. OpenAPI shows their summaries and responses."""

    def get(
        self, path: str, summary: str, responses: Mapping[int, ResponseSpec] = ERROR_RESPONSES, **more: Any
    ) -> Callable[[Callable[..., Any]], None]:
        """Return a decorator that adds a function as a handler of GET requests."""
        return lambda function: self.append(litestar.get(path, summary=summary, responses=responses, **more)(function))

    def post(self, path: str, summary: str, status_code: int = 200) -> Callable[[Callable[..., Any]], None]:
        """Return a decorator that adds a function as a handler of POST requests."""
        route = litestar.post(path, status_code=status_code, summary=summary, responses=ERROR_RESPONSES)
        return lambda function: self.append(route(function))
