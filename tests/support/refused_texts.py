"""What a refusal of a position's text must say, whatever the game."""

import pytest

from milton.errors import NotationError
from milton.games import core_game


def assert_refused(game: str, text: str, field_name: str, value: str) -> None:
    """By the field at fault first, with the value, and short however long the text is."""
    with pytest.raises(NotationError) as caught:
        core_game(game).Line.from_text(text)
    assert str(caught.value).startswith(field_name)
    assert value in str(caught.value)
    assert len(str(caught.value)) < 400
