"""People who play duplicate matches through the API."""

from collections.abc import Sequence
from typing import Any

from tests.server.support.client import Client, first_legal, wait_until

OPTIONS = {"fourteen": {"target": 5}, "crystals": {"rounds": 1}, "mines": {}}


def create_match(organiser: Client, game: str = "fourteen", seats: int = 4, deals: int = 2, **more: Any) -> str:
    """Create a match with bots that draw their answers; return its id."""
    body = {"game": game, "seats": seats, "deals": deals, "options": OPTIONS[game], "level": "random", **more}
    id: str = organiser.post("/api/matches", body, 201)["id"]
    return id


def post_to_match(person: Client, id: str, action: str, expect: int = 200, **body: Any) -> Any:
    """Send a request about a match; return the reply."""
    return person.post(f"/api/matches/{id}/{action}", body, expect)


def start_match(people: Sequence[Client], game: str = "fourteen", seats: int = 4, **more: Any) -> str:
    """Start a match between these people, organised by the first; return its id."""
    id = create_match(people[0], game, seats, **more)
    for person in people[1:]:
        post_to_match(person, id, "join")
    post_to_match(people[0], id, "start")
    return id


def get_match(person: Client, id: str) -> Any:
    return person.get(f"/api/matches/{id}")


def own_table(person: Client, id: str, deal: int) -> str:
    """Wait until a person's table with a deal is open; return its id."""

    def find() -> str:
        return next((table["table"] for table in get_match(person, id)["your_tables"] if table["deal"] == deal), "")

    return str(wait_until(find, f"expected a table with deal {deal}"))


def tables_of(people: Sequence[Client], id: str, deal: int) -> dict[str, list[Client]]:
    found: dict[str, list[Client]] = {}
    for person in people:
        found.setdefault(own_table(person, id, deal), []).append(person)
    return found


def play_table(people: list[Client], table: str) -> None:
    """Play a table to its end, with the bots."""
    while True:
        message = people[0].get_table(table)
        if message["table"]["phase"] == "over":
            return
        for person in people:
            message = person.get_table(table)
            if message["open_question"]:
                person.answer(table, message["n"], first_legal(message), expect=None)


def play_deal(people: Sequence[Client], id: str, deal: int, without: Sequence[str] = ()) -> None:
    """Play all tables of a deal except some."""
    for table, seated in tables_of(people, id, deal).items():
        if table not in without:
            play_table(seated, table)


def wait_until_over(person: Client, id: str) -> Any:
    return wait_until(lambda: (found := get_match(person, id))["phase"] == "over" and found, "expected the match's end")
