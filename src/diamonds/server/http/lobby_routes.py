"""Routes for finding people to play with. Changes reach clients through `AsgiRoutes.lobby_stream`."""

from __future__ import annotations

from litestar.params import FromPath, JSONBody

from diamonds.server.api import lobby as messages
from diamonds.server.api.accounts import OkResponse
from diamonds.server.http.api_routes import ApiRoutes, StringDependency
from diamonds.server.http.asgi_routes import AsgiRoutes
from diamonds.server.lobby.service import LobbyService
from diamonds.server.tables.service import TableService


def lobby_routes(lobby: LobbyService, tables: TableService, asgi_routes: AsgiRoutes) -> ApiRoutes:
    rate_limiter, limits, routes = asgi_routes.rate_limiter, asgi_routes.limits, ApiRoutes()

    @routes.post("/api/seek", "Look for others to play with")
    async def seek(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.SeekRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("seeks", actor, address, limits.seeks, "server-many-seeks")
        await lobby.seek(actor, data)
        return OkResponse()

    @routes.post("/api/seek/end", "Stop looking for others")
    async def cancel_seek(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.CancelSeekRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("seeks", actor, address, limits.seeks, "server-many-seeks")
        lobby.cancel_seek(actor)
        return OkResponse()

    @routes.post("/api/friends", "Send or accept a friend request")
    async def request_friend(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.FriendRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("friends", actor, address, limits.friends, "server-many-friends")
        await lobby.friends.request_friend(actor, data.name)
        return OkResponse()

    @routes.post("/api/relationships", "Remove a friend, or block or unblock someone")
    async def change_relationship(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.RelationshipRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("friends", actor, address, limits.friends, "server-many-friends")
        await lobby.change_relationship(actor, data.action, data.name)
        return OkResponse()

    @routes.post("/api/tables/{id:str}/block", "Block the person in a seat")
    async def block_seat(
        actor: StringDependency, address: StringDependency, id: FromPath[str], data: JSONBody[messages.BlockSeatRequest]
    ) -> OkResponse:
        rate_limiter.acquire_pair("friends", actor, address, limits.friends, "server-many-friends")
        await lobby.block_seat(await tables.find(id, actor), actor, data.seat)
        return OkResponse()

    @routes.post("/api/challenges", "Ask one person to play")
    async def challenge(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.ChallengeRequest]
    ) -> messages.ChallengeCreatedResponse:
        rate_limiter.acquire_pair("friends", actor, address, limits.friends, "server-many-friends")
        return messages.ChallengeCreatedResponse(await lobby.challenges.create(actor, data))

    @routes.post("/api/challenges/answer", "Accept or decline a challenge")
    async def answer_challenge(
        actor: StringDependency, address: StringDependency, data: JSONBody[messages.ChallengeAnswerRequest]
    ) -> messages.ChallengeAnswerResponse:
        rate_limiter.acquire_pair("friends", actor, address, limits.friends, "server-many-friends")
        return messages.ChallengeAnswerResponse(await lobby.challenges.answer(actor, data.id, data.accept))

    return routes
