from pathlib import Path

import pytest
from rating_players import player, rogue

from milton.arena import PairCounts, random_openings
from milton.errors import ArgumentError
from milton.rating import (
    Fault,
    MatchSetup,
    MeetingRecord,
    PairTask,
    PlayedGame,
    PlayedPair,
    PlayerSpec,
    anchors_of,
    is_void,
    play_meetings,
    rate_pool,
)
from milton.records import GameRecord, read_games

US, THEM = PlayerSpec("us", "network", "chess"), PlayerSpec("them", "engine", "chess")


def game(winner: int, *, swapped: bool = False, fault: Fault | None = None, moves: int = 0) -> PlayedGame:
    names = ("them", "us") if swapped else ("us", "them")
    text = ("e2e4", "e7e5", "g1f3", "b8c6")[:moves]
    record = GameRecord.of_moves("chess", None, text, winner=winner, end_reason="checkmate", players=names)
    return PlayedGame(record, 0, (1.0, 2.0), fault)


def pair(first: PlayedGame, second: PlayedGame) -> PlayedPair:
    return PlayedPair(PairTask(US, THEM, (), 0, 0), (first, second))


def test_points_are_counted_for_the_same_player_in_both_games() -> None:
    won, half = pair(game(0), game(1, swapped=True)), pair(game(1), game(-1, swapped=True))
    record = MeetingRecord(US, THEM, [won, half])
    assert record.counts == PairCounts(both_won=1, draw_loss=1)


@pytest.mark.parametrize("kind", ["crash", "hang", "illegal_move"])
def test_an_engine_that_breaks_down_voids_its_pair_and_is_told_of(kind: str) -> None:
    fault = Fault(1, kind, "it broke")  # type: ignore[arg-type]
    record = MeetingRecord(US, THEM, [pair(game(0, fault=fault), game(0, swapped=True))])
    assert record.num_void_pairs == 1
    assert record.counts.num_pairs == 0
    assert record.faults == [("them", fault)]
    assert rate_pool([record]) is None


def test_our_own_failures_and_lost_clocks_are_losses() -> None:
    ours = pair(game(1, fault=Fault(0, "crash", "")), game(1, swapped=True))
    late = pair(game(0, fault=Fault(1, "time_loss", "")), game(1, swapped=True))
    assert not is_void(ours)
    assert not is_void(late)
    record = MeetingRecord(US, THEM, [ours, late])
    assert (record.counts.win_loss, record.counts.both_won) == (1, 1)
    assert len(record.faults) == 2


def test_repeated_games_are_not_distinct() -> None:
    record = MeetingRecord(US, THEM, [pair(game(0, moves=2), game(0, swapped=True, moves=2))])
    assert record.num_distinct == 1


def test_think_time_is_that_of_the_player_in_both_games() -> None:
    record = MeetingRecord(US, THEM, [pair(game(0, moves=4), game(0, swapped=True, moves=4))])
    assert record.mean_think_time_s(US) == pytest.approx((1.0 + 2.0) / 4)


def test_anchors_hold_only_for_limits_they_were_published_for() -> None:
    timed, counted = _stockfish("stockfish-skill-0@movetime:0.01"), _stockfish("stockfish-skill-0@nodes:9")
    assert list(anchors_of([timed, counted, player("random")])) == [timed.name]


def _stockfish(name: str) -> PlayerSpec:
    from milton.rating import parse_engine

    choice = parse_engine(name)
    return PlayerSpec(choice.name, "engine", "chess", choice.limit)


def test_a_match_in_processes_keeps_every_game(tmp_path: Path, network: Path) -> None:
    us, random, greedy = player(str(network)), player("random"), player("greedy")
    openings = random_openings("chess", 2)
    seen = []
    records = play_meetings(
        [(us, random), (us, greedy)],
        MatchSetup(openings, workers=2, games_file=tmp_path / "games.pgn"),
        on_pair=lambda pair, _: seen.append(pair),
    )
    assert [record.counts.num_pairs for record in records] == [2, 2]
    assert len(seen) == 4
    ratings = rate_pool(records)
    assert ratings is not None
    assert set(ratings.players) == {us.name, "random", "greedy"}
    found = list(read_games(tmp_path / "games.pgn"))
    kept = [(game.players[0], game.moves) for game in found]
    ours = ["White" if game.players[0] == us.name else "Black" for game in found]
    assert {game.tags[f"{colour}Algorithm"] for game, colour in zip(found, ours, strict=True)} == {"mcts"}
    assert sorted(game.tags["Round"] for game in found) == [
        "1.1",
        "1.1",
        "1.2",
        "1.2",
        "2.1",
        "2.1",
        "2.2",
        "2.2",
    ]
    played = [(game.players[0], game.moves) for record in records for game in record.games]
    assert sorted(kept) == sorted(played)


def test_a_match_survives_an_engine_that_dies_in_every_game(tmp_path: Path) -> None:
    openings = random_openings("chess", 2)
    setup = MatchSetup(openings, workers=1)
    (record,) = play_meetings([(player("random"), rogue(tmp_path, "dies"))], setup)
    assert record.num_void_pairs == 2
    assert {fault.kind for _, fault in record.faults} == {"crash"}


def test_players_of_one_name_are_refused() -> None:
    with pytest.raises(ArgumentError, match="different names"):
        play_meetings([(player("random"), player("random"))], MatchSetup([("e2e4",)], workers=1))
