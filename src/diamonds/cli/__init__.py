"""The command line: ``diamonds serve | site | play | sim | playthrough | replay | verify | rules | house | puzzles | build-kernels | bench``.

Each command reads its arguments and hands over to `diamonds.terminal`. Whatever cannot be done is one sentence on
stderr and exit code 2.
"""

from __future__ import annotations

import io
import json
import os
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

try:
    import rich  # noqa: F401 — missing with Typer or without it, the sentence is the same
    import typer
except ModuleNotFoundError:
    print("The command line needs Typer and Rich. Install Diamonds with the extra 'table'.", file=sys.stderr)
    raise SystemExit(2) from None

from diamonds import __version__, words
from diamonds.cli.house import house
from diamonds.cli.puzzles import puzzles
from diamonds.game import GAMES, Game, Malformed, OtherRules, Refused, Unknown, find_game
from diamonds.terminal import asked, replay, rulebook, simulate
from diamonds.terminal.playthrough import Playthrough
from diamonds.terminal.saved import home
from diamonds.terminal.screen import Screen, make_printable
from diamonds.terminal.sitting import Wishes, sit

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, suggest_commands=True)

# What several commands take. Numbers are read by us, so that every wrong one gets its own sentence.
GameName = Annotated[str, typer.Argument(metavar="GAME", help=" | ".join(GAMES))]
Seats = Annotated[str | None, typer.Option(metavar="N", help="How many play.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="A table option; may be repeated.")
]
Bots = Annotated[
    list[str] | None, typer.Option("--bot", metavar="NAME", help="Who plays the other seats; may be repeated.")
]
Seed = Annotated[str | None, typer.Option(metavar="S", help="A whole number that fixes the cards.")]
Seat = Annotated[str | None, typer.Option(metavar="K", help="Your seat, from 0.")]
Plain = Annotated[bool, typer.Option("--plain", help="Lines of words only, as for a screen reader.")]
RecordFile = Annotated[Path, typer.Argument(metavar="FILE", help="A record.")]


def _seats(game: Game, text: str | None) -> int:
    return game.usual_seats if text is None else game.check_seats(asked.whole_number(text, "terminal-what-seats"))


def _seed(text: str) -> int:
    return asked.whole_number(text, "terminal-what-seed")


@app.command()
def play(
    game: GameName,
    seats: Seats = None,
    option: Options = None,
    bot: Bots = None,
    seed: Seed = None,
    seat: Seat = None,
    file: Annotated[Path | None, typer.Option(metavar="PATH", help="Keep the game in this file.")] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin anew; a game that was left is kept under a numbered name.")
    ] = False,
    plain: Plain = False,
) -> None:
    """Play against bots, here in the terminal; a game that was left goes on."""
    which = find_game(game)
    wishes = Wishes(
        seats=None if seats is None else which.check_seats(asked.whole_number(seats, "terminal-what-seats")),
        options=tuple(option or ()),
        bots=tuple(bot or ()),
        seed=None if seed is None else _seed(seed),
        seat=None if seat is None else asked.whole_number(seat, "terminal-what-seat", 0, which.seats[-1] - 1),
    )
    sit(which, wishes, file, new, Screen(plain)).play()


@app.command()
def sim(
    game: GameName,
    seats: Seats = None,
    option: Options = None,
    games: Annotated[str, typer.Option(metavar="N", help="How many games.")] = "1000",
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="NAME", help="Who plays, seat by seat; from the first again if fewer."),
    ] = None,
    seed: Seed = "0",
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON.")] = False,
) -> None:
    """Let bots play many games: scores, shares of wins with their 95 % intervals, and speed."""
    which = find_game(game)
    count = _seats(which, seats)
    options = which.check_options(count, asked.options(option or ()))
    players = asked.bots(bot or (), count, which)
    number = asked.whole_number(games, "terminal-what-games", 1, 100_000_000)
    screen = Screen()
    result = simulate.run(which, count, options, players, number, _seed(seed or ""), sys.stderr.isatty())
    if as_json:
        print(json.dumps(result))
    else:
        simulate.show(result, screen)


@app.command(name="arena")
def arena_match(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=" | ".join(GAMES))] = None,
    bots: Annotated[list[str] | None, typer.Argument(metavar="BOT...", help="One for each seat.")] = None,
    option: Options = None,
    blocks: Annotated[str, typer.Option(metavar="N", help="Deals, each played in every rotation of the bots.")] = "40",
    first_block: Annotated[
        str, typer.Option(metavar="K", help="Begin with this block, from 0: other machines play the others.")
    ] = "0",
    seed: Seed = "1",
    gain: Annotated[
        str | None, typer.Option(metavar="X", help="Stop once it is decided: is the first bot's margin 0, or this?")
    ] = None,
    processes: Annotated[str | None, typer.Option(metavar="N", help="How many; by default, one a core.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Keep the result with all blocks here.")
    ] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="Join the runs in the named --json files: different blocks of one match.")
    ] = False,
    chart: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the margins here, as SVG.")] = None,
    tables: Annotated[
        bool, typer.Option("--tables", help="Play what is missing of docs/lab.md (all, or tables and rows by name).")
    ] = False,
    scale: Annotated[str, typer.Option(metavar="X", help="With --tables: so many times the blocks.")] = "1",
) -> None:
    """Match bots over duplicate deals: margins, places and wins with 95 % intervals, and CPU time (docs/lab.md)."""
    from diamonds.lab import report
    from diamonds.terminal import arena

    screen = Screen()
    cores = None if processes is None else asked.whole_number(processes, "terminal-what-processes", 1, 256)
    if tables:
        arena.tables(
            [*([game] if game else []), *(bots or [])], arena.number(scale, "terminal-what-scale"), cores, screen
        )
        return
    if merge:
        run = arena.merge([*([game] if game else []), *(bots or [])])
    else:
        run = arena.play(
            find_game(game).name,
            bots or [],
            asked.options(option or ()),
            asked.whole_number(blocks, "terminal-what-blocks", 2, 1_000_000),
            _seed(seed or ""),
            None if gain is None else arena.number(gain, "terminal-what-gain"),
            cores,
            asked.whole_number(first_block, "terminal-what-first-block", 0, 1_000_000_000),
        )
    print(report.text(run.result()))
    arena.keep(run, json_file, chart)


@app.command(name="train")
def train_policy(
    game: Annotated[str, typer.Argument(metavar="GAME", help="crystals")],
    rounds: Annotated[str | None, typer.Option(metavar="N", help="Of training for each kind of table.")] = None,
    seed: Seed = "1",
    processes: Annotated[str | None, typer.Option(metavar="N", help="How many; by default, one a core.")] = None,
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Keeps what was trained so far, and goes on from there.")
    ] = Path("training"),
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Not the package's own file, but this one.")] = None,
) -> None:
    """Train the numbers by which bots play the cards of crystals (docs/lab.md)."""
    from diamonds.terminal import train

    if find_game(game).name != "crystals":
        raise Malformed("terminal-only-crystals")
    many = None if rounds is None else asked.whole_number(rounds, "terminal-what-rounds", 2, 100_000_000)
    cores = None if processes is None else asked.whole_number(processes, "terminal-what-processes", 1, 256)
    print(f"Written: {train.train(folder, many, _seed(seed or ''), cores, out)}")


@app.command()
def playthrough(
    game: GameName,
    seats: Seats = None,
    option: Options = None,
    seed: Seed = "0",
    answers: Annotated[
        str | None, typer.Option(metavar="FILE", help="Answers, one a line; - reads them as they come.")
    ] = None,
) -> None:
    """Print a whole game as JSON lines, for an outside referee; without answers they are drawn from the seed."""
    which = find_game(game)
    count = _seats(which, seats)
    make_printable()
    run = Playthrough(which, count, asked.options(option or ()), _seed(seed or ""), sys.stdout)
    if answers is None:
        run.play()
    elif answers == "-":
        run.play(sys.stdin, live=True)
    else:
        run.play(io.StringIO(asked.text(Path(answers))))


@app.command(name="replay")
def replay_record(
    file: RecordFile,
    at: Annotated[str | None, typer.Option("--at", metavar="N", help="Only the table after N answers.")] = None,
    seat: Annotated[str | None, typer.Option(metavar="K", help="Only what this seat could see and hear.")] = None,
    plain: Plain = False,
) -> None:
    """Tell a record step by step, or show the table after some answers."""
    screen = Screen(plain)
    try:
        match = asked.record(file)
    except OtherRules as refusal:
        if at is not None or seat is not None:
            raise
        return replay.as_written(asked.unplayed(file), words.say(*refusal.message), screen)
    who = None if seat is None else asked.whole_number(seat, "terminal-what-seat", 0, match.seats - 1)
    if at is None:
        replay.step_by_step(match, who, screen)
    else:
        replay.position(match, asked.whole_number(at, "terminal-what-answers", 0, match.n), who, screen)


@app.command()
def verify(file: RecordFile, plain: Plain = False) -> None:
    """Deal a record's cards again from its secret, play its answers again, and say whether everything agrees."""
    match, screen = asked.record(file), Screen(plain)
    for sentence in replay.verdict(match):
        screen.say(sentence)


@app.command()
def rules(game: GameName, plain: Plain = False) -> None:
    """Read the rules of a game."""
    rulebook.show(find_game(game), Screen(plain))


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(envvar="DIAMONDS_HOST", help="The address to listen at; 0.0.0.0 for the whole network.")
    ] = "127.0.0.1",
    port: Annotated[
        str, typer.Option(metavar="N", envvar="DIAMONDS_PORT", help="The port; 0 for any that is free.")
    ] = "8000",
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", envvar="DIAMONDS_DATA", help="Where games are kept.")
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
    proxies: Annotated[
        str, typer.Option(metavar="N", envvar="DIAMONDS_PROXIES", help="How many trusted reverse proxies are in front.")
    ] = "0",
    secure: Annotated[
        bool, typer.Option("--secure", envvar="DIAMONDS_SECURE", help="The address that people use is HTTPS.")
    ] = False,
    think: Annotated[
        str,
        typer.Option(
            metavar="LEAST,MOST",
            envvar="DIAMONDS_THINK",
            help="How long bots take, in seconds, whatever the pace of their table.",
        ),
    ] = "",
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", envvar="DIAMONDS_NAMES", help="A name by which people ask for it; may be repeated."
        ),
    ] = None,
    address: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="DIAMONDS_ADDRESS",
            help="Where people find it, https://diamonds.example: passkeys need one.",
        ),
    ] = "",
    settings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="DIAMONDS_SETTINGS",
            help="What the house says of itself; by default house.toml in its folder.",
        ),
    ] = None,
    metrics: Annotated[
        str,
        typer.Option(
            metavar="PORT", envvar="DIAMONDS_METRICS", help="Where Prometheus finds figures: PORT, or ADDRESS:PORT."
        ),
    ] = "",
    log: Annotated[
        str,
        typer.Option(
            metavar="FORM", envvar="DIAMONDS_LOG", help="How what happens is written down: plain, console or json."
        ),
    ] = "",
    log_level: Annotated[
        str, typer.Option(metavar="LEVEL", envvar="DIAMONDS_LOG_LEVEL", help="How much: debug, info, warning or error.")
    ] = "",
    store: Annotated[
        str,
        typer.Option(
            metavar="URL", envvar="DIAMONDS_STORE", help="Keep all but keys in postgresql://USER@HOST/DATABASE."
        ),
    ] = "",
    workers: Annotated[
        str, typer.Option(metavar="N", envvar="DIAMONDS_WORKERS", help="How many processes serve, with --store.")
    ] = "1",
    port_each: Annotated[
        bool,
        typer.Option(
            "--port-each",
            envvar="DIAMONDS_PORT_EACH",
            help="Each of the --workers has its own port, from --port on, for a proxy that chooses by table.",
        ),
    ] = False,
    inner: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            envvar="DIAMONDS_INNER",
            help="This machine's address for others that serve from the same --store.",
        ),
    ] = "",
) -> None:
    """Open the table: play in a browser, alone or with friends (docs/hosting.md)."""
    from diamonds.server import main as server  # its libraries are for the table alone

    server.serve(
        host,
        asked.whole_number(port, "terminal-what-port", 0, 65_535),
        home() / "house" if data is None else data,
        open_browser=open_browser,
        proxies=asked.whole_number(proxies, "terminal-what-proxies", 0, 9),
        secure=secure,
        think=server.read_think(think),
        names=name or (),
        address=address,
        settings_file=settings,
        metrics=metrics,
        logged=log,
        log_level=log_level,
        kept=store,
        workers=asked.whole_number(workers, "terminal-what-workers", 1, 64),
        inner=inner,
        port_each=port_each,
    )


@app.command()
def site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new or empty folder, or one of an earlier time.")],
) -> None:
    """Write the page as files for any web server, to play against bots with no house behind it (docs/hosting.md)."""
    from diamonds.terminal import site as files  # the server's libraries are for the table alone

    files.write(folder, Screen())


app.add_typer(house, name="house")
app.add_typer(puzzles, name="puzzles")


@app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def bench(context: typer.Context) -> None:
    """Measure, beside peers; what follows is handed to bench/bench.py of the source tree."""
    script = Path(__file__).parents[3] / "bench" / "bench.py"
    if not script.is_file():
        raise Unknown("terminal-no-benchmarks", path=str(script))
    sys.path.insert(0, str(script.parent))
    raise typer.Exit(runpy.run_path(str(script))["main"](context.args) or 0)


@app.command(name="build-kernels")
def build_kernels(
    game: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help=" | ".join(GAMES))] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where they go; by default beside the page.")
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="Of all kinds, only this; may be repeated.")
    ] = None,
) -> None:
    """Compile the rules for browsers: WebAssembly modules, from the same functions as the server's kernels."""
    from diamonds.server.work.modules import FOLDER
    from diamonds.terminal import modules
    from diamonds.wasm import KINDS

    modules.build([find_game(name) for name in game or GAMES], out or FOLDER, kind or KINDS)


def speak(language: str | None) -> None:
    """Speak the language that is asked for on the command line, or that of the system where there is a catalogue of it."""
    known = words.languages()
    if language is not None and words.spoken(language) == words.FIRST and not language.lower().startswith(words.FIRST):
        raise Unknown("terminal-no-language", given=asked.shown(language), languages=list(known))
    system = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    words.speak(words.spoken(language or system))


@app.callback(invoke_without_command=True)
def diamonds(
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
    language: Annotated[
        str | None, typer.Option(metavar="LANGUAGE", help="Speak it: en or de; by default, that of the system.")
    ] = None,
) -> None:
    """Three card games called Diamonds: crystals, fourteen and mines."""
    speak(language)
    if version:
        rules = ", ".join(f"{game.name} {game.version}" for game in GAMES.values())
        print(f"diamonds {__version__}; versions of the rules: {rules}")
        raise typer.Exit(0)


# What Click raises for a wrong command line. Newer Typers bring a Click of their own, so it is found by descent:
# BadParameter, UsageError, ClickException.
UsageTrouble: type[Exception] = typer.BadParameter.__mro__[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code: 0, or 2 after one sentence on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        code = typer.main.get_command(app).main(args=given, prog_name="diamonds", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except UsageTrouble as trouble:
        sentence = f"{trouble.format_message().rstrip('.')}. Try: diamonds --help"  # type: ignore[attr-defined]
    except Refused as refusal:
        sentence = words.say(*refusal.message)
    except OSError as error:
        sentence = words.say("terminal-system", {"why": asked.why(error)})
    make_printable()
    print(asked.shown(" ".join(sentence.split()), 1000), file=sys.stderr)
    return 2
