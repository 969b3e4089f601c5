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

from diamonds import __version__, i18n
from diamonds.cli.admin import admin
from diamonds.cli.puzzles import puzzles
from diamonds.errors import DiamondsError, InvalidInputError, NotFoundError, RulesVersionError
from diamonds.game import GAMES, Game, find_game
from diamonds.terminal import arguments, replay, rulebook, simulate
from diamonds.terminal.playthrough import Playthrough
from diamonds.terminal.save_file import data_dir
from diamonds.terminal.screen import Screen, configure_encoding
from diamonds.terminal.setup import GameRequest, open_session

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, suggest_commands=True)

# What several commands take. Numbers are read by us, so that every wrong one gets its own sentence.
GameNameArg = Annotated[str, typer.Argument(metavar="GAME", help=" | ".join(GAMES))]
SeatsArg = Annotated[str | None, typer.Option(metavar="N", help="How many play.")]
OptionsArg = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="A table option; may be repeated.")
]
BotsArg = Annotated[
    list[str] | None, typer.Option("--bot", metavar="NAME", help="Who plays the other seats; may be repeated.")
]
SeedArg = Annotated[str | None, typer.Option(metavar="S", help="A whole number that fixes the cards.")]
SeatArg = Annotated[str | None, typer.Option(metavar="K", help="Your seat, from 0.")]
PlainArg = Annotated[bool, typer.Option("--plain", help="Lines of words only, as for a screen reader.")]
RecordFileArg = Annotated[Path, typer.Argument(metavar="FILE", help="A record.")]


def _parse_seats(game: Game, text: str | None) -> int:
    return game.default_seats if text is None else game.check_seats(arguments.whole_number(text, "terminal-what-seats"))


def _parse_seed(text: str) -> int:
    return arguments.whole_number(text, "terminal-what-seed")


@app.command()
def play(
    game: GameNameArg,
    seats: SeatsArg = None,
    option: OptionsArg = None,
    bot: BotsArg = None,
    seed: SeedArg = None,
    seat: SeatArg = None,
    file: Annotated[Path | None, typer.Option(metavar="PATH", help="Keep the game in this file.")] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin anew; a game that was left is kept under a numbered name.")
    ] = False,
    plain: PlainArg = False,
) -> None:
    """Play against bots, here in the terminal; a game that was left goes on."""
    chosen_game = find_game(game)
    request = GameRequest(
        seats=None if seats is None else chosen_game.check_seats(arguments.whole_number(seats, "terminal-what-seats")),
        options=tuple(option or ()),
        bots=tuple(bot or ()),
        seed=None if seed is None else _parse_seed(seed),
        seat=None if seat is None else arguments.whole_number(seat, "terminal-what-seat", 0, chosen_game.seats[-1] - 1),
    )
    open_session(chosen_game, request, file, new, Screen(plain)).play()


@app.command()
def sim(
    game: GameNameArg,
    seats: SeatsArg = None,
    option: OptionsArg = None,
    games: Annotated[str, typer.Option(metavar="N", help="How many games.")] = "1000",
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="NAME", help="Who plays, seat by seat; from the first again if fewer."),
    ] = None,
    seed: SeedArg = "0",
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON.")] = False,
) -> None:
    """Let bots play many games: scores, shares of wins with their 95 % intervals, and speed."""
    chosen_game = find_game(game)
    seat_count = _parse_seats(chosen_game, seats)
    options = chosen_game.check_options(seat_count, arguments.parse_options(option or ()))
    players = arguments.parse_bots(bot or (), seat_count, chosen_game)
    number = arguments.whole_number(games, "terminal-what-games", 1, 100_000_000)
    screen = Screen()
    result = simulate.simulate(
        chosen_game, seat_count, options, players, number, _parse_seed(seed or ""), sys.stderr.isatty()
    )
    if as_json:
        print(json.dumps(result))
    else:
        simulate.show_summary(result, screen)


@app.command(name="arena")
def arena_match(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=" | ".join(GAMES))] = None,
    bots: Annotated[list[str] | None, typer.Argument(metavar="BOT...", help="One for each seat.")] = None,
    option: OptionsArg = None,
    blocks: Annotated[str, typer.Option(metavar="N", help="Deals, each played in every rotation of the bots.")] = "40",
    first_block: Annotated[
        str, typer.Option(metavar="K", help="Begin with this block, from 0: other machines play the others.")
    ] = "0",
    seed: SeedArg = "1",
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
    cores = None if processes is None else arguments.whole_number(processes, "terminal-what-processes", 1, 256)
    if tables:
        arena.update_tables(
            [*([game] if game else []), *(bots or [])],
            arena.parse_positive(scale, "terminal-what-scale"),
            cores,
            screen,
        )
        return
    if merge:
        run = arena.merge_files([*([game] if game else []), *(bots or [])])
    else:
        run = arena.play_match(
            find_game(game).name,
            bots or [],
            arguments.parse_options(option or ()),
            arguments.whole_number(blocks, "terminal-what-blocks", 2, 1_000_000),
            _parse_seed(seed or ""),
            None if gain is None else arena.parse_positive(gain, "terminal-what-gain"),
            cores,
            arguments.whole_number(first_block, "terminal-what-first-block", 0, 1_000_000_000),
        )
    print(report.result_text(run.result()))
    arena.write_files(run, json_file, chart)


@app.command(name="train")
def train_policy(
    game: Annotated[str, typer.Argument(metavar="GAME", help="crystals")],
    rounds: Annotated[str | None, typer.Option(metavar="N", help="Of training for each kind of table.")] = None,
    seed: SeedArg = "1",
    processes: Annotated[str | None, typer.Option(metavar="N", help="How many; by default, one a core.")] = None,
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Keeps what was trained so far, and goes on from there.")
    ] = Path("training"),
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Not the package's own file, but this one.")] = None,
) -> None:
    """Train the numbers by which bots play the cards of crystals (docs/lab.md)."""
    from diamonds.terminal import train

    if find_game(game).name != "crystals":
        raise InvalidInputError("terminal-only-crystals")
    round_count = None if rounds is None else arguments.whole_number(rounds, "terminal-what-rounds", 2, 100_000_000)
    cores = None if processes is None else arguments.whole_number(processes, "terminal-what-processes", 1, 256)
    print(f"Written: {train.train(folder, round_count, _parse_seed(seed or ''), cores, out)}")


@app.command()
def playthrough(
    game: GameNameArg,
    seats: SeatsArg = None,
    option: OptionsArg = None,
    seed: SeedArg = "0",
    answers: Annotated[
        str | None, typer.Option(metavar="FILE", help="Answers, one a line; - reads them as they come.")
    ] = None,
) -> None:
    """Print a whole game as JSON lines, for an outside referee; without answers they are drawn from the seed."""
    chosen_game = find_game(game)
    seat_count = _parse_seats(chosen_game, seats)
    configure_encoding()
    playthrough_run = Playthrough(
        chosen_game, seat_count, arguments.parse_options(option or ()), _parse_seed(seed or ""), sys.stdout
    )
    if answers is None:
        playthrough_run.play()
    elif answers == "-":
        playthrough_run.play(sys.stdin, live=True)
    else:
        playthrough_run.play(io.StringIO(arguments.read_text(Path(answers))))


@app.command(name="replay")
def replay_record(
    file: RecordFileArg,
    at: Annotated[str | None, typer.Option("--at", metavar="N", help="Only the table after N answers.")] = None,
    seat: Annotated[str | None, typer.Option(metavar="K", help="Only what this seat could see and hear.")] = None,
    plain: PlainArg = False,
) -> None:
    """Tell a record step by step, or show the table after some answers."""
    screen = Screen(plain)
    try:
        match = arguments.load_record_file(file)
    except RulesVersionError as refusal:
        if at is not None or seat is not None:
            raise
        return replay.show_unverified(arguments.load_unverified_file(file), i18n.translate(*refusal.message), screen)
    viewer = None if seat is None else arguments.whole_number(seat, "terminal-what-seat", 0, match.seats - 1)
    if at is None:
        replay.show_steps(match, viewer, screen)
    else:
        replay.show_position(match, arguments.whole_number(at, "terminal-what-answers", 0, match.n), viewer, screen)


@app.command()
def verify(file: RecordFileArg, plain: PlainArg = False) -> None:
    """Deal a record's cards again from its secret, play its answers again, and say whether everything agrees."""
    match, screen = arguments.load_record_file(file), Screen(plain)
    for sentence in replay.verification_text(match):
        screen.print_line(sentence)


@app.command()
def rules(game: GameNameArg, plain: PlainArg = False) -> None:
    """Read the rules of a game."""
    rulebook.show_rules(find_game(game), Screen(plain))


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
        arguments.whole_number(port, "terminal-what-port", 0, 65_535),
        data_dir() / "house" if data is None else data,
        open_browser=open_browser,
        proxies=arguments.whole_number(proxies, "terminal-what-proxies", 0, 9),
        secure=secure,
        bot_delay=server.parse_bot_delay(think),
        allowed_hosts=name or (),
        public_address=address,
        config_file=settings,
        metrics_address=metrics,
        log_format=log,
        log_level=log_level,
        database_url=store,
        workers=arguments.whole_number(workers, "terminal-what-workers", 1, 64),
        internal_address=inner,
        port_per_worker=port_each,
    )


@app.command()
def site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new or empty folder, or one of an earlier time.")],
) -> None:
    """Write the page as files for any web server, to play against bots with no house behind it (docs/hosting.md)."""
    from diamonds.terminal import build_site as files

    files.build_site(folder, Screen())


app.add_typer(admin, name="house")
app.add_typer(puzzles, name="puzzles")


@app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def bench(context: typer.Context) -> None:
    """Measure, beside peers; what follows is handed to bench/run.py of the source tree."""
    script = Path(__file__).parents[3] / "bench" / "run.py"
    if not script.is_file():
        raise NotFoundError("terminal-no-benchmarks", path=str(script))
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
    from diamonds.server.jobs.worker_pool import FOLDER
    from diamonds.terminal import build_wasm
    from diamonds.wasm import KINDS

    build_wasm.build_wasm([find_game(name) for name in game or GAMES], out or FOLDER, kind or KINDS)


def set_cli_language(language: str | None) -> None:
    """Speak the language that is asked for on the command line, or that of the system where there is a catalogue of it."""
    languages = i18n.languages()
    if (
        language is not None
        and i18n.best_language(language) == i18n.DEFAULT_LANGUAGE
        and not language.lower().startswith(i18n.DEFAULT_LANGUAGE)
    ):
        raise NotFoundError("terminal-no-language", given=arguments.sanitize(language), languages=list(languages))
    system = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    i18n.set_language(i18n.best_language(language or system))


@app.callback(invoke_without_command=True)
def diamonds(
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
    language: Annotated[
        str | None, typer.Option(metavar="LANGUAGE", help="Speak it: en or de; by default, that of the system.")
    ] = None,
) -> None:
    """Three card games called Diamonds: crystals, fourteen and mines."""
    set_cli_language(language)
    if version:
        rules = ", ".join(f"{game.name} {game.version}" for game in GAMES.values())
        print(f"diamonds {__version__}; versions of the rules: {rules}")
        raise typer.Exit(0)


# What Click raises for a wrong command line. Newer Typers bring a Click of their own, so it is found by descent:
# BadParameter, UsageError, ClickException.
UsageError: type[Exception] = typer.BadParameter.__mro__[2]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code: 0, or 2 after one sentence on stderr."""
    argument_list = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    try:
        exit_code = typer.main.get_command(app).main(args=argument_list, prog_name="diamonds", standalone_mode=False)
        return exit_code if isinstance(exit_code, int) else 0
    except UsageError as usage_error:
        sentence = f"{usage_error.format_message().rstrip('.')}. Try: diamonds --help"  # type: ignore[attr-defined]
    except DiamondsError as refusal:
        sentence = i18n.translate(*refusal.message)
    except OSError as error:
        sentence = i18n.translate("terminal-system", {"why": arguments.os_error_text(error)})
    configure_encoding()
    print(arguments.sanitize(" ".join(sentence.split()), 1000), file=sys.stderr)
    return 2
