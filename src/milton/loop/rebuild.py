"""Rebuilds the history of a run from its files, after its database was lost or rows were damaged.

Folders, shards, verdicts and checkpoints say what was done; only times, metrics and ratings of the past are
lost. Rows that are there stay as they are. A stage of the newest iteration counts as done only if its result
is on disk as a whole: otherwise it is repeated.
"""

import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from milton.arena import Verdict
from milton.coach import REPORT_NAME
from milton.errors import CheckpointError, RunError, ShardError
from milton.nets import read_checkpoint_info
from milton.replay import ShardReader, labels_path
from milton.rundir import (
    HISTORY_LOST_KEY,
    ChampionPointer,
    ChampionRecord,
    GamesRecord,
    RunDir,
    StageRecord,
)

from .context import DROPPED_KEY, TRAINING_NAME
from .practice import ARCHIVE_NAME
from .selfplay_stage import games_record


def rebuild_history(run: RunDir) -> str:
    """What was rebuilt, as a line for people; "" if nothing was lost. All of it happens or nothing."""
    database = run.database
    if not database.state(HISTORY_LOST_KEY, 0):
        return ""
    numbers = _iterations(run)
    with database.transaction():
        for number in numbers:
            _rebuild_iteration(run, number, is_newest=number == numbers[-1])
        _rebuild_champions(run, numbers)
        _rebuild_counts(run, numbers)
        database.set_state(HISTORY_LOST_KEY, 0)
    line = f"history rebuilt from {len(numbers)} iteration folders, the champion pointer and checksums"
    database.add_event(database.latest_iteration(), "warning", "recovery", line)
    return line


def _iterations(run: RunDir) -> list[int]:
    return [number for number in run.iteration_numbers() if number > 0]


def _rebuild_iteration(run: RunDir, number: int, *, is_newest: bool) -> None:
    folder = run.iteration_dir(number)
    candidate, training = run.candidate_path(number), folder / TRAINING_NAME
    is_trained = _is_intact(candidate) or not is_newest
    verdict = _verdict(folder)
    existing = {record.stage for record in run.database.stages(number)}
    rows: list[tuple[str, Iterable[Path], Mapping[str, object]]] = []
    if is_trained:
        games = _games(run, number)
        if games is not None:
            run.database.add_games(games)
        counts = {"positions": games.num_positions, "games": games.num_games} if games else _NO_GAMES
        texts = [folder / "games.pgn", folder / "games.jsonl"]
        files = [run.shard_path(number), *texts, folder / ARCHIVE_NAME]
        rows.append(("selfplay", files, counts))
        labels = labels_path(run.shard_path(number))
        rows.append(("label", [labels], {"skipped": not labels.is_file()}))
        report = folder / REPORT_NAME
        rows.append(("coach", [report], {"report": number if report.is_file() else 0}))
        rows.append(("train", [candidate, training], {"steps": 0, "learning_rate": 0.0, "value_blend": 0.0}))
    if is_trained and (verdict is not None or not is_newest) and _is_promotion_done(run, candidate, verdict):
        promoted = verdict.promoted if verdict else False
        distinct = verdict.num_distinct_games if verdict else 0
        told = [folder / "arena.json", *folder.glob("arena.pgn"), *folder.glob("arena.jsonl")]
        rows.append(("arena", told, {"promoted": promoted, "distinct": distinct}))
    if not is_newest:
        rows += [("deploy", [], {"skipped": True}), ("ladder", [], {"skipped": True})]
    finished_s = max((file.stat().st_mtime for file in folder.iterdir()), default=time.time())
    for index, (stage, paths, result) in enumerate(rows):
        if stage not in existing:
            artifacts = tuple(run.artifact(path) for path in paths if path.is_file())
            moment = finished_s + index * 1e-3  # their order
            run.database.add_stage(
                StageRecord(number, stage, moment, moment, artifacts, {**result, "rebuilt": True})
            )


_NO_GAMES = {"positions": 0, "games": 0}


def _is_intact(checkpoint: Path) -> bool:
    try:
        read_checkpoint_info(checkpoint)
    except CheckpointError:
        return False
    return True


def _verdict(folder: Path) -> Verdict | None:
    try:
        return Verdict.load(folder / "arena.json") if (folder / "arena.json").is_file() else None
    except RunError:
        return None


def _is_promotion_done(run: RunDir, candidate: Path, verdict: Verdict | None) -> bool:
    """The newest stage may have been killed between its verdict and its promotion."""
    if verdict is None or not verdict.promoted or run.latest_iteration() != int(candidate.parent.name[5:]):
        return True
    return run.has_champion() and run.champion().checkpoint == run.relative(candidate)


def _games(run: RunDir, number: int) -> GamesRecord | None:
    try:
        blocks = list(ShardReader(run.shard_path(number)).blocks())
    except ShardError:
        return None
    return games_record(number, blocks) if blocks else None


def _rebuild_champions(run: RunDir, numbers: list[int]) -> None:
    """The network that the run started from, every promotion whose file is still there, and the pointer."""
    history = run.database.champions()
    if not history:
        promoted = [
            number for number in numbers if (found := _verdict(run.iteration_dir(number))) and found.promoted
        ]
        for number in (0, *promoted):
            if _is_intact(path := run.candidate_path(number)):
                pointer = ChampionPointer.to_file(run.path, path)
                run.database.add_champion(
                    ChampionRecord(number, pointer.checkpoint, pointer.sha256, path.stat().st_mtime)
                )
    history = run.database.champions()
    pointer = run.champion()
    if not history or history[-1].sha256 != pointer.sha256:
        folder = Path(pointer.checkpoint).parent.name[5:]
        number = int(folder) if folder.isdigit() else 0
        run.database.add_champion(ChampionRecord(number, pointer.checkpoint, pointer.sha256))


def _rebuild_counts(run: RunDir, numbers: list[int]) -> None:
    """Positions of shards that are gone, from what checkpoints say; and seeds that no earlier start had."""
    run.database.set_state("num_starts", int(time.time()))
    for number in reversed(numbers):
        if _is_intact(run.candidate_path(number)):
            ever = read_checkpoint_info(run.candidate_path(number)).provenance.positions or 0
            missing = [other for other in numbers if not run.shard_path(other).is_file()]
            lost = ever - run.num_positions(before=number + 1)
            if missing and lost > 0:
                run.database.set_state(DROPPED_KEY, {str(missing[0]): lost})
            return
