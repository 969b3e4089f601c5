"""A house as its host sees it in the terminal: reports, people, tables and what was done, a line each."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, date, datetime, timedelta
from typing import Any

from diamonds import words
from diamonds.game import Malformed
from diamonds.terminal.asked import shown
from diamonds.terminal.screen import make_printable

UNITS = {"h": 1, "d": 24, "w": 168, "y": 8760}
Row = list[str]


def hours(text: str) -> int:
    """``12h``, ``7d``, ``4w`` or ``1y``, in hours."""
    found = re.fullmatch(r"([1-9]\d{0,3})([hdwy])", text.strip())
    if not found:
        raise Malformed("order-how-long", given=shown(text))
    return int(found[1]) * UNITS[found[2]]


def show(what: str, told: Any, as_json: bool) -> None:
    """What a house has told, as JSON or as a table."""
    make_printable()
    if as_json:
        print(json.dumps(told, ensure_ascii=False))
        return
    for line in lines(what, told):
        print(line)


def progress(table: str, rows: int) -> None:
    """How far something has come that takes long, for whoever sits before it."""
    if sys.stderr.isatty():
        print(f"{table}  {rows}", file=sys.stderr)


def lines(what: str, told: Any) -> list[str]:
    """The same as lines of text."""
    match what:
        case "reports":
            found: list[Row] = []
            for one in [*told["open"], *told["handled"]]:
                state = "handled" if one["handled"] else "waits"
                found.append(
                    [
                        str(one["report"]),
                        _moment(one["at"]),
                        state,
                        one["by"],
                        one["name"],
                        one["reason"],
                        one["table"],
                        one["text"],
                    ]
                )
                found += [
                    ["", "", "", "", line["name"], "", "", line["text"] or str(line["phrase"])] for line in one["lines"]
                ]
            return _aligned(["report", "at", "state", "by", "whom", "reason", "table", "text"], found)
        case "people":
            heads = ["name", "since", "tables", "reports", "warnings", "mutes", "bans", "standing"]
            return _aligned(
                heads,
                [
                    [
                        one["name"],
                        _day(one["since"]),
                        *(str(one[head]) for head in heads[2:7]),
                        _standing(one["standing"]),
                    ]
                    for one in told["people"]
                ],
            )
        case "names":
            if not told["names"]:
                return [words.say("terminal-names-good")]
            rows = [[one["name"], one["problem"], one["other"] or "-"] for one in told["names"]]
            return [*_aligned(["name", "problem", "resembles"], rows), words.say("terminal-names-rename")]
        case "tables":
            return _aligned(
                ["table", "made", "game", "phase", "people"],
                [
                    [
                        one["table"],
                        _moment(int(one["created"])),
                        one["game"],
                        one["phase"],
                        ", ".join(n or "-" for n in one["places"]),
                    ]
                    for one in told["tables"]
                ],
            )
        case "acts":
            return _aligned(
                ["act", "at", "by", "what", "whom", "table", "until", "reason"],
                [
                    [
                        str(one["act"]),
                        _moment(one["at"]),
                        one["by"] or "-",
                        one["what"],
                        f"{one['name']} ({one['taken']})" if one["taken"] else one["name"],
                        one["table"],
                        _moment(one["until"]) if one["until"] else "",
                        one["reason"],
                    ]
                    for one in told["acts"]
                ],
            )
        case "invite":
            return [f"{told['code']}  {_moment(told['until'])}"]
        case "check":
            rows = [[one["table"], one["why"]] for one in told["damaged"]] + [["", fault] for fault in told["file"]]
            counted = [f"{name}  {told[name]}" for name in ("tables", "entries")]
            return [*counted, f"damaged  {len(rows)}", *(_aligned(["table", "why"], rows) if rows else [])]
        case "status" | "backup" | "restore" | "prune" | "move" | "reopen":
            return [
                f"{name}  {json.dumps(value) if isinstance(value, bool) else value}" for name, value in told.items()
            ]
    return []


def _aligned(heads: Row, rows: list[Row]) -> list[str]:
    """Columns that stand below each other. What people wrote moves no line."""
    clean = [heads, *([shown(cell, 500) if cell else "" for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in clean) for k in range(len(heads))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in clean]


def _standing(one: dict[str, Any]) -> str:
    told = [f"{what} {_moment(one[what])}" for what in ("banned", "muted") if one[what]]
    return ", ".join([*told, *(["warned"] if one["warned"] else [])])


def _day(number: int) -> str:
    return (date(1970, 1, 1) + timedelta(number)).isoformat()


def _moment(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%MZ}"
