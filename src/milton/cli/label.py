"""`milton label`: value targets by alpha-beta for the positions of shards, outside a loop."""

import time
from pathlib import Path
from typing import Annotated

import typer

from milton.cli.options import Threads, num_threads
from milton.cli.output import AsJson, print_json
from milton.cli.progress import progress_bar


def register(app: typer.Typer) -> None:
    app.command("label")(label)


def label(
    shards: Annotated[Path, typer.Option(help="A shard, or a folder of shards, outside any run.")],
    checkpoint: Annotated[
        Path | None, typer.Option(help="Network to search with, or a run folder; default: the shipped one.")
    ] = None,
    nodes: Annotated[int, typer.Option(min=1, max=1_000_000, help="Nodes of each search.")] = 200,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Search the chess positions of shards by alpha-beta, for better value targets.

    The labels are written beside each shard, replace earlier ones and are used by `milton train --shards`.
    Shards of a run belong to its loop: copy them first (mkdir games && cp -r RUN/iter_* games).

    Example: milton label --shards games --checkpoint runs/chess --nodes 400
    """
    from milton.training import find_shards, label_shard

    found = [path for _, path in find_shards(shards)]
    network = _network_for_labels(checkpoint, found)
    started = time.perf_counter()
    num_done = 0
    with progress_bar("labels", None, hidden=as_json) as advance:
        for index, path in enumerate(found, start=1):
            text = f"shard {index} of {len(found)}, {nodes} nodes each"

            def on_positions(count: int, num_before: int = num_done, text: str = text) -> None:
                advance(num_before + count, None, text)

            num_done += label_shard(
                path, network, nodes=nodes, threads=num_threads(threads), on_positions=on_positions
            )
    seconds = time.perf_counter() - started
    if as_json:
        print_json({"positions": num_done, "shards": len(found), "nodes": nodes, "seconds": seconds})
    else:
        typer.echo(
            f"{num_done:,} positions of {len(found)} shards labelled by {nodes} nodes of alpha-beta each, "
            f"{num_done / seconds:,.0f} positions/s"
        )


def _network_for_labels(checkpoint: Path | None, shards: list[Path]) -> Path:
    """Refuses what cannot be labelled: other games, dense networks, shards of a run."""
    from milton.errors import ArgumentError
    from milton.nets import read_checkpoint_info
    from milton.play import find_checkpoint
    from milton.rundir import RunDir
    from milton.training import shard_game

    for path in shards:
        if (game := shard_game(path)) != "chess":
            raise ArgumentError(f"{path}: expected a shard of chess, got one of {game}")
        run = path.resolve().parent.parent
        if RunDir.exists(run):
            raise ArgumentError(
                f"{path} belongs to the run {run.name!r}, whose loop makes its labels: "
                "copy its shards first, mkdir games && cp -r RUN/iter_* games"
            )
    network = find_checkpoint("chess", checkpoint)
    assert network is not None  # chess has a shipped one
    description = read_checkpoint_info(network).description
    if description.game != "chess" or not description.is_sparse:
        raise ArgumentError(f"{network}: labels take a sparse network of chess, got {description}")
    return network
