"""Worked examples of the rules pages in every language, played by the rules, with the results stated there."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from diamonds.game import GAMES
from tests.support.mines_positions import bare_position, mines_position, piles_owned_by
from tests.support.positions import (
    events_of_kind,
    legal_answers,
    open_question,
    play_answers,
    position,
    set_fields,
    state_data,
)

RULES = Path(__file__).parents[1] / "docs" / "rules"
PEOPLE = ["Ada", "Ben", "Cleo", "Dan"]
CARD = re.compile(r"([♦♥♠♣]) (\d+|[AJQK])")
SPARE_CARDS = {"crystals": ["D12 D13", "D14 D15", "D10 D11", "D9 D7"], "fourteen": ["D2", "S4", "S3", "D4"]}


class Example(NamedTuple):
    """One trick of a page: rows with the cards and the winner, and the crystals before and after."""

    rows: list[list[str]]
    purses: dict[str, list[list[int]]]


def table(text: str) -> list[list[str]]:
    """Return the rows of a Markdown table, without its header."""
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.strip().splitlines()[2:]]


def examples(page: Path) -> list[Example]:
    """Return every trick of a page: a table of plays and, for crystals, the table of crystals after it."""
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


def table_after(page: Path, *heads: str) -> list[list[str]]:
    """Return the rows of a page's only table whose first line begins with one of these headers."""
    tables = re.findall(r"(?:^\|[^\n]*\n)+", page.read_text(encoding="utf-8"), re.M)
    found = [one for one in tables if one.startswith(heads)]
    assert len(found) == 1, f"{page} has {len(found)} tables headed {heads}"
    return table(found[0])


def number(cell: str) -> int:
    """Return the first number of a cell, bold or not."""
    found = re.search(r"\d+", cell)
    assert found, f"no number in {cell!r}"
    return int(found[0])


def name_of(cell: str) -> str:
    """Return the card in a table cell, as the rules name it."""
    found = CARD.match(cell)
    assert found, f"no card in {cell!r}"
    return "DHSC"["♦♥♠♣".index(found[1])] + found[2]


def plays_of(example: Example) -> list[tuple[int, str, str]]:
    """Yield each card played, its seat and the page's comment."""
    return [(PEOPLE.index(row[0]), name_of(row[1]), row[-1]) for row in example.rows if CARD.match(row[1])]


PAGES = [RULES / folder / "crystals.md" for folder in ("", "de")]
OPTIONS: list[tuple[int, dict[str, Any], dict[str, Any]]] = [
    (4, {}, {}), (2, {"two_cards": True}, {}), (4, {"partnership": True}, {}), (4, {"thief": True}, {"thief_at": 2}),
]  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=["en", "de"])
@pytest.mark.parametrize("which", range(4), ids=["plain", "two_cards", "partnership", "thief"])
def test_rules_page_trick_of_crystals_moves_as_stated(page, which):
    example, (seats, options, more) = examples(page)[which], OPTIONS[which]
    cards = plays_of(example)
    assert len(cards) == 4, f"expected a whole trick: {example.rows}"
    hands = {seat: SPARE_CARDS["crystals"][seat] for seat in range(seats)}
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
        assert card in legal_answers(state, seat), f"{PEOPLE[seat]} may not play {card}"
        events = play_answers(state, f"{seat} play {card}")
        if state_data(state)["question"] == "victim":
            robbed = next(who for who, name in enumerate(PEOPLE[:seats]) if name in says and who != seat)
            events += play_answers(state, f"{seat} victim {robbed}")
        won = next((event["seat"] for event in events_of_kind(events, "trick")), won)
    assert won == PEOPLE.index(example.rows[-1][0]), "another player wins the trick"
    after = state_data(state)
    assert [after["showroom"], after["vault"]] == end, "the crystals are not where the page states"


@pytest.mark.parametrize("page", PAGES, ids=["en", "de"])
def test_rules_page_round_of_crystals_ends_as_stated(page):
    rows = table_after(page, "| taken |", "| geholt |")
    text = page.read_text(encoding="utf-8")
    opening = next(line for line in text.splitlines() if re.search(r"Ada (won|hat) \d", line))
    won = [int(one) for one in re.findall(r"\d", opening)]
    tricks = won + [0] * (4 - len(won))
    taken = [[number(row[1 + seat]) for row in rows] for seat in range(4)]
    assert [sum(suits) for suits in taken] == [4 * one for one in tricks], "the cards differ from those of the tricks"
    # Ada's last trick is all ♦, so nothing else moves before the cards are counted.
    taken[0][0] -= 4
    tricks[0] -= 1
    hands = {0: "D9", 1: "D2", 2: "D3", 3: "D4"}
    state = position("crystals", 4, {}, hands, taken=taken, tricks=tricks, showroom=[3, 3, 3, 3])
    events = play_answers(state, "0 play D9", "1 play D2", "2 play D3", "3 play D4")
    before = state_data(state)["vault"][3]
    while open_question(state)[0] == "victim":
        events += play_answers(state, f"{open_question(state)[1][0]} victim 1")
    for row in rows:
        suit = "DHSC"["♦♥♠♣".index(row[0])]
        most = [event["seat"] for event in events_of_kind(events, "most") if event["suit"] == suit]
        assert [PEOPLE[seat] for seat in most] == re.findall("|".join(PEOPLE), row[-1]), f"{row[0]}: {row[-1]}"
        assert most or {"event": "tie", "suit": suit} in events, f"no event reports {row[0]} as a tie"
        bold = [PEOPLE[seat] for seat in range(4) if "*" in row[1 + seat]]
        assert bold == [PEOPLE[seat] for seat in most], f"{row[0]}: another number is bold"
    assert [event["suit"] for event in events_of_kind(events, "most", "tie")] == list("DHSC"), "another order"
    assert [event["seat"] for event in events_of_kind(events, "no_trick")] == [3]
    points = re.search(r"\(C20\): (\d) ", text)
    assert points, "expected the page to state the reward for no trick"
    assert 2 * (state_data(state)["vault"][3] - before) == int(points[1]), "the reward for no trick differs"


@pytest.mark.parametrize("page", PAGES, ids=["en", "de"])
def test_rules_page_game_of_crystals_scores_as_stated(page):
    rows = table_after(page, "| | Vault | Showroom | total", "| | Tresor | Auslage | Summe")
    vault, showroom, total = ([number(row[place]) for row in rows] for place in (1, 2, 3))

    def result() -> tuple[list[int], list[str]]:
        ended = set_fields(position("crystals", 4), over=1, to_act=[], vault=vault, showroom=showroom)
        told = GAMES["crystals"].result(ended)
        return told["scores"], [PEOPLE[seat] for seat in told["winners"]]

    text = page.read_text(encoding="utf-8")
    winner = re.search(r"so (\w+) wins|also gewinnt (\w+)", text)
    assert winner, "expected the page to name the winner"
    assert result() == (total, [winner[1] or winner[2]])
    vault[1], showroom[1] = vault[0], showroom[0]
    assert result()[1] == ["Ada", "Ben"], "expected a shared victory with equal Vaults"


FOURTEENS = [RULES / folder / "fourteen.md" for folder in ("", "de")]


def last_trick_of_a_hand(options: dict[str, Any], **fields: Any) -> tuple[list[int], bool, list[str]]:
    """Play four ♠; return the totals, whether the game is over, and the leaders."""
    state = position("fourteen", 4, options, {0: "S9", 1: "S2", 2: "S3", 3: "S4"}, **fields)
    play_answers(state, "0 play S9", "1 play S2", "2 play S3", "3 play S4")
    totals = state_data(state)["totals"]
    return totals, bool(state["over"]), [name for name, one in zip(PEOPLE, totals, strict=True) if one == max(totals)]


@pytest.mark.parametrize("page", FOURTEENS, ids=["en", "de"])
def test_rules_page_game_of_fourteen_scores_as_stated(page):
    rows = table_after(page, "| | before |", "| | vorher |")
    for hand, over in ((2, False), (4, True)):
        totals, taken, after = ([number(row[hand + k]) for row in rows] for k in (-1, 0, 1))
        bold = [row[0] for row in rows if "*" in row[hand + 1]]
        assert sum(taken) == 13, f"{sum(taken)} ♦ are taken in a hand of four"
        assert last_trick_of_a_hand({}, totals=totals, taken=taken) == (after, over, bold)


@pytest.mark.parametrize("page", FOURTEENS, ids=["en", "de"])
def test_rules_page_bids_of_fourteen_score_as_stated(page):
    rows = table_after(page, "| | bid |", "| | angesagt |")
    bid, taken, scores = ([number(row[place]) for row in rows] for place in (1, 2, 3))
    assert sum(taken) == 13, f"{sum(taken)} ♦ are taken in a hand of four"
    assert last_trick_of_a_hand({"scoring": "bid"}, bid=bid, taken=taken)[0] == scores


TRICKS = [("last", 0), ("last", 1), ("last_two", 2)]


@pytest.mark.parametrize("folder", ["", "de"])
@pytest.mark.parametrize(("match", "which"), TRICKS, ids=["first trick", "second trick", "last_two"])
def test_rules_page_trick_of_fourteen_turns_as_stated(folder, match, which):
    example = examples(RULES / folder / "fourteen.md")[which]
    cards = plays_of(example)
    assert len(cards) == 4, f"expected a whole trick: {example.rows}"
    hands = dict(enumerate(SPARE_CARDS["fourteen"]))
    for seat, card, _ in cards:
        hands[seat] += f" {card}"
    first = cards[0][0]
    state = position("fourteen", 4, {"match": match}, hands, leader=first)
    for (seat, card, _), row in zip(cards, example.rows, strict=True):
        assert card in legal_answers(state, seat), f"{PEOPLE[seat]} may not play {card}"
        events = play_answers(state, f"{seat} play {card}")
        if not events_of_kind(events, "trick"):
            assert "♦♥♠♣"["DHSC".index(state_data(state)["suit"])] == row[2], f"another suit after {card}"
    winner = [event["seat"] for event in events_of_kind(events, "trick")]
    assert winner == [3], "expected Dan to win every trick of the page"


PILE = re.compile(r"│(.)  ?(\d)│")  # the marker's owner and the number of cards
PACK = [suit + rank for suit in "DHSC" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")]


def cards_in(text: str) -> list[str]:
    """Return the cards in a text, as the rules name them."""
    return ["DHSC"["♦♥♠♣".index(suit)] + rank for suit, rank in CARD.findall(text)]


@pytest.mark.parametrize("folder", ["", "de"])
def test_rules_page_turn_of_mines_plays_as_stated(folder):
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
    assert not rest, "The drawing and the hands lack cards of the pack."
    mine, theirs = (" ".join(str(pile) for pile, (owner, _) in enumerate(before) if owner == who) for who in "AB")
    state = mines_position("claim", 0, mine, theirs, hands={0: ada, 1: ben}, piles=piles)
    # The page counts piles from 1, answers count from 0.
    *free, chosen = (int(number) - 1 for number in re.findall(r"\b(\d+)\b", claim.split("(M4)")[0]))
    assert legal_answers(state, 0) == [*free, "skip"], "The legal claims differ from the page."
    play_answers(state, f"0 claim {chosen}", "0 turn go", f"0 dig {spade}")
    drawn = [
        event["card"] for event in events_of_kind(play_answers(state, "0 dig_first 5", f"0 dig_second {chosen}"), "dug")
    ]
    assert drawn == dug
    [heart], [club, low, defence], [second, too_low] = cards_in(grow), cards_in(fight), cards_in(again)
    play_answers(state, f"0 grow {heart}", "0 grow_pile 9", "0 fight 6", f"0 fight_card {club}")
    assert low not in legal_answers(state, 1), f"{low} would defend against {club}."
    play_answers(state, f"1 defend {defence}", "0 fight 11", f"0 fight_card {second}")
    assert too_low in ben, f"Ben does not hold {too_low}."
    assert legal_answers(state, 1) == ["decline"], f"Ben can defend against {second}."
    play_answers(state, "1 defend decline", "0 spoils conquer")
    for seat, who in enumerate("AB"):
        assert piles_owned_by(state, seat) == [pile for pile, (owner, _) in enumerate(after) if owner == who]
    view = state_data(state)
    assert view["left"] == [int(left) for _, left in after]
    assert [view["over"], view["turn"]] == [False, 1], "Expected the game to go on with Ben."
    assert state_data(state, 0)["hand"][0] == ["D2", "D4", "D10", "H8"]


NUMBERS = {"two": 2, "four": 4, "five": 5, "six": 6, "zwei": 2, "vier": 4, "fünf": 5, "sechs": 6}


def counts_on_page(folder: str, *beginnings: str) -> list[int]:
    """Return the numbers, in digits or words, in the paragraph of the mines rules with one of these beginnings."""
    paragraphs = (RULES / folder / "mines.md").read_text(encoding="utf-8").split("\n\n")
    [found] = [one for one in paragraphs if one.startswith(beginnings)]
    words = re.findall(r"\w+", found.lower())
    return [NUMBERS.get(word) or int(word) for word in words if word in NUMBERS or word.isdigit()]


def winner_after_pass(**more: Any) -> list[str] | None:
    """Let Ada, in her corner, pass; return the winner, or None while the game continues."""
    state = bare_position(**more)
    play_answers(state, "0 turn pass")
    return [PEOPLE[seat] for seat in GAMES["mines"].result(state)["winners"]] if state["over"] else None


@pytest.mark.parametrize("folder", ["", "de"])
def test_rules_page_count_of_mines_ends_the_game_as_stated(folder):
    own, near, *sum_of_both, hers = counts_on_page(folder, "An example. Ben holds", "Ein Beispiel: Ben hat")
    assert sum_of_both == [own, near, own + near]
    jewels = iter([f"D{rank}" for rank in (*range(2, 11), "J", "Q", "K")])
    ada, ben, reach = (" ".join(next(jewels) for _ in range(number)) for number in (hers, own, near))
    first, rest = reach.split(" ", 1)  # one in his own pile, the rest in an adjacent unclaimed pile
    assert winner_after_pass(hands={0: ada, 1: ben}, piles={12: first, 8: rest}) == ["Ada"]
    assert winner_after_pass(hands={0: ada, 1: ben}, piles={12: first, 8: f"{rest} C2"}) is None, "♣ in reach"
    assert winner_after_pass(hands={0: ada, 1: f"{ben} C2"}, piles={12: first, 8: rest}) is None, "♣ in his hand"


@pytest.mark.parametrize("folder", ["", "de"])
def test_rules_page_count_of_mines_by_seen_cards_ends_as_stated(folder):
    held, again = counts_on_page(folder, "The same example with", "Dasselbe Beispiel mit")
    assert held == again
    ben = " ".join(["D2", "D3", "H2", "H3", "S2", "S3", "S4"][:held])
    ada = "D4 D5 D6 D7 D8 S9 S10"
    seen = {"options": {"impossible": "seen"}}
    assert winner_after_pass(hands={0: f"{ada} CK", 1: ben}, **seen) is None, "the missing ♣ could be Ben's"
    assert winner_after_pass(hands={0: f"{ada} CK", 1: ben}, known={1: "CK"}, **seen) == ["Ada"], "known to be hers"
    assert winner_after_pass(hands={0: ada, 1: ben}, **seen) == ["Ada"], "the last ♣ is among the discards"
