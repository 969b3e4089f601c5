"""A game as a file: what was chosen, the secrets behind the cards, and nothing that can be computed (R4).

A `Match` is a game being played: a header, the entries so far, and the state they lead to. A record is a match written
down as JSON; reading one plays it again and says where it diverges. `docs/records.md` describes the format.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from diamonds import deals, fields
from diamonds.cards import MOST_LAID_OUT
from diamonds.entries import TIMEOUT, Answer, NewSeat, TimeOut, Undo, is_who, read_words, undo_words
from diamonds.events import type_of_log
from diamonds.game import Game, Illegal, Malformed, Refused, find_game
from diamonds.words import FIRST, Message, say

FORMAT = "diamonds record 2"
# F12: 500 hands of fourteen among four, each with 52 cards and 4 bids. So many answers stand in the longest game.
MAX_ANSWERS = 28_000
# Undos, what they left out and changes of seats count: as many as a table takes (see its `version`).
MAX_ENTRIES = 2_000_000
# An entry takes 37 bytes at most, its time 15, a deal's checksum 20; and to each deal belong two entries, or it is the first.
MAX_BYTES = 64 * MAX_ENTRIES
MAX_NAME = 40
KINDS: dict[type, str] = {
    str: "record-kind-text", int: "record-kind-number", dict: "record-kind-object", list: "record-kind-list"
}  # fmt: skip


class Fork(NamedTuple):
    """The game that a match is played on from: the commitment of its deals, and how many of its answers both share."""

    commitment: str
    n: int

    @property
    def message(self) -> Message:
        """What that means."""
        return Message("record-played-on", {"number": self.n})

    def __str__(self) -> str:
        return say(*self.message, FIRST)


class Written(NamedTuple):
    """A record as it is written, not played again: all there is of one by rules that this program does not know."""

    game: Game
    version: int
    options: dict[str, Any]
    players: list[str]
    seated: list[str]
    commitment: str
    entries: list[str]


@dataclass
class Match:
    """A game being played, or played.

    ``entries`` has a line for all that happened, as in a record: ``0 play H7``, ``2 undo 12``, ``1 seat bot:5``. ``answers``
    are those that stand, as ``(seat, question, answer)``, and ``places`` where each is among the entries; their number is
    ``n``. ``checksums`` has one for each deal, taken right after it, also where an undo has left it out. ``seated`` says who
    had each seat at the start (``person``, ``bot:5``; ``open`` where it is not known). ``times`` are milliseconds since 1970,
    one an entry, or ``None`` where no clock was looked at. Everything else is computed from the header and the entries.
    """

    game: Game
    seats: int
    options: dict[str, Any]
    secret: bytes
    nonces: list[bytes]
    players: list[str]
    state: np.void
    answers: list[tuple[int, str, int | str]] = field(default_factory=list)
    checksums: list[str] = field(default_factory=list)
    opening: list[type_of_log] = field(default_factory=list)
    fork: Fork | None = None
    entries: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    seated: list[str] = field(default_factory=list)
    times: list[int] | None = None

    @property
    def version(self) -> int:
        """The version of the rules that it is played by."""
        return self.game.version_of(self.state)

    @property
    def n(self) -> int:
        """How many answers stand."""
        return len(self.answers)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state["over"])

    @property
    def commitment(self) -> str:
        """What binds the secret, and was shown before play."""
        return deals.commitment(self.secret)

    @property
    def cut(self) -> list[int]:
        """The card that each seat cut."""
        return deals.cut(self.secret, self.nonces, self.seats, self.game.pack(self.state))

    def answer(self, seat: int, answer: object, question: str | None = None) -> list[type_of_log]:
        """Check and apply an answer, and deal if cards are wanted; returns what was told. A refused answer changes nothing."""
        asked = self.game.question(self.state)
        log = self.game.answer(self.state, seat, answer, question)
        spelled = _spelled(asked.answers, answer)
        self.answers.append((seat, asked.name, spelled))
        self.places.append(len(self.entries))
        self._note(f"{seat} {asked.name} {spelled}")
        return [log, *self._deal()]

    def undo(self, seat: int, to: int) -> None:
        """A seat steps back to what the game was after the first ``to`` entries. What is left out stays among the entries."""
        places = standing(self.entries, to)
        earlier = self._anew()
        for place in places:
            who, question, answer = _answer(self.entries[place])
            earlier.answer(who, answer, question)
        self.state, self.answers, self.places = earlier.state, earlier.answers, places
        self._note(f"{seat} {undo_words(to, False)}")

    def _note(self, line: str) -> None:
        """One entry more; it has a time if the others have one, and a clock that was put back does not turn the order round."""
        self.entries.append(line)
        if self.times is not None:
            self.times.append(max([time.time_ns() // 1_000_000, *self.times[-1:]]))

    def _deal(self) -> list[type_of_log]:
        """Hand out cards if they are wanted."""
        if not self.game.wants_cards(self.state):
            return []
        deck = deals.deck(self.secret, self.nonces, int(self.state["deals"]), self.game.pack(self.state))
        log = self.game.deal(self.state, deck)
        self.checksums.append(checksum(self.game, self.state))
        return [log]

    def at(self, n: int) -> Match:
        """The same match as it was after its first ``n`` answers."""
        earlier = self._anew()
        for seat, question, answer in self.answers[:n]:
            earlier.answer(seat, answer, question)
        return earlier

    def _anew(self) -> Match:
        """The same match as it was at the start."""
        new = start(self.game, self.seats, self.options, self.secret, self.nonces, self.players, self.version)
        new.fork, new.seated = self.fork, list(self.seated)
        return new


def standing(entries: Sequence[str], n: int) -> list[int]:
    """The places of the answers that led to the state after ``n`` entries, in order; what was undone is left out."""
    places = []
    while n:
        n -= 1
        words = entries[n].split(" ")
        if words[1] == "undo":
            n = int(words[2])
        elif words[1] not in ("seat", TIMEOUT):
            places.append(n)
    return places[::-1]


def _answer(line: str) -> tuple[int, str, str]:
    """Seat, question and answer of an entry that is an answer."""
    seat, question, answer, *_ = line.split(" ")
    return int(seat), question, answer


def _spelled(names: tuple[int | str, ...], answer: object) -> int | str:
    """An answer as the game spells it: the number 2, also if it came as text."""
    return next(name for name in names if str(name) == str(answer))


def checksum(game: Game, state: np.void) -> str:
    """Sixteen hexadecimal digits that two tables share at which a deal has come out alike; see `deal_line`."""
    return hashlib.sha256(deal_line(game, state).encode()).hexdigest()[:16]


def deal_line(game: Game, state: np.void) -> str:
    """How a table is right after a deal, in words that outlive every change of a state's fields.

    The number of the deal, who deals it or begins, what each seat was dealt (in mines: what lies in each pile, top card first),
    and the scores: ``deal 0; begins 2; H7 S4, D2 C9; scores 0 0``.
    """
    cards = [0] * MOST_LAID_OUT
    begins, size = game.rules.laid_out(state, cards)
    packets: list[list[str]] = [[]]
    for card in cards[: int(size)]:
        if card < 0:
            packets.append([])
        else:
            packets[-1].append(game.names[card])
    dealt = ", ".join(map(" ".join, packets[:-1]))
    scores = " ".join(str(int(game.rules.score(state, seat))) for seat in range(int(state["seats"])))
    return f"deal {int(state['deals']) - 1}; begins {begins}; {dealt}; scores {scores}"


def start(
    game: Game,
    seats: int,
    options: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
    nonces: Sequence[bytes] | None = None,
    players: Sequence[str] | None = None,
    version: int | None = None,
) -> Match:
    """A new match, cut and dealt. Without a secret, a new one is drawn; ``opening`` holds what the first deal told.

    ``version`` is that of the rules, if it is an older one.
    """
    chosen = game.check_options(seats, options)
    secret = deals.new_secret() if secret is None else secret
    nonces = [b""] * seats if nonces is None else list(nonces)
    names = [f"Seat {seat}" for seat in range(seats)] if players is None else list(players)
    state = game.start(seats, chosen, deals.cut(secret, nonces, seats, game.pack_at(seats, chosen)), version)
    match = Match(game, seats, chosen, secret, nonces, names, state, seated=["open"] * seats)
    match.opening = match._deal()
    return match


def to_record(match: Match, reveal: bool | None = None) -> dict[str, Any]:
    """A match as data. The secret is shown once the game is over, or when ``reveal`` asks for it (a game kept to oneself)."""
    shown = match.over if reveal is None else reveal
    forked = {"fork": match.fork._asdict()} if match.fork else {}
    return {
        "format": FORMAT,
        "game": match.game.name,
        "rules_version": match.version,
        "seats": match.seats,
        "options": match.options,
        "players": match.players,
        "seated": match.seated,
        "commitment": match.commitment,
        "secret": match.secret.hex() if shown else None,
        "nonces": [nonce.hex() for nonce in match.nonces],
        **forked,
        "checksums": match.checksums,
        "result": match.game.result(match.state) if match.over else None,
        **({} if match.times is None else {"times": match.times}),
        "entries": match.entries,
    }


def write_record(match: Match, reveal: bool | None = None) -> str:
    """A match as JSON text that people can read: one line for each key of the header, ten entries a line."""
    data = to_record(match, reveal)
    entries = [json.dumps(entry) for entry in data.pop("entries")]
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items()]
    rows = ["    " + ", ".join(entries[k : k + 10]) for k in range(0, len(entries), 10)]
    body = "[\n" + ",\n".join(rows) + "\n  ]" if rows else "[]"
    return "{\n" + ",\n".join([*lines, f'  "entries": {body}']) + "\n}\n"


def read_record(text: str | bytes, most: int = MAX_ENTRIES) -> Match:
    """Play a record again; `Refused` names the first place that is malformed, illegal, or comes out differently.

    ``most`` is how many entries it may have, if that is fewer than the longest record has.
    """
    data = _load(text)
    game = find_game(_take(data, "game", str))
    version = game.check_version(_take(data, "rules_version", int))
    seats = game.check_seats(_take(data, "seats", int))
    options = game.check_options(seats, _take(data, "options", dict))
    if data.get("secret") is None:
        raise Illegal("record-no-secret")
    secret = _hexadecimal(data, "secret", deals.SECRET_BYTES, deals.SECRET_BYTES)
    nonces = _strings(data, "nonces", seats)
    match = start(
        game,
        seats,
        options,
        secret,
        [_hexadecimal({"nonces": nonce}, "nonces", 0, deals.NONCE_BYTES) for nonce in nonces],
        [name[:MAX_NAME] for name in _strings(data, "players", seats)],
        version,
    )
    if match.commitment != _take(data, "commitment", str):
        raise Illegal("record-other-secret")
    entries = _strings(data, "entries", most=most)
    match.fork = _fork(data, match.commitment, len(entries))
    match.seated = _seated(data, seats)
    play_again(match, entries, _strings(data, "checksums"))
    match.times = _times(data, len(entries))
    result = data.get("result")
    if match.over and result is not None and result != match.game.result(match.state):
        raise Illegal("record-other-result")
    if not match.over and result is not None:
        raise Illegal("record-early-result")
    return match


def read_unplayed(text: str | bytes, most: int = MAX_ENTRIES) -> Written:
    """What a record says of itself, by whatever version of the rules; nothing but its form is checked."""
    data = _load(text)
    return Written(
        find_game(_take(data, "game", str)),
        _take(data, "rules_version", int),
        _take(data, "options", dict),
        _strings(data, "players"),
        _strings(data, "seated"),
        _take(data, "commitment", str),
        _strings(data, "entries", most=most),
    )


def _fork(data: Mapping[str, Any], commitment: str, entries: int) -> Fork | None:
    """What the record says of the game it is played on from: that has the same deals, so its commitment is the same."""
    if data.get("fork") is None:
        return None
    fork = _take(data, "fork", dict)
    found = Fork(_take(fork, "commitment", str), _take(fork, "n", int))
    if found.commitment != commitment or not 0 <= found.n <= entries:
        raise Illegal("record-fork")
    return found


def _seated(data: Mapping[str, Any], seats: int) -> list[str]:
    """Who had each seat at the start."""
    seated = _strings(data, "seated", seats)
    for seat, who in enumerate(seated):
        if not is_who(who):
            raise Malformed("record-seated", number=seat)
    return seated


def _times(data: Mapping[str, Any], entries: int) -> list[int] | None:
    """When each entry was made, if the record says so."""
    if data.get("times") is None:
        return None
    times: list[int] = _take(data, "times", list)
    if len(times) != entries:
        raise Malformed("record-times", entries=entries, times=len(times))
    before = 0
    for n, at in enumerate(times):
        if type(at) is not int or not before <= at < 1 << 53:
            raise Malformed("record-time", n=str(n))
        before = at
    return times


def play_again(match: Match, entries: Sequence[str], checksums: Sequence[str] | None = None) -> None:
    """From the start of a match, all that happened; with ``checksums``, every deal must come out as they say.

    `Refused` names the first entry that is malformed or cannot be. What an undo goes back to is kept until the last that does.
    """
    read = [_read_line(n, line, match.seats) for n, line in enumerate(entries)]
    wanted = Counter(entry.to for _, entry in read if isinstance(entry, Undo))
    kept: dict[int, np.void] = {}
    if checksums is not None:
        _compare(match.checksums, checksums)
    for n, (line, (seat, entry)) in enumerate(zip(entries, read, strict=True)):
        if n in wanted:
            kept[n] = fields.copy_state(match.state)
        if isinstance(entry, Undo):
            if entry.to > n:
                raise Illegal("record-undo-ahead", n=str(n), line=_shown(line))
            if match.over:
                raise Illegal("record-undo-over", n=str(n), line=_shown(line))
            match.state = fields.copy_state(kept[entry.to])
            wanted[entry.to] -= 1
            if not wanted[entry.to]:
                del kept[entry.to]
        elif isinstance(entry, Answer):
            try:
                match.game.answer(match.state, seat, entry.answer, entry.question)
            except Refused as refusal:
                raise Illegal("record-not-playable", n=str(n), line=_shown(line), why=refusal.message) from None
            if match._deal() and checksums is not None:
                _compare(match.checksums, checksums, f"{n} ({_shown(line)})")
        match.entries.append(line)
    if checksums is not None and len(checksums) > len(match.checksums):
        raise Illegal("record-deals", number=len(checksums), led=len(match.checksums))
    match.places = standing(match.entries, len(match.entries))
    for place in match.places:
        seat, question, answer = _answer(match.entries[place])
        names = next(asked.answers for asked in match.game.questions if asked.name == question)
        match.answers.append((seat, question, _spelled(names, answer)))


def _read_line(n: int, line: str, seats: int) -> tuple[int, Undo | NewSeat | TimeOut | Answer]:
    """An entry of a record: its seat, and what happened."""
    seat, _, words = line.partition(" ")
    try:
        entry = read_words(words)
    except ValueError:
        seat = ""
    if not seat.isdecimal() or not seat.isascii() or len(seat) > 2:
        raise Malformed("record-entry-form", n=str(n), line=repr(line[:40]))
    if int(seat) >= seats:
        raise Malformed("record-entry-seat", n=str(n), line=_shown(line))
    return int(seat), entry


def _shown(line: str) -> str:
    """An entry, short and without control characters, so that it can stand in a sentence."""
    return "".join(c if c.isprintable() else "?" for c in line[:40])


def _compare(mine: Sequence[str], theirs: Sequence[str], entry: str = "") -> None:
    """Whether the last deal came out as the record says; ``entry`` is the one that led to it."""
    deal = len(mine) - 1
    if deal >= len(theirs):
        raise Malformed("record-no-checksum", deal=deal)
    if mine[deal] != theirs[deal]:
        sums = {"deal": deal, "ours": mine[deal], "theirs": repr(theirs[deal][:16])}
        if not entry:
            raise Illegal("record-diverges-at-once", **sums)
        raise Illegal("record-diverges", **sums, entry=entry)


def _load(text: str | bytes) -> dict[str, Any]:
    """JSON, with every way of being broken turned into one sentence."""
    if len(text) > MAX_BYTES:
        raise Malformed("record-too-large", most=MAX_BYTES)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        if _is_playthrough(text):
            raise Malformed("record-playthrough") from None
        raise Malformed("record-not-json", why=error.msg, line=str(error.lineno), column=str(error.colno)) from None
    except (UnicodeDecodeError, RecursionError, ValueError):
        raise Malformed("record-not-readable") from None
    if not isinstance(data, dict):
        raise Malformed("record-not-an-object")
    if data.get("format") != FORMAT:
        raise Malformed("record-format", given=FORMAT)
    return data


def _is_playthrough(text: str | bytes) -> bool:
    """Return whether a text begins as the output of `diamonds playthrough` does."""
    first = text.partition("\n")[0] if isinstance(text, str) else text.partition(b"\n")[0]
    try:
        head = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and "format" not in head and {"game", "seats", "seed", "first"} <= head.keys()


def _take(data: Mapping[str, Any], key: str, kind: type) -> Any:
    if key not in data:
        raise Malformed("record-lacks", given=key)
    if type(data[key]) is not kind:
        raise Malformed("record-should-be", given=key, what=Message(KINDS[kind]))
    if kind is int and abs(data[key]) >> 100:
        raise Malformed("record-vast-number", given=key)
    return data[key]


def _strings(data: Mapping[str, Any], key: str, length: int | None = None, most: int = MAX_ENTRIES) -> list[str]:
    values = _take(data, key, list)
    if length is not None and len(values) != length:
        raise Malformed("record-length", given=key, number=length)
    if len(values) > most:
        raise Malformed("record-too-long", given=key, most=most)
    for k, value in enumerate(values):
        if type(value) is not str:
            raise Malformed("record-should-be-text", n=str(k), given=key)
    return values  # type: ignore[no-any-return]


def _hexadecimal(data: Mapping[str, Any], key: str, least: int, most: int) -> bytes:
    text = _take(data, key, str)
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = None
    if value is None or not least <= len(value) <= most or value.hex() != text:
        if least == most:
            raise Malformed("record-hexadecimal", given=key, number=least)
        raise Malformed("record-hexadecimal-range", given=key, few=least, many=most)
    return value


def copy(match: Match) -> Match:
    """An independent match at the same point."""
    return Match(
        match.game,
        match.seats,
        match.options,
        match.secret,
        list(match.nonces),
        list(match.players),
        fields.copy_state(match.state),
        list(match.answers),
        list(match.checksums),
        match.opening,
        match.fork,
        list(match.entries),
        list(match.places),
        list(match.seated),
        None if match.times is None else list(match.times),
    )
