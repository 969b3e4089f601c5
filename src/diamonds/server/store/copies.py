"""A whole moment of a house as one file, and back again. The house may be open meanwhile: nothing here waits for it, nor it for this.

A backup is a tar archive of the database, the keys and the settings, with a checksum of each; whoever can read it sees every hand.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw

from diamonds.game import Refused, Unknown
from diamonds.server.store import moving, schema
from diamonds.server.store.moving import DATABASE
from diamonds.server.store.sqlite import check_file_unmarked

KEPT = (DATABASE, "secret_key", "push_key", "house.toml")
CHECKSUMS = "checksums.json"
LAST_BACKUP = "last_backup"  # an empty file: its time is that of the last backup
PIECE = 1 << 20  # bytes


class NoBackup(Refused):
    """The file is no backup, or not the one that was written."""


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[apsw.Connection]:
    """The database of a house, to be looked at; `Unknown` if there is none."""
    path = folder / DATABASE
    if not path.is_file():
        raise Unknown("order-no-house", folder=str(folder))
    connection = apsw.Connection(
        str(path), flags=apsw.SQLITE_OPEN_READWRITE
    )  # a reader alone could not use the WAL of a closed house
    try:
        connection.set_busy_timeout(5000)
        connection.pragma("query_only", True)
        yield connection
    finally:
        connection.close()


def counts(folder: Path, address: str = "") -> dict[str, int]:
    """How much a house holds; ``address`` is that of its PostgreSQL, if it is kept there."""
    if address:
        with moving.open_or_closed(address) as place:
            return _counts(place.number, schema.VERSION, place.number("pg_database_size(current_database())"))
    with reading(folder) as connection:
        check_file_unmarked(connection, folder)
        size = sum(path.stat().st_size for path in folder.glob(f"{DATABASE}*"))
        return _counts(
            lambda what: int(connection.execute(f"SELECT {what}").get), int(connection.pragma("user_version")), size
        )


def _counts(number: Callable[[str], int], version: int, size: int) -> dict[str, int]:
    return {
        "schema": version,
        "bytes": size,
        "stored": number("count(*) FROM tables"),
        "playing": number("count(*) FROM tables WHERE phase = 'playing'"),
        "over": number("count(*) FROM tables WHERE phase = 'over'"),
        "entries": number("count(*) FROM entries"),
        "accounts": number("count(*) FROM accounts"),
    }


@contextlib.contextmanager
def moment(folder: Path, address: str = "") -> Iterator[Path]:
    """A folder with a copy of the database as it is now, for as long as somebody looks at it. It needs as much room again."""
    with contextlib.ExitStack() as held:
        if not folder.is_dir():
            raise Unknown("order-no-house", folder=str(folder))
        if not address:
            connection = held.enter_context(reading(folder))
            check_file_unmarked(connection, folder)
        copied = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="copy-", dir=folder)))
        if address:
            source, target = held.enter_context(moving.open_or_closed(address)), moving.empty_file(copied)
            with target as there:
                moving.copy(source, there, lambda table, rows: None)
        else:
            whole = copied / DATABASE
            os.close(os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            connection.pragma("query_only", False)  # it writes to the copy
            connection.execute("VACUUM INTO ?", (str(whole),))
            check_file_unmarked(connection, folder)  # a transfer may have ended meanwhile
        yield copied


def backup(folder: Path, file: Path, address: str = "") -> int:
    """Write a backup, of a house in PostgreSQL too, which has its name only once it is whole and on the disk; returns its bytes."""
    if file.exists():
        raise Refused("order-backup-there", file=str(file))
    part = file.with_name(f"{file.name}.part")
    with moment(folder, address) as copied:
        for name in KEPT[1:]:
            if (folder / name).is_file():
                shutil.copyfile(folder / name, copied / name)
        part.unlink(missing_ok=True)  # of a backup that was cut off: a file that is there keeps its mode
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as out:
            with tarfile.open(fileobj=out, mode="w") as archive:
                for path in sorted(path for path in copied.iterdir() if path.name in KEPT):
                    archive.add(path, path.name, filter=_private)
                told = json.dumps({"at": int(time.time()), "files": _sums(copied)}).encode()
                about = tarfile.TarInfo(CHECKSUMS)
                about.size = len(told)
                archive.addfile(_private(about), io.BytesIO(told))
            out.flush()
            os.fsync(out.fileno())
    part.replace(file)
    (folder / LAST_BACKUP).touch()
    return file.stat().st_size


def backup_age_s(folder: Path) -> float | None:
    """Return the seconds since the last backup of a house, or since it has its key if there was none."""
    for name in (LAST_BACKUP, "secret_key"):
        with contextlib.suppress(FileNotFoundError):
            return max(0.0, time.time() - (folder / name).stat().st_mtime)
    return None


def _private(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return a member that only its owner can read, also where ``tar`` unpacks it."""
    member.mode = 0o600
    return member


def restore(file: Path, folder: Path) -> None:
    """Put a backup into a folder that is empty, or not there; nothing is there unless all of it is as it was written."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        _check_not_moved(folder)
        raise Refused("order-not-empty", folder=str(folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{folder.name}-", dir=folder.parent) as made:
        fresh = Path(made) / "fresh"
        fresh.mkdir(mode=0o700)
        unpack(file, fresh)
        if folder.exists():
            folder.rmdir()
        fresh.rename(folder)


def _check_not_moved(folder: Path) -> None:
    """Raise `MarkedError` if a folder holds data that was transferred elsewhere."""
    try:
        with reading(folder) as connection:
            check_file_unmarked(connection, folder)
    except (apsw.Error, Unknown):  # it holds something else, which is in the way all the same
        return


def unpack(file: Path, folder: Path) -> None:
    """A backup's files, each as its checksum says; `NoBackup` if it is none."""
    try:
        with tarfile.open(file, "r:") as archive:
            told = json.loads(_read(archive, CHECKSUMS).read())["files"]
            if DATABASE not in told or not set(told) <= set(KEPT):
                raise NoBackup("order-no-backup", file=str(file), why="it holds something else")
            for name in told:
                handle = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "wb") as out:
                    shutil.copyfileobj(_read(archive, name), out, PIECE)
                    out.flush()
                    os.fsync(out.fileno())
    except (tarfile.TarError, ValueError, KeyError, TypeError, EOFError) as error:
        raise NoBackup("order-no-backup", file=str(file), why=str(error)) from None
    for name, found in _sums(folder).items():
        if found != told[name]:
            raise NoBackup("order-no-backup", file=str(file), why=f"{name} is not as it was written")
    with reading(folder) as connection:
        version = connection.pragma("user_version")
    if version > schema.VERSION:
        raise NoBackup("order-no-backup", file=str(file), why="it is of a newer Diamonds")


def _read(archive: tarfile.TarFile, name: str) -> Any:
    found = archive.extractfile(name)
    if found is None:
        raise ValueError(f"{name} is no file")
    return found


def _sums(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file."""
    found = {}
    for path in sorted(folder.iterdir()):
        if path.name in KEPT:
            with path.open("rb") as file:
                found[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found
