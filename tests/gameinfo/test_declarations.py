"""Declarations of games: complete, in step with the core, and refused by name where they are wrong."""

import pytest

from milton import _core
from milton.config import PROFILES, Settings
from milton.errors import ArgumentError, ConfigError
from milton.gameinfo import GAME_NAMES, all_games, game_info, read_info
from milton.games import GameSpec, Position
from milton.nets.from_settings import described_network
from milton.rating import MoveLimit, parse_player
from milton.records import games_suffix

GOOD = """
title = "Nim"
short_title = "Nim"
menu_order = 9
sides = ["first", "second"]
colours = ["#2f6fae", "#c2552f"]
notation = "core"
move_numbers = "pairs"
example = "3 4 5"
default_profile = "any-game-quick"
opponents = ["random"]
[encoders]
mlp = "planes1"
"""


def test_the_games_are_those_of_the_core_in_menu_order():
    assert GAME_NAMES == ("chess", "santorini", "connect_four")
    assert all(hasattr(_core, name) for name in GAME_NAMES)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_declaration_names_encoders_profiles_and_opponents_that_exist(game):
    info = game_info(game)
    assert set(info.encoders.values()) <= set(GameSpec.of(game).planes)
    assert info.default_profile in PROFILES
    assert Settings.profile(info.default_profile).game == game
    for name in info.opponents:
        parse_player(name, game, network_limit=MoveLimit("nodes", 100))


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("family", ["tower", "mlp"])
def test_every_dense_family_finds_its_planes(game, family):
    wanted = described_network(
        Settings.profile("any-game-quick", {"loop.game": game, "network.family": family})
    )
    assert wanted.encoder == game_info(game).encoders[family]


def test_a_family_without_planes_is_refused():
    with pytest.raises(ArgumentError, match="santorini has no planes for a 'attack' network"):
        game_info("santorini").encoder("attack")


def test_notation_decides_how_moves_are_shown_and_games_are_kept():
    assert Position.start("chess").written("g1f3") == "Nf3"
    assert Position.start("connect_four").written("d") == "d"
    assert [games_suffix(game) for game in GAME_NAMES] == [".pgn", ".jsonl", ".jsonl"]


def test_a_game_nobody_declared_is_refused_with_those_there_are():
    with pytest.raises(ArgumentError, match="expected a game of chess, santorini, connect_four, got 'go'"):
        game_info("go")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title", "titel", r"nim\.toml: title: Field required"),
        ('["first", "second"]', '["only one"]', r"nim\.toml: sides"),
        ("[encoders]", "[encoders", r"nim\.toml: "),
        ('"#2f6fae"', '"blue; }"', r"nim\.toml: colours"),
        ('mlp = "planes1"', 'cnn = "planes1"', r"nim\.toml: encoders\.cnn"),
    ],
)
def test_a_wrong_declaration_is_refused_by_file_and_key(old, new, message):
    assert read_info("nim", GOOD).title == "Nim"
    with pytest.raises(ConfigError, match=message):
        read_info("nim", GOOD.replace(old, new, 1))


def test_all_games_have_their_own_place_in_the_menu():
    orders = [info.menu_order for info in all_games().values()]
    assert len(set(orders)) == len(orders)
