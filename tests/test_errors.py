"""Every error a user can meet has one root, and the core raises the same classes."""

import inspect

import pytest

from milton import _core, errors
from milton.errors import ArgumentError, IllegalMoveError, MiltonError, NotationError


def test_every_error_descends_from_the_root_and_says_what_it_is():
    classes = [value for _, value in inspect.getmembers(errors, inspect.isclass)]
    assert len(classes) > 5
    for error in classes:
        assert issubclass(error, MiltonError)
        assert inspect.getdoc(error)


@pytest.mark.parametrize("error", [NotationError, IllegalMoveError, ArgumentError])
def test_bad_values_are_value_errors_too(error):
    assert issubclass(error, ValueError)


def test_the_core_raises_these_classes_with_the_value_in_the_message():
    with pytest.raises(NotationError, match="nonsense"):
        _core.chess.Line.from_text("nonsense")
    with pytest.raises(IllegalMoveError, match="e2e5"):
        _core.chess.Line.start().play("e2e5")
    with pytest.raises(ArgumentError, match="no_such_encoder"):
        _core.chess.Line.start().planes("no_such_encoder")


def test_bytes_that_are_not_text_still_arrive_as_a_notation_error():
    with pytest.raises(NotationError):
        _core.chess.Line.from_text("\x00\xff♔" * 3)
