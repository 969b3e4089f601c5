"""Routes for finding people to play with. Changes reach clients through `AsgiRoutes.lobby_stream`."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody

from diamonds.server.api import lobby as messages
from diamonds.server.api.accounts import OkResponse
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.lobby.service import LobbyService
from diamonds.server.tables.service import TableService

StringDependency = NamedDependency[str]


def lobby_routes(
    lobby: LobbyService, tables: TableService, asgi_routes: AsgiRoutes, error_responses: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    rate_limiter, limits = asgi_routes.rate_limiter, asgi_routes.limits

    @post("/api/seek", status_code=200, summary="Look for others to play with", responses=error_responses)
    async def seek(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.SeekRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("seeks", actor, address, limits.seeks, "server-many-seeks")
        await lobby.seek(actor, data)
        return OkResponse()

    @post("/api/seek/end", status_code=200, summary="Stop looking for others", responses=error_responses)
    async def cancel_seek(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.CancelSeekRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("seeks", actor, address, limits.seeks, "server-many-seeks")
        lobby.cancel_seek(actor)
        return OkResponse()

    @post("/api/friends", status_code=200, summary="Send or accept a friend request", responses=error_responses)
    async def request_friend(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.FriendRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("friends", actor, address, limits.friends, "server-many-friends")
        await lobby.friends.request_friend(actor, data.name)
        return OkResponse()

    @post(
        "/api/relationships",
        status_code=200,
        summary="Remove a friend, or block or unblock someone",
        responses=error_responses,
    )
    async def change_relationship(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.RelationshipRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("friends", actor, address, limits.friends, "server-many-friends")
        await lobby.change_relationship(actor, data.action, data.name)
        return OkResponse()

    @post(
        "/api/tables/{id:str}/block", status_code=200, summary="Block the person in a seat", responses=error_responses
    )
    async def block_seat(
        actor: StringDependency, address: StringDependency, id: FromPath[str], data: JSONBody[messages.BlockSeatRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("friends", actor, address, limits.friends, "server-many-friends")
        await lobby.block_seat(await tables.find(id, actor), actor, data.seat)
        return OkResponse()

    @post("/api/challenges", status_code=200, summary="Ask one person to play", responses=error_responses)
    async def challenge(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.ChallengeRequest]
    ) -> messages.ChallengeCreatedResponse:
        rate_limiter.acquire_pair("friends", actor, address, limits.friends, "server-many-friends")
        return messages.ChallengeCreatedResponse(await lobby.challenges.create(actor, data))

    @post("/api/challenges/answer", status_code=200, summary="Accept or decline a challenge", responses=error_responses)
    async def answer_challenge(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.ChallengeAnswerRequest]
    ) -> messages.ChallengeAnswerResponse:
        rate_limiter.acquire_pair("friends", actor, address, limits.friends, "server-many-friends")
        return messages.ChallengeAnswerResponse(await lobby.challenges.answer(actor, data.id, data.accept))

    return [seek, cancel_seek, request_friend, change_relationship, block_seat, challenge, answer_challenge]
