"""The worked examples of the rules pages are played by the rules, in every language, and come out as the pages say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from minefield import field, owners
from tables import legal, only, play, position, shown

RULES = Path(__file__).parents[1] / "docs" / "rules"
PEOPLE = ["Ada", "Ben", "Cleo", "Dan"]
CARD = re.compile(r"([♦♥♠♣]) (\d+|[AJQK])")
SPARE = {"crystals": ["D12 D13", "D14 D15", "D10 D11", "D9 D7"], "fourteen": ["D2", "S4", "S3", "D4"]}


class Example(NamedTuple):
    """One trick of a page: what is played in which row, who wins, and what lies where before and after (crystals)."""

    rows: list[list[str]]
    purses: dict[str, list[list[int]]]


def table(text: str) -> list[list[str]]:
    """The rows of a table of Markdown, without its head."""
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.strip().splitlines()[2:]]


def examples(page: Path) -> list[Example]:
    """Every trick of a page: a table of what is played, and for crystals the next one, of what lies where."""
    tables = re.findall(r"(?:^\|[^\n]*\n)+", page.read_text(encoding="utf-8"), re.M)
    found = []
    for k, one in enumerate(tables):
        if re.match(r"\| \| (plays|spielt) \|", one):
            purses = {}
            if page.stem == "crystals":
                rows = [row for row in table(tables[k + 1]) if row[0].split(", ")[0] in PEOPLE]
                purses = {row[0]: [[int(number) for number in cell.split(" → ")] for cell in row[1:3]] for row in rows}
            found.append(Example(table(one), purses))
    return found


def name_of(cell: str) -> str:
    """The card of a cell, as the rules name it."""
    found = CARD.match(cell)
    assert found, f"there is no card in {cell!r}"
    return "DHSC"["♦♥♠♣".index(found[1])] + found[2]


def laid(example: Example) -> list[tuple[int, str, str]]:
    """Who lays which card, and what the page says to it."""
    return [(PEOPLE.index(row[0]), name_of(row[1]), row[-1]) for row in example.rows if CARD.match(row[1])]


PAGES = [RULES / folder / "crystals.md" for folder in ("", "de")]
OPTIONS: list[tuple[int, dict[str, Any], dict[str, Any]]] = [
    (4, {}, {}),
    (2, {"two_cards": True}, {}),
    (4, {"partnership": True}, {}),
    (4, {"thief": True}, {"thief_at": 2}),
]


@pytest.mark.parametrize("page", PAGES, ids=["en", "de"])
@pytest.mark.parametrize("which", range(4), ids=["plain", "two_cards", "partnership", "thief"])
def test_a_trick_of_crystals_on_the_rules_page_moves_what_the_page_says(page: Path, which: int) -> None:
    example, (seats, options, more) = examples(page)[which], OPTIONS[which]
    cards = laid(example)
    assert len(cards) == 4, f"not a whole trick: {example.rows}"
    hands = {seat: SPARE["crystals"][seat] for seat in range(seats)}
    for seat, card, _ in cards:
        hands[seat] += f" {card}"
    start, end = ([[0] * seats, [0] * seats] for _ in range(2))
    for names, purse in example.purses.items():
        for name in names.split(", "):
            for kind in range(2):
                start[kind][PEOPLE.index(name)] = purse[kind][0]
                end[kind][PEOPLE.index(name)] = purse[kind][-1]
    purses = {}
    for kind, name in enumerate(("showroom", "vault")):
        purses[name] = start[kind][:2] + [0] * (seats - 2) if "partnership" in options else start[kind]
    state = position("crystals", seats, options, hands, **purses, **more)
    won = None
    for seat, card, says in cards:
        assert card in legal(state, seat), f"{PEOPLE[seat]} may not play {card}"
        told = play(state, f"{seat} play {card}")
        if shown(state)["question"] == "victim":
            robbed = next(who for who, name in enumerate(PEOPLE[:seats]) if name in says and who != seat)
            told += play(state, f"{seat} victim {robbed}")
        won = next((event["seat"] for event in only(told, "trick")), won)
    assert won == PEOPLE.index(example.rows[-1][0]), "someone else wins the trick"
    after = shown(state)
    assert [after["showroom"], after["vault"]] == end, "the crystals lie elsewhere than the page says"


TRICKS = [("last", 0), ("last", 1), ("last_two", 2)]


@pytest.mark.parametrize("folder", ["", "de"])
@pytest.mark.parametrize(("match", "which"), TRICKS, ids=["first trick", "second trick", "last_two"])
def test_a_trick_of_fourteen_on_the_rules_page_turns_as_the_page_says(folder: str, match: str, which: int) -> None:
    example = examples(RULES / folder / "fourteen.md")[which]
    cards = laid(example)
    assert len(cards) == 4, f"not a whole trick: {example.rows}"
    hands = dict(enumerate(SPARE["fourteen"]))
    for seat, card, _ in cards:
        hands[seat] += f" {card}"
    first = cards[0][0]
    state = position("fourteen", 4, {"match": match}, hands, leader=first)
    for (seat, card, _), row in zip(cards, example.rows, strict=True):
        assert card in legal(state, seat), f"{PEOPLE[seat]} may not play {card}"
        told = play(state, f"{seat} play {card}")
        if not only(told, "trick"):
            assert "♦♥♠♣"["DHSC".index(shown(state)["suit"])] == row[2], (
                f"after {card} another suit counts than {row[2]}"
            )
    winner = [event["seat"] for event in only(told, "trick")]
    assert winner == [3], "Dan wins every trick of the page"


PILE = re.compile(r"│(.)  ?(\d)│")  # whose marker it has, and how many cards
PACK = [suit + rank for suit in "DHSC" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")]


def cards_in(text: str) -> list[str]:
    """The cards that a text names, as the rules name them."""
    return ["DHSC"["♦♥♠♣".index(suit)] + rank for suit, rank in CARD.findall(text)]


@pytest.mark.parametrize("folder", ["", "de"])
def test_the_turn_of_mines_on_the_rules_page_is_played_as_the_page_says(folder: str) -> None:
    text = (RULES / folder / "mines.md").read_text(encoding="utf-8")
    _, before, after = [PILE.findall(drawn) for drawn in re.findall(r"```\n(.*?)```", text, re.DOTALL) if "│" in drawn]
    told = text[text.index("(A)") : text.index("♦ 2, ♦ 4, ♦ 10", text.index("(A)"))].split("```")[2]
    hands, *steps = re.split(r"^\d\. ", told, flags=re.M)
    ada, ben = (" ".join(cards_in(part)) for part in re.split(r"♣ 9\. ", hands.replace("\n", " "), maxsplit=1))
    ada += " C9"
    claim, _, dig, grow, fight, again, _, _ = steps
    spade, *dug = cards_in(dig)
    rest = [card for card in PACK if card not in {*ada.split(), *ben.split(), *dug}]
    piles = {}
    for pile, (_, left) in enumerate(before):
        top = [dug[[5, 10].index(pile)]] if pile in (5, 10) else []
        piles[pile] = " ".join(top + [rest.pop() for _ in range(int(left) - len(top))])
    assert not rest, "The drawing and the hands have fewer cards than the pack."
    mine, theirs = (" ".join(str(pile) for pile, (owner, _) in enumerate(before) if owner == who) for who in "AB")
    state = field("claim", 0, mine, theirs, hands={0: ada, 1: ben}, piles=piles)
    *free, chosen = map(int, re.findall(r"\b(\d+)\b", claim.split("(M4)")[0]))
    assert legal(state, 0) == [*free, "skip"], "Other piles than the page names may be claimed."
    play(state, f"0 claim {chosen}", "0 turn go", f"0 dig {spade}")
    drawn = [event["card"] for event in only(play(state, "0 dig_first 5", f"0 dig_second {chosen}"), "dug")]
    assert drawn == dug
    [heart], [club, low, defence], [second, too_low] = cards_in(grow), cards_in(fight), cards_in(again)
    play(state, f"0 grow {heart}", "0 grow_pile 9", "0 fight 6", f"0 fight_card {club}")
    assert low not in legal(state, 1), f"{low} would defend against {club}."
    play(state, f"1 defend {defence}", "0 fight 11", f"0 fight_card {second}")
    assert too_low in ben, f"Ben does not hold {too_low}."
    assert legal(state, 1) == ["decline"], f"Ben has something to defend with against {second}."
    play(state, "1 defend decline", "0 spoils conquer")
    for seat, who in enumerate("AB"):
        assert owners(state, seat) == [pile for pile, (owner, _) in enumerate(after) if owner == who]
    view = shown(state)
    assert view["left"] == [int(left) for _, left in after]
    assert [view["over"], view["turn"]] == [False, 1], "The game goes on, with Ben."
    assert shown(state, 0)["hand"][0] == ["D2", "D4", "D10", "H8"]
