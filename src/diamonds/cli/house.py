"""``diamonds house``: a house, by who may read its folder. It may be open, or closed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from diamonds.terminal import asked
from diamonds.terminal.saved import home

house = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Keep order in a house and look after it, open or closed (docs/hosting.md).",
)
Data = Annotated[Path | None, typer.Option(metavar="FOLDER", envvar="DIAMONDS_DATA", help="The house's folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="The reply as JSON.")]
Whom = Annotated[str | None, typer.Argument(metavar="NAME", help="The name of an account.")]
Reported = Annotated[str | None, typer.Option("--report", metavar="N", help="Whom this report is of.")]
DoneTo = Annotated[str | None, typer.Option("--act", metavar="N", help="Whom this was done to (see audit).")]
Why = Annotated[str, typer.Option(metavar="TEXT", help="The reason; it is told.")]
Until = Annotated[str, typer.Option("--for", metavar="TIME", help="For how long: 12h, 7d, 4w, 1y.")]


def _ask(data: Path | None, as_json: bool, what: str, **more: Any) -> None:
    """Ask a house something, and show what it says."""
    from diamonds.server.order import office
    from diamonds.terminal import house as answers

    told = office.ask(data or home() / "house", None, office.Asked(what, **more))  # type: ignore[arg-type]
    answers.show(what, told, as_json)


def _do(
    data: Path | None,
    as_json: bool,
    what: str,
    whom: str | None,
    report: str | None = None,
    act: str | None = None,
    **more: Any,
) -> None:
    """Do something about somebody."""
    from diamonds.server.api.order import Do

    def number(text: str | None) -> int | None:
        return None if text is None else asked.whole_number(text, "terminal-what-number", 1)

    deed = Do(what, name=whom, report=number(report), act=number(act), **more)  # type: ignore[arg-type]
    _ask(data, as_json, "do", do=deed)


def _hours(text: str) -> int:
    from diamonds.terminal.house import hours

    return hours(text)


@house.command()
def reports(data: Data = None, as_json: AsJson = False) -> None:
    """What people tell of each other, with what was said."""
    _ask(data, as_json, "reports")


@house.command()
def people(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A part of the name.")] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Accounts by their names."""
    _ask(data, as_json, "people", name=name)


@house.command()
def names(data: Data = None, as_json: AsJson = False) -> None:
    """Names of accounts that would be refused today, or taken for another account's."""
    _ask(data, as_json, "names")


@house.command()
def tables(data: Data = None, as_json: AsJson = False) -> None:
    """Tables at which people are now."""
    _ask(data, as_json, "tables")


@house.command()
def audit(
    before: Annotated[str, typer.Option(metavar="N", help="Those before this one.")] = "0",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What hosts have done, the last first."""
    _ask(data, as_json, "acts", before=asked.whole_number(before, "terminal-what-number", 0))


@house.command()
def warn(
    whom: Whom = None, report: Reported = None, reason: Why = "", data: Data = None, as_json: AsJson = False
) -> None:
    """Warn somebody, who has to say that they have read it."""
    _do(data, as_json, "warn", whom, report, reason=reason)


@house.command()
def mute(
    whom: Whom = None,
    report: Reported = None,
    reason: Why = "",
    time: Until = "1d",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Let somebody say nothing for a while."""
    _do(data, as_json, "mute", whom, report, reason=reason, hours=_hours(time))


@house.command()
def unmute(whom: Whom = None, act: DoneTo = None, data: Data = None, as_json: AsJson = False) -> None:
    """Let them talk again."""
    _do(data, as_json, "unmute", whom, act=act)


@house.command()
def ban(
    whom: Whom = None,
    report: Reported = None,
    reason: Why = "",
    time: Until = "1d",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Keep somebody out for a while."""
    _do(data, as_json, "ban", whom, report, reason=reason, hours=_hours(time))


@house.command()
def unban(whom: Whom = None, act: DoneTo = None, data: Data = None, as_json: AsJson = False) -> None:
    """Let them in again."""
    _do(data, as_json, "unban", whom, act=act)


@house.command()
def rename(
    whom: Whom = None,
    report: Reported = None,
    to: Annotated[str | None, typer.Option(metavar="NAME", help="What they are called now.")] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Take a name away: nobody is called so any more."""
    _do(data, as_json, "rename", whom, report, called=to)


@house.command()
def close(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The end of its address.")],
    reason: Why = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Close a table, and tell those who are there why."""
    _do(data, as_json, "close", None, table=table, reason=reason)


@house.command()
def handle(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="Its number.")],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Leave it at a report: nothing more is to be done."""
    _do(data, as_json, "handle", None, report)


@house.command()
def invite(
    name: Annotated[str, typer.Option(metavar="NAME", help="Good for this name alone; a host's needs one.")] = "",
    time: Until = "2w",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Make a code by which one guest may become an account."""
    _ask(data, as_json, "invite", name=name, hours=_hours(time))


# To look after it.

Archive = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


def _show(what: str, told: Any, as_json: bool) -> None:
    from diamonds.terminal import house as answers

    answers.show(what, told, as_json)


@house.command()
def status(data: Data = None, as_json: AsJson = False) -> None:
    """How much it holds, and, if it is open, who is there."""
    from diamonds.server.order import office

    _show("status", office.status(data or home() / "house"), as_json)


@house.command()
def check(
    backup: Annotated[Path | None, typer.Option(metavar="FILE", help="Look at a backup instead.")] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Play every stored game again by its rules, and look at the file; exit code 1 if something is wrong."""
    from diamonds.server.order import checking
    from diamonds.server.store.where import elsewhere

    found = checking.check_backup(backup) if backup else checking.check(data or home() / "house", elsewhere())
    _show("check", found, as_json)
    if found["file"] or found["damaged"]:
        raise typer.Exit(1)


@house.command()
def backup(file: Archive, data: Data = None, as_json: AsJson = False) -> None:
    """Write one moment of it, keys and settings included, into one file."""
    from diamonds.server.store import copies
    from diamonds.server.store.where import elsewhere

    size = copies.backup(data or home() / "house", file, elsewhere())
    _show("backup", {"file": str(file), "bytes": size}, as_json)


@house.command()
def restore(file: Archive, data: Data = None, as_json: AsJson = False) -> None:
    """Put a backup into a folder that is empty or not there yet."""
    from diamonds.server.store import copies

    folder = data or home() / "house"
    copies.restore(file, folder)
    _show("restore", {"folder": str(folder)}, as_json)


@house.command()
def move(
    source: Annotated[str, typer.Argument(metavar="FROM", help="Where it is: a folder, or postgresql://….")],
    target: Annotated[str, typer.Argument(metavar="TO", help="Where it goes, and none has been.")],
    as_json: AsJson = False,
) -> None:
    """Move a closed house from SQLite to PostgreSQL or back, and make sure that all of it has arrived."""
    from diamonds.server.store import moving
    from diamonds.terminal import house as answers

    _show("move", moving.move(source, target, answers.progress), as_json)


@house.command()
def reopen(
    place: Annotated[str, typer.Argument(metavar="PLACE", help="What was moved: a folder, or postgresql://….")],
    as_json: AsJson = False,
) -> None:
    """Use data again that was moved elsewhere; what has happened there since then is not in it."""
    from diamonds.server.store import moving

    name, other = moving.reopen(place)
    _show("reopen", {"place": name, "moved": other}, as_json)


@house.command()
def prune(data: Data = None, as_json: AsJson = False) -> None:
    """Let go now of guests' games and handled reports that are kept for no longer."""
    _ask(data, as_json, "prune")
