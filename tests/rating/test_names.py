import re

import pytest

from milton.errors import ArgumentError
from milton.rating import MoveLimit, installed_engines, load_catalog, parse_engine, parse_player


@pytest.mark.parametrize("text", ["nodes:400", "depth:3", "movetime:0.01", "10+0.1", "60+0"])
def test_limits_are_written_as_they_are_read(text: str) -> None:
    assert str(MoveLimit.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "nodes", "nodes:0", "nodes:1.5", "10", "movetime:-1", "elo:1500", "0+0", "0+1"]
)
def test_other_limits_are_refused_by_value(text: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(repr(text))):
        MoveLimit.parse(text)


def test_a_name_sets_dials_and_limit() -> None:
    choice = parse_engine("stockfish-skill-2@movetime:0.05")
    assert choice.options["Skill Level"] == 2
    assert choice.limit == MoveLimit("movetime", 0.05)
    assert choice.name == "stockfish-skill-2@movetime:0.05"


def test_nodes_in_a_name_are_its_limit() -> None:
    assert parse_engine("stockfish-nodes-100").name == "stockfish@nodes:100"


def test_the_limit_of_the_match_holds_where_a_name_has_none() -> None:
    limit = MoveLimit("nodes", 7)
    assert parse_engine("stockfish-skill-0", limit).limit == limit
    assert parse_engine("stockfish-skill-0@depth:2", limit).limit == MoveLimit("depth", 2)
    # toga2 would never answer: its own default is used.
    assert parse_engine("toga2", limit).limit.kind == "movetime"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nobody", "no opponent"),
        ("stockfish-skill-21", "from 0 to 20"),
        ("stockfish-elo-1500", "no strength option 'elo'"),
        ("stockfish-skill", "-word-number"),
        ("toga2@nodes:100", "cannot play by nodes:100"),
        ("sjeng@movetime:0.1", "at least 1 s"),
    ],
)
def test_names_that_mean_nothing_are_refused(text: str, problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        parse_engine(text)


def test_every_engine_of_the_catalog_obeys_its_own_default() -> None:
    for name, entry in load_catalog().engines.items():
        assert str(parse_engine(name).limit) == entry.default_limit


def test_every_anchor_says_where_it_comes_from() -> None:
    for anchor in load_catalog().anchors:
        assert anchor.source
        assert anchor.scale
        entry = load_catalog().engines[parse_engine(anchor.player).engine]
        assert set(anchor.limits) <= set(entry.limits)


def test_installed_engines_are_some_of_the_catalog() -> None:
    assert set(installed_engines()) <= set(load_catalog().engines)


def test_chess_players_are_refused_for_other_games() -> None:
    with pytest.raises(ArgumentError, match="santorini"):
        parse_player("greedy", "santorini", network_limit=MoveLimit("nodes", 1))
