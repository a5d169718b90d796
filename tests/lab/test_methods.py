"""What all methods promise: they train, choose legal moves, and go on from their files where they stopped."""

import os
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest
from rating_players import needs_stockfish
from small_methods import SMALL_METHODS, TAUGHT_METHODS, small_method, trained

from milton.errors import ArgumentError
from milton.games import Position
from milton.lab import METHODS, Method, Progress, Session, load_method, method_class
from milton.lab.registry import SEARCHING_METHODS
from milton.lab.searching import SearchingMethod
from milton.rating import MoveLimit
from milton.teach import label_positions, teacher_spec

SMALL = list(SMALL_METHODS)


def test_every_method_is_tested_here() -> None:
    assert {*SMALL_METHODS, *TAUGHT_METHODS} == set(METHODS)


def test_the_methods_that_search_are_known_without_importing_them() -> None:
    searching = {name for name in METHODS if issubclass(method_class(name), SearchingMethod)}
    assert searching == SEARCHING_METHODS


@pytest.mark.parametrize("name", SMALL)
def test_a_trained_method_plays_legal_moves_to_the_end(name: str, tmp_path: Path) -> None:
    method = trained(name, tmp_path / "m.lab")
    position = Position.start(method.game)
    method.begin_game(3)
    for _ in range(12):
        if position.outcome(claim_draws=True) is not None:
            break
        position = position.play(method.choose(position))


@pytest.mark.parametrize("name", SMALL)
def test_a_saved_method_is_the_same_after_loading(name: str, tmp_path: Path) -> None:
    method = trained(name, tmp_path / "m.lab")
    loaded = load_method(tmp_path / "m.lab")
    assert loaded.record == method.record
    assert loaded.settings == method.settings
    assert_same_state(loaded, method)
    position = Position.start(method.game)
    for each in (method, loaded):
        each.begin_game(5)
    assert loaded.choose(position) == method.choose(position)


@pytest.mark.parametrize("name", ["q-learning", "reinforce", "evolution"])
def test_training_that_was_stopped_ends_as_if_it_had_not_been(name: str, tmp_path: Path) -> None:
    whole = trained(name, tmp_path / "whole.lab")
    session = Session(tmp_path / "part.lab", threads=1)
    session.on_progress = lambda _progress: session.stop.set()
    assert not small_method(name).train(session)
    part = load_method(tmp_path / "part.lab")
    assert part.record.steps == 1
    assert part.train(Session(tmp_path / "part.lab", threads=1))
    assert_same_state(part, whole)


def test_a_signal_ends_training_with_everything_saved(tmp_path: Path) -> None:
    method = small_method("q-learning")
    before = signal.getsignal(signal.SIGTERM)

    def interrupt(_progress: Progress) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    assert not method.train(Session(tmp_path / "m.lab", threads=1, on_progress=interrupt))
    assert load_method(tmp_path / "m.lab").record.steps == 1
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("name", ["q-learning", "reinforce", "evolution"])
def test_equal_seeds_learn_the_same_and_others_do_not(name: str, tmp_path: Path) -> None:
    first, second, other = (trained(name, tmp_path / "m.lab", seed) for seed in (1, 1, 2))
    assert_same_state(first, second)
    with pytest.raises(AssertionError):
        assert_same_state(first, other)


def test_training_ends_when_its_time_is_over(tmp_path: Path) -> None:
    method = small_method("mcts")
    assert method.train(Session(tmp_path / "m.lab", minutes=0.001))
    endless = small_method("q-learning")
    endless.change_settings({"games": 0})
    for minutes in (0.0, 1e-9):
        assert endless.train(Session(tmp_path / "q.lab", minutes=minutes, threads=1))
    assert endless.record.steps == 0


@pytest.mark.parametrize(
    ("values", "problem"),
    [({"alpha": 2.0}, "alpha"), ({"alpah": 0.1}, "alpah"), ({"games": "many"}, "games")],
)
def test_settings_that_make_no_sense_are_refused_by_name(values: dict[str, object], problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        small_method("q-learning").parse_settings(values)


def test_a_method_refuses_games_that_it_cannot_play() -> None:
    with pytest.raises(ArgumentError, match="evolution plays chess, got 'santorini'"):
        type(small_method("evolution"))("santorini")


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Stockfish thinks of some positions, asked once for all methods."""
    path = tmp_path_factory.mktemp("labels") / "labels.shard"
    label_positions(path, teacher_spec("stockfish", MoveLimit("nodes", 30)), 200, workers=1, seed=1)
    return path


@needs_stockfish
@pytest.mark.parametrize("name", list(TAUGHT_METHODS))
def test_a_taught_method_learns_saves_and_goes_on(name: str, labels: Path, tmp_path: Path) -> None:
    shutil.copy(labels, tmp_path / "m.shard")
    method = trained(name, tmp_path / "m.lab")
    assert method.record.teacher == "stockfish@nodes:30"
    assert method.record.figures["epochs"] == 2
    loaded = load_method(tmp_path / "m.lab")
    assert_same_state(loaded, method)
    position = Position.start("chess").play("e2e4")
    assert loaded.choose(position) == method.choose(position)
    loaded.change_settings({"epochs": 3})
    assert loaded.train(Session(tmp_path / "m.lab", threads=1))  # the labels are there already
    assert loaded.record.figures["epochs"] == 3


@needs_stockfish
def test_labelling_that_is_stopped_is_saved_without_an_epoch(tmp_path: Path) -> None:
    session = Session(tmp_path / "m.lab", threads=1)
    session.on_progress = lambda _progress: session.stop.set()  # at the first word of labels
    assert not small_method("cloning").train(session)
    assert load_method(tmp_path / "m.lab").record.figures == {}


def assert_same_state(first: Method[object], second: Method[object]) -> None:
    """Everything that was learnt is equal to the bit."""
    left, right = first._tensors(), second._tensors()
    assert left.keys() == right.keys()
    for name, array in left.items():
        assert np.array_equal(array, right[name]), name
