"""`milton arena` and `milton arena-baseline`: matches between networks, or against search without one."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.arena_by_nodes import MatchByNodes, play_by_nodes
from milton.cli.cluster import open_workforce
from milton.cli.engine_options import MatchOptions
from milton.cli.options import (
    Changes,
    Cluster,
    Game,
    Seed,
    Threads,
    Workers,
    num_threads,
    overrides_of,
    settings_of,
)
from milton.cli.output import AsJson, print_json
from milton.cli.progress import progress_bar
from milton.cli.rate import OPENING_PLIES, game_of_players, match

if TYPE_CHECKING:
    from milton.arena import MatchGame, PairCounts, Player, Verdict
    from milton.config import Settings
    from milton.workforce import Workforce

SIMULATIONS = 400

GamesFile = Annotated[
    Path | None, typer.Option("--pgn", help="Write the games: .pgn (chess) or .jsonl (any game).")
]
ChangesOfA = Annotated[
    list[str] | None,
    typer.Option("--set-a", help="table.key=value for A alone; may be repeated."),
]
ChangesOfB = Annotated[list[str] | None, typer.Option("--set-b", help="The same for B.")]


class Gate(StrEnum):
    THRESHOLD = "threshold"
    SPRT = "sprt"
    NONE = "none"


class Baseline(StrEnum):
    UNIFORM = "uniform"
    MCTS = "mcts"


def register(app: typer.Typer) -> None:
    app.command("arena")(arena)
    app.command("arena-baseline")(arena_baseline)


def arena(
    a: Annotated[str, typer.Option(help="A checkpoint, a run (its champion), a .lab file, uniform or mcts.")],
    b: Annotated[str, typer.Option(help="The other player, named in the same way.")],
    games: Annotated[int, typer.Option(min=2, help="Games; every opening is played twice.")] = 100,
    simulations: Annotated[
        int | None, typer.Option(min=1, help=f"Simulations per move, for both; default: {SIMULATIONS}.")
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(min=1, help="Instead: nodes per move of the search that people play against."),
    ] = None,
    gate: Annotated[Gate, typer.Option(help="How the match is judged; sprt may end it early.")] = Gate.NONE,
    game: Game = None,
    pgn: GamesFile = None,
    changes: Changes = None,
    changes_a: ChangesOfA = None,
    changes_b: ChangesOfB = None,
    seed: Seed = None,
    threads: Threads = 0,
    cluster: Cluster = None,
    workers: Workers = 0,
    as_json: AsJson = False,
) -> None:
    """Play a match in pairs with colours swapped; print wins, draws, losses and Elo from A's side.

    Example: milton arena --a new.safetensors --b runs/chess --games 200 --pgn match.pgn

    One network with different search settings on one side:
    milton arena --a runs/chess --b runs/chess --set-a search.c_puct=2.5 --games 400

    --nodes plays with the search that people meet (chess: alpha-beta), from level openings; a run folder then
    stands for its deployed network: milton arena --a runs/chess --b old.safetensors --nodes 4000 --games 200
    """
    from milton.arena import named_player
    from milton.lab.players import is_lab_name

    if nodes is not None and (simulations is not None or gate is not Gate.NONE or cluster is not None):
        raise typer.BadParameter("--nodes takes neither --simulations nor --gate nor --cluster")
    simulations = simulations or SIMULATIONS
    if is_lab_name(a) or is_lab_name(b):
        if nodes is not None or gate is not Gate.NONE or changes or changes_a or changes_b:
            raise typer.BadParameter("methods of the lab take neither --nodes nor --gate nor --set")
        options = MatchOptions(games, OPENING_PLIES, seed or 0, threads or None, pgn, as_json)
        match(a, b, game or game_of_players((a, b)), simulations, options)
        return
    overrides: dict[str, object] = {
        "arena.games": games,
        "arena.simulations": simulations,
        "arena.gate": gate.value,
        **overrides_of(changes, seed),
    }
    settings, of_a, of_b = (
        _settings((a, b), game, overrides | overrides_of(own)) for own in (None, changes_a, changes_b)
    )
    if nodes is not None:
        match_by_nodes = MatchByNodes(
            settings.game, nodes, games, num_threads(threads), settings.loop.seed, pgn, as_json
        )
        play_by_nodes((a, b), (of_a, of_b), match_by_nodes)
        return
    first = named_player(a, of_a, of_a.arena.simulations)
    second = named_player(b, of_b, of_b.arena.simulations)
    if changes_a or changes_b:
        if cluster is not None:
            raise typer.BadParameter(
                "--set-a and --set-b do not work with --cluster: all workers share one set of settings"
            )
        cluster = "none"
    with open_workforce(cluster, workers, settings) as workforce:
        _play(first, second, settings, (), num_threads(threads), pgn, as_json=as_json, workforce=workforce)


def arena_baseline(
    checkpoint: Annotated[Path, typer.Option(help="The network, or a run folder (its champion).")],
    games: Annotated[int, typer.Option(min=2, help="Games; every opening is played twice.")] = 100,
    opponent: Annotated[
        Baseline, typer.Option(help="uniform: search with uniform priors; mcts: random playouts.")
    ] = Baseline.UNIFORM,
    simulations: Annotated[int, typer.Option(min=1, help="Simulations per move of the network.")] = 400,
    opponent_simulations: Annotated[
        int | None, typer.Option(min=1, help="Simulations of the opponent; default: the same, 1000 for mcts.")
    ] = None,
    pgn: GamesFile = None,
    changes: Changes = None,
    seed: Seed = None,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Measure a network against a search that knows only the rules.

    A search without a network chooses the openings, so that they favour neither player.

    Example: milton arena-baseline --checkpoint runs/connect_four --opponent mcts --games 40
    """
    from milton.arena import named_player, uniform_player

    theirs = opponent_simulations or (1000 if opponent is Baseline.MCTS else simulations)
    overrides: dict[str, object] = {
        "arena.games": games,
        "arena.simulations": simulations,
        "arena.gate": "none",
        **overrides_of(changes, seed),
    }
    settings = _settings((str(checkpoint),), None, overrides)
    first = named_player(str(checkpoint), settings, simulations)
    second = named_player(opponent.value, settings, theirs)
    openers = (uniform_player(settings.search, theirs),)
    _play(first, second, settings, openers, num_threads(threads), pgn, as_json=as_json)


def _settings(players: tuple[str, ...], game: str | None, overrides: dict[str, object]) -> "Settings":
    """Search settings of the first run that plays, else of the game's default profile."""
    from milton.arena import player_game
    from milton.errors import ArgumentError
    from milton.rundir import RunDir

    games = {found for player in players if (found := player_game(player)) is not None}
    games |= set() if game is None else {game}
    if len(games) != 1:
        names = ", ".join(sorted(games)) or "none"
        raise ArgumentError(f"players must be for one game, got {names}; baselines alone need --game")
    run = next((Path(player) for player in players if RunDir.exists(Path(player))), None)
    return settings_of(run, game=games.pop(), overrides=overrides)


def _play(
    a: "Player",
    b: "Player",
    settings: "Settings",
    openers: tuple["Player", ...],
    threads: int,
    pgn: Path | None,
    *,
    as_json: bool,
    workforce: "Workforce | None" = None,
) -> None:
    from milton.arena import MatchWatcher, compare, write_match
    from milton.workforce import LocalWorkforce

    workers = workforce or LocalWorkforce()
    with progress_bar("arena", settings.arena.games, hidden=as_json) as advance:
        score = ""

        def on_progress(done: int, total: int, pairs: "PairCounts") -> None:
            nonlocal score
            score = str(pairs.games)
            advance(done, total, score)

        verdict, games = compare(
            a,
            b,
            settings,
            threads=threads,
            seed=settings.loop.seed,
            opening_players=openers,
            workers=workers,
            watcher=MatchWatcher(on_progress, on_played=lambda played: advance(played, None, score)),
        )
    if pgn is not None:
        write_match(pgn, settings.game, a.name, b.name, games)
    if as_json:
        _print_json(a, b, settings, verdict, games, pgn)
    else:
        _print_words(a, b, verdict, games, pgn)


def _print_json(
    a: "Player",
    b: "Player",
    settings: "Settings",
    verdict: "Verdict",
    games: list["MatchGame"],
    pgn: Path | None,
) -> None:
    score = verdict.games
    print_json(
        {
            "game": settings.game,
            "a": a.name,
            "b": b.name,
            "simulations": [a.simulations, b.simulations],
            "games": len(games),
            "distinct_games": verdict.num_distinct_games,
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "score": score.score,
            "elo": verdict.elo.model_dump() if verdict.elo else None,
            "superiority": verdict.superiority,
            "gate": verdict.gate,
            "promoted": None if verdict.gate == "none" else verdict.promoted,
            "reason": verdict.reason,
            "games_file": pgn,
        }
    )


def _print_words(
    a: "Player", b: "Player", verdict: "Verdict", games: list["MatchGame"], pgn: Path | None
) -> None:
    score = verdict.games
    typer.echo(f"{a.name} ({a.simulations} simulations) against {b.name} ({b.simulations})")
    typer.echo(
        f"{score} over {len(games)} games ({verdict.num_distinct_games} distinct): "
        f"{score.score:.1%}, {verdict.estimate}"
    )
    if verdict.gate != "none":
        typer.echo(f"{'passes' if verdict.promoted else 'does not pass'}: {verdict.reason}")
    if pgn is not None:
        typer.echo(str(pgn))
