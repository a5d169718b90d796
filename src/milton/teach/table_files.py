"""Files of evaluated positions -> rows of cells, in constant memory. Knows neither chess nor evaluations.

Three forms, told apart by their first bytes and not by their name: CSV (comma, semicolon or tab), JSON lines
(flat objects, or those of the Lichess evaluation file) and Parquet. The first two may be compressed by zstd.
The files come from anywhere, so nothing in them decides how much memory is used: lines have a longest
length, one that does not end stops the reading, and zstd may not ask for a window beyond 128 MB.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import zstandard

from milton.errors import RecordError
from milton.extras import needed_for

LONGEST_LINE_BYTES = 1 << 20  # positions with hundreds of lines of analysis fit
_ENDLESS_LINE_BYTES = 1 << 26
_LARGEST_ZSTD_WINDOW_BYTES = 1 << 27
_CHUNK_BYTES = 1 << 16
_PARQUET_ROWS = 4_096
_ZSTD_MAGIC, _PARQUET_MAGIC = b"\x28\xb5\x2f\xfd", b"PAR1"
_DELIMITERS = ",;\t"
_LICHESS_COLUMNS = ("cp", "mate", "line")

Cells = Mapping[str, str | None]  # by the column's name; None or missing: empty


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row that has no cells, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class TableRow:
    place: str  # "line 17" or "row 17", from 1
    content: Cells | Unreadable


def read_table(path: Path) -> Iterator[TableRow]:
    """The rows of a file; RecordError where it is no table, or as soon as it cannot be read on."""
    try:
        with path.open("rb") as file:
            magic = file.read(4)
            file.seek(0)
            if magic == _PARQUET_MAGIC:
                yield from _parquet_rows(path, file)
            elif magic == _ZSTD_MAGIC:
                with _decompressed(file) as plain:
                    yield from _text_rows(path, plain)
            else:
                yield from _text_rows(path, file)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from error
    except zstandard.ZstdError as error:
        raise RecordError(f"{path}: damaged zstd data: {error}") from error


def _decompressed(file: IO[bytes]) -> IO[bytes]:
    reader = zstandard.ZstdDecompressor(max_window_size=_LARGEST_ZSTD_WINDOW_BYTES).stream_reader(
        file, read_across_frames=True, closefd=False
    )
    return io.BufferedReader(reader, _CHUNK_BYTES)


def _text_rows(path: Path, stream: IO[bytes]) -> Iterator[TableRow]:
    lines = _lines(path, stream)
    first = next(lines, None)
    if first is None:
        raise RecordError(f"{path}: the file is empty")
    number, text = first
    if isinstance(text, Unreadable):
        raise RecordError(f"{path}: line {number}: {text.reason}")
    if text.lstrip().startswith("{"):
        yield TableRow(f"line {number}", _json_cells(text))
        for number, text in lines:
            yield TableRow(f"line {number}", text if isinstance(text, Unreadable) else _json_cells(text))
        return
    yield from _csv_rows(path, text, lines)


def _lines(path: Path, stream: IO[bytes]) -> Iterator[tuple[int, str | Unreadable]]:
    """Numbered lines without their ends; those that are too long or not UTF-8 say so instead."""
    number = 0
    while raw := stream.readline(LONGEST_LINE_BYTES + 1):
        number += 1
        if len(raw) > LONGEST_LINE_BYTES and not raw.endswith(b"\n"):
            _skip_line(path, stream, number)
            yield number, Unreadable(f"the line is longer than {LONGEST_LINE_BYTES:,} bytes")
            continue
        try:
            yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            yield number, Unreadable(f"not UTF-8: byte {raw[error.start]:#04x} at {error.start + 1}")


def _skip_line(path: Path, stream: IO[bytes], number: int) -> None:
    skipped = LONGEST_LINE_BYTES
    while skipped <= _ENDLESS_LINE_BYTES:
        part = stream.readline(_CHUNK_BYTES)
        skipped += len(part)
        if not part or part.endswith(b"\n"):
            return
    raise RecordError(f"{path}: line {number} does not end within {_ENDLESS_LINE_BYTES:,} bytes")


def _csv_rows(path: Path, header: str, lines: Iterator[tuple[int, str | Unreadable]]) -> Iterator[TableRow]:
    """A line is a row: no cell goes over several lines. Without a header the columns are called 1, 2, …"""
    delimiter = max(_DELIMITERS, key=header.count)
    names = _csv_cells(header, delimiter)
    if isinstance(names, Unreadable):
        raise RecordError(f"{path}: line 1: {names.reason}")
    if any(name.count("/") == 7 for name in names):  # a FEN
        numbers = [str(number + 1) for number in range(len(names))]
        yield TableRow("line 1", dict(zip(numbers, names, strict=True)))
        names = numbers
    for number, text in lines:
        cells = text if isinstance(text, Unreadable) else _csv_cells(text, delimiter)
        if isinstance(cells, list):
            if len(cells) == len(names):
                yield TableRow(f"line {number}", dict(zip(names, cells, strict=True)))
                continue
            cells = Unreadable(f"expected {len(names)} cells, got {len(cells)}")
        yield TableRow(f"line {number}", cells)


def _csv_cells(text: str, delimiter: str) -> list[str] | Unreadable:
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        return Unreadable(f"not CSV: {error}")


def _json_cells(text: str) -> Cells | Unreadable:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Unreadable(f"not JSON: {error}")
    if not isinstance(found, dict):
        return Unreadable("expected a JSON object")
    if "evals" not in found:
        return {name: _cell(value) for name, value in found.items()}
    best = _deepest(found["evals"])
    if best is None:
        return Unreadable("expected evals with pvs, as the Lichess evaluation file has them")
    # All of them in every row: the first row decides which columns there are.
    return {"fen": _cell(found.get("fen")), **{name: _cell(best.get(name)) for name in _LICHESS_COLUMNS}}


def _deepest(evaluations: object) -> dict[str, Any] | None:
    """The first line of the deepest analysis of a Lichess position."""
    found: list[tuple[float, dict[str, Any]]] = []
    for entry in evaluations if isinstance(evaluations, list) else ():
        lines = entry.get("pvs") if isinstance(entry, dict) else None
        if isinstance(lines, list) and lines and isinstance(lines[0], dict):
            depth = entry.get("depth")
            found.append((depth if isinstance(depth, int | float) else 0.0, lines[0]))
    return max(found, key=lambda pair: pair[0])[1] if found else None


def _cell(value: object) -> str | None:
    """A typed value as CSV would have it."""
    if isinstance(value, float):
        return None if value != value else str(int(value)) if value.is_integer() else str(value)
    return value if isinstance(value, str) or value is None else str(value)


def _parquet_rows(path: Path, file: IO[bytes]) -> Iterator[TableRow]:
    with needed_for("a Parquet table"):
        import pyarrow as pa
        from pyarrow import parquet
    try:
        table = parquet.ParquetFile(file, pre_buffer=False)
        simple = [field.name for field in table.schema_arrow if not pa.types.is_nested(field.type)]
        number = 0
        for batch in table.iter_batches(batch_size=_PARQUET_ROWS, columns=simple, use_threads=False):
            for cells in batch.to_pylist():
                number += 1
                yield TableRow(f"row {number}", {name: _cell(value) for name, value in cells.items()})
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: no Parquet that can be read: {str(error).splitlines()[0]}") from error
