"""The settings file of a house: its name, its rules, who its hosts are, who may have an account, and for how long games are kept."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from diamonds.game import Refused
from diamonds.server.house.invitations import Registration
from diamonds.server.house.passkeys import Address
from diamonds.server.reminding.services import Services
from diamonds.server.table.glyphs import hides_something, spell
from diamonds.server.table.names import own_name
from diamonds.server.watching.logs import FORMS

FILE = "house.toml"  # in the data folder
REGISTRATIONS = ("open", "invitation", "closed")
MOST_TEXT = 20_000  # characters of the rules, and of the imprint
MOST_DAYS = 3660
MOST_HOSTS = 100


class HouseSettings(NamedTuple):
    """What the file says. ``keep_guests_games_days`` and ``keep_reports_days`` 0: for ever. ``hosts`` are names of accounts."""

    name: str = "Diamonds"
    address: str = ""
    rules: str = ""
    imprint: str = ""
    registration: str = "open"
    keep_guests_games_days: int = 0
    hosts: tuple[str, ...] = ()
    metrics: str = ""  # see `read_where`
    log: str = ""  # see `logs.FORMS`
    keep_reports_days: int = 0
    push_hosts: tuple[str, ...] = ()  # see `Services`
    offline: bool = True  # see `Page`

    @property
    def called(self) -> str:
        """What a house is called that says anything of itself: a name of its own, rules or an imprint; empty for any other."""
        return self.name if self.rules or self.imprint or self.name != HouseSettings().name else ""

    @property
    def entry(self) -> Registration:
        """Who may have an account."""
        return Registration(self.registration, self.hosts)  # type: ignore[arg-type]


class BadSettings(Refused):
    """The file cannot be used; the sentence says where and what to do."""


def read_settings(path: Path) -> HouseSettings:
    """What the file says; `BadSettings` if it is none."""
    try:
        text = path.read_bytes().decode()
        told = tomllib.loads(text)
    except UnicodeDecodeError:
        raise BadSettings("order-settings-text", file=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise BadSettings("order-settings-toml", file=str(path), why=str(error)) from None
    found: dict[str, Any] = {}
    for key, value in told.items():
        line = _line_of(key, text)
        if key not in _CHECKS:
            raise BadSettings(
                "order-settings-unknown", file=str(path), line=line, given=key[:40], known=", ".join(_CHECKS)
            )
        wanted, check = _CHECKS[key]
        try:
            found[key] = check(value)
        except (TypeError, ValueError, Refused):
            raise BadSettings(wanted, file=str(path), line=line, name=key) from None
    return HouseSettings(**found)


def settings_of(folder: Path | None, path: Path | None = None) -> HouseSettings:
    """The settings in a file that is named, or in the one of a data folder, if there is one."""
    if path is not None:
        if not path.is_file():
            raise BadSettings("order-settings-missing", file=str(path))
        return read_settings(path)
    usual = folder / FILE if folder else None
    return read_settings(usual) if usual and usual.is_file() else HouseSettings()


def _line_of(key: str, text: str) -> int:
    """Where a setting stands, from 1."""
    stands = re.compile(rf"""^\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if stands.match(line)), 1)


def _text(most: int, least: int = 0) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not least <= len(value.strip()) <= most:
            raise ValueError
        return value.strip()

    return check


def _name(value: Any) -> str:
    name = spell(_text(60, 1)(value))
    if hides_something(name):
        raise ValueError
    return name


def _address(value: Any) -> str:
    text = _text(200)(value)
    if text:
        Address(text)
    return text


def _registration(value: Any) -> str:
    if value not in REGISTRATIONS:
        raise ValueError
    return str(value)


def _days(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MOST_DAYS:
        raise ValueError
    return value


def read_where(text: str) -> tuple[str, int]:
    """Where metrics are told: ``9100``, on this machine alone, or ``0.0.0.0:9100``; `Refused` if it is neither."""
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdecimal() or not 0 <= int(port) <= 65_535:
        raise BadSettings("order-settings-where", given=text[:40])
    return host.strip("[]") or "127.0.0.1", int(port)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _metrics(value: Any) -> str:
    text = str(value) if type(value) is int else _text(60)(value)
    read_where(text or "0")
    return text


def _log(value: Any) -> str:
    if value not in FORMS:
        raise ValueError
    return str(value)


def _hosts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_HOSTS or not all(isinstance(one, str) for one in value):
        raise ValueError
    return tuple(own_name(one) for one in value)


def _push_hosts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_HOSTS or not all(isinstance(one, str) for one in value):
        raise ValueError
    Services(value)
    return tuple(value)


# By setting: what is said if it is wrong, and what it is made of.
_CHECKS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "name": ("order-settings-name", _name),
    "address": ("order-settings-address", _address),
    "rules": ("order-settings-long", _text(MOST_TEXT)),
    "imprint": ("order-settings-long", _text(MOST_TEXT)),
    "registration": ("order-settings-registration", _registration),
    "keep_guests_games_days": ("order-settings-days", _days),
    "keep_reports_days": ("order-settings-days", _days),
    "push_hosts": ("order-settings-push-hosts", _push_hosts),
    "hosts": ("order-settings-hosts", _hosts),
    "metrics": ("order-settings-metrics", _metrics),
    "log": ("order-settings-log", _log),
    "offline": ("order-settings-flag", _flag),
}
