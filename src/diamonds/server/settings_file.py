"""The settings file of a server: its name, rules, moderators, registration policy and retention."""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, NamedTuple

from diamonds.errors import DiamondsError
from diamonds.server.accounts.passkeys import PublicOrigin
from diamonds.server.accounts.registration import RegistrationPolicy
from diamonds.server.metrics.logs import FORMS
from diamonds.server.notifications.web_push import PushServiceAllowlist
from diamonds.server.people.display_names import clean_account_name
from diamonds.server.people.invisible_characters import has_invisible_chars, normalize_line

CONFIG_FILE_NAME = "server.toml"  # in the data folder
OLD_CONFIG_FILE_NAME = "house.toml"  # still read, with a warning
RENAMED_KEYS = {  # by old name; still read, with a warning
    "address": "public_url",
    "keep_guests_games_days": "guest_game_retention_days",
    "keep_reports_days": "report_retention_days",
    "hosts": "moderators",
    "push_hosts": "push_services",
    "metrics": "metrics_address",
    "log": "log_format",
}
REGISTRATION_MODES = ("open", "invitation", "closed")
MAX_TEXT_CHARS = 20_000  # limit for the rules and for the imprint
MAX_RETENTION_DAYS = 3660
MAX_LIST_LENGTH = 100

log = logging.getLogger("diamonds")


class TomlSettings(NamedTuple):
    """The settings of a server, by their keys in the file.

    A retention of 0 days keeps everything. Moderators are account names.
    """

    name: str = "Diamonds"
    public_url: str = ""
    rules: str = ""
    imprint: str = ""
    registration: str = "open"
    guest_game_retention_days: int = 0
    moderators: tuple[str, ...] = ()
    metrics_address: str = ""  # see `parse_metrics_address`
    log_format: str = ""  # see `logs.FORMS`
    report_retention_days: int = 0
    push_services: tuple[str, ...] = ()  # see `PushServiceAllowlist`
    offline: bool = True  # see `WebClientFiles`

    @property
    def display_name(self) -> str:
        """The name of a server that has set a name, rules or an imprint; otherwise empty."""
        return self.name if self.rules or self.imprint or self.name != TomlSettings().name else ""

    @property
    def registration_policy(self) -> RegistrationPolicy:
        """The policy for new accounts."""
        return RegistrationPolicy(self.registration, self.moderators)  # type: ignore[arg-type]


class ConfigError(DiamondsError):
    """The settings file is unusable."""


def load_config(path: Path) -> TomlSettings:
    """Read a settings file. Raise `ConfigError` if it is unusable."""
    text, entries = _read_toml(path)
    values: dict[str, Any] = {}
    for key, value in entries.items():
        line = _line_of(key, text)
        name = RENAMED_KEYS.get(key, key)
        if name in values:
            raise ConfigError("server-settings-twice", file=str(path), line=line, old=_old_name(name), new=name)
        if name not in _CHECKS:
            raise ConfigError(
                "server-settings-unknown", file=str(path), line=line, given=key[:40], known=", ".join(_CHECKS)
            )
        error_id, check = _CHECKS[name]
        try:
            values[name] = check(value)
        except (TypeError, ValueError, DiamondsError):
            raise ConfigError(error_id, file=str(path), line=line, name=key) from None
    return TomlSettings(**values)


def find_config(folder: Path | None, path: Path | None = None) -> TomlSettings:
    """Read the given settings file, or the one in the data folder if there is one."""
    found = config_path(folder, path)
    return load_config(found) if found else TomlSettings()


def config_path(folder: Path | None, path: Path | None = None) -> Path | None:
    """Return the settings file of a server, if it has one.

    Raise `ConfigError` if the given file is missing, or if the folder has files of both names.
    """
    if path is not None:
        if not path.is_file():
            raise ConfigError("server-settings-missing", file=str(path))
        return path
    names = (CONFIG_FILE_NAME, OLD_CONFIG_FILE_NAME)
    found = [folder / name for name in names if (folder / name).is_file()] if folder else []
    if len(found) > 1:
        raise ConfigError("server-settings-both", folder=str(folder), old=OLD_CONFIG_FILE_NAME, new=CONFIG_FILE_NAME)
    return found[0] if found else None


def warn_of_old_names(folder: Path | None, path: Path | None = None) -> None:
    """Log outdated names of settings, and of the file itself."""
    found = config_path(folder, path)
    if found is None:
        return
    if path is None and found.name == OLD_CONFIG_FILE_NAME:
        log.warning("%s is read, but its name is now %s. Rename it.", found, CONFIG_FILE_NAME)
    text, entries = _read_toml(found)
    for key in entries:
        if key in RENAMED_KEYS:
            where = f"{found}, line {_line_of(key, text)}"
            log.warning("%s: the setting %s is now called %s. Rename it.", where, key, RENAMED_KEYS[key])


def _read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a TOML file and its entries."""
    try:
        text = path.read_bytes().decode()
        return text, tomllib.loads(text)
    except UnicodeDecodeError:
        raise ConfigError("server-settings-text", file=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError("server-settings-toml", file=str(path), why=str(error)) from None


def _old_name(name: str) -> str:
    """Return the old name of a renamed setting."""
    return next(old for old, new in RENAMED_KEYS.items() if new == name)


def _line_of(key: str, text: str) -> int:
    """Return the line of a setting, counted from 1."""
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


def _public_url(value: Any) -> str:
    text = _text(200)(value)
    if text:
        PublicOrigin(text)
    return text


def _one_of(known: Collection[str]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in known:
            raise ValueError
        return str(value)

    return check


def _days(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MAX_RETENTION_DAYS:
        raise ValueError
    return value


def parse_metrics_address(text: str) -> tuple[str, int]:
    """Parse `9100`, for this machine only, or `0.0.0.0:9100`. Raise `ConfigError` otherwise."""
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdecimal() or not 0 <= int(port) <= 65_535:
        raise ConfigError("server-settings-where", given=text[:40])
    return host.strip("[]") or "127.0.0.1", int(port)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _metrics_address(value: Any) -> str:
    text = str(value) if type(value) is int else _text(60)(value)
    parse_metrics_address(text or "0")
    return text


def _names(value: Any) -> list[str]:
    if not isinstance(value, list) or len(value) > MAX_LIST_LENGTH or not all(isinstance(name, str) for name in value):
        raise ValueError
    return value


def _moderators(value: Any) -> tuple[str, ...]:
    return tuple(map(clean_account_name, _names(value)))


def _push_services(value: Any) -> tuple[str, ...]:
    PushServiceAllowlist(_names(value))
    return tuple(value)


# For each setting: the error for a wrong value, and the check.
_CHECKS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "name": ("server-settings-name", _name),
    "public_url": ("server-settings-address", _public_url),
    "rules": ("server-settings-long", _text(MAX_TEXT_CHARS)),
    "imprint": ("server-settings-long", _text(MAX_TEXT_CHARS)),
    "registration": ("server-settings-registration", _one_of(REGISTRATION_MODES)),
    "guest_game_retention_days": ("server-settings-days", _days),
    "report_retention_days": ("server-settings-days", _days),
    "push_services": ("server-settings-push-hosts", _push_services),
    "moderators": ("server-settings-moderators", _moderators),
    "metrics_address": ("server-settings-metrics", _metrics_address),
    "log_format": ("server-settings-log", _one_of(FORMS)),
    "offline": ("server-settings-flag", _flag),
}
