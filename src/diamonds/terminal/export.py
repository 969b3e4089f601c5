"""Export of recorded games on the command line: record files in, JSON Lines or Parquet out."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from diamonds import __version__
from diamonds.bots import kernels
from diamonds.errors import InvalidInputError, NotFoundError
from diamonds.game import Game
from diamonds.i18n import Message
from diamonds.lab.export import (
    DECISION_COLUMNS,
    GAME_COLUMNS,
    ExportSettings,
    FeatureEncoder,
    RecordLine,
    export_records,
)
from diamonds.lab.pool import Pool
from diamonds.record_reader import MAX_RECORD_BYTES
from diamonds.terminal.arguments import os_error_text, sanitize
from diamonds.terminal.screen import progress_bar

ROWS_PER_GROUP = 4096  # rows per group in a Parquet file
SUFFIXES = (".jsonl", ".parquet")


class RowWriter(Protocol):
    """A file of rows."""

    def write(self, rows: Sequence[dict[str, Any]]) -> None: ...

    def close(self) -> None: ...


class JsonLinesWriter:
    """A file with one JSON row per line."""

    def __init__(self, path: Path, columns: dict[str, str]) -> None:
        self.file = path.open("w", encoding="utf-8")

    def write(self, rows: Sequence[dict[str, Any]]) -> None:
        for row in rows:
            self.file.write(json.dumps(row, default=np.ndarray.tolist, separators=(",", ":"), ensure_ascii=False))
            self.file.write("\n")

    def close(self) -> None:
        self.file.close()


class ParquetWriter:
    """A compressed Parquet file."""

    def __init__(self, path: Path, columns: dict[str, str]) -> None:
        import pyarrow
        from pyarrow import parquet

        self.pyarrow = pyarrow
        self.schema = pyarrow.schema(
            [(name, self._type(kind)) for name, kind in columns.items()], {"diamonds": __version__}
        )
        self.writer = parquet.ParquetWriter(path, self.schema, compression="zstd")
        self.rows: list[dict[str, Any]] = []

    def _type(self, kind: str) -> Any:
        if kind.startswith("list<"):
            return self.pyarrow.list_(self._type(kind[5:-1]))
        return getattr(self.pyarrow, kind)()

    def write(self, rows: Sequence[dict[str, Any]]) -> None:
        self.rows += rows
        if len(self.rows) >= ROWS_PER_GROUP:
            self._flush()

    def _flush(self) -> None:
        columns = [self.pyarrow.array([row[field.name] for row in self.rows], field.type) for field in self.schema]
        self.writer.write_table(self.pyarrow.table(columns, schema=self.schema))
        self.rows = []

    def close(self) -> None:
        if self.rows:
            self._flush()
        self.writer.close()


def export(
    files: Sequence[Path], games: Path | None, decisions: Path | None, worlds: int, pool: Pool
) -> tuple[int, int]:
    """Write the tables of these record files, with a progress bar on a terminal.

    Return the numbers of games and decisions. A file appears only when it is complete.
    """
    if games is None and decisions is None:
        raise InvalidInputError("export-no-output")
    kernels.require(Message("export-not-here"))
    with contextlib.ExitStack() as stack:
        outputs = [
            stack.enter_context(_complete_file(path, columns)) if path is not None else None
            for path, columns in ((games, GAME_COLUMNS), (decisions, DECISION_COLUMNS))
        ]
        settings = ExportSettings(plane_encoder, worlds, decisions is not None)
        game_count = decision_count = 0
        progress = stack.enter_context(progress_bar("games"))
        for rows in export_records(read_records(files), settings, pool):
            for writer, new_rows in zip(outputs, ([rows.game], rows.decisions), strict=True):
                if writer is not None:
                    writer.write(new_rows)
            game_count, decision_count = game_count + 1, decision_count + len(rows.decisions)
            progress(game_count, None)
    return game_count, decision_count


@contextlib.contextmanager
def _complete_file(path: Path, columns: dict[str, str]) -> Iterator[RowWriter]:
    """Yield a writer for the format of the path's suffix. The file gets its name when the block has succeeded."""
    if path.suffix not in SUFFIXES:
        raise InvalidInputError("export-suffix", path=sanitize(path, 200), either=list(SUFFIXES))
    unfinished = path.with_name(f".{path.name}.part")
    try:
        writer: RowWriter = (ParquetWriter if path.suffix == ".parquet" else JsonLinesWriter)(unfinished, columns)
    except ModuleNotFoundError:
        raise NotFoundError("export-needs-pyarrow") from None
    try:
        with contextlib.closing(writer):
            yield writer
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


@lru_cache(maxsize=32)
def _plane_encoder(game: str, seats: int, options: str) -> FeatureEncoder:
    from diamonds.envs.planes import PlaneEncoder  # imported here, because it loads Numba

    return PlaneEncoder(game, seats, json.loads(options), "uint8")


def plane_encoder(game: Game, seats: int, options: dict[str, Any]) -> FeatureEncoder:
    """Return the planes of a table's observations, in 255ths."""
    return _plane_encoder(game.name, seats, json.dumps(options))


def read_records(files: Sequence[Path]) -> Iterator[RecordLine]:
    """Yield the records in files that contain one record, or one record per line."""
    for path in files:
        name = sanitize(path.name)
        try:
            with path.open(encoding="utf-8") as file:
                first = file.readline(MAX_RECORD_BYTES)
                if first.strip() == "{":  # one indented record
                    yield RecordLine(name, first + file.read(MAX_RECORD_BYTES))
                    continue
                number = 1
                while first:
                    if first.strip():
                        yield RecordLine(f"{name}:{number}", first)
                    first, number = file.readline(MAX_RECORD_BYTES), number + 1
        except UnicodeDecodeError:
            raise InvalidInputError("terminal-not-text", path=sanitize(path, 200)) from None
        except OSError as error:
            raise NotFoundError("terminal-cannot-read", path=sanitize(path, 200), why=os_error_text(error)) from None
