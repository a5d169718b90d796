"""The archive of positions to practise: what enters it, what leaves it, and its file."""

from dataclasses import replace

import numpy as np
import pytest
from game_blocks import played_block

from milton.coach import (
    Archive,
    Condition,
    Fingerprint,
    PracticePlan,
    Weakness,
    WeaknessReport,
    match,
    renew_archive,
)
from milton.coach.evidence import gather_evidence
from milton.config import CoachSettings, SelfPlaySettings
from milton.errors import CoachError
from milton.replay import VALUE_SCALE, GameBlock, PositionFlag
from milton.rundir import sha256_of

GAME = "connect_four"
MIN_SWING = 0.2


def plan(source: str = "regret", *, iteration: int = 3, room: int = 400, **more: object) -> PracticePlan:
    selfplay = SelfPlaySettings(practice_fraction=0.5, practice_from=source, practice_positions=room)  # type: ignore[arg-type]
    values = {"seed": 7, "selfplay": selfplay, "coach": CoachSettings(), "report": None, **more}
    return PracticePlan(iteration, **values)  # type: ignore[arg-type]


def empty(source: str = "regret") -> Archive:
    return Archive.empty(GAME, source)


@pytest.fixture(scope="module")
def block() -> GameBlock:
    """Games whose values are all over the place: many of them fall after a move."""
    games = played_block(GAME, 60, seed=3)
    values = np.random.default_rng(4).uniform(-0.9, 0.9, games.num_positions)
    return replace(games, root_values_stm=np.round(values * VALUE_SCALE).astype(np.int16), root_wdl=None)


def practised_games(archive: Archive, *, loses: bool) -> GameBlock:
    """A game of two plies from each position, the search's own choice played, its value falling or not."""
    num_games = archive.num_positions
    block = played_block(GAME, num_games, seed=5)
    firsts = block.game_offsets[:-1].astype(np.int64)
    rows = np.stack([firsts, firsts + 1], axis=1).reshape(-1)
    packed = block.packed[rows]
    packed[0::2] = archive.packed
    sides = (packed[:, 0] * 0 + np.tile([0, 1], num_games)).astype(np.uint8)
    flags = (sides * np.uint8(PositionFlag.SECOND_TO_MOVE)).astype(np.uint8)
    flags[0::2] |= np.uint8(PositionFlag.PRACTISED)
    values = np.tile([0.5, 0.5 if loses else -0.5], num_games)
    return replace(
        block,
        packed=packed,
        game_offsets=np.arange(0, 2 * num_games + 1, 2, dtype=np.uint32),
        visit_offsets=np.zeros(2 * num_games + 1, dtype=np.uint32),
        visit_moves=np.empty(0, dtype=np.uint16),
        visit_counts=np.empty(0, dtype=np.uint16),
        root_values_stm=np.round(values * VALUE_SCALE).astype(np.int16),
        root_wdl=None,
        played_moves=block.played_moves[rows],
        flags=flags,
        winners=np.full(num_games, 1 if loses else 0, dtype=np.int8),
    )


def keys(archive: Archive) -> list[bytes]:
    return [row.tobytes() for row in archive.packed]


def test_regret_archives_positions_whose_value_fell_and_weighs_them_by_that(block):
    archive, figures = renew_archive(empty(), [block], plan())
    evidence = gather_evidence([block])
    fell = evidence.is_counted & (evidence.losses >= MIN_SWING)
    worth: dict[bytes, set[float]] = {}
    for row in np.flatnonzero(fell):
        worth.setdefault(evidence.packed[row].tobytes(), set()).add(float(evidence.losses[row]))
    assert 0 < archive.num_positions <= 100  # a quarter of the room
    for key, weight, swing in zip(keys(archive), archive.weights, archive.swings, strict=True):
        assert float(weight) == float(swing)
        assert float(weight) in worth[key]
    assert (figures.num_added, figures.num_positions) == (archive.num_positions, archive.num_positions)
    assert (figures.num_games, figures.num_judged, figures.num_learnt) == (0, 0, 0)


@pytest.mark.parametrize("source", ["regret", "uniform"])
def test_no_position_stands_in_the_archive_twice(source, block):
    archive = empty(source)
    for iteration in range(1, 6):
        archive, _ = renew_archive(archive, [block], plan(source, iteration=iteration))
        assert len(set(keys(archive))) == archive.num_positions


@pytest.mark.parametrize("source", ["regret", "uniform"])
def test_the_archive_keeps_its_bounds_and_gives_up_the_old_for_the_new(source):
    archive = empty(source)
    for iteration in range(1, 9):
        games = played_block(GAME, 40, seed=100 + iteration)
        values = np.random.default_rng(iteration).choice([-0.5, 0.5], games.num_positions)
        shaken = replace(games, root_values_stm=(values * VALUE_SCALE).astype(np.int16), root_wdl=None)
        archive, _ = renew_archive(archive, [shaken], plan(source, iteration=iteration, room=40))
        assert archive.num_positions <= 40
    assert archive.num_positions == 40
    assert 8 in archive.iterations
    assert 1 not in archive.iterations


def test_a_position_whose_value_falls_no_more_is_dropped(block):
    archive, _ = renew_archive(empty(), [block], plan())
    renewed, figures = renew_archive(archive, [practised_games(archive, loses=False)], plan(iteration=4))
    assert not set(keys(archive)) & set(keys(renewed))
    assert figures.num_games == figures.num_judged == figures.num_learnt == archive.num_positions
    assert figures.swing_before == pytest.approx(float(archive.swings.mean()), rel=1e-5)
    assert figures.swing_now < MIN_SWING


def test_a_position_whose_value_still_falls_stays_with_its_new_weight(block):
    archive, _ = renew_archive(empty(), [block], plan())
    renewed, figures = renew_archive(archive, [practised_games(archive, loses=True)], plan(iteration=4))
    kept = {key: place for place, key in enumerate(keys(renewed))}
    assert kept.keys() >= set(keys(archive))
    assert figures.num_judged == archive.num_positions
    assert figures.num_learnt == 0
    for key in keys(archive):
        assert renewed.weights[kept[key]] == pytest.approx(1.0, abs=1e-3)  # from 0.5 to -0.5
        assert renewed.iterations[kept[key]] == 4


def test_a_uniform_archive_forgets_nothing_that_is_learnt(block):
    archive, _ = renew_archive(empty("uniform"), [block], plan("uniform"))
    games = [practised_games(archive, loses=False)]
    renewed, figures = renew_archive(archive, games, plan("uniform", iteration=4))
    assert set(keys(archive)) <= set(keys(renewed))
    assert figures.num_judged == archive.num_positions
    assert figures.num_learnt == 0
    assert (renewed.weights == 1.0).all()


def report_of(severity: float, *, iteration: int = 2, share: float = 0.2) -> WeaknessReport:
    early = Fingerprint(game=GAME, conditions=(Condition(trait="ply", at_least=4, at_most=9),))
    weakness = Weakness(
        category="opening repertoire", description="test", fingerprint=early, severity=severity, share=share
    )
    return WeaknessReport(game=GAME, iteration=iteration, provider="offline", weaknesses=(weakness,))


def test_fingerprints_archive_what_the_report_names_by_severity(block):
    report = report_of(0.5)
    archive, _ = renew_archive(empty(), [block], plan("fingerprints", report=report))
    assert archive.num_positions == 100
    assert (archive.weights == 0.5).all()
    fingerprints = [report.weaknesses[0].fingerprint]
    assert match(fingerprints, archive.packed, np.ones(100, dtype=bool)).all()


def test_a_new_report_begins_a_new_archive(block):
    archive, _ = renew_archive(empty(), [block], plan("fingerprints", report=report_of(0.5)))
    newer = plan("fingerprints", iteration=4, report=report_of(0.25, iteration=4))
    renewed, figures = renew_archive(archive, [block, practised_games(archive, loses=False)], newer)
    assert (renewed.weights == 0.25).all()
    assert renewed.report == 4
    # How the old one went is told all the same.
    assert figures.num_judged == figures.num_learnt == archive.num_positions


@pytest.mark.parametrize("report", [None, report_of(0.5, share=0.9), report_of(0.0)])
def test_without_a_useful_report_there_is_nothing_to_practise(block, report):
    archive, figures = renew_archive(empty(), [block], plan("fingerprints", report=report))
    assert archive.num_positions == figures.num_positions == 0


def test_fingerprints_are_practised_where_the_coach_only_reports(block):
    silent = CoachSettings(max_weight=1.0)
    wanted = plan("fingerprints", report=report_of(0.5), coach=silent)
    assert renew_archive(empty(), [block], wanted)[0].num_positions == 100


def test_the_same_games_give_the_same_file(block, tmp_path):
    for name in ("a", "b"):
        renew_archive(empty(), [block], plan())[0].save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    renew_archive(empty(), [block], plan(seed=8))[0].save(tmp_path / "other")
    assert (tmp_path / "a").read_bytes() != (tmp_path / "other").read_bytes()


def test_a_file_comes_back_as_it_was_and_no_other_is_taken_for_it(block, tmp_path):
    archive, path = renew_archive(empty(), [block], plan())[0], tmp_path / "practice.safetensors"
    archive.save(path)
    sha256 = sha256_of(path)
    again = Archive.load(path, sha256)
    assert (again.game, again.source, again.report) == (GAME, "regret", 0)
    for name in ("packed", "weights", "swings", "iterations"):
        assert np.array_equal(getattr(again, name), getattr(archive, name)), name
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(CoachError, match="expected the SHA-256"):
        Archive.load(path, sha256)
    path.write_bytes(b"nonsense")
    with pytest.raises(CoachError):
        Archive.load(path, sha256_of(path))


def test_an_empty_archive_is_a_file_too(tmp_path):
    empty().save(tmp_path / "archive")
    assert Archive.load(tmp_path / "archive", sha256_of(tmp_path / "archive")).num_positions == 0
