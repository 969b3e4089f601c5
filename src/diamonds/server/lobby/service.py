"""The lobby: the live list and its viewers, seeks, friends and challenges."""

from __future__ import annotations

from collections.abc import Sequence

from diamonds.errors import NotFoundError
from diamonds.game import all_games
from diamonds.server.api.lobby import ListedSeekInfo, PersonalLobbyInfo, SeekRequest
from diamonds.server.cluster.notices import NoShows, PeopleSeated, PresenceChanged
from diamonds.server.lobby.challenges import Challenges
from diamonds.server.lobby.friends import FriendService
from diamonds.server.lobby.public_table_list import MAX_SHOWN_SEEKS, LobbyPeople, PublicTableList
from diamonds.server.lobby.seeks import SeekPool
from diamonds.server.lobby.streams import LobbyHub, LobbyStream
from diamonds.server.lobby.table_timeouts import HostReassignment, NoShowTimers
from diamonds.server.people.display_names import display_names, guest_name
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.service import TableObserver, TableService
from diamonds.server.tables.streams import Send


class LobbyService(TableObserver):
    """The lobby of a server."""

    def __init__(self, tables: TableService) -> None:
        self.board = PublicTableList([game.name for game in all_games()], tables.registry.get, tables.remote_summaries)
        self.lobby_hub = LobbyHub(self.board, self.load_people, self.personal_info)
        self.tables, self.store, self.streams = tables, tables.store, tables.streams
        self.friends = FriendService(tables, tables.is_online, self.lobby_hub.notify_person)
        self.seeks = SeekPool(tables, self.lobby_hub.notify_person, self.lobby_hub.schedule_flush, self.are_apart)
        self.challenges = Challenges(tables, self.friends, self.seeks.announce_table, self.lobby_hub.notify_person)
        self.no_shows = NoShowTimers(tables, self.on_no_shows)
        self.host_reassignment = HostReassignment(tables)
        self.lobby_hub.on_enter, self.lobby_hub.on_leave = self.seeks.on_enter, self.seeks.on_leave
        self.streams.on_presence_change = self.on_presence_change
        self._apart_people: dict[str, frozenset[str]] = {}  # people whom each seeker must not meet
        tables.observers.append(self)

    def open(self) -> None:
        """Start the list's versions above all earlier ones: each `version_floor` has a range of its own."""
        self.board.start_versions(self.tables.registry.version_floor << 20)

    def close(self) -> None:
        self.lobby_hub.close()
        self.seeks.close()
        self.friends.close()
        self.challenges.close()
        self.no_shows.close()
        self.host_reassignment.close()

    def open_stream(self, game: str, person: str, send: Send) -> LobbyStream:
        """Open a stream of the lobby, for one game or all."""
        if game not in self.board.channels:
            raise NotFoundError("game-unknown", given=game[:40], games=[name for name in self.board.channels if name])
        return self.lobby_hub.open(game, person, send)

    async def load_people(self) -> LobbyPeople:
        """Return the oldest seeks with their names, and the numbers of all seeks and of connected people."""
        shown = [*self.seeks.seek_ids.items()][:MAX_SHOWN_SEEKS]
        names: dict[str, str] = {}
        try:
            names = await display_names(self.store, {person for person, _ in shown}) if shown else {}
        except StoreUnavailableError:
            shown = []  # show no seeks rather than wrong names
        infos = [(person, id, self.seeks.seek_infos[person]) for person, id in shown if person in self.seeks.seek_infos]
        seeks = [
            ListedSeekInfo(
                id, names.get(person) or guest_name(person), info.games, info.seats, info.bot_speeds, info.time_controls
            )
            for person, id, info in infos
        ]
        here = {*self.streams.connected_people}.union(*self.tables.connected_elsewhere.values())
        return LobbyPeople(len(self.seeks), len(here), seeks)

    async def personal_info(self, person: str) -> PersonalLobbyInfo:
        """Return the private part of the lobby for a person."""
        has_account = await self.store.accounts.account(person) is not None
        friends, friend_requests, blocked = await self.friends.lists_of(person) if has_account else ([], [], [])
        incoming = self.challenges.incoming(person) if has_account else []
        seek, matched_table = self.seeks.seek_infos.get(person), self.seeks.matched.get(person)
        return PersonalLobbyInfo(
            seek,
            matched_table,
            has_account,
            friends,
            friend_requests,
            blocked,
            incoming,
            self.challenges.outgoing(person),
        )

    async def seek(self, person: str, request: SeekRequest) -> None:
        """Start a person's seek."""
        apart = (await self.tables.relationships.get(person)).all_blocked
        self._apart_people = {
            other: others for other, others in self._apart_people.items() if other in self.seeks.seek_infos
        }
        self._apart_people[person] = apart
        self.seeks.seek(person, request, person in self.lobby_hub.visitors)

    def cancel_seek(self, person: str) -> None:
        """End a person's seek."""
        self.seeks.cancel(person)

    def are_apart(self, person: str, other: str) -> bool:
        """Return whether two people must not be matched."""
        return other in self._apart_people.get(person, ()) or person in self._apart_people.get(other, ())

    async def change_relationship(self, person: str, action: str, name: str) -> None:
        """Remove a friend, or block or unblock a related person or a challenger."""
        await self.friends.check(person)
        other = await self.friends.find_related(person, name, self.challenges.challengers_of(person))
        await self.friends.change(person, action, other)
        await self._on_relationship_change(person, other, action == "block")

    async def block_seat(self, table: Table, person: str, seat: int) -> None:
        """Block the person in a seat, who must be someone else."""
        await self.friends.check(person)
        holder = table.seating.seats[seat] if seat < table.header.seats else None
        if holder is None or holder.kind != "person" or holder.person == person:
            raise NotFoundError("server-no-such-person")
        other = holder.person
        await self.friends.change(person, "block", other)
        await self._on_relationship_change(person, other, True)

    async def _on_relationship_change(self, person: str, other: str, blocked: bool) -> None:
        """Apply a changed relationship: cancel challenges after a block, then update chat and matchmaking."""
        if blocked:
            self.challenges.cancel_between(person, other)
        await self.tables.refresh_viewer(person)
        for each in (person, other):
            if each in self._apart_people:
                self._apart_people[each] = (await self.tables.relationships.get(each)).all_blocked

    def hand_over(self, farewell: bytes) -> None:
        """Drop all seeks and challenges, and send viewers to the new lobby owner."""
        self.seeks.drop_all()
        self.challenges.drop_all()
        self.lobby_hub.close_all(farewell)

    def on_sanctions_change(self, person: str) -> None:
        """Notify a person of changed sanctions. A ban also ends their seek and challenges."""
        notice = self.tables.sanctions.notice(person)
        banned = bool(self.tables.sanctions.get(person).banned_until)
        if banned:
            self.cancel_seek(person)
            self.challenges.cancel_all_of(person)
        for stream in self.streams.streams_of(person) if notice else ():
            (stream.end if banned else stream.send_notice)(notice)

    def on_presence_change(self, person: str) -> None:
        """Handle a person who has connected to this process or disconnected from it."""
        if self.tables.has_lobby:
            self.friends.on_presence_change(person)
        elif self.tables.cluster:
            is_connected = person in self.streams.connected_people
            self.tables.cluster.notify_lobby_owner(
                PresenceChanged([person] if is_connected else [], [] if is_connected else [person])
            )

    def on_no_shows(self, table: str, people: Sequence[str]) -> None:
        """Handle people who did not take their reserved seats."""
        if self.tables.has_lobby:
            self.seeks.on_no_shows(table, people)
        elif self.tables.cluster:
            self.tables.cluster.notify_lobby_owner(NoShows(table, [*people]))

    # Notices to the lobby owner

    async def on_presence_notice(self, member: int, notice: PresenceChanged) -> None:
        """Handle people who connected to another member or disconnected from it."""
        connected = self.tables.connected_elsewhere.setdefault(member, set())
        before = {*connected}
        if notice.is_complete:
            connected.clear()
        connected.difference_update(notice.left)
        connected.update(notice.arrived)
        for person in before ^ connected:
            self.friends.on_presence_change(person)
        for person in connected - before:
            self.challenges.publish_incoming(person)

    def drop_member(self, member: int) -> None:
        """Drop the connections of a member that is gone."""
        for person in self.tables.connected_elsewhere.pop(member, set()):
            self.friends.on_presence_change(person)

    def on_summaries_change(self, tables: set[str]) -> None:
        """Update the rows of other members' tables."""
        self.board.dirty |= tables
        if self.board.dirty:
            self.lobby_hub.schedule_flush()

    # `TableObserver`

    def on_change(self, table: Table) -> None:
        self.no_shows.on_change(table)
        self.host_reassignment.on_change(table)
        self.board.mark_dirty(table)
        if self.board.dirty:
            self.lobby_hub.schedule_flush()

    def on_seated(self, people: Sequence[str]) -> None:
        if self.tables.cluster and not self.tables.has_lobby:
            self.tables.cluster.notify_lobby_owner(PeopleSeated([*people]))
        for person in people:
            self.seeks.on_seated(person)
