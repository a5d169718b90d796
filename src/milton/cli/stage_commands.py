"""`milton selfplay` and `milton train`: single stages of the loop, by hand."""

import dataclasses
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.option_groups import expand_groups
from milton.cli.options import (
    Changes,
    ConfigFile,
    Profile,
    RunFolder,
    Seed,
    SettingsOptions,
    Threads,
    num_threads,
    overrides_of,
    settings_of,
)
from milton.cli.output import AsJson, counted, print_json
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.config import Settings
    from milton.selfplay import PlayedGames
    from milton.training import Losses, Trained


def register(app: typer.Typer) -> None:
    app.command("selfplay")(expand_groups(selfplay))
    app.command("train")(train)


def selfplay(
    *,
    games: Annotated[int, typer.Option(min=1, help="Games to play.")],
    out: Annotated[Path, typer.Option(help="Folder for the shard and the games.")],
    checkpoint: Annotated[
        Path | None, typer.Option(help="Network to play with; default: the run's champion.")
    ] = None,
    run: RunFolder = None,
    options: SettingsOptions,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Let a network play against itself; write the games and a shard for training.

    Without --run and --checkpoint the shipped champion plays.

    Example: milton selfplay --games 100 --out games --run runs/chess
    """
    from milton.nets import read_checkpoint_info
    from milton.rundir import network_file
    from milton.selfplay import play_games

    game = options.game
    if checkpoint is not None:
        checkpoint = network_file(checkpoint)
    if run is None and checkpoint is not None:
        game = read_checkpoint_info(checkpoint).description.game
    settings = settings_of(
        run,
        config_file=options.config_file,
        profile=options.profile,
        game=game,
        overrides=options.overrides,
    )
    network = _network(checkpoint, run, settings)
    with progress_bar("self-play", games, hidden=as_json) as advance:
        played = play_games(
            network,
            settings,
            out,
            games,
            threads=num_threads(threads),
            seed=settings.loop.seed,
            on_progress=advance,
        )
    if as_json:
        print_json({**dataclasses.asdict(played), "mean_plies": played.mean_plies})
    else:
        print_played(played)


def train(
    out: Annotated[Path, typer.Option(help="Checkpoint to write.")],
    window: Annotated[int, typer.Option(min=1, help="Number of newest iterations to train on.")] = 4,
    epochs: Annotated[int, typer.Option(min=1, help="Epochs over the window.")] = 10,
    run: RunFolder = None,
    shards: Annotated[Path | None, typer.Option(help="A shard, or a folder of shards.")] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Network to start from; default: the run's champion, or random.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start from random weights; the learning rate decays to zero.")
    ] = False,
    config_file: ConfigFile = None,
    profile: Profile = None,
    changes: Changes = None,
    seed: Seed = None,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Train a network on self-play positions, with a fresh optimiser, and write it as a checkpoint.

    --set network.hidden=512 first widens a narrower sparse network; --set network.encoder=… gives a chess
    network more inputs. On the games of a long run --fresh often gives a stronger network than its champion.

    Example: milton train --run runs/chess --window 4 --epochs 10 --out candidate.safetensors
    """
    from milton.rundir import RunDir, network_file
    from milton.training import find_shards, shard_game, train_on_shards

    if (run is None) == (shards is None):
        raise typer.BadParameter("give one of --run and --shards")
    if fresh and checkpoint is not None:
        raise typer.BadParameter("--fresh starts from random weights: leave out --checkpoint")
    if checkpoint is not None:
        checkpoint = network_file(checkpoint)
    overrides = {
        "train.buffer_iterations": window,
        "train.epochs_per_iter": epochs,
        **overrides_of(changes, seed),
    }
    if run is not None:
        with RunDir.open(run, writable=False) as opened:
            found = list(opened.shard_paths())
            checkpoint = None if fresh else checkpoint or opened.champion_checkpoint()
        settings = settings_of(run, overrides=overrides)
    else:
        assert shards is not None
        found = find_shards(shards)
        game = shard_game(found[0][1])
        settings = settings_of(None, config_file=config_file, profile=profile, game=game, overrides=overrides)
    started = time.perf_counter()
    with progress_bar("training", None, hidden=as_json) as advance:

        def on_step(step: int, num_steps: int, losses: "Losses") -> None:
            advance(step, num_steps, f"policy {losses.policy_loss:.3f} value {losses.value_loss:.3f}")

        trained = train_on_shards(
            found,
            settings,
            out,
            checkpoint=checkpoint,
            chosen=frozenset(key for key in overrides if key.startswith("network.")),
            threads=num_threads(threads),
            on_step=on_step,
        )
    if as_json:
        print_json({**dataclasses.asdict(trained), "total_seconds": time.perf_counter() - started})
    else:
        _print_trained(trained)


def _network(checkpoint: Path | None, run: Path | None, settings: "Settings") -> Path:
    """The network that plays; of a run the champion, as in the loop, never the deployed network."""
    from milton.errors import CheckpointError
    from milton.play import find_checkpoint
    from milton.rundir import RunDir

    if checkpoint is None and run is not None:
        with RunDir.open(run, writable=False) as opened:
            return opened.champion_checkpoint()
    path = find_checkpoint(settings.game, checkpoint, run)
    if path is None:
        raise CheckpointError(f"no network for {settings.game}: name one with --checkpoint or --run")
    return path


def print_played(played: "PlayedGames") -> None:
    reasons = ", ".join(f"{name} {count:,}" for name, count in sorted(played.end_reasons.items()))
    typer.echo(
        f"{played.num_games:,} games ({played.num_distinct:,} distinct), {played.num_positions:,} positions, "
        f"{played.mean_plies:.0f} plies a game, {played.seconds:.1f} s"
    )
    typer.echo(
        f"first player +{played.first_wins:,} ={played.draws:,} −{played.second_wins:,}; ends: {reasons}"
    )
    typer.echo(
        f"{played.num_positions / played.seconds:,.0f} positions/s, "
        f"{played.simulations_per_s:,.0f} simulations/s"
    )
    typer.echo(f"{played.shard}\n{played.games}")


def _print_trained(trained: "Trained") -> None:
    for damage in trained.damages:
        typer.echo(f"milton: {damage}; its positions are left out", err=True)
    typer.echo(
        f"{counted(trained.plan.num_steps, 'step')} over {counted(trained.num_positions, 'position')} "
        f"({trained.num_holdout:,} held out), {trained.samples_per_s:,.0f} positions/s"
    )
    for name, losses in (("training", trained.losses), ("hold-out", trained.holdout)):
        if not losses.num_values:  # too few games to hold any out
            continue
        typer.echo(
            f"{name}: policy {losses.policy_loss:.3f} (floor {losses.target_entropy:.3f}), "
            f"value {losses.value_loss:.3f}, agrees with the search {losses.policy_agreement:.0%}"
        )
    typer.echo(f"{trained.checkpoint} {trained.sha256[:16]}")
