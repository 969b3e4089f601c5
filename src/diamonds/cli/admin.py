"""``diamonds house``: a house, by who may read its folder. It may be open, or closed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from diamonds.terminal import arguments
from diamonds.terminal.save_file import data_dir

admin = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Keep order in a house and look after it, open or closed (docs/hosting.md).",
)
DataDirArg = Annotated[Path | None, typer.Option(metavar="FOLDER", envvar="DIAMONDS_DATA", help="The house's folder.")]
JsonFlag = Annotated[bool, typer.Option("--json", help="The reply as JSON.")]
AccountArg = Annotated[str | None, typer.Argument(metavar="NAME", help="The name of an account.")]
ReportOption = Annotated[str | None, typer.Option("--report", metavar="N", help="Whom this report is of.")]
ActionOption = Annotated[str | None, typer.Option("--act", metavar="N", help="Whom this was done to (see audit).")]
ReasonOption = Annotated[str, typer.Option(metavar="TEXT", help="The reason; it is told.")]
DurationOption = Annotated[str, typer.Option("--for", metavar="TIME", help="For how long: 12h, 7d, 4w, 1y.")]


def _send_request(data: Path | None, as_json: bool, kind: str, **more: Any) -> None:
    """Ask a house something, and show what it says."""
    from diamonds.server.moderation import admin_socket
    from diamonds.terminal import admin as answers

    reply = admin_socket.send_request(data or data_dir() / "house", None, admin_socket.AdminRequest(kind, **more))  # type: ignore[arg-type]
    answers.print_reply(kind, reply, as_json)


def _moderate(
    data: Path | None,
    as_json: bool,
    action: str,
    account: str | None,
    report: str | None = None,
    act: str | None = None,
    **more: Any,
) -> None:
    """Do something about somebody."""
    from diamonds.server.api.moderation import ActionRequest

    def number(text: str | None) -> int | None:
        return None if text is None else arguments.whole_number(text, "terminal-what-number", 1)

    moderation_action = ActionRequest(action, name=account, report_id=number(report), action_id=number(act), **more)  # type: ignore[arg-type]
    _send_request(data, as_json, "do", do=moderation_action)


def _parse_hours(text: str) -> int:
    from diamonds.terminal.admin import parse_duration_hours

    return parse_duration_hours(text)


@admin.command()
def reports(data: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """What people tell of each other, with what was said."""
    _send_request(data, as_json, "reports")


@admin.command()
def people(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A part of the name.")] = "",
    data: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Accounts by their names."""
    _send_request(data, as_json, "people", name=name)


@admin.command()
def names(data: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """Names of accounts that would be refused today, or taken for another account's."""
    _send_request(data, as_json, "names")


@admin.command()
def tables(data: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """Tables at which people are now."""
    _send_request(data, as_json, "tables")


@admin.command()
def audit(
    before: Annotated[str, typer.Option(metavar="N", help="Those before this one.")] = "0",
    data: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """What hosts have done, the last first."""
    _send_request(data, as_json, "acts", before=arguments.whole_number(before, "terminal-what-number", 0))


@admin.command()
def warn(
    whom: AccountArg = None,
    report: ReportOption = None,
    reason: ReasonOption = "",
    data: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Warn somebody, who has to say that they have read it."""
    _moderate(data, as_json, "warn", whom, report, reason=reason)


@admin.command()
def mute(
    whom: AccountArg = None,
    report: ReportOption = None,
    reason: ReasonOption = "",
    time: DurationOption = "1d",
    data: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Let somebody say nothing for a while."""
    _moderate(data, as_json, "mute", whom, report, reason=reason, hours=_parse_hours(time))


@admin.command()
def unmute(
    whom: AccountArg = None, act: ActionOption = None, data: DataDirArg = None, as_json: JsonFlag = False
) -> None:
    """Let them talk again."""
    _moderate(data, as_json, "unmute", whom, act=act)


@admin.command()
def ban(
    whom: AccountArg = None,
    report: ReportOption = None,
    reason: ReasonOption = "",
    time: DurationOption = "1d",
    data: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Keep somebody out for a while."""
    _moderate(data, as_json, "ban", whom, report, reason=reason, hours=_parse_hours(time))


@admin.command()
def unban(
    whom: AccountArg = None, act: ActionOption = None, data: DataDirArg = None, as_json: JsonFlag = False
) -> None:
    """Let them in again."""
    _moderate(data, as_json, "unban", whom, act=act)


@admin.command()
def rename(
    whom: AccountArg = None,
    report: ReportOption = None,
    to: Annotated[str | None, typer.Option(metavar="NAME", help="What they are called now.")] = None,
    data: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Take a name away: nobody is called so any more."""
    _moderate(data, as_json, "rename", whom, report, called=to)


@admin.command()
def close(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The end of its address.")],
    reason: ReasonOption = "",
    data: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Close a table, and tell those who are there why."""
    _moderate(data, as_json, "close", None, table=table, reason=reason)


@admin.command()
def handle(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="Its number.")],
    data: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Leave it at a report: nothing more is to be done."""
    _moderate(data, as_json, "handle", None, report)


@admin.command()
def invite(
    name: Annotated[str, typer.Option(metavar="NAME", help="Good for this name alone; a host's needs one.")] = "",
    time: DurationOption = "2w",
    data: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Make a code by which one guest may become an account."""
    _send_request(data, as_json, "invite", name=name, hours=_parse_hours(time))


# To look after it.

BackupFileArg = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


def _print_reply(kind: str, reply: Any, as_json: bool) -> None:
    from diamonds.terminal import admin as answers

    answers.print_reply(kind, reply, as_json)


@admin.command()
def status(data: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """How much it holds, and, if it is open, who is there."""
    from diamonds.server.moderation import admin_socket

    _print_reply("status", admin_socket.server_status(data or data_dir() / "house"), as_json)


@admin.command()
def check(
    backup: Annotated[Path | None, typer.Option(metavar="FILE", help="Look at a backup instead.")] = None,
    data: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Play every stored game again by its rules, and look at the file; exit code 1 if something is wrong."""
    from diamonds.server.moderation import maintenance
    from diamonds.server.storage.open_store import database_url

    result = (
        maintenance.check_backup(backup)
        if backup
        else maintenance.check_integrity(data or data_dir() / "house", database_url())
    )
    _print_reply("check", result, as_json)
    if result["file"] or result["damaged"]:
        raise typer.Exit(1)


@admin.command()
def backup(file: BackupFileArg, data: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """Write one moment of it, keys and settings included, into one file."""
    from diamonds.server.storage import backup
    from diamonds.server.storage.open_store import database_url

    size = backup.backup(data or data_dir() / "house", file, database_url())
    _print_reply("backup", {"file": str(file), "bytes": size}, as_json)


@admin.command()
def restore(file: BackupFileArg, data: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """Put a backup into a folder that is empty or not there yet."""
    from diamonds.server.storage import backup

    folder = data or data_dir() / "house"
    backup.restore(file, folder)
    _print_reply("restore", {"folder": str(folder)}, as_json)


@admin.command()
def move(
    source: Annotated[str, typer.Argument(metavar="FROM", help="Where it is: a folder, or postgresql://….")],
    target: Annotated[str, typer.Argument(metavar="TO", help="Where it goes, and none has been.")],
    as_json: JsonFlag = False,
) -> None:
    """Move a closed house from SQLite to PostgreSQL or back, and make sure that all of it has arrived."""
    from diamonds.server.storage import transfer
    from diamonds.terminal import admin as answers

    _print_reply("move", transfer.transfer_data(source, target, answers.print_progress), as_json)


@admin.command()
def reopen(
    place: Annotated[str, typer.Argument(metavar="PLACE", help="What was moved: a folder, or postgresql://….")],
    as_json: JsonFlag = False,
) -> None:
    """Use data again that was moved elsewhere; what has happened there since then is not in it."""
    from diamonds.server.storage import transfer

    name, other = transfer.reopen(place)
    _print_reply("reopen", {"place": name, "moved": other}, as_json)


@admin.command()
def prune(data: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """Let go now of guests' games and handled reports that are kept for no longer."""
    _send_request(data, as_json, "prune")
