"""``diamonds admin``: moderation and maintenance of a server, running or not, by a user who can read its data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from diamonds.cli.options import DataDirArg
from diamonds.terminal import arguments
from diamonds.terminal.save_file import server_data_dir

admin = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Moderate and maintain a server, running or not (docs/hosting.md).",
)
JsonFlag = Annotated[bool, typer.Option("--json", help="Print the reply as JSON.")]
AccountArg = Annotated[str | None, typer.Argument(metavar="NAME", help="The name of an account.")]
ReportOption = Annotated[str | None, typer.Option("--report", metavar="N", help="The person in this report.")]
ActionOption = Annotated[
    str | None, typer.Option("--action", metavar="N", help="The person of this action (see audit).")
]
ReasonOption = Annotated[str, typer.Option(metavar="TEXT", help="The reason, shown to the person.")]
DurationOption = Annotated[str, typer.Option("--for", metavar="TIME", help="The duration: 12h, 7d, 4w, 1y.")]


def _send_request(data_dir: Path | None, as_json: bool, kind: str, **more: Any) -> None:
    """Send a request to the server, and print its reply."""
    from diamonds.server.moderation import admin_socket
    from diamonds.terminal import admin as answers

    reply = admin_socket.send_request(data_dir or server_data_dir(), None, admin_socket.AdminRequest(kind, **more))  # type: ignore[arg-type]
    answers.print_reply(kind, reply, as_json)


def _moderate(
    data_dir: Path | None,
    as_json: bool,
    action: str,
    account: str | None,
    report: str | None = None,
    past_action: str | None = None,
    **more: Any,
) -> None:
    """Send a moderation action."""
    from diamonds.server.api.moderation import ModerationActionRequest

    def number(text: str | None) -> int | None:
        return None if text is None else arguments.whole_number(text, "terminal-what-number", 1)

    request = ModerationActionRequest(
        action,  # type: ignore[arg-type]
        name=account,
        report_id=number(report),
        action_id=number(past_action),
        **more,
    )
    _send_request(data_dir, as_json, "do", action=request)


def _parse_hours(text: str) -> int:
    from diamonds.terminal.admin import parse_duration_hours

    return parse_duration_hours(text)


@admin.command()
def reports(data_dir: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """List reports, with the reported messages."""
    _send_request(data_dir, as_json, "reports")


@admin.command()
def accounts(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A part of the name.")] = "",
    data_dir: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """List accounts by name."""
    _send_request(data_dir, as_json, "people", name=name)


@admin.command()
def names(data_dir: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """List account names that are no longer allowed, or that resemble another name."""
    _send_request(data_dir, as_json, "names")


@admin.command()
def tables(data_dir: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """List the tables with connected people."""
    _send_request(data_dir, as_json, "tables")


@admin.command()
def audit(
    before: Annotated[str, typer.Option(metavar="N", help="Only actions before this one.")] = "0",
    data_dir: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the audit log of moderation actions, newest first."""
    _send_request(data_dir, as_json, "acts", before=arguments.whole_number(before, "terminal-what-number", 0))


@admin.command()
def warn(
    account: AccountArg = None,
    report: ReportOption = None,
    reason: ReasonOption = "",
    data_dir: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Warn a person; they have to acknowledge the warning."""
    _moderate(data_dir, as_json, "warn", account, report, reason=reason)


@admin.command()
def mute(
    account: AccountArg = None,
    report: ReportOption = None,
    reason: ReasonOption = "",
    time: DurationOption = "1d",
    data_dir: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Mute a person for a time."""
    _moderate(data_dir, as_json, "mute", account, report, reason=reason, hours=_parse_hours(time))


@admin.command()
def unmute(
    account: AccountArg = None, action: ActionOption = None, data_dir: DataDirArg = None, as_json: JsonFlag = False
) -> None:
    """Lift a mute."""
    _moderate(data_dir, as_json, "unmute", account, past_action=action)


@admin.command()
def ban(
    account: AccountArg = None,
    report: ReportOption = None,
    reason: ReasonOption = "",
    time: DurationOption = "1d",
    data_dir: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Ban a person for a time."""
    _moderate(data_dir, as_json, "ban", account, report, reason=reason, hours=_parse_hours(time))


@admin.command()
def unban(
    account: AccountArg = None, action: ActionOption = None, data_dir: DataDirArg = None, as_json: JsonFlag = False
) -> None:
    """Lift a ban."""
    _moderate(data_dir, as_json, "unban", account, past_action=action)


@admin.command()
def rename(
    account: AccountArg = None,
    report: ReportOption = None,
    to: Annotated[str | None, typer.Option(metavar="NAME", help="The new name.")] = None,
    data_dir: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Take a name away; nobody can use it any more."""
    _moderate(data_dir, as_json, "rename", account, report, new_name=to)


@admin.command()
def close_table(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The id of the table, at the end of its address.")],
    reason: ReasonOption = "",
    data_dir: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Close a table, and show everyone there the reason."""
    _moderate(data_dir, as_json, "close", None, table=table, reason=reason)


@admin.command()
def resolve(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="The number of the report.")],
    data_dir: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Resolve a report without further action."""
    _moderate(data_dir, as_json, "handle", None, report)


@admin.command()
def invite(
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Only for this name; a moderator's name always needs one.")
    ] = "",
    time: DurationOption = "2w",
    data_dir: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Create an invitation that lets one guest register."""
    _send_request(data_dir, as_json, "invite", name=name, hours=_parse_hours(time))


# Maintenance

BackupFileArg = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


def _print_reply(kind: str, reply: Any, as_json: bool) -> None:
    from diamonds.terminal import admin as answers

    answers.print_reply(kind, reply, as_json)


@admin.command()
def status(data_dir: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """Show how much is stored and, if the server runs, how many people are connected."""
    from diamonds.server.moderation import admin_socket

    _print_reply("status", admin_socket.server_status(data_dir or server_data_dir()), as_json)


@admin.command()
def check(
    backup: Annotated[Path | None, typer.Option(metavar="FILE", help="Check a backup instead.")] = None,
    data_dir: DataDirArg = None,
    as_json: JsonFlag = False,
) -> None:
    """Replay every stored game by its rules, and check the database; exit code 1 if something is damaged."""
    from diamonds.server.moderation import maintenance
    from diamonds.server.storage.open_store import database_url

    result = (
        maintenance.check_backup(backup)
        if backup
        else maintenance.check_integrity(data_dir or server_data_dir(), database_url())
    )
    _print_reply("check", result, as_json)
    if result["file"] or result["damaged"]:
        raise typer.Exit(1)


@admin.command()
def backup(file: BackupFileArg, data_dir: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """Write a consistent snapshot, with keys and settings, to one file."""
    from diamonds.server.storage import backup
    from diamonds.server.storage.open_store import database_url

    size = backup.backup(data_dir or server_data_dir(), file, database_url())
    _print_reply("backup", {"file": str(file), "bytes": size}, as_json)


@admin.command()
def restore(file: BackupFileArg, data_dir: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """Restore a backup into a new or empty folder."""
    from diamonds.server.storage import backup

    folder = data_dir or server_data_dir()
    backup.restore(file, folder)
    _print_reply("restore", {"folder": str(folder)}, as_json)


@admin.command(name="transfer")
def transfer_data(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The source: a folder, or postgresql://….")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The target, which must not hold data yet.")],
    as_json: JsonFlag = False,
) -> None:
    """Transfer the data of a stopped server from SQLite to PostgreSQL or back, and verify the copy."""
    from diamonds.server.storage import transfer
    from diamonds.terminal import admin as answers

    _print_reply("transfer", transfer.transfer_data(source, target, answers.print_progress), as_json)


@admin.command()
def reopen(
    place: Annotated[
        str, typer.Argument(metavar="PLACE", help="The source of the transfer: a folder, or postgresql://….")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Reopen the source of a transfer; later changes at the target are not copied back."""
    from diamonds.server.storage import transfer

    name, other = transfer.reopen(place)
    _print_reply("reopen", {"place": name, "moved": other}, as_json)


@admin.command()
def prune(data_dir: DataDirArg = None, as_json: JsonFlag = False) -> None:
    """Delete guests' games and resolved reports past their retention."""
    _send_request(data_dir, as_json, "prune")
