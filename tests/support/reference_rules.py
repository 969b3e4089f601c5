"""Reference rules of fourteen and mines, written plainly with names and lists instead of bit masks.

A referee is a generator. It yields the seats it asks, the question and the accepted answers, and receives ``(seat,
answer)``. It shares nothing with `diamonds.rules`, so agreement over whole random games is evidence that both follow
the written rules.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
ACE_LOW_RANKS = {rank: k for k, rank in enumerate(RANKS, 1)}  # F1: ace low
ACE_HIGH_RANKS = {rank: k for k, rank in enumerate((*RANKS[1:], "A"), 2)}  # M8: ace high

# The question, the seats to act, and the legal answers of each.
OpenQuestion = tuple[str, list[int], dict[int, set[str]]]
Referee = Generator[OpenQuestion, tuple[int, str], None]

# M1: the neighbours of each pile, as seen on the table.
ADJACENT_PILES = {
    0: {1, 4, 5},
    1: {0, 2, 5, 6},
    2: {1, 3, 6, 7},
    3: {2, 7, 8},
    4: {0, 5, 9},
    5: {0, 1, 4, 6, 9, 10},
    6: {1, 2, 5, 7, 10, 11},
    7: {2, 3, 6, 8, 11, 12},
    8: {3, 7, 12},
    9: {4, 5, 10},
    10: {5, 6, 9, 11},
    11: {6, 7, 10, 12},
    12: {7, 8, 11},
}


def of_suit(cards: Iterable[str], suit: str) -> set[str]:
    return {card for card in cards if card[0] == suit}


@dataclass
class FourteenReferee:
    """A game of fourteen (F1–F12). Each call of ``deal`` returns a newly shuffled pack."""

    seats: int
    dealer: int  # of the first hand
    match_depth: int  # F9: the number of earlier cards that count
    scoring: str
    sealed: bool
    target: int
    hands: list[list[str]] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    bids: list[int] = field(default_factory=list)
    voids: list[set[str]] = field(default_factory=list)
    winner: int | None = None

    def deal(self, deck: list[str]) -> Referee:
        """Play one hand (F3, F4, F8, F10, F11)."""
        seats, each = self.seats, len(deck) // self.seats
        self.totals = self.totals or [0] * seats
        order = [(self.dealer + 1 + k) % seats for k in range(seats)]
        self.hands = [deck[order.index(seat) : each * seats : seats] for seat in range(seats)]
        self.voids = [set() for _ in range(seats)]
        if self.scoring == "bid":
            yield from self.bidding(order)
        taken, tricks, leader = [0] * seats, [0] * seats, self.dealer
        for _ in range(each):
            trick: list[str] = []
            leader = yield from self.trick(leader, trick)
            taken[leader] += len(of_suit(trick, "D"))
            tricks[leader] += 1
            if self.scoring == "tricks" and self.totals[leader] + tricks[leader] >= self.target:  # F11
                self.winner = leader
                break
        for seat in range(seats):
            if self.scoring == "bid":
                self.totals[seat] += self.bids[seat] if taken[seat] >= self.bids[seat] else 0
            else:
                self.totals[seat] += (tricks if self.scoring == "tricks" else taken)[seat]
        self.dealer = order[0]  # F2
        top = max(self.totals)
        if top >= self.target and self.totals.count(top) == 1:  # F8, F12
            self.winner = self.totals.index(top)

    def bidding(self, order: list[int]) -> Referee:
        """Ask for the bids (F10)."""
        self.bids, numbers = [-1] * self.seats, {str(number) for number in range(14)}
        if not self.sealed:
            for seat in order:
                _, bid = yield "bid", [seat], {seat: numbers}
                self.bids[seat] = int(bid)
        while -1 in self.bids:
            waiting = [seat for seat in range(self.seats) if self.bids[seat] < 0]
            seat, bid = yield "bid", waiting, dict.fromkeys(waiting, numbers)
            self.bids[seat] = int(bid)

    def trick(self, leader: int, trick: list[str]) -> Generator[OpenQuestion, tuple[int, str], int]:
        """Play one trick and return its winner (F4–F7, F9)."""
        suit = ""
        for k in range(self.seats):
            seat = (leader + k) % self.seats
            hand = self.hands[seat]
            fourteens = {
                c
                for c in hand
                if any(ACE_LOW_RANKS[c[1:]] + ACE_LOW_RANKS[b[1:]] == 14 for b in trick[-self.match_depth :])
            }
            follow = of_suit(hand, suit)
            _, card = yield "play", [seat], {seat: follow | fourteens if follow else set(hand)}
            if not trick or card in fourteens:
                suit = card[0]
            elif card[0] != suit:
                self.voids[seat].add(suit)
            trick.append(card)
            hand.remove(card)
        return (leader + trick.index(max(of_suit(trick, suit), key=lambda card: ACE_LOW_RANKS[card[1:]]))) % self.seats


@dataclass
class MinesReferee:
    """A game of mines (M1–M13, R5)."""

    first: int
    piles: list[list[str]]  # top card first
    ranked: bool
    seen: bool
    owner: dict[int, int] = field(default_factory=dict)
    hands: list[list[str]] = field(default_factory=lambda: [[], []])
    known: list[set[str]] = field(default_factory=lambda: [set(), set()])
    winners: list[int] = field(default_factory=list)
    ending: str = ""

    def game(self) -> Referee:
        """Play turns until one of them ends the game (M2, M10, M12)."""
        self.owner = {0: self.first, 12: 1 - self.first}
        seat, idle, passed = self.first, 0, [False, False]
        while True:
            before = (dict(self.owner), [*map(tuple, self.piles)], [*map(tuple, self.hands)])
            passed[seat] = yield from self.turn(seat, passed[seat])
            idle = idle + 1 if before == (self.owner, [*map(tuple, self.piles)], [*map(tuple, self.hands)]) else 0
            if not self.ending:
                self.check_end(seat, idle)
            if self.ending:
                return
            seat = 1 - seat

    def check_end(self, seat: int, idle: int) -> None:
        """End the game at the end of a seat's turn if a condition of M10–M12 holds."""
        for who in (seat, 1 - seat):
            if not self.ending and self.diamond_count(who) >= 7:
                self.winners, self.ending = [who], "seven"
            elif not self.ending and self.is_barred(1 - who):
                self.winners, self.ending = [who], "barred"
        if not self.ending and idle == 6:
            most = max(self.diamond_count(0), self.diamond_count(1))
            self.winners, self.ending = [who for who in (0, 1) if self.diamond_count(who) == most], "idle"

    def diamond_count(self, seat: int) -> int:
        """Return the number of ♦ in a hand."""
        return len(of_suit(self.hands[seat], "D"))

    def is_barred(self, seat: int) -> bool:
        """Return whether a seat is barred (M11)."""
        reachable = {pile for pile in range(13) if self.owner.get(pile) == seat}
        if not reachable:
            return True
        while (
            more := {pile for near in reachable for pile in ADJACENT_PILES[near] if pile not in self.owner} - reachable
        ):
            reachable |= more
        cards = [card for pile in reachable for card in self.piles[pile]] + self.hands[seat]
        if not self.seen:
            return not of_suit(cards, "C") and len(of_suit(cards, "D")) < 7
        shared, places = self.known[1 - seat], len(cards) - len(self.known[1 - seat])
        unseen = {card for some in (*self.piles, *self.hands) for card in some} - self.known[0] - self.known[1]
        if of_suit(shared, "C") or (places > 0 and of_suit(unseen, "C")):
            return False
        return len(of_suit(shared, "D")) + min(places, len(of_suit(unseen, "D"))) < 7

    def adjacent_piles(self, seat: int, owned_by: int | None) -> set[str]:
        """Return the piles, unclaimed or the other player's, next to one of this seat's."""
        own = [pile for pile, owner in self.owner.items() if owner == seat]
        return {str(pile) for mine in own for pile in ADJACENT_PILES[mine] if self.owner.get(pile) == owned_by}

    def nonempty_piles(self, seat: int) -> set[str]:
        """Return the seat's piles that have cards (M6)."""
        return {str(pile) for pile, owner in self.owner.items() if owner == seat and self.piles[pile]}

    def discard(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.known[1 - seat].discard(card)

    def draw(self, seat: int, pile: str) -> None:
        """Draw the top card of a pile; the seventh ♦ ends the game immediately (M6, M10)."""
        self.hands[seat].append(self.piles[int(pile)].pop(0))
        if self.diamond_count(seat) >= 7:
            self.winners, self.ending = [seat], "seven"

    def turn(self, seat: int, passed: bool) -> Generator[OpenQuestion, tuple[int, str], bool]:
        """Play one turn; return whether it was passed (M3–M9)."""
        hand = self.hands[seat]
        if passed and self.adjacent_piles(seat, None):
            _, pile = yield "claim", [seat], {seat: self.adjacent_piles(seat, None) | {"skip"}}
            if pile != "skip":
                self.owner[int(pile)] = seat
        _, answer = yield "turn", [seat], {seat: {"pass", "go"}}
        if answer == "pass":
            return True
        if self.nonempty_piles(seat):
            several_left = sum(len(self.piles[int(pile)]) for pile in self.nonempty_piles(seat)) > 1
            spades = of_suit(hand, "S") if several_left else set()
            _, answer = yield "dig", [seat], {seat: self.nonempty_piles(seat) | {"skip"} | spades}
            if answer in spades:
                self.discard(seat, answer)
                for question in ("dig_first", "dig_second"):
                    _, pile = yield question, [seat], {seat: self.nonempty_piles(seat)}
                    self.draw(seat, pile)
                    if self.ending:
                        return False
            elif answer != "skip":
                self.draw(seat, answer)
                if self.ending:
                    return False
        if self.adjacent_piles(seat, None) and hand:
            _, answer = yield "grow", [seat], {seat: of_suit(hand, "H") | {"skip"}}
            if answer != "skip":
                self.discard(seat, answer)
                _, pile = yield "grow_pile", [seat], {seat: self.adjacent_piles(seat, None)}
                self.owner[int(pile)] = seat
        yield from self.fights(seat)
        return False

    def fights(self, seat: int) -> Referee:
        """Play the fights of a turn (M8, M9)."""
        hand, other, theirs = self.hands[seat], 1 - seat, self.hands[1 - seat]
        while self.adjacent_piles(seat, other) and hand:
            clubs = of_suit(hand, "C")
            _, pile = yield "fight", [seat], {seat: (self.adjacent_piles(seat, other) if clubs else set()) | {"end"}}
            if pile == "end":
                return
            _, club = yield "fight_card", [seat], {seat: clubs}
            self.discard(seat, club)
            defence = "decline"
            if theirs:
                as_high = {card for card in theirs if ACE_HIGH_RANKS[card[1:]] >= ACE_HIGH_RANKS[club[1:]]}
                may = of_suit(as_high, "H") | of_suit(as_high if self.ranked else theirs, "C")
                _, defence = yield "defend", [other], {other: may | {"decline"}}
            if defence != "decline":
                self.discard(other, defence)
                continue
            spoils = "conquer"
            if theirs:
                _, spoils = yield "spoils", [seat], {seat: {"conquer", "raid"}}
            if spoils == "raid":
                _, card = yield "give", [other], {other: set(theirs)}
                self.discard(other, card)
                hand.append(card)
                self.known[other].add(card)
            else:
                self.owner[int(pile)] = seat
            return
