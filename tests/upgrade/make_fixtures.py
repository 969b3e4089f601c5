"""Write the fixtures of the checked-out version: `python -m upgrade.make_fixtures v0.1` in `tests`.

It takes two minutes, and is done once for each version, before its release (see README.md).
"""

import contextlib
import gzip
import json
import re
import secrets
import subprocess
import sys
import tarfile
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from tests.server.support.client import first_legal, wait_until
from tests.server.support.push_service import to_base64url
from tests.upgrade import observations, program
from tests.upgrade.population import Population
from tests.upgrade.user import User, play_to_end

HERE = Path(__file__).parent
TEN_YEARS_H = 24 * 3650  # hours
SERVER_RULES = "Sei freundlich. Be kind. ♦"
FAKE_PUSH_SERVICE = (
    "http://127.0.0.1:1"  # a push service that does not exist; tests replace it (`known["push"]["reroute"]`)
)
REROUTE_SQL = "UPDATE push_subscriptions SET endpoint = replace(endpoint, 'http://127.0.0.1:1/', '{service}/')"


def settings(registration: str) -> str:
    return (
        f'name = "Club Karo"\nrules = "{SERVER_RULES}"\nimprint = "Anna, Am Deich 1"\nregistration = "{registration}"\n'
        f'guest_game_retention_days = 3000\nreport_retention_days = 3000\nmoderators = ["Anna"]\npush_services = ["{FAKE_PUSH_SERVICE}"]\n'
    )


def subscription(endpoint: str) -> tuple[Any, str]:
    """Return a subscription in the form of `PushSubscription.toJSON()`, and its private key."""
    key = ec.generate_private_key(ec.SECP256R1())
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    keys = {"p256dh": to_base64url(public), "auth": to_base64url(secrets.token_bytes(16))}
    return {"endpoint": endpoint, "expirationTime": None, "keys": keys}, private


def make_people(population: Population, folder: Path) -> None:
    """Create people with everything that an account has."""
    population.account("Anna", program.moderate(folder, "invite", "--name", "Anna")["code"])
    for name in ("Ben", "Cleo", "Dora", "Emil", "Fay", "Hugo", "Jan"):
        population.account(name)
    population.second_device("Anna")
    population.guest("Gus")
    population.guest("Zoë ♦ Müller")
    population.program_client("Robo")
    p = population.people
    p["Anna"].post("/api/friends", {"name": "Ben"})
    p["Ben"].post("/api/friends", {"name": "Anna"})
    p["Cleo"].post("/api/friends", {"name": "Anna"})  # a request, not yet accepted
    p["Ben"].post("/api/friends", {"name": "Emil"})
    p["Emil"].post("/api/friends", {"name": "Ben"})
    p["Ben"].post("/api/relationships", {"name": "Emil", "action": "block"})


def make_finished_games(population: Population) -> None:
    """Play finished games of every game and of notable variants."""
    p = population.people
    games: list[tuple[str, str, list[str], dict[str, Any]]] = [
        ("crystals alone", "crystals", ["Anna", "bot:simple", "bot:simple", "bot:simple"], {"rounds": 1}),
        ("crystals for two", "crystals", ["Anna", "Ben"], {"rounds": 1, "two_cards": True}),
        ("partners", "crystals", ["Anna", "bot:simple", "Gus", "bot:simple"],
         {"rounds": 1, "partnership": True, "team_start": 3, "open_vaults": True}),
        ("perfect", "crystals", ["Ben", "bot:simple", "bot:simple"], {"rounds": 1, "perfect": True, "pass_to": "rotating"}),
        ("thief", "crystals", ["Ben", "Robo", "bot:simple"], {"rounds": 1, "thief": True, "memory_aid": False}),
        ("bid", "fourteen", ["Cleo", "Anna", "bot:simple"], {"scoring": "bid", "bids": "sealed", "target": 5}),
        ("tricks", "fourteen", ["Anna", "bot:simple", "bot:simple"], {"scoring": "tricks", "target": 5}),
        ("last two", "fourteen", ["Gus", "Anna", "bot:simple", "bot:simple"], {"match": "last_two", "target": 5}),
        ("mines", "mines", ["Anna", "bot:simple"], {"defence": "any"}),
        ("ranked mines", "mines", ["Ben", "Anna"], {"defence": "ranked", "impossible": "seen"}),
    ]  # fmt: skip
    for label, game, names, options in games:
        table, users = population.table(label, game, names, options, bot_speed="quick", private=label != "ranked mines")
        if label == "crystals alone":  # with undos
            population.play_answers(table, users, 2)
            undo_twice(users[0], table)
        if label == "crystals for two":
            p["Anna"].send_chat(table, "Good luck, Ben ♦")
            p["Ben"].send_chat(table, phrase="luck")
            p["Gus"].send_chat(table, "Who will win?")  # as a spectator
            population.play_answers(table, users, 3)
            undo_with_consent(table, users)
        play_to_end(table, users)
    table, users = population.table("with somebody who left", "mines", ["Jan", "Anna"], {}, bot_speed="quick")
    play_to_end(table, users)
    cookie = p["Jan"].cookie
    p["Jan"].delete_data("Jan")
    population.expected["tables"]["with somebody who left"]["people"] = ["Anna"]
    population.expected["left"] = {"name": "Jan", "cookie": cookie, **population.expected["people"].pop("Jan")}
    del population.people["Jan"]
    # Forks and rematches
    first = population.expected["tables"]["crystals alone"]["id"]
    made = p["Anna"].act_at_table(first, "fork", n=8, seat=0, level="simple")
    population.expected["tables"]["fork"] = {"id": made["id"], "people": ["Anna"], "invite": ""}
    again = p["Anna"].act_at_table(population.expected["tables"]["crystals for two"]["id"], "rematch")
    population.expected["tables"]["again"] = {"id": again["id"], "people": ["Anna", "Ben"], "invite": ""}
    p["Anna"].sit(again["id"])


def undo_twice(user: User, table: str) -> None:
    """Undo an answer, give another one, and undo again."""
    for _ in range(2):
        message = wait_until(lambda: table_if_to_act(user, table), "no one is to act")
        if message["undo_last"] is None:
            user.answer(table, first_legal(message), message=message)
            message = wait_until(lambda: table_if_to_act(user, table), "no one is to act")
        user.undo(table)
        message = wait_until(lambda: table_if_to_act(user, table), "no one is to act")
        user.answer(
            table, f"{message['open_question']['question']} {message['open_question']['legal'][-1]}", message=message
        )


def table_if_to_act(user: User, table: str) -> Any:
    """Return a person's view of the table if they are to act, otherwise None."""
    message = user.get_table(table)
    return message if message["open_question"] else None


def undo_with_consent(table: str, users: list[User]) -> None:
    """Undo a person's last answer, with the other's consent where needed."""
    for user in users:
        if user.get_table(table)["undo_last"] is not None:
            user.undo(table)
            for other in users:
                if other is not user and other.get_table(table)["table"]["proposal"]:
                    other.vote(table)
            return
    raise AssertionError("No one can undo anything.")


def import_game(population: Population, record: Any) -> None:
    opened = population.moderator.post("/api/records", record)
    made = population.moderator.post(f"/api/records/{opened['id']}/import", {"idempotency_key": uuid.uuid4().hex})
    population.expected["tables"]["imported"] = {"id": made["id"], "people": ["Anna"], "invite": ""}


def make_running_games(population: Population) -> Callable[[], None]:
    """Start games; return a function that lets a bot answer for a silent player, which is allowed after a minute."""
    p = population.people
    two = {"two_cards": True, "rounds": 2}
    days, minutes = {"days_per_move": 3}, {"initial_s": 900, "increment_s": 10}
    games: list[tuple[str, str, list[str], dict[str, Any], int, dict[str, Any]]] = [
        ("running crystals", "crystals", ["Anna", "Ben", "bot:simple", "Gus"], {"rounds": 1}, 7, {"private": False}),
        ("running for two", "crystals", ["Ben", "Anna"], two, 5, {"time_control": minutes}),
        ("running partners", "crystals", ["Anna", "Ben", "Gus", "bot:simple"], {"partnership": True, "rounds": 1}, 9, {}),
        ("running perfect", "crystals", ["Anna", "bot:simple", "bot:simple"], {"perfect": True, "rounds": 1}, 4, {"hints": False}),
        ("running thief", "crystals", ["Gus", "bot:simple", "bot:simple"], {"thief": True, "rounds": 1}, 6, {}),
        ("running bid", "fourteen", ["Anna", "Ben", "Cleo"], {"scoring": "bid", "bids": "sealed", "target": 5}, 1, {}),
        ("running tricks", "fourteen", ["Anna", "Ben", "bot:simple"], {"scoring": "tricks", "target": 8}, 9, {"time_control": days}),
        ("running last two", "fourteen", ["Robo", "bot:simple", "bot:simple"], {"match": "last_two", "target": 5}, 5, {"substitute_after_s": 30}),
        ("running mines", "mines", ["Gus", "Robo"], {}, 12, {"chat_mode": "phrases"}),
        ("running ranked", "mines", ["Anna", "Ben"], {"defence": "ranked"}, 5, {"time_control": days}),
        ("paused", "mines", ["Anna", "Ben"], {}, 3, {"time_control": minutes}),
        ("out of time", "fourteen", ["Anna", "Cleo", "Ben"], {"target": 5}, 0, {"time_control": {"initial_s": 10, "increment_s": 0}}),
        ("closed", "crystals", ["Dora", "Cleo", "bot:simple"], {}, 2, {}),
        ("answered for", "crystals", ["Anna", "Gus", "Cleo"], {"rounds": 1}, 0, {}),
    ]  # fmt: skip
    for label, game, names, options, answers, more in games:
        table, users = population.table(label, game, names, options, **more)
        population.play_answers(table, users, answers)
    ids = {label: about["id"] for label, about in population.expected["tables"].items()}

    table = ids["running crystals"]
    p["Anna"].send_chat(table, "Hallo zusammen!")
    p["Ben"].send_chat(table, phrase="hello")
    p["Zoë ♦ Müller"].send_chat(table, "Nice game to watch")
    population.expected["tables"]["running crystals"]["spectators"] = ["Zoë ♦ Müller"]
    players = [p["Anna"], p["Ben"], p["Gus"]]
    p["Gus"].act_at_table(table, "stand")  # a substitute plays
    p["Gus"].sit(table)
    with contextlib.ExitStack() as present:
        for user in players:
            present.enter_context(user.connected(table))
        for level in (None, "simple"):
            p["Anna"].act_at_table(table, "bot", seat=2, level=level)
            for user in players[1:]:
                user.vote(table)
        undo_with_consent(table, players)
        population.play_answers(table, players, 2)
        next(user for user in players if user.get_table(table)["undo_last"] is not None).undo(table)  # not yet accepted

    p["Anna"].act_at_table(ids["paused"], "pause", on=True)
    p["Ben"].vote(ids["paused"])

    population.moderator.moderate("close", table=ids["closed"], reason="Spam at this table")
    population.expected["tables"]["closed"]["closed"] = "Spam at this table"

    def substitute_silent_player() -> None:
        table = ids["answered for"]
        users = [p[name] for name in ("Anna", "Gus", "Cleo")]
        seat = next(user.get_table(table)["seat"] for user in users if user.get_table(table)["open_question"])
        requester, other = (user for user in users if user.get_table(table)["seat"] != seat)
        wait_until(lambda: try_substitute(requester, table, seat), "no substitute is allowed")
        if other.get_table(table)["table"]["proposal"]:
            other.vote(table)
        table = ids["out of time"]  # until a seat is lost
        wait_until(lambda: p["Anna"].get_table(table)["clocks"]["forfeited"], "no seat is lost")
        users = [user for user in (p["Anna"], p["Cleo"], p["Ben"]) if user.get_table(table)["seat"] is not None]
        users[0].act_at_table(table, "pause", on=True)
        for user in users[1:]:
            if user.get_table(table)["table"]["proposal"]:
                user.vote(table)

    return substitute_silent_player


def try_substitute(user: User, table: str, seat: int) -> bool:
    """Let a bot answer for a silent player, if that is allowed already."""
    user.act_at_table(table, "substitute", (200, 409, 429), seat=seat)
    if user.status == 429:
        time.sleep(2)
    return user.status == 200


def make_waiting_tables(population: Population) -> None:
    p = population.people
    population.table(
        "waiting", "crystals", ["Anna", "somebody", "somebody", "bot:simple"], {"thief": True}, private=False
    )
    population.table(
        "waiting bid", "fourteen", ["Cleo", "Gus", "somebody"], {"scoring": "bid", "bids": "sealed"}, bot_speed="calm"
    )
    population.table("invited", "mines", ["Ben", "somebody"], {}, private=True)
    # Seeks and challenges are not stored and end with the lobby's stream, but their tables are stored.
    with p["Gus"].connected(), p["Robo"].connected(), p["Anna"].connected():
        for name in ("Gus", "Robo"):
            p[name].post(
                "/api/seek", {"games": ["mines"], "seats": [2], "bot_speeds": ["quick"], "time_controls": ["none"]}
            )
        found = p["Gus"].personal_lobby(lambda you: you["matched_table"])["matched_table"]
        made = p["Ben"].post("/api/challenges", {"name": "Anna", "game": "mines", "seats": 2})
        agreed = p["Anna"].post("/api/challenges/answer", {"id": made["id"], "accept": True})["table"]
    population.expected["tables"]["matched"] = {"id": found, "people": ["Gus", "Robo"], "invite": ""}
    population.expected["tables"]["challenge"] = {"id": agreed, "people": ["Anna", "Ben"], "invite": ""}
    table, _ = population.table(
        "closed while waiting", "fourteen", ["Cleo", "somebody", "bot:simple"], {}, private=False
    )
    program.moderate(population.server.data_dir, "close-table", table, "--reason", "Nobody came")
    population.expected["tables"]["closed while waiting"]["closed"] = "Nobody came"


def make_moderation_actions(population: Population) -> None:
    """Report, warn, mute and ban people, remove a name, and write invitations."""
    p = population.people
    table, _ = population.table("reported", "mines", ["Dora", "Emil"], {})
    p["Dora"].send_chat(table, "You are a fool, Emil")
    p["Emil"].send_chat(table, "So are you")
    line = p["Emil"].get_table(table)["table"]["chat"][0]
    p["Emil"].post(f"/api/tables/{table}/report", {"reason": "rude", "text": "Read it", "speaker": line["speaker"]})
    p["Dora"].post(f"/api/tables/{table}/report", {"reason": "other", "text": "He began", "seat": 1})
    other, _ = population.table("reported twice", "mines", ["Hugo", "Fay"], {})
    p["Fay"].post(f"/api/tables/{other}/report", {"reason": "name", "text": "", "seat": 0})
    p["Hugo"].post(f"/api/tables/{other}/report", {"reason": "spoiling", "text": "Slow", "seat": 1})
    reports = {one["name"]: one["id"] for one in population.moderator.get("/api/moderation/reports")["open"]}
    population.moderator.moderate("ban", report_id=reports["Dora"], hours=TEN_YEARS_H, reason="rude words")
    population.moderator.moderate("mute", name="Emil", hours=TEN_YEARS_H, reason="rude, too")
    population.moderator.moderate("handle", report_id=reports["Hugo"])
    population.moderator.moderate("warn", name="Fay", reason="Please be quicker")
    program.moderate(population.server.data_dir, "ban", "Cleo", "--reason", "by mistake", "--for", "1d")
    program.moderate(population.server.data_dir, "unban", "Cleo")
    population.moderator.moderate("rename", name="Hugo", new_name="Hanna", reason="unkind name")
    known = population.expected["people"]
    known["Dora"] |= {"banned": "rude words"}
    known["Emil"] |= {"muted": True}
    known["Fay"] |= {"warned": "Please be quicker"}
    population.expected["invitations"] = {
        "any": population.moderator.post("/api/moderation/invitations", {"hours": 24 * 366})["code"],
        "Ida": program.moderate(population.server.data_dir, "invite", "--name", "Ida", "--for", "1y")["code"],
    }
    population.expected["tables"]["reported"] |= {"people": ["Emil"], "stuck": True}  # Dora may no longer answer
    p["Anna"].post(
        f"/api/tables/{population.expected['tables']['running crystals']['id']}/block", {"seat": 3}
    )  # Gus, a guest


def make_notifications(population: Population) -> None:
    """Create a subscription with a due notification, and quiet hours."""
    made, private = subscription(f"{FAKE_PUSH_SERVICE}/to/bens-phone")
    ben, days = population.people["Ben"], population.expected["tables"]["running ranked"]["id"]
    ben.subscribe(made, "Ben's phone")
    cleo, cleos = (
        population.people["Cleo"],
        subscription("https://fcm.googleapis.com/fcm/send/cleo:not-a-real-subscription")[0],
    )
    cleo.subscribe(cleos, "Cleo's laptop")
    cleo.post("/api/push/quiet", {"start_minute": 22 * 60, "end_minute": 7 * 60, "time_zone": "Europe/Berlin"})
    population.expected["push"] = {"private": private, "subscription": made, "table": days, "reroute": REROUTE_SQL,
                           "service": FAKE_PUSH_SERVICE, "server_key": ben.subscriptions()["key"],
                           "quiet": ["Cleo", 22 * 60, 7 * 60, "Europe/Berlin"]}  # fmt: skip
    play_to_end(
        days,
        [population.moderator, ben],
        lambda message: any(seat == seat_of_ben(message) for seat in message["clocks"]["running"]),
    )


def seat_of_ben(message: Any) -> int:
    return next(seat["seat"] for seat in message["table"]["seat_holders"] if seat["name"] == "Ben")


def foreign_record() -> Any:
    """Return the record of a game that one person played against bots on another server."""
    with tempfile.TemporaryDirectory() as folder, program.serve_data_dir(Path(folder) / "other") as server:
        guest = User(server).open_web_client()
        table, _ = guest.create_table(
            "fourteen", 3, ["me", "bot:simple", "bot:simple"], options={"target": 5}, bot_speed="quick"
        )
        play_to_end(table, [guest])
        return guest.record(table)


def dump(folder: Path, target: Path) -> None:
    """Write the same data from PostgreSQL as text."""
    from tests.server.support.postgres_cluster import PostgresCluster, postgres_programs

    cluster = PostgresCluster()
    try:
        address = cluster.empty_database()
        program.transfer(folder, address)
        command = [str(postgres_programs() / "pg_dump"), "--no-owner", "--no-privileges", address]
        text = subprocess.run(command, capture_output=True, check=True).stdout
    finally:
        cluster.close()
    text = re.sub(rb"(?m)^\\(un)?restrict .*\n", b"", text)  # psql has this option since August 2025
    target.write_bytes(gzip.compress(text, mtime=0))


def make(target: Path) -> None:
    """Write all fixtures except the browser's."""
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "data"
        folder.mkdir(mode=0o700)
        (folder / program.SETTINGS_FILE).write_text(settings("open"), encoding="utf-8")
        elsewhere = foreign_record()
        with program.serve_data_dir(folder) as server:
            population = Population(server)
            make_people(population, folder)
            silent = make_running_games(population)
            make_finished_games(population)
            import_game(population, elsewhere)
            make_waiting_tables(population)
            make_moderation_actions(population)
            silent()
            make_notifications(population)
            population.record_observations()
        known = population.expected
        (folder / program.SETTINGS_FILE).write_text(settings("invitation"), encoding="utf-8")
        with program.serve_data_dir(folder) as server:
            for user in population.people.values():
                user.server = server
            population.record_observations()
            for about in known["tables"].values():
                if about.get("closed") or not any(seen["phase"] == "over" for seen in about["seen"].values()):
                    continue
                user = population.people[about["people"][0]]
                assert user.verify(about["id"])
                about["record"] = user.record(about["id"])
                about["history"] = observations.replay_history(user.replay(about["id"]))
        known["about"] = {"name": "Club Karo", "rules": SERVER_RULES}
        known["files"] = {"settings": program.SETTINGS_FILE, "database": "diamonds.sqlite"}
        known["written"] = time.time()
        known["check"] = program.check(folder)
        (folder / "lock").unlink(missing_ok=True)
        program.back_up(folder, Path(temporary) / "backup.tar")
        (target / "backup.tar.gz").write_bytes(gzip.compress((Path(temporary) / "backup.tar").read_bytes(), mtime=0))
        with tarfile.open(target / "data.tar.gz", "w:gz") as archive:
            for path in sorted(folder.iterdir()):
                if path.is_file():
                    archive.add(path, path.name)
        dump(folder, target / "postgres.sql.gz")
    made, _ = subscription("https://fcm.googleapis.com/fcm/send/c0ffee:APA91b-not-a-real-subscription")
    (target / "push.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    (target / "known.json").write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(HERE / sys.argv[1])
