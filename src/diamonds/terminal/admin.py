"""Replies of a server to its operator, as text: reports, people, tables and the audit log, one line each."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, date, datetime, timedelta
from typing import Any

from diamonds import i18n
from diamonds.errors import InvalidInputError
from diamonds.terminal.arguments import sanitize
from diamonds.terminal.screen import configure_encoding

DURATION_UNITS = {"h": 1, "d": 24, "w": 168, "y": 8760}
TextRow = list[str]


def parse_duration_hours(text: str) -> int:
    """Parse ``12h``, ``7d``, ``4w`` or ``1y`` into hours."""
    match = re.fullmatch(r"([1-9]\d{0,3})([hdwy])", text.strip())
    if not match:
        raise InvalidInputError("moderation-how-long", given=sanitize(text))
    return int(match[1]) * DURATION_UNITS[match[2]]


def print_reply(kind: str, reply: Any, as_json: bool) -> None:
    """Print the reply of a server, as JSON or as a table."""
    configure_encoding()
    if as_json:
        print(json.dumps(reply, ensure_ascii=False))
        return
    for line in format_reply(kind, reply):
        print(line)


def print_progress(table: str, rows: int) -> None:
    """Print the progress of a long operation to a terminal."""
    if sys.stderr.isatty():
        print(f"{table}  {rows}", file=sys.stderr)


def format_reply(kind: str, reply: Any) -> list[str]:
    """Return the lines of text for a reply."""
    match kind:
        case "reports":
            report_rows: list[TextRow] = []
            for entry in [*reply["open"], *reply["resolved"]]:
                state = "handled" if entry["resolved"] else "waits"
                report_rows.append(
                    [
                        str(entry["id"]),
                        _format_time(entry["at"]),
                        state,
                        entry["reporter"],
                        entry["name"],
                        entry["reason"],
                        entry["table"],
                        entry["text"],
                    ]
                )
                report_rows += [
                    ["", "", "", "", line["name"], "", "", line["text"] or str(line["phrase"])]
                    for line in entry["chat_excerpt"]
                ]
            return _align_columns(["report", "at", "state", "by", "whom", "reason", "table", "text"], report_rows)
        case "people":
            headings = ["name", "since", "tables", "reports", "warnings", "mutes", "bans", "standing"]
            return _align_columns(
                headings,
                [
                    [
                        entry["name"],
                        _format_day(entry["created_day"]),
                        *(str(entry[head]) for head in headings[2:7]),
                        _sanction_text(entry["sanctions"]),
                    ]
                    for entry in reply["accounts"]
                ],
            )
        case "names":
            if not reply["names"]:
                return [i18n.translate("terminal-names-good")]
            rows = [[entry["name"], entry["problem"], entry["other"] or "-"] for entry in reply["names"]]
            return [*_align_columns(["name", "problem", "resembles"], rows), i18n.translate("terminal-names-rename")]
        case "tables":
            return _align_columns(
                ["table", "made", "game", "phase", "people"],
                [
                    [
                        entry["table"],
                        _format_time(int(entry["created"])),
                        entry["game"],
                        entry["phase"],
                        ", ".join(n or "-" for n in entry["seat_names"]),
                    ]
                    for entry in reply["tables"]
                ],
            )
        case "acts":
            return _align_columns(
                ["act", "at", "by", "what", "whom", "table", "until", "reason"],
                [
                    [
                        str(entry["id"]),
                        _format_time(entry["at"]),
                        entry["moderator"] or "-",
                        entry["action"],
                        f"{entry['name']} ({entry['removed_name']})" if entry["removed_name"] else entry["name"],
                        entry["table"],
                        _format_time(entry["until"]) if entry["until"] else "",
                        entry["reason"],
                    ]
                    for entry in reply["actions"]
                ],
            )
        case "invite":
            return [f"{reply['code']}  {_format_time(reply['until'])}"]
        case "check":
            rows = [[entry["table"], entry["why"]] for entry in reply["damaged"]] + [
                ["", fault] for fault in reply["file"]
            ]
            counted = [f"{name}  {reply[name]}" for name in ("tables", "entries")]
            return [*counted, f"damaged  {len(rows)}", *(_align_columns(["table", "why"], rows) if rows else [])]
        case "status" | "backup" | "restore" | "prune" | "transfer" | "reopen":
            return [
                f"{name}  {json.dumps(value) if isinstance(value, bool) else value}" for name, value in reply.items()
            ]
    return []


def _align_columns(headings: TextRow, rows: list[TextRow]) -> list[str]:
    """Return rows as aligned columns, without control characters in user text."""
    sanitized = [headings, *([sanitize(cell, 500) if cell else "" for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in sanitized) for k in range(len(headings))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in sanitized]


def _sanction_text(entry: dict[str, Any]) -> str:
    texts = [
        f"{sanction} {_format_time(until)}" for sanction in ("banned", "muted") if (until := entry[f"{sanction}_until"])
    ]
    return ", ".join([*texts, *(["warned"] if entry["warned"] else [])])


def _format_day(number: int) -> str:
    return (date(1970, 1, 1) + timedelta(number)).isoformat()


def _format_time(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%MZ}"
