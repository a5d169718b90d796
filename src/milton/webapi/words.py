"""A review in a language model's words, for pages. The review room asks and judges; this translates.

A call costs the money of whoever configured the model: pages ask one at a time, within the monthly budget.
"""

import threading

from milton.coach import OFFLINE
from milton.config import CoachSettings, GameName, Settings
from milton.errors import RequestError
from milton.games import Position
from milton.records import Evaluation
from milton.review import ReviewedMove, judge, word_moves
from milton.review.reasons import find_reason
from milton.rundir import RunDir
from milton.webapi.play_messages import GameMoves
from milton.webapi.positions import Replay, replay
from milton.webapi.served_run import ServedRun
from milton.webapi.words_messages import MoveToWord, WordedMove, Words, WordsInfo, WordsRequest


class ReviewWords:
    """The model of the served run's settings, or of the user's where no run is served."""

    def __init__(self, run: ServedRun) -> None:
        self._run = run
        self._is_asking = threading.Lock()

    def info(self, game: GameName) -> WordsInfo | None:
        settings = self._settings(game)
        if settings.provider == OFFLINE:
            return None
        return WordsInfo(provider=settings.provider, model=settings.model)

    def word(self, request: WordsRequest) -> Words:
        settings = self._settings(request.record.game)
        if settings.provider == OFFLINE:
            raise RequestError(
                "no language model is configured", status=404, hint="Set coach.provider, or do without."
            )
        game = replay(request.record)
        positions = _positions(request.record, game)
        moves = [_reviewed(index, move, game, positions) for index, move in enumerate(request.moves)]
        if not self._is_asking.acquire(blocking=False):
            raise RequestError("another review is being worded", status=429, hint="Try again in a moment.")
        try:
            wording = word_moves(positions, moves, settings)
        finally:
            self._is_asking.release()
        return Words(
            provider=wording.provider,
            model=wording.model,
            moves=[WordedMove(ply=ply, text=text) for ply, text in sorted(wording.texts.items())],
            num_dropped=wording.num_dropped,
            problem=wording.problem,
        )

    def _settings(self, game: GameName) -> CoachSettings:
        path = self._run.find()
        if path is None:
            return Settings.load(game=game).coach
        with RunDir.open(path, writable=False) as run:
            return run.settings_now().coach


def _positions(record: GameMoves, game: Replay) -> list[Position]:
    position = replay(record.model_copy(update={"moves": []})).position
    positions = [position]
    for move in game.moves:
        position = position.play(move)
        positions.append(position)
    return positions


def _reviewed(index: int, told: MoveToWord, game: Replay, positions: list[Position]) -> ReviewedMove:
    """The page's figures are its own; moves are checked here, and the reason is the coach's."""
    if told.ply >= len(game.moves):
        raise RequestError(
            f"the game has {len(game.moves)} moves, got ply {told.ply}",
            hint="Name a move of the record.",
            where=f"moves.{index}.ply",
        )
    position = positions[told.ply]
    played, better = (_line(position, line, f"moves.{index}.{name}") for name, line in _lines_of(told))
    return ReviewedMove(
        ply_index=told.ply,
        side=position.side_to_move,
        move=played[0],
        best_move=better[0],
        evaluation=Evaluation.of_value(0.0),  # nobody is told of it
        lost=told.lost,
        judgement=judge(told.lost, is_best=False),
        played_line=played,
        better_line=better,
        missed_mate_in=told.missed_mate_in,
        allowed_mate_in=told.allowed_mate_in,
        reason=find_reason(position, played, better),
    )


def _lines_of(told: MoveToWord) -> tuple[tuple[str, list[str]], tuple[str, list[str]]]:
    return ("played", told.played), ("better", told.better)


def _line(position: Position, line: list[str], where: str) -> tuple[str, ...]:
    record = GameMoves(game=position.game, start=position.text, moves=line)
    try:
        return tuple(replay(record).moves)
    except RequestError as error:
        raise RequestError(str(error), hint=error.hint, where=where) from error
