"""`milton rate` and `milton tournament`: matches against outside engines, baselines and other networks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.engine_options import HashMb, Margin, MatchOptions, Overhead, StateFile
from milton.cli.option_groups import expand_groups
from milton.cli.options import LocalWorkers, overrides_of, settings_of
from milton.cli.output import AsJson, print_json
from milton.cli.rate_pool import PoolConditions, rate_against_pool
from milton.gameinfo import GAME_NAMES

if TYPE_CHECKING:
    from milton.config import SearchSettings
    from milton.rating import Fixture, MeetingRecord, MoveLimit, PlayerSpec

Games = Annotated[int, typer.Option(min=2, help="Games per match; every opening is played twice.")]
Simulations = Annotated[
    int | None, typer.Option(min=1, help="Simulations per move of our side; default: 1600.")
]
TimeControl = Annotated[
    str | None,
    typer.Option(
        "--tc",
        help="Limit of both sides: 10+0.1, nodes:400, movetime:0.1, short (8+0.08) or long (40+0.4). "
        "Names with @ keep their own.",
    ),
]
Anchored = Annotated[bool, typer.Option(help="Use published ratings of opponents; docs/rating.md says when.")]
GamesFile = Annotated[Path | None, typer.Option("--pgn", help="Write the games (JSON lines if not chess).")]
Seed = Annotated[int, typer.Option(help="Seed of the openings; use the same for ratings that you compare.")]
Plies = Annotated[int, typer.Option(min=0, help="Random plies at the start of every game.")]

SearchChanges = Annotated[
    list[str] | None, typer.Option("--set", help="search.key=value for our side; may be repeated.")
]

DEFAULT_SIMULATIONS = 1_600
OPENING_PLIES = 6
_POOL_OPENING_PLIES = 8


@dataclass(frozen=True, slots=True)
class MeetingOptions:
    """What `milton rate` and `milton tournament` are told about their games (option_groups)."""

    games: Games = 100
    simulations: Simulations = None
    time_control: TimeControl = None
    anchored: Anchored = False
    games_file: GamesFile = None
    workers: LocalWorkers = None
    seed: Seed = 0
    opening_plies: Plies = OPENING_PLIES
    as_json: AsJson = False

    def match(self, opening_plies: int) -> MatchOptions:
        return MatchOptions(self.games, opening_plies, self.seed, self.workers, self.games_file, self.as_json)


@dataclass(frozen=True, slots=True)
class TournamentOptions(MeetingOptions):
    games: Games = 20


def register(app: typer.Typer) -> None:
    app.command("rate")(expand_groups(rate))
    app.command("tournament")(expand_groups(tournament))


def rate(
    *,
    checkpoint: Annotated[
        Path | None, typer.Option(help="The network or .lab file to rate; default: the shipped champion.")
    ] = None,
    run: Annotated[Path | None, typer.Option(help="Rate this run's network.")] = None,
    game: Annotated[
        str, typer.Option(help=f"One of {', '.join(GAME_NAMES)}; where a network is named, its game.")
    ] = "chess",
    opponents: Annotated[str | None, typer.Option(help="Comma-separated names; `list` shows them.")] = None,
    options: MeetingOptions,
    changes: SearchChanges = None,
    pool: Annotated[
        str | None, typer.Option(help="A ready pool of engines with published figures, such as ccrl.")
    ] = None,
    near: Annotated[
        float | None,
        typer.Option(
            help="With --pool: your guess of the rating. Plays --games in all, each ten against the engine "
            "nearest to the rating so far."
        ),
    ] = None,
    hash_mb: HashMb = 64,
    overhead: Overhead = 10,
    margin: Margin = 10,
    state: StateFile = None,
    beside_loop: Annotated[
        bool, typer.Option("--beside-loop", hidden=True, help="As `milton loop` starts it.")
    ] = False,
) -> None:
    """Rate a network by paired games against other programs.

    Example: milton rate --checkpoint net.safetensors --opponents greedy,stockfish-skill-2@movetime:0.01

    On the scale of published figures: milton rate --pool ccrl --tc short --games 100

    In a checkout, `make engines` installs that pool from Debian.
    """
    if beside_loop:
        _end_with_loop()
    if near is not None and (pool is None or options.games_file is not None):
        raise typer.BadParameter("--near chooses among the engines of a --pool and keeps no --pgn")
    if pool is not None:
        if options.simulations is not None or changes or options.anchored or game != "chess":
            raise typer.BadParameter(
                "--pool plays chess on the clock: leave out --simulations, --set, --anchored and --game"
            )
        rate_against_pool(
            str(checkpoint or run or "champion"),
            pool,
            opponents.split(",") if opponents else None,
            PoolConditions(options.time_control or "short", hash_mb, overhead, margin, near),
            options.match(_POOL_OPENING_PLIES),
            state,
        )
        return
    from milton.cli.rating_tables import match_object, print_engines, print_rating, published_anchors
    from milton.errors import CheckpointError
    from milton.gameinfo import game_info
    from milton.lab.players import SUFFIX, file_game, lab_spec
    from milton.nets import read_checkpoint_info
    from milton.play import find_checkpoint
    from milton.rating import network_spec, parse_player

    if opponents == "list":
        print_engines(game)
        return
    path = find_checkpoint(game, checkpoint, run)
    if path is None:
        raise CheckpointError(f"no network for {game} was shipped; name one with --checkpoint or --run")
    is_method = path.suffix == SUFFIX
    game = file_game(path) if is_method else read_checkpoint_info(path).description.game
    own, theirs = _limits(options.simulations, options.time_control)
    search = _search(game, changes)
    player = lab_spec(path, game) if is_method else network_spec(path, game, own, search=search)
    names = opponents.split(",") if opponents else game_info(game).opponents
    fixtures = [
        (player, parse_player(name.strip(), game, network_limit=own, engine_limit=theirs)) for name in names
    ]
    if options.anchored:
        published_anchors([player for fixture in fixtures for player in fixture])
    records = _play(fixtures, options.match(options.opening_plies))
    if options.as_json:
        print_json(match_object(records, options.anchored))
    else:
        print_rating(player, records, options.anchored)


def _end_with_loop() -> None:
    """Ends this process with its loop; its workers and their engines notice. The file of games resumes."""
    import os

    from milton.workforce.beside import call_when_loop_ends

    call_when_loop_ends(lambda: os._exit(1))


def _search(game: str, changes: list[str] | None) -> "SearchSettings | None":
    """How our side searches; None: as its default profile says."""
    if not changes:
        return None
    overrides = overrides_of(changes)
    strange = [name for name in overrides if not name.startswith("search.")]
    if strange:
        raise typer.BadParameter(f"--set takes settings of the search here, got {', '.join(strange)}")
    return settings_of(None, game=game, overrides=overrides).search.for_play(chosen=overrides)


def tournament(
    players: Annotated[
        list[str], typer.Argument(help="Checkpoints, runs, .lab files, engines or baselines.")
    ],
    *,
    game: Annotated[
        str | None, typer.Option(help="Game to play; default: the game of the networks, else chess.")
    ] = None,
    options: TournamentOptions,
    neighbours: Annotated[
        int | None,
        typer.Option(min=1, help="Play only the next so many players in the list; default: all."),
    ] = None,
    anchor: Annotated[
        list[str] | None, typer.Option(help="NAME=ELO fixes a player's rating; may be repeated.")
    ] = None,
) -> None:
    """Play a round robin; print the crosstable.

    Example: milton tournament old.safetensors new.safetensors greedy stockfish-nodes-100 --games 20
    """
    from itertools import combinations

    import milton.lab.players  # noqa: F401  (makes methods of the lab known by name)
    from milton.cli.rating_tables import match_object, print_tournament, published_anchors
    from milton.rating import parse_player

    if len(players) < 2:
        raise typer.BadParameter("a tournament needs at least two players")
    own, theirs = _limits(options.simulations, options.time_control)
    game = game or game_of_players(players)
    specs = [parse_player(name, game, network_limit=own, engine_limit=theirs) for name in players]
    fixtures = [
        (specs[first], specs[second])
        for first, second in combinations(range(len(specs)), 2)
        if neighbours is None or second - first <= neighbours
    ]
    fixed = _fixed_ratings(anchor or [], [spec.name for spec in specs])
    if options.anchored:
        published_anchors([player for fixture in fixtures for player in fixture])
    records = _play(fixtures, options.match(options.opening_plies))
    if options.as_json:
        print_json(match_object(records, options.anchored, fixed))
    else:
        print_tournament(records, options.anchored, fixed)


def game_of_players(players: Sequence[str]) -> str:
    """The game of the first player that knows only one, else chess."""
    from milton.lab.players import SUFFIX, file_game
    from milton.nets import read_checkpoint_info
    from milton.rundir import network_file

    for name in players:
        path = network_file(Path(name.partition("@")[0]))
        if path.is_file() and path.suffix in (SUFFIX, ".safetensors"):
            return file_game(path) if path.suffix == SUFFIX else read_checkpoint_info(path).description.game
    return "chess"


def _fixed_ratings(texts: list[str], names: list[str]) -> dict[str, float]:
    """NAME=ELO of players that take part."""
    fixed = {}
    for text in texts:
        name, sign, elo = text.rpartition("=")
        try:
            fixed[name] = float(elo)
        except ValueError:
            sign = ""
        if not sign or name not in names:
            raise typer.BadParameter(f"--anchor: expected NAME=ELO of {', '.join(names)}, got {text!r}")
    return fixed


def match(a: str, b: str, game: str, simulations: int, options: MatchOptions) -> None:
    """A match of two players as they are, for `milton arena` where one does not play by the core's search."""
    from milton.arena import BASELINES, player_checkpoint
    from milton.cli.rating_tables import match_object, print_rating
    from milton.lab.players import is_lab_name
    from milton.rating import MoveLimit, network_spec, parse_player

    limit = MoveLimit("nodes", simulations)

    def spec(name: str) -> "PlayerSpec":
        checkpoint = None if is_lab_name(name) else player_checkpoint(name)
        if checkpoint is not None:
            return network_spec(checkpoint, game, limit)
        named = f"{name}-{simulations}" if name in BASELINES else name
        return parse_player(named, game, network_limit=limit)

    records = _play([(spec(a), spec(b))], options)
    if options.as_json:
        print_json(match_object(records, anchored=False))
    else:
        print_rating(records[0].a, records, anchored=False)


def _limits(simulations: int | None, time_control: str | None) -> "tuple[MoveLimit, MoveLimit | None]":
    """Our limit, and that of opponents whose name has none (None: the catalog's)."""
    from milton.rating import MoveLimit

    if simulations is not None and time_control is not None:
        raise typer.BadParameter("give only one of --simulations and --tc")
    if time_control is not None:
        limit = MoveLimit.parse(time_control)
        return limit, limit
    return MoveLimit("nodes", simulations or DEFAULT_SIMULATIONS), None


def _play(fixtures: "Sequence[Fixture]", options: MatchOptions) -> "list[MeetingRecord]":
    from milton.arena import random_openings
    from milton.cli.rating_tables import watch
    from milton.rating import MatchSetup, num_cores, play_meetings

    game, seed = fixtures[0][0].game, options.seed
    openings = random_openings(game, options.num_pairs, plies=options.opening_plies, seed=seed)
    setup = MatchSetup(openings, options.workers or num_cores(), seed, games_file=options.games_file)
    with watch(fixtures, len(openings), quiet=options.as_json) as on_pair:
        return play_meetings(fixtures, setup, on_pair)
