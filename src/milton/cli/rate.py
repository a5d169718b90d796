"""`milton rate` and `milton tournament`: matches against outside engines, baselines and other networks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from milton.rating import MoveLimit

Games = Annotated[int, typer.Option(min=2, help="Games against each opponent (pairs of one opening).")]
Simulations = Annotated[
    int | None, typer.Option(min=1, help="Simulations a move of our side; 1,600 if --tc is not given.")
]
TimeControl = Annotated[
    str | None,
    typer.Option(
        "--tc", help="Limit of both sides: 10+0.1, nodes:400 or movetime:0.1; names with @ keep their own."
    ),
]
GamesFile = Annotated[
    Path | None, typer.Option("--pgn", help="Keep the games here (JSON lines if not chess).")
]
Workers = Annotated[
    int | None, typer.Option("--workers", "--threads", min=1, help="Games at once; default: one a core.")
]
Seed = Annotated[int, typer.Option(help="Of the openings; the same for all ratings that are compared.")]
Plies = Annotated[int, typer.Option(min=0, help="Random half-moves that every game begins with.")]

DEFAULT_SIMULATIONS = 1_600


def register(app: typer.Typer) -> None:
    app.command("rate")(rate)
    app.command("tournament")(tournament)


def rate(
    checkpoint: Annotated[
        Path | None, typer.Option(help="The network to rate; default: the shipped champion.")
    ] = None,
    run: Annotated[Path | None, typer.Option(help="Rate the champion of this run.")] = None,
    game: Annotated[str, typer.Option(help="Of the shipped champion.")] = "chess",
    opponents: Annotated[
        str | None, typer.Option(help="Names, separated by commas; `list` shows them.")
    ] = None,
    games: Games = 100,
    simulations: Simulations = None,
    time_control: TimeControl = None,
    anchored: Annotated[
        bool, typer.Option(help="Put the published ratings of engines.toml under the scale.")
    ] = False,
    games_file: GamesFile = None,
    workers: Workers = None,
    seed: Seed = 0,
    opening_plies: Plies = 6,
    as_json: AsJson = False,
) -> None:
    """Rate a network by paired games against other programs.

    Example: milton rate --checkpoint net.safetensors --opponents greedy,stockfish-skill-2@movetime:0.01
    """
    from milton.cli.rating_tables import match_object, print_engines, print_rating, watch
    from milton.errors import CheckpointError
    from milton.nets import read_checkpoint_info
    from milton.play import find_checkpoint
    from milton.rating import (
        DEFAULT_OPPONENTS,
        network_spec,
        num_cores,
        parse_player,
        play_meetings,
        random_openings,
    )

    if opponents == "list":
        print_engines()
        return
    path = find_checkpoint(game, checkpoint, run)
    if path is None:
        raise CheckpointError(f"no network for {game} was shipped; name one with --checkpoint or --run")
    game = read_checkpoint_info(path).description.game
    own, theirs = _limits(simulations, time_control)
    player = network_spec(path, game, own)
    names = opponents.split(",") if opponents else list(DEFAULT_OPPONENTS[game])
    rivals = [parse_player(name.strip(), game, network_limit=own, engine_limit=theirs) for name in names]
    openings = random_openings(game, (games + 1) // 2, plies=opening_plies, seed=seed)
    with watch([(player, rival) for rival in rivals], len(openings), quiet=as_json) as progress:
        records = play_meetings(
            [(player, rival) for rival in rivals],
            openings,
            workers=workers or num_cores(),
            seed=seed,
            games_file=games_file,
            on_pair=progress,
        )
    if as_json:
        print_json(match_object(records, anchored))
    else:
        print_rating(player, records, anchored)


def _limits(simulations: int | None, time_control: str | None) -> "tuple[MoveLimit, MoveLimit | None]":
    """Ours, and that of opponents who do not name their own (None: the catalog's)."""
    from milton.rating import MoveLimit

    if simulations is not None and time_control is not None:
        raise typer.BadParameter("give only one of --simulations and --tc")
    if time_control is not None:
        limit = MoveLimit.parse(time_control)
        return limit, limit
    return MoveLimit("nodes", simulations or DEFAULT_SIMULATIONS), None


def tournament(
    players: Annotated[list[str], typer.Argument(help="Checkpoints, engines or baselines.")],
    games: Games = 20,
) -> None:
    """Play everybody against everybody."""
