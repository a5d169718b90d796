"""Finished games: what is kept of each, as PGN with our evaluations and as a line in a list. Plays nothing.

The list answers how many games were played today, also after a restart. Nothing here is read by training.
"""

import datetime as dt
import json
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from milton.play import Choice
from milton.records import ANNOTATOR, Evaluation, GameRecord, Ply
from milton.records.bot_files import LICHESS, LIST_NAME, SWAPS_NAME, Colour, FinishedGame, NetworkSwap
from milton.rundir import explain_os_error, write_text

from .progress import Progress

DAY_S = 24 * 3600.0


_LINE = TypeAdapter(FinishedGame)


def finished_game(progress: Progress, network: str, site: str = LICHESS) -> FinishedGame:
    full, state = progress.full, progress.state
    return FinishedGame(
        id=full.id,
        opponent=progress.opponent.text,
        opponent_is_bot=progress.opponent.is_bot,
        colour=progress.colour,
        rated=full.rated,
        time_control=full.clock.text if full.clock else "-",
        status=state.status,
        result=_result(progress),
        num_plies=progress.ply,
        network=network,
        ended_at=time.time(),
        speed=full.speed or "",
        rating=full.player(progress.colour).rating,
        opponent_rating=progress.opponent.rating,
        site=site,
    )


def _result(progress: Progress) -> str:
    state = progress.state
    if state.winner is not None:
        return "1-0" if state.winner == "white" else "0-1"
    is_uncounted = state.status in ("aborted", "noStart", "unknownFinish") or not state.is_over
    return "*" if is_uncounted else "1/2-1/2"


def game_record(
    game: FinishedGame, progress: Progress, choices: Mapping[int, Choice], site: str
) -> GameRecord:
    """`choices` by the ply at which they were made."""
    full = progress.full
    ended = dt.datetime.fromtimestamp(game.ended_at, dt.UTC)
    tags = {
        "Event": f"{'Rated' if full.rated else 'Casual'} {full.speed or 'game'}",
        "Site": f"{site}/{game.id}",
        "Date": f"{ended:%Y.%m.%d}",
        "Round": "-",
        "TimeControl": game.time_control,
        "Network": game.network,
        "Annotator": ANNOTATOR,
    }
    for colour, player in (("White", full.white), ("Black", full.black)):
        if player.rating is not None:
            tags[f"{colour}Elo"] = str(player.rating)
    position, plies = progress.start, []
    for ply, text in enumerate(progress.line):
        move = position.parse(text)
        plies.append(_noted(move, choices[ply], progress.colour) if ply in choices else Ply(move))
        position = position.play(move)
    return GameRecord(
        game="chess",
        start=progress.start.text,
        plies=tuple(plies),
        winner={"1-0": 0, "0-1": 1, "1/2-1/2": -1}.get(game.result),
        end_reason=game.status,
        players=(full.white.text, full.black.text),
        tags=tags,
    )


def _noted(move: str, choice: Choice, colour: Colour) -> Ply:
    sign = 1 if colour == "white" else -1
    mate_in = choice.score.mate_in
    evaluation = Evaluation.of_mate(sign * mate_in) if mate_in else Evaluation(sign * choice.score.centipawns)
    return Ply(
        move,
        evaluation,
        comment=f"{choice.analysis.algorithm}, {choice.analysis.effort}, {choice.time_s:.1f} s",
    )


class GameArchive:
    """The folder of finished games."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._list = folder / LIST_NAME
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lines = self._list.read_text(encoding="utf-8").splitlines() if self._list.exists() else []
        except OSError as error:
            raise explain_os_error(error, folder) from error
        self._recent = [game for line in lines if (game := _read(line)) and _is_of_today(game)]

    def add(self, game: FinishedGame, pgn: str) -> None:
        """Blocks for the disk; may be called from several threads."""
        with self._lock:
            self._recent = [*filter(_is_of_today, self._recent), game]
            self._write(game, pgn)

    def _write(self, game: FinishedGame, pgn: str) -> None:
        day = dt.datetime.fromtimestamp(game.ended_at, dt.UTC)
        write_text(self.folder / f"{day:%Y-%m-%d}_{game.id}.pgn", pgn)
        _append(self._list, asdict(game))

    def add_swap(self, network: str) -> None:
        """A champion took over, perhaps in the middle of a game."""
        _append(self.folder / SWAPS_NAME, asdict(NetworkSwap(time.time(), network)))

    def games_with(self, opponent: str) -> int:
        """In the last day. Names do not depend on case."""
        return sum(g.opponent.lower() == opponent.lower() for g in self._recent if _is_of_today(g))

    def games_with_bots(self) -> int:
        return sum(g.opponent_is_bot for g in self._recent if _is_of_today(g))


def _append(path: Path, line: Mapping[str, object]) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    except OSError as error:
        raise explain_os_error(error, path) from error


def _is_of_today(game: FinishedGame) -> bool:
    return game.ended_at > time.time() - DAY_S


def _read(line: str) -> FinishedGame | None:
    """A line that a crash cut short is no game."""
    try:
        return _LINE.validate_json(line)
    except ValidationError:
        return None
