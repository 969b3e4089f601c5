"""Display names at a table: unique and not confusable."""

import pytest

from diamonds.server.people.display_names import BOT_NAMES, clean_name, disambiguate, is_confusable
from tests.server.support.client import post_chat
from tests.server.support.live_server import full_table

CONFUSABLE_NAMES = [
    ("Zoe", "ZOE"), ("Zoe", "Zoë"), ("Zoe", "Z o e"), ("Zoe", "Zoe."), ("Zoe", "Z0e"), ("Zoe", "\uff3a\uff4f\uff45"),
    ("Max", "M\u0430x"), ("Paul", "\u0420\u0430ul"), ("Olaf", "0laf"), ("Ilse", "llse"), ("Bernd", "Bemd"), ("Straße", "STRASSE"),
    ("Hans", "\u0397ans"), ("Nina", "\u039dina"), ("Anna", "\U0001d49c\U0001d4c3\U0001d4c3\U0001d4b6"), ("Will", "VViII"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "other"), CONFUSABLE_NAMES)
def test_confusable_names_are_detected(name, other):
    assert is_confusable(name, other), f"expected {other!r} to be confusable with {name!r}"
    assert disambiguate([name, other, "Kim"], []) == (name, f"{other} (2)", "Kim")


@pytest.mark.parametrize(("names", "bots", "shown"), [
    (("Zoe", "Chloe", "Kim", "Tim", "李", "王"), [], ("Zoe", "Chloe", "Kim", "Tim", "李", "王")),
    (("Nina", "Vina", "Ben", "Ren"), [], ("Nina", "Vina", "Ben", "Ren")),
    (("🙂", "🙃", "🙂"), [], ("🙂", "🙃", "🙂 (2)")),
    (("Zoe", "Zoe (2)", "zoe"), [], ("Zoe", "Zoe (2)", "zoe (3)")),
    (("Ada", "Ada"), [1], ("Ada (2)", "Ada")),
])  # fmt: skip
def test_only_confusable_names_are_numbered_and_bots_keep_theirs(names, bots, shown):
    assert disambiguate(names, bots) == shown


def test_open_seat_text_is_rejected_as_a_name_in_any_language(server):
    ann = server.new_client()
    id = ann.create_table(game="crystals", seats=4, seats_taken_by=["me", "open", "bot:simple", "open"])
    ann.post("/api/me", {"name": "Ann"}, 200)
    assert [place["name"] for place in ann.get_table(id)["table"]["seat_holders"]] == ["Ann", "", BOT_NAMES[2], ""]


@pytest.mark.parametrize("name", [*BOT_NAMES, "\u0410da", "a-d-a", "You", "YOU", "Seat 3", "seat3", "Platz 2"])
def test_server_given_names_are_rejected_with_400(guest, name):
    before = guest.get("/api/server")["display_name"]
    assert guest.post("/api/me", {"name": name}, 400)["error"].startswith("The server uses this name itself")
    assert guest.get("/api/server")["display_name"] == before


def test_names_adam_and_carla_are_free_to_choose():
    for name in ("Adam", "Carla", "Yvonne", "Seat"):
        assert clean_name(name) == name


def test_equal_names_at_a_table_are_numbered_everywhere(server):
    id, guests = full_table(server, "fourteen", 3, private=False)
    for guest, name in zip(guests, ("Zoe", "Kim", "Zo\u0435"), strict=True):
        guest.post("/api/me", {"name": name}, 200)
    watching = server.new_client()
    watching.post("/api/me", {"name": "kim"}, 200)
    names = ["Zoe", "Kim", "Zo\u0435 (2)"]
    message = guests[0].get_table(id)
    assert [place["name"] for place in message["table"]["seat_holders"]] == names
    for guest in (*guests, watching):
        post_chat(guest, id, "hello")
    assert [line["name"] for line in watching.get_table(id)["table"]["chat"]] == [*names, "kim (2)"]
    mine = guests[0].get("/api/tables")["your_tables"][0]
    assert [place["name"] for place in mine["seat_holders"]] == names
