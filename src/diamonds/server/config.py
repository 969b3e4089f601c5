"""The settings file of a house: its name, its rules, who its hosts are, who may have an account, and for how long games are kept."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from diamonds.errors import DiamondsError
from diamonds.server.accounts.credentials import RegistrationPolicy
from diamonds.server.accounts.passkeys import PublicUrl
from diamonds.server.metrics.logs import FORMS
from diamonds.server.notifications.web_push import PushServiceAllowlist
from diamonds.server.people.glyphs import has_invisible_chars, normalize_line
from diamonds.server.people.names import clean_account_name

CONFIG_FILE_NAME = "house.toml"  # in the data folder
REGISTRATION_MODES = ("open", "invitation", "closed")
MAX_TEXT_CHARS = 20_000  # characters of the rules, and of the imprint
MAX_RETENTION_DAYS = 3660
MAX_LIST_LENGTH = 100


class ServerConfig(NamedTuple):
    """What the file says. ``guest_game_retention_days`` and ``report_retention_days`` 0: for ever. ``hosts`` are names of accounts."""

    name: str = "Diamonds"
    address: str = ""
    rules: str = ""
    imprint: str = ""
    registration: str = "open"
    guest_game_retention_days: int = 0
    moderators: tuple[str, ...] = ()
    metrics: str = ""  # see `parse_metrics_address`
    log: str = ""  # see `logs.FORMS`
    report_retention_days: int = 0
    push_services: tuple[str, ...] = ()  # see `PushServiceAllowlist`
    offline: bool = True  # see `WebClient`

    @property
    def display_name(self) -> str:
        """What a house is called that says anything of itself: a name of its own, rules or an imprint; empty for any other."""
        return self.name if self.rules or self.imprint or self.name != ServerConfig().name else ""

    @property
    def registration_policy(self) -> RegistrationPolicy:
        """Who may have an account."""
        return RegistrationPolicy(self.registration, self.moderators)  # type: ignore[arg-type]


class ConfigError(DiamondsError):
    """The file cannot be used; the sentence says where and what to do."""


def load_config(path: Path) -> ServerConfig:
    """What the file says; `ConfigError` if it is none."""
    try:
        text = path.read_bytes().decode()
        entries = tomllib.loads(text)
    except UnicodeDecodeError:
        raise ConfigError("server-settings-text", file=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError("server-settings-toml", file=str(path), why=str(error)) from None
    values: dict[str, Any] = {}
    for key, value in entries.items():
        line = _line_of(key, text)
        if key not in _CHECKS:
            raise ConfigError(
                "server-settings-unknown", file=str(path), line=line, given=key[:40], known=", ".join(_CHECKS)
            )
        field, error_id, check = _CHECKS[key]
        try:
            values[field] = check(value)
        except (TypeError, ValueError, DiamondsError):
            raise ConfigError(error_id, file=str(path), line=line, name=key) from None
    return ServerConfig(**values)


def find_config(folder: Path | None, path: Path | None = None) -> ServerConfig:
    """The settings in a file that is named, or in the one of a data folder, if there is one."""
    if path is not None:
        if not path.is_file():
            raise ConfigError("server-settings-missing", file=str(path))
        return load_config(path)
    default_path = folder / CONFIG_FILE_NAME if folder else None
    return load_config(default_path) if default_path and default_path.is_file() else ServerConfig()


def _line_of(key: str, text: str) -> int:
    """Where a setting stands, from 1."""
    pattern = re.compile(rf"""^\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1)


def _text(max_chars: int, min_chars: int = 0) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not min_chars <= len(value.strip()) <= max_chars:
            raise ValueError
        return value.strip()

    return check


def _name(value: Any) -> str:
    name = normalize_line(_text(60, 1)(value))
    if has_invisible_chars(name):
        raise ValueError
    return name


def _address(value: Any) -> str:
    text = _text(200)(value)
    if text:
        PublicUrl(text)
    return text


def _registration(value: Any) -> str:
    if value not in REGISTRATION_MODES:
        raise ValueError
    return str(value)


def _days(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MAX_RETENTION_DAYS:
        raise ValueError
    return value


def parse_metrics_address(text: str) -> tuple[str, int]:
    """Where metrics are told: ``9100``, on this machine alone, or ``0.0.0.0:9100``; `DiamondsError` if it is neither."""
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdecimal() or not 0 <= int(port) <= 65_535:
        raise ConfigError("server-settings-where", given=text[:40])
    return host.strip("[]") or "127.0.0.1", int(port)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _metrics(value: Any) -> str:
    text = str(value) if type(value) is int else _text(60)(value)
    parse_metrics_address(text or "0")
    return text


def _log(value: Any) -> str:
    if value not in FORMS:
        raise ValueError
    return str(value)


def _moderators(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAX_LIST_LENGTH or not all(isinstance(name, str) for name in value):
        raise ValueError
    return tuple(clean_account_name(name) for name in value)


def _push_services(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAX_LIST_LENGTH or not all(isinstance(name, str) for name in value):
        raise ValueError
    PushServiceAllowlist(value)
    return tuple(value)


# By setting: its field of `ServerConfig`, the message for a wrong value, and its check.
_CHECKS: dict[str, tuple[str, str, Callable[[Any], Any]]] = {
    "name": ("name", "server-settings-name", _name),
    "address": ("address", "server-settings-address", _address),
    "rules": ("rules", "server-settings-long", _text(MAX_TEXT_CHARS)),
    "imprint": ("imprint", "server-settings-long", _text(MAX_TEXT_CHARS)),
    "registration": ("registration", "server-settings-registration", _registration),
    "keep_guests_games_days": ("guest_game_retention_days", "server-settings-days", _days),
    "keep_reports_days": ("report_retention_days", "server-settings-days", _days),
    "push_hosts": ("push_services", "server-settings-push-hosts", _push_services),
    "hosts": ("moderators", "server-settings-moderators", _moderators),
    "metrics": ("metrics", "server-settings-metrics", _metrics),
    "log": ("log", "server-settings-log", _log),
    "offline": ("offline", "server-settings-flag", _flag),
}
