"""Candidate against champion: pairs over openings, portions, and a killed match that goes on."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from milton.arena import (
    MatchGame,
    MatchPlan,
    MatchWatcher,
    Player,
    Verdict,
    compare,
    make_openings,
    pair_counts,
    play_pairs,
    uniform_player,
)
from milton.config import Settings

Opening = tuple[str, ...]
SEED = 11


def arena_settings(**changes: object) -> Settings:
    overrides = {"games": 8, "opening_plies": 4, "max_plies": 42, "gate": "threshold"} | changes
    return Settings.profile(
        "any-game-quick",
        {"loop.game": "connect_four"} | {f"arena.{name}": value for name, value in overrides.items()},
    )


def player(simulations: int, settings: Settings) -> Player:
    return uniform_player(settings.search, simulations)


class Workers:
    """Play here and remember what they were asked for."""

    def __init__(self, portion_pairs: int = 2) -> None:
        self.portion_pairs = portion_pairs
        self.portions: list[list[Opening]] = []

    def play_pairs(
        self,
        plan: MatchPlan,
        openings: Sequence[Opening],
        *,
        on_played: Callable[[int], None] | None = None,
    ) -> list[MatchGame]:
        self.portions.append(list(openings))
        return play_pairs(plan, openings, on_played=on_played)


def match(
    settings: Settings, *, partial: Path | None = None, seed: int = SEED, **options: object
) -> tuple[Verdict, list[MatchGame]]:
    a, b = player(24, settings), player(8, settings)
    return compare(a, b, settings, threads=1, seed=seed, partial=partial, **options)  # type: ignore[arg-type]


def interrupted(settings: Settings, partial: Path, num_portions: int) -> None:
    """A match that ends by a signal after some portions of two pairs."""
    seen = []

    def interrupt(*progress: object) -> None:
        seen.append(progress)
        if len(seen) == num_portions:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match(settings, partial=partial, workers=Workers(), watcher=MatchWatcher(interrupt))


def test_every_opening_is_played_twice_with_sides_swapped() -> None:
    verdict, games = match(arena_settings())
    assert len(games) == 8
    assert [game.a_moved_first for game in games] == [True, False] * 4
    assert all(first.opening == second.opening for first, second in zip(games[::2], games[1::2], strict=True))
    assert len({game.opening for game in games}) == 4
    assert verdict.pair_counts == pair_counts(games)
    assert (verdict.candidate, verdict.champion) == ("uniform-24", "uniform-8")


def test_an_odd_number_of_games_is_rounded_up_to_whole_pairs() -> None:
    assert len(match(arena_settings(games=5))[1]) == 6


@pytest.mark.parametrize("portion_pairs", [1, 3, 10])
def test_portions_cover_the_match_in_order(portion_pairs: int) -> None:
    play, settings = Workers(portion_pairs), arena_settings(temperature=0.0)
    _, games = match(settings, workers=play)
    played = [opening for portion in play.portions for opening in portion]
    assert played == [game.opening for game in games[::2]]
    assert [len(portion) for portion in play.portions[:-1]] == [portion_pairs] * (len(play.portions) - 1)


def test_a_killed_match_goes_on_with_what_is_missing_and_ends_as_if_never_killed(tmp_path: Path) -> None:
    settings, partial, play = arena_settings(), tmp_path / "arena.partial.json", Workers()
    interrupted(settings, partial, num_portions=1)
    verdict, games = match(settings, partial=partial, workers=play)
    assert [len(portion) for portion in play.portions] == [2]
    assert (verdict, games) == match(settings, workers=Workers())


def test_a_match_that_was_killed_after_its_last_portion_plays_nothing_more(tmp_path: Path) -> None:
    settings, partial, play = arena_settings(), tmp_path / "arena.partial.json", Workers()
    interrupted(settings, partial, num_portions=2)
    _, games = match(settings, partial=partial, workers=play)
    assert (play.portions, len(games)) == ([], 8)


def test_counts_of_a_resumed_match_begin_where_it_was_killed(tmp_path: Path) -> None:
    settings, partial = arena_settings(), tmp_path / "arena.partial.json"
    interrupted(settings, partial, num_portions=1)
    told: list[tuple[int, int]] = []
    played: list[int] = []
    match(
        settings,
        partial=partial,
        workers=Workers(),
        watcher=MatchWatcher(lambda done, total, _: told.append((done, total)), on_played=played.append),
    )
    assert told == [(8, 8)]
    assert all(4 <= count <= 8 for count in played)


def test_the_last_game_of_every_portion_is_shown() -> None:
    shown: list[MatchGame] = []
    _, games = match(arena_settings(), workers=Workers(), watcher=MatchWatcher(on_game=shown.append))
    assert shown == [games[3], games[7]]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda _: "",
        lambda _: "[]",
        lambda _: '{"match": {}}',
        lambda text: text.replace('"winner"', '"victor"'),
        lambda text: text.replace(f'"seed": {SEED}', '"seed": 12'),
        lambda text: text.replace("uniform-8", "uniform-9"),
    ],
    ids=["cut", "empty", "list", "no games", "other field", "other seed", "other champion"],
)
def test_a_resume_file_that_does_not_fit_is_left_aside(damage: Callable[[str], str], tmp_path: Path) -> None:
    settings, partial, play = arena_settings(), tmp_path / "arena.partial.json", Workers()
    interrupted(settings, partial, num_portions=1)
    partial.write_text(damage(partial.read_text()))
    verdict, games = match(settings, partial=partial, workers=play)
    assert [len(portion) for portion in play.portions] == [2, 2]
    assert (verdict, games) == match(settings, workers=Workers())


def test_games_of_other_openings_are_not_taken_for_these(tmp_path: Path) -> None:
    settings, partial, play = arena_settings(), tmp_path / "arena.partial.json", Workers()
    interrupted(settings, partial, num_portions=1)
    stored = json.loads(partial.read_text())
    stored["games"] = stored["games"][2:] + stored["games"][:2]
    partial.write_text(json.dumps(stored))
    match(settings, partial=partial, workers=play)
    assert [len(portion) for portion in play.portions] == [2, 2]


def test_a_sequential_gate_ends_the_match_between_two_portions() -> None:
    settings = arena_settings(games=200, gate="sprt")
    strong, weak = player(200, settings), player(1, settings)
    verdict, games = compare(strong, weak, settings, threads=1, seed=SEED, workers=Workers(5))
    assert verdict.promoted
    assert len(games) % 10 == 0
    assert len(games) < 200


def test_openings_come_from_the_players_that_are_named() -> None:
    settings = arena_settings()
    third = player(2, settings)
    expected = make_openings(
        settings.game,
        (third,),
        4,
        plies=settings.arena.opening_plies,
        temperature=settings.arena.opening_temperature,
        seed=SEED,
    )
    _, games = match(settings, opening_players=(third,))
    assert [game.opening for game in games[::2]] == expected
