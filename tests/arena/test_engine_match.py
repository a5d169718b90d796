from pathlib import Path

import pytest

from milton.arena import pair_counts, play_engine_pairs, random_openings
from milton.config import default_search
from milton.play import Network, shipped_champion


@pytest.fixture(scope="module")
def networks() -> tuple[Network, Network]:
    champion = shipped_champion("chess")
    assert isinstance(champion, Path)
    return Network.load(champion, "chess"), Network.uniform("chess")


def test_a_network_beats_none_and_games_do_not_depend_on_threads(networks: tuple[Network, Network]) -> None:
    openings = random_openings("chess", 2, plies=4, seed=3)
    one = play_engine_pairs(networks, openings, nodes=60, threads=1)
    two = play_engine_pairs(networks, openings, nodes=60, threads=2)
    assert one == two
    assert [game.a_moved_first for game in one] == [True, False, True, False]
    assert [game.opening for game in one] == [openings[0]] * 2 + [openings[1]] * 2
    score = pair_counts(one).games
    assert (score.wins, score.losses) == (4, 0)


def test_what_the_watcher_raises_ends_the_match(networks: tuple[Network, Network]) -> None:
    seen: list[int] = []

    def on_pair(games: list[object]) -> None:
        seen.append(len(games))
        raise InterruptedError

    openings = random_openings("chess", 50, plies=4, seed=3)
    with pytest.raises(InterruptedError):
        play_engine_pairs(networks, openings, nodes=20, threads=1, on_pair=on_pair)
    assert len(seen) == 1


def test_each_side_may_search_by_settings_of_its_own(networks: tuple[Network, Network]) -> None:
    champion = networks[0]
    usual = default_search("chess")
    by_tree = usual.model_copy(update={"algorithm": "mcts"})
    openings = random_openings("chess", 2, plies=4, seed=3)
    same = play_engine_pairs((champion, champion), openings, nodes=40, threads=1, settings=(usual, usual))
    other = play_engine_pairs((champion, champion), openings, nodes=40, threads=1, settings=(usual, by_tree))
    assert pair_counts(same).games.score == 0.5
    assert [game.moves for game in same] != [game.moves for game in other]
