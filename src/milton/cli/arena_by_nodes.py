"""`milton arena --nodes`: a match with the search that people play against, not the gate's."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from milton.cli.output import print_json
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.arena import MatchGame, Opening
    from milton.config import Settings
    from milton.play import Network


@dataclass(frozen=True, slots=True)
class MatchByNodes:
    """What is asked: every opening twice, so many nodes a move for both sides."""

    game: str
    nodes: int
    num_games: int
    threads: int
    seed: int
    pgn: Path | None
    as_json: bool


def play_by_nodes(
    players: tuple[str, str], settings: tuple["Settings", "Settings"], match: MatchByNodes
) -> None:
    """Plays the match and prints it, in words or JSON."""
    from milton.arena import pair_counts, play_engine_pairs, player_name, write_match

    networks = (_network_for_people(players[0], match.game), _network_for_people(players[1], match.game))
    openings = _openings(match)
    with progress_bar("arena", 2 * len(openings), hidden=match.as_json) as advance:

        def on_pair(games: list["MatchGame"]) -> None:
            advance(len(games), None, str(pair_counts(games).games))

        games = play_engine_pairs(
            networks,
            openings,
            nodes=match.nodes,
            threads=match.threads,
            settings=(settings[0].search, settings[1].search),
            on_pair=on_pair,
        )
    names = (player_name(players[0]), player_name(players[1]))
    algorithms = [_algorithm(*side, match.nodes) for side in zip(networks, settings, strict=True)]
    if match.pgn is not None:
        write_match(match.pgn, match.game, *names, games, " and ".join(dict.fromkeys(algorithms)))
    _print(names, algorithms, games, match)


def _network_for_people(player: str, game: str) -> "Network":
    """A checkpoint, the network of a run that people play against, or none (`uniform`)."""
    from milton.errors import ArgumentError
    from milton.play import Network, find_checkpoint

    if player == "mcts":
        raise ArgumentError("mcts plays random games and knows no nodes: leave out --nodes")
    if player == "uniform":
        return Network.uniform(game)
    checkpoint = find_checkpoint(game, Path(player))
    assert checkpoint is not None  # one was named
    return Network.load(checkpoint, game)


def _openings(match: MatchByNodes) -> list["Opening"]:
    """Level ones where a shipped network can judge them; else random ones."""
    from milton.arena import balanced_openings, random_openings, shipped_judge

    num_pairs = (match.num_games + 1) // 2
    judge = shipped_judge(match.game, seed=match.seed)
    if judge is None:
        return random_openings(match.game, num_pairs, seed=match.seed)
    return balanced_openings(judge, num_pairs, threads=match.threads)


def _algorithm(network: "Network", settings: "Settings", nodes: int) -> str:
    from milton.play import Engine, Limits

    return Engine(network, threads=1, settings=settings.search).algorithm_for(Limits(nodes=nodes))


def _finite(end: float) -> float | None:
    return end if math.isfinite(end) else None


def _print(
    names: tuple[str, str], algorithms: list[str], games: list["MatchGame"], match: MatchByNodes
) -> None:
    from milton.arena import estimate_elo, num_distinct, pair_counts

    pairs = pair_counts(games)
    score = pairs.games
    elo = estimate_elo(pairs)
    if match.as_json:
        print_json(
            {
                "game": match.game,
                "a": names[0],
                "b": names[1],
                "nodes": match.nodes,
                "algorithms": algorithms,
                "games": len(games),
                "distinct_games": num_distinct(games),
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "score": score.score,
                "elo": {"elo": elo.elo, "low": _finite(elo.low), "high": _finite(elo.high)},
                "games_file": match.pgn,
            }
        )
        return
    sides = [f"{name} ({algorithm})" for name, algorithm in zip(names, algorithms, strict=True)]
    typer.echo(f"{' against '.join(sides)}, {match.nodes:,} nodes a move")
    typer.echo(f"{score} over {len(games)} games ({num_distinct(games)} distinct): {score.score:.1%}, {elo}")
    if match.pgn is not None:
        typer.echo(str(match.pgn))
