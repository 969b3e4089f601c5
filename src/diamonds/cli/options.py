"""Options and arguments shared by several commands, and those of ``diamonds serve``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from diamonds.game import GAMES

# Options of several commands. `terminal.arguments` parses numbers, so that each invalid one gets a specific error.
GameNameArg = Annotated[str, typer.Argument(metavar="GAME", help=" | ".join(GAMES))]
SeatsArg = Annotated[str | None, typer.Option(metavar="N", help="The number of players.")]
OptionsArg = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="A game option; may be repeated.")
]
BotsArg = Annotated[
    list[str] | None,
    typer.Option(
        "--bot", metavar="BOT", help="A bot for the other seats, or module:factory (docs/lab.md); may be repeated."
    ),
]
AllBotsArg = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="BOT",
        help="A bot for each seat in turn, or module:factory (docs/lab.md); fewer bots are repeated.",
    ),
]
SeedArg = Annotated[str | None, typer.Option(metavar="S", help="A whole number that determines the cards.")]
SeatArg = Annotated[str | None, typer.Option(metavar="K", help="Your seat, from 0.")]
PlainArg = Annotated[bool, typer.Option("--plain", help="Plain lines of text, for a screen reader.")]
BotsFlag = Annotated[bool, typer.Option("--bots", help="Also recompute all answers of bots.")]
RecordFileArg = Annotated[Path, typer.Argument(metavar="FILE", help="A record.")]
ProcessesOption = Annotated[
    str | None, typer.Option(metavar="N", help="The number of processes; by default one for each core.")
]
RayOption = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Run on the Ray cluster at ADDRESS, or auto (docs/lab.md).")
]
DataDirArg = Annotated[
    Path | None, typer.Option(metavar="FOLDER", envvar="DIAMONDS_DATA_DIR", help="The data folder of the server.")
]

# Options of `diamonds serve`.
HostOption = Annotated[
    str, typer.Option(envvar="DIAMONDS_HOST", help="The address to listen on; 0.0.0.0 for the whole network.")
]
PortOption = Annotated[str, typer.Option(metavar="N", envvar="DIAMONDS_PORT", help="The port; 0 for any free one.")]
OpenFlag = Annotated[bool, typer.Option("--open", help="Open the page in a browser.")]
TrustedProxiesOption = Annotated[
    str,
    typer.Option(
        metavar="N",
        envvar="DIAMONDS_TRUSTED_PROXIES",
        help="The number of reverse proxies in front, whose X-Forwarded-For is trusted.",
    ),
]
HttpsFlag = Annotated[
    bool, typer.Option("--https", envvar="DIAMONDS_HTTPS", help="Browsers reach the server by HTTPS.")
]
BotDelayOption = Annotated[
    str,
    typer.Option(
        metavar="MIN,MAX",
        envvar="DIAMONDS_BOT_DELAY",
        help="The seconds before a bot answers, whatever the table's bot speed.",
    ),
]
ServedBotsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="LEVEL=MODULE:FACTORY",
        envvar="DIAMONDS_BOTS",
        help="A bot of your own that players may choose; may be repeated.",
    ),
]
AllowedHostOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", envvar="DIAMONDS_ALLOWED_HOSTS", help="A further host name of the server; may be repeated."
    ),
]
PublicUrlOption = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="DIAMONDS_PUBLIC_URL",
        help="The address in browsers, https://diamonds.example; passkeys need one.",
    ),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", envvar="DIAMONDS_CONFIG", help="The settings file; by default server.toml in the data folder."
    ),
]
MetricsAddressOption = Annotated[
    str,
    typer.Option(
        metavar="PORT",
        envvar="DIAMONDS_METRICS_ADDRESS",
        help="Serve metrics for Prometheus at PORT, or at ADDRESS:PORT.",
    ),
]
LogFormatOption = Annotated[
    str,
    typer.Option(metavar="FORMAT", envvar="DIAMONDS_LOG_FORMAT", help="The format of the log: plain, console or json."),
]
LogLevelOption = Annotated[
    str,
    typer.Option(
        metavar="LEVEL", envvar="DIAMONDS_LOG_LEVEL", help="The level of the log: debug, info, warning or error."
    ),
]
DatabaseOption = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="DIAMONDS_DATABASE",
        help="Store everything but the keys in postgresql://USER@HOST/DATABASE.",
    ),
]
WorkersOption = Annotated[
    str, typer.Option(metavar="N", envvar="DIAMONDS_WORKERS", help="The number of processes, with --database.")
]
PortPerWorkerFlag = Annotated[
    bool,
    typer.Option(
        "--port-per-worker",
        envvar="DIAMONDS_PORT_PER_WORKER",
        help="Give each of the --workers its own port, from --port on, for a proxy that routes by table.",
    ),
]
InternalAddressOption = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        envvar="DIAMONDS_INTERNAL_ADDRESS",
        help="The address of this machine for other machines with the same --database.",
    ),
]
