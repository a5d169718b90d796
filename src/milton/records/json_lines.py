"""Games of any kind as lines of JSON, and as the plain values that such a line holds."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from milton.errors import MiltonError, RecordError
from milton.system import shown_text

from .record import ANNOTATOR, CHESS960, OWN_TAGS, RESULTS, STANDARD, GameRecord, winner_of

_TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*")
_WINNERS = {result: winner for winner, result in RESULTS.items()}

# What fields that are no game's raise; a number of hundreds of digits is too large for a float.
_NO_GAME = (ValueError, KeyError, TypeError, AttributeError, OverflowError)


def to_fields(record: GameRecord) -> dict[str, Any]:
    """Moves, values, result, players and tags; annotations are PGN's."""
    fields: dict[str, Any] = {
        "game": record.game,
        "start": record.start,
        "moves": list(record.moves),
        "values_stm": [None if value is None else round(value, 3) for value in record.values_stm],
        "winner": record.winner,
        "end_reason": record.end_reason,
        "players": list(record.players),
    }
    # `of_moves` adds the annotator again where there are values.
    tags = {name: value for name, value in record.tags.items() if (name, value) != ("Annotator", ANNOTATOR)}
    return fields | ({"tags": tags} if tags else {})


def from_fields(fields: Mapping[str, Any]) -> GameRecord:
    """What `to_fields` made, here or in an earlier version; RecordError for anything else."""
    try:
        moves = [str(move) for move in fields["moves"]]
        tags = {_tag_name(name): _text(value) for name, value in fields.get("tags", {}).items()}
        if tags.get("Variant", STANDARD[0]).lower() not in (*STANDARD, *CHESS960):
            raise ValueError(f"the tag Variant names {tags['Variant'][:50]!r}, whose rules are not known")
        if "game_id" in fields:
            tags.setdefault("GameId", _game_id(fields["game_id"]))
        record = GameRecord.of_moves(
            str(fields["game"]),
            fields.get("start"),
            moves,
            values_stm=[None if value is None else _value(value) for value in fields.get("values_stm", ())],
            winner=_winner(fields),
            end_reason=_text(fields.get("end_reason", "")),
            players=_players(fields),
            tags=tags,
        )
        _check_result(record)
        return record
    except (MiltonError, *_NO_GAME) as error:  # translated
        raise RecordError(f"not a game: {type(error).__name__}: {error}") from error


def json_line(record: GameRecord) -> str:
    return json.dumps(to_fields(record), ensure_ascii=False) + "\n"


def read_json_lines(lines: Iterable[str], source: str = "") -> Iterator[GameRecord]:
    """The games that `json_line` wrote; RecordError names the line that is something else."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{source}{', ' if source else ''}line {number}"
        try:
            fields = json.loads(line)
            if _has_half_character(line):
                json.dumps(fields, ensure_ascii=False).encode()  # no file could hold it
        except (ValueError, RecursionError) as error:
            raise RecordError(f"{place}: expected a game as one line of JSON: {error}") from error
        try:
            yield from_fields(fields)
        except RecordError as error:
            raise RecordError(f"{place}: {error}; remove the line or write the game again") from error


def _has_half_character(line: str) -> bool:
    """Whether it may hold a surrogate, half of a character, which JSON can write and UTF-8 cannot."""
    return "\\ud" in line or "\\uD" in line


def _winner(fields: Mapping[str, Any]) -> int | None:
    winner = fields["winner"] if "winner" in fields else _WINNERS[fields.get("result", "*")]
    if winner not in RESULTS:
        raise ValueError(f"expected a winner of 0, 1, -1 or null, got {winner!r}")
    return None if winner is None else int(winner)


def _check_result(record: GameRecord) -> None:
    """A result that the board contradicts: checkmate and stalemate in chess, any end of the other games."""
    *_, end = record.positions()
    outcome = end.outcome()
    if outcome is None or record.winner is None:
        return
    # Other ends of chess are agreed on, so the record may say that play went on to another one.
    is_certain = record.game != "chess" or outcome.reason in ("checkmate", "stalemate")
    if is_certain and record.winner != winner_of(outcome):
        raise ValueError(f"the winner is given as {record.winner}, but the last move is {outcome.reason}")


def _value(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1.0 <= value <= 1.0:  # nor NaN
        raise ValueError(f"expected values from -1 to 1 or null, got {str(value)[:50]!r}")
    return float(value)


def _players(fields: Mapping[str, Any]) -> tuple[str, str]:
    if "players" in fields:
        first, second = fields["players"]
        return _text(first), _text(second)
    network = _text(fields.get("network", "?"))  # of an earlier version
    return network, _text(fields.get("opponent") or network)


def _text(value: object) -> str:
    """In one line, without what a terminal would obey."""
    return shown_text(" ".join(str(value).splitlines()))


def _tag_name(name: str) -> str:
    """As PGN can write it, because a game may leave as PGN."""
    if not _TAG_NAME.fullmatch(name) or name in OWN_TAGS:
        raise ValueError(f"expected the name of a tag that PGN has beside a game's own, got {name[:50]!r}")
    return name


def _game_id(value: object) -> str:
    return f"{value:016x}" if isinstance(value, int) else str(value)
