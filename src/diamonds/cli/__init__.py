"""The command line ``diamonds``.

Each command parses its arguments and calls `diamonds.terminal` or the server. An error is one sentence on stderr, with exit
code 2.
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
    import rich  # noqa: F401 — the error is the same without Rich or Typer
    import typer
except ModuleNotFoundError:
    print("The command line needs Typer and Rich. Install Diamonds with the extra 'table'.", file=sys.stderr)
    raise SystemExit(2) from None

from diamonds import __version__, i18n
from diamonds.cli.admin import admin
from diamonds.cli.options import (
    AllBotsArg,
    AllowedHostOption,
    BotDelayOption,
    BotsArg,
    BotsFlag,
    ConfigOption,
    DatabaseOption,
    DataDirArg,
    GameNameArg,
    HostOption,
    HttpsFlag,
    InternalAddressOption,
    LogFormatOption,
    LogLevelOption,
    MetricsAddressOption,
    OpenFlag,
    OptionsArg,
    PlainArg,
    PortOption,
    PortPerWorkerFlag,
    ProcessesOption,
    PublicUrlOption,
    RayOption,
    RecordFileArg,
    SeatArg,
    SeatsArg,
    SeedArg,
    ServedBotsOption,
    TrustedProxiesOption,
    WorkersOption,
)
from diamonds.cli.puzzles import puzzles
from diamonds.daily_deals import DAILY_GAMES, current_day
from diamonds.errors import DiamondsError, InvalidInputError, NotFoundError, RulesVersionError
from diamonds.game import GAMES, Game, find_game
from diamonds.terminal import arguments, replay, rulebook, simulate
from diamonds.terminal.open_session import SessionOptions, open_session
from diamonds.terminal.playthrough import Playthrough
from diamonds.terminal.save_file import server_data_dir
from diamonds.terminal.screen import Screen, configure_encoding

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, suggest_commands=True)

# New names of renamed environment variables.
RENAMED_VARIABLES = {
    "ADDRESS": "PUBLIC_URL",
    "DATA": "DATA_DIR",
    "INNER": "INTERNAL_ADDRESS",
    "LOG": "LOG_FORMAT",
    "METRICS": "METRICS_ADDRESS",
    "NAMES": "ALLOWED_HOSTS",
    "PORT_EACH": "PORT_PER_WORKER",
    "PROXIES": "TRUSTED_PROXIES",
    "SECURE": "HTTPS",
    "SETTINGS": "CONFIG",
    "STORE": "DATABASE",
    "THINK": "BOT_DELAY",
}


def _parse_seats(game: Game, text: str | None) -> int:
    return game.default_seats if text is None else game.check_seats(arguments.whole_number(text, "terminal-what-seats"))


def _parse_seed(text: str) -> int:
    return arguments.whole_number(text, "terminal-what-seed")


def _parse_processes(text: str | None) -> int | None:
    return None if text is None else arguments.whole_number(text, "terminal-what-processes", 1, 256)


@app.command()
def play(
    game: GameNameArg,
    seats: SeatsArg = None,
    option: OptionsArg = None,
    bot: BotsArg = None,
    seed: SeedArg = None,
    seat: SeatArg = None,
    file: Annotated[Path | None, typer.Option(metavar="PATH", help="Save the game in this file.")] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Start a new game; keep an unfinished one under a numbered name.")
    ] = False,
    plain: PlainArg = False,
) -> None:
    """Play against bots in the terminal, or continue an unfinished game."""
    chosen_game = find_game(game)
    request = SessionOptions(
        seats=None if seats is None else chosen_game.check_seats(arguments.whole_number(seats, "terminal-what-seats")),
        options=tuple(option or ()),
        bots=tuple(bot or ()),
        seed=None if seed is None else _parse_seed(seed),
        seat=None if seat is None else arguments.whole_number(seat, "terminal-what-seat", 0, chosen_game.seats[-1] - 1),
    )
    open_session(chosen_game, request, file, new, Screen(plain)).play()


@app.command(name="today")
def play_today(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help=f"{' | '.join(DAILY_GAMES)}; without it, a list.")
    ] = None,
    day: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="An earlier day, as practice, which affects no streak.")
    ] = None,
    plain: PlainArg = False,
) -> None:
    """Play a deal of the day: the same cards for everyone (docs/today.md)."""
    from diamonds.terminal import today

    now = current_day()
    chosen = today.check_day(day, now) if day is not None else now
    if game is None:
        today.list_deals(chosen, now, Screen(plain))
    else:
        today.play_deal(chosen, now, find_game(game), Screen(plain))


@app.command(name="simulate")
def simulate_games(
    game: GameNameArg,
    seats: SeatsArg = None,
    option: OptionsArg = None,
    games: Annotated[str, typer.Option(metavar="N", help="The number of games.")] = "1000",
    bot: AllBotsArg = None,
    seed: SeedArg = "0",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FILE", help="Write the records here, one a line.")
    ] = None,
    processes: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="The number of processes; by default one for each core if there are many games."
        ),
    ] = None,
    ray: RayOption = None,
) -> None:
    """Simulate games between bots: scores, win rates with 95 % intervals, and speed."""
    chosen_game = find_game(game)
    seat_count = _parse_seats(chosen_game, seats)
    options = chosen_game.check_options(seat_count, arguments.parse_options(option or ()))
    players = arguments.parse_bots(bot or (), seat_count, chosen_game)
    number = arguments.whole_number(games, "terminal-what-games", 1, 100_000_000)
    screen = Screen()
    result = simulate.simulate(
        chosen_game, seat_count, options, players, number, _parse_seed(seed or ""), records,
        _parse_processes(processes), ray,
    )  # fmt: skip
    if as_json:
        print(json.dumps(result))
    else:
        simulate.show_summary(result, screen)


@app.command(name="export")
def export_data(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Records of finished games: one a file, or one a line.")
    ],
    games: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write a row for each game here: .jsonl or .parquet.")
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write a row for each decision here: .jsonl or .parquet.")
    ] = None,
    worlds: Annotated[
        str, typer.Option(metavar="N", help="Compute the worth of every legal answer in N worlds; 0 for none.")
    ] = "0",
    processes: ProcessesOption = None,
    ray: RayOption = None,
) -> None:
    """Export records as data for learning: games, and decisions with features and hidden truth (docs/lab.md)."""
    from diamonds.lab.pool import open_pool
    from diamonds.terminal import export

    world_count = arguments.whole_number(worlds, "terminal-what-worlds", 0, 100_000)
    with open_pool(_parse_processes(processes), ray) as pool:
        counts = export.export(files, games, decisions, world_count, pool)
    print(i18n.translate("export-done", {"games": str(counts[0]), "decisions": str(counts[1])}))


@app.command(name="arena")
def arena_match(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=" | ".join(GAMES))] = None,
    bots: Annotated[
        list[str] | None,
        typer.Argument(metavar="BOT...", help="One bot for each seat, or module:factory (docs/lab.md)."),
    ] = None,
    option: OptionsArg = None,
    blocks: Annotated[str, typer.Option(metavar="N", help="Deals, each played in every rotation of the bots.")] = "40",
    first_block: Annotated[
        str, typer.Option(metavar="K", help="The first block to play, from 0: other machines play the others.")
    ] = "0",
    seed: SeedArg = "1",
    gain: Annotated[
        str | None, typer.Option(metavar="X", help="Stop once the first bot's margin is known to be 0 or X.")
    ] = None,
    processes: ProcessesOption = None,
    ray: RayOption = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the result with all blocks here.")
    ] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="Join --json files with different blocks of one match.")
    ] = False,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a chart of the margins here, as SVG.")
    ] = None,
    tables: Annotated[
        bool,
        typer.Option(
            "--tables", help="Play the matches missing from docs/measurements.md: all, or the named tables and rows."
        ),
    ] = False,
    benchmark: Annotated[
        bool, typer.Option("--benchmark", help="Measure each of the named bots against fixed opponents on fixed deals.")
    ] = False,
    scale: Annotated[str, typer.Option(metavar="X", help="With --tables: multiply the number of blocks.")] = "1",
) -> None:
    """Match bots over duplicate deals: margins, places and wins with 95 % intervals, and CPU time (docs/lab.md)."""
    from diamonds.lab import arena_report
    from diamonds.lab.pool import open_pool
    from diamonds.terminal import arena

    screen, names = Screen(), [*([game] if game else []), *(bots or [])]
    block_count = arguments.whole_number(blocks, "terminal-what-blocks", 2, 1_000_000)
    with open_pool(1 if merge else _parse_processes(processes), None if merge else ray) as pool:
        if tables:
            arena.update_tables(names, arena.parse_positive(scale, "terminal-what-scale"), pool, screen)
            return
        if benchmark:
            for text in arena.play_benchmark(names, block_count, pool, json_file):
                print(text)
            return
        if merge:
            run = arena.merge_files(names)
        else:
            run = arena.play_match(
                find_game(game).name,
                bots or [],
                arguments.parse_options(option or ()),
                block_count,
                _parse_seed(seed or ""),
                None if gain is None else arena.parse_positive(gain, "terminal-what-gain"),
                pool,
                arguments.whole_number(first_block, "terminal-what-first-block", 0, 1_000_000_000),
            )
    print(arena_report.result_text(run.result()))
    arena.write_files(run, json_file, chart)


@app.command(name="exploitability")
def measure_exploitability(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="crystals | fourteen; by default both")] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot", metavar="BOT", help="A bot, module:factory, or search:WORLDS; may be repeated. By default all."
        ),
    ] = None,
    samples: Annotated[
        str, typer.Option(metavar="N", help="How often a bot answers each decision, for each cut.")
    ] = "40",
    cuts: Annotated[
        str, typer.Option(metavar="N", help="The number of cuts; they determine which suits a level prefers.")
    ] = "1",
    seed: SeedArg = "1",
    chart: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a chart here, as SVG.")] = None,
) -> None:
    """Solve games of eight cards exactly, and measure how much can be won from bots in them (docs/lab.md)."""
    from diamonds.terminal import exploitability

    sample_count = arguments.whole_number(samples, "terminal-what-samples", 2, 1_000_000)
    cut_count = arguments.whole_number(cuts, "terminal-what-cuts", 1, 1_000)
    for text in exploitability.measure(game, bot or [], sample_count, cut_count, _parse_seed(seed or ""), chart):
        print(text)


@app.command(name="train")
def train_policy(
    game: Annotated[str, typer.Argument(metavar="GAME", help="crystals")],
    rounds: Annotated[
        str | None, typer.Option(metavar="N", help="The rounds of training for each number of players.")
    ] = None,
    seed: SeedArg = "1",
    processes: ProcessesOption = None,
    ray: RayOption = None,
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The folder for progress; training resumes from there.")
    ] = Path("training"),
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write this file, not the one in the package.")
    ] = None,
) -> None:
    """Train the bots' policy for crystals (docs/lab.md)."""
    from diamonds.lab.pool import open_pool
    from diamonds.terminal import train

    if find_game(game).name != "crystals":
        raise InvalidInputError("terminal-only-crystals")
    round_count = None if rounds is None else arguments.whole_number(rounds, "terminal-what-rounds", 2, 100_000_000)
    with open_pool(_parse_processes(processes), ray) as pool:
        print(f"Written: {train.train(folder, round_count, _parse_seed(seed or ''), pool, out)}")


@app.command()
def playthrough(
    game: GameNameArg,
    seats: SeatsArg = None,
    option: OptionsArg = None,
    seed: SeedArg = "0",
    answers: Annotated[
        str | None, typer.Option(metavar="FILE", help="A file of answers, one a line; - reads standard input.")
    ] = None,
    bot: AllBotsArg = None,
) -> None:
    """Print a whole game as JSON lines for other programs; without --answers or --bot, answers are random."""
    chosen_game = find_game(game)
    seat_count = _parse_seats(chosen_game, seats)
    if bot and answers is not None:
        raise InvalidInputError("terminal-bot-or-answers")
    configure_encoding()
    playthrough_run = Playthrough(
        chosen_game,
        seat_count,
        arguments.parse_options(option or ()),
        _parse_seed(seed or ""),
        sys.stdout,
        arguments.parse_bots(bot, seat_count, chosen_game) if bot else (),
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
    at: Annotated[str | None, typer.Option("--at", metavar="N", help="Show only the position after N answers.")] = None,
    seat: Annotated[str | None, typer.Option(metavar="K", help="Show only what this seat could know.")] = None,
    plain: PlainArg = False,
) -> None:
    """Show a record step by step, or the position after some answers."""
    screen = Screen(plain)
    try:
        played = arguments.load_record_file(file)
    except RulesVersionError as error:
        if at is not None or seat is not None:
            raise
        return replay.show_unverified(arguments.load_unverified_file(file), i18n.translate(*error.message), screen)
    viewer = None if seat is None else arguments.whole_number(seat, "terminal-what-seat", 0, played.seats - 1)
    if at is None:
        replay.show_steps(played, viewer, screen)
    else:
        replay.show_position(played, arguments.whole_number(at, "terminal-what-answers", 0, played.n), viewer, screen)


@app.command()
def verify(file: RecordFileArg, bots: BotsFlag = False, plain: PlainArg = False) -> None:
    """Verify a record: deal its cards again, replay its answers, and compare."""
    played, screen = arguments.load_record_file(file), Screen(plain)
    for sentence in replay.verification_text(played):
        screen.print_line(sentence)
    if bots:
        screen.print_line(replay.bot_verification_text(played))


@app.command()
def rules(game: GameNameArg, plain: PlainArg = False) -> None:
    """Show the rules of a game."""
    rulebook.show_rules(find_game(game), Screen(plain))


@app.command()
def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = "8000",
    data_dir: DataDirArg = None,
    open_browser: OpenFlag = False,
    trusted_proxies: TrustedProxiesOption = "0",
    https: HttpsFlag = False,
    bot_delay: BotDelayOption = "",
    allowed_host: AllowedHostOption = None,
    public_url: PublicUrlOption = "",
    config: ConfigOption = None,
    metrics_address: MetricsAddressOption = "",
    log_format: LogFormatOption = "",
    log_level: LogLevelOption = "",
    database: DatabaseOption = "",
    workers: WorkersOption = "1",
    port_per_worker: PortPerWorkerFlag = False,
    internal_address: InternalAddressOption = "",
    bot: ServedBotsOption = None,
) -> None:
    """Serve the web client: play in a browser, alone or with friends (docs/hosting.md)."""
    from diamonds.server import main as server  # only the server needs its libraries

    options = server.ServerOptions(
        host,
        arguments.whole_number(port, "terminal-what-port", 0, 65_535),
        data_dir or server_data_dir(),
        open_browser=open_browser,
        trusted_proxies=arguments.whole_number(trusted_proxies, "terminal-what-proxies", 0, 9),
        https=https,
        bot_delay=server.parse_bot_delay(bot_delay),
        allowed_host=allowed_host or (),
        public_url=public_url,
        config=config,
        metrics_address=metrics_address,
        log_format=log_format,
        log_level=log_level,
        database=database,
        workers=arguments.whole_number(workers, "terminal-what-workers", 1, 64),
        internal_address=internal_address,
        port_per_worker=port_per_worker,
        bot=bot or (),
    )
    server.serve(options)


@app.command(name="build-site")
def write_static_site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new or empty folder, or an earlier static site.")],
) -> None:
    """Build a static site for any web server: all games against bots, without a Diamonds server (docs/hosting.md)."""
    from diamonds.terminal import build_site as files

    files.build_site(folder, Screen())


app.add_typer(admin, name="admin")
app.add_typer(puzzles, name="puzzles")


@app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def bench(context: typer.Context) -> None:
    """Run the benchmarks of the source tree; bench/run.py gets the arguments."""
    script = Path(__file__).parents[3] / "bench" / "run.py"
    if not script.is_file():
        raise NotFoundError("terminal-no-benchmarks", path=str(script))
    sys.path.insert(0, str(script.parent))
    raise typer.Exit(runpy.run_path(str(script))["main"](context.args) or 0)


@app.command(name="build-wasm")
def build_modules(
    game: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help=" | ".join(GAMES))] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The output folder; by default beside the web client.")
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="Build only this kind; may be repeated.")
    ] = None,
) -> None:
    """Compile rules and bots to WebAssembly, from the same functions as the server's kernels."""
    from diamonds.server.jobs.worker_pool import FOLDER
    from diamonds.terminal import build_wasm
    from diamonds.wasm import KINDS

    build_wasm.build_wasm([find_game(name) for name in game or GAMES], out or FOLDER, kind or KINDS)


def _check_environment() -> None:
    """Raise `InvalidInputError` if an environment variable has its old name, because it would be ignored."""
    for old, new in RENAMED_VARIABLES.items():
        if f"DIAMONDS_{old}" in os.environ:
            raise InvalidInputError("terminal-old-variable", old=f"DIAMONDS_{old}", new=f"DIAMONDS_{new}")


def set_cli_language(language: str | None) -> None:
    """Set the language to the given one, or to the system's if it has a catalog."""
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
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
    language: Annotated[
        str | None, typer.Option(metavar="LANGUAGE", help="The language, en or de; by default that of the system.")
    ] = None,
) -> None:
    """Three card games called Diamonds: crystals, fourteen and mines."""
    set_cli_language(language)
    _check_environment()
    if version:
        rules = ", ".join(f"{game.name} {game.version}" for game in GAMES.values())
        print(f"diamonds {__version__}; versions of the rules: {rules}")
        raise typer.Exit(0)


# Click raises this for a wrong command line. Newer Typer versions contain their own Click, so the base class is looked up:
# BadParameter, UsageError, ClickException.
UsageError: type[Exception] = typer.BadParameter.__mro__[2]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Return its exit code: 0, or 2 after an error."""
    argument_list = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    try:
        exit_code = typer.main.get_command(app).main(args=argument_list, prog_name="diamonds", standalone_mode=False)
        return exit_code if isinstance(exit_code, int) else 0
    except UsageError as usage_error:
        context = getattr(usage_error, "ctx", None)
        problem = usage_error.format_message()  # type: ignore[attr-defined]
        sentence = f"{problem}{'' if problem.endswith(('.', '?')) else '.'} Try: {context.command_path if context else 'diamonds'} --help"
    except DiamondsError as error:
        sentence = i18n.translate(*error.message)
    except OSError as error:
        sentence = i18n.translate("terminal-system", {"why": arguments.os_error_text(error)})
    configure_encoding()
    print(arguments.sanitize(" ".join(sentence.split()), 1000), file=sys.stderr)
    return 2
