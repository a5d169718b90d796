"""Writes the engine of the static site into web/public-site/engine: the core, its networks, and play.json.

play.json takes the levels, the settings of searches and clocks and the list of networks from the package, so
that the TypeScript types none of them in again. Files that are up to date are left alone.
"""

import json
import shutil
from pathlib import Path

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save

from milton import _core
from milton.config import Algorithm, default_search
from milton.games import GAME_NAMES, Position
from milton.nets import read_checkpoint_info
from milton.nets.sparse_grid import GRID_SCALES
from milton.play import Engine, Network, clock, level_table, sampling
from milton.play.levels import HIGHEST_LEVEL, LOWEST_LEVEL, Level
from milton.play.network import SHIPPED_CHAMPIONS, shipped_champion
from milton.play.search import NODES_FOR_ONE_MOVE
from milton.webapi.play_messages import ClockLimits, SearchLimits
from milton.webapi.searching import NUM_ALPHABETA_LINES, engine_limits

ROOT = Path(__file__).parent.parent
CORES = [ROOT / "build/wasm/milton.wasm", ROOT / "build/wasm/milton-threads.wasm"]
FOLDER = ROOT / "web/public-site/engine"
LEVELS = range(LOWEST_LEVEL, HIGHEST_LEVEL + 1)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    networks = [network for game in GAME_NAMES for network in networks_of(game)]
    files = [str(network["file"]) for network in networks if network["file"]]
    wanted = {"play.json", *(core.name for core in CORES), *files}
    for stale in FOLDER.iterdir():
        if stale.name not in wanted:
            stale.unlink()
    for core in CORES:
        copy_if_newer(core, FOLDER / core.name)
    write_if_changed(FOLDER / "play.json", json.dumps(play_data(networks), indent=1) + "\n")


def play_data(networks: list[dict[str, object]]) -> dict[str, object]:
    """`PlayData` of web/src/wasm/playdata.ts."""
    return {
        "levels": {game: [site_level(level) for level in level_table(game).levels] for game in GAME_NAMES},
        "sampling": {
            "visitOffset": sampling.VISIT_OFFSET,
            "valueScale": sampling.VALUE_SCALE,
            "smallestPrior": sampling.SMALLEST_PRIOR,
        },
        "clock": {
            "moveOverheadS": clock.DEFAULT_MOVE_OVERHEAD_S,
            "safeOverheadS": clock.SAFE_OVERHEAD_S,
            "shortestS": clock.SHORTEST_S,
            "mostMovesLeft": clock.MOST_MOVES_LEFT,
            "fewestMovesLeft": clock.FEWEST_MOVES_LEFT,
            "pliesPerMoveLess": clock.PLIES_PER_MOVE_LESS,
            "reserveMoves": clock.RESERVE_MOVES,
            "unpaidReserveMoves": clock.UNPAID_RESERVE_MOVES,
            "incrementShare": clock.INCREMENT_SHARE,
            "doubtFactor": clock.DOUBT_FACTOR,
            "largestShare": clock.LARGEST_SHARE,
            "nodesForOneMove": NODES_FOR_ONE_MOVE,
        },
        "search": {game: search_settings(game) for game in GAME_NAMES},
        "numAlphaBetaLines": NUM_ALPHABETA_LINES,
        "gridScales": GRID_SCALES,
        "networks": networks,
    }


def site_level(level: Level) -> dict[str, object]:
    """`SiteLevel` of web/src/wasm/playdata.ts."""
    limits = level.limits()
    chosen = limits.sampling
    return {
        "name": level.name,
        "elo": level.elo,
        "margin": level.margin,
        "simulations": limits.simulations,
        "moveTimeS": limits.movetime_s,
        "fresh": limits.fresh,
        "sampling": None
        if chosen is None
        else {"temperature": chosen.temperature, "plausibleShare": chosen.plausible_share},
    }


def search_settings(game: str) -> dict[str, float]:
    """`SearchSettings` of web/src/wasm/playdata.ts: what every door of the program searches with."""
    settings = default_search(game)
    return {
        parameter.name: float(getattr(settings, parameter.name))
        for parameter in _core.SearchSettings.parameters()
    }


def networks_of(game: str) -> list[dict[str, object]]:
    """Best first; their files are put in place."""
    networks = []
    champion = shipped_champion(game)
    if champion is not None:
        narrow_if_newer(champion, FOLDER / champion.name)
        label, note = "shipped champion", "evaluated in the core"
        networks.append(entry(Network.load(champion), "champion", label, "sparse", note, champion.name))
    tower = SHIPPED_CHAMPIONS / f"{game}-tower.safetensors"
    if tower.is_file():
        networks.append(tower_entry(game, tower))
    note = "knows the rules and nothing else"
    networks.append(entry(Network.uniform(game), "uniform", "no network", "uniform", note, None))
    return networks


def tower_entry(game: str, checkpoint: Path) -> dict[str, object]:
    model = FOLDER / f"{checkpoint.stem}.onnx"
    if not model.is_file() or model.stat().st_mtime < checkpoint.stat().st_mtime:
        from milton.nets.export import export_onnx  # torch takes seconds to import

        export_onnx(checkpoint, model)
    description = read_checkpoint_info(checkpoint).description
    # A network outside the core searches as none does: by the tree.
    searched = Network.uniform(game)
    label, note = "convolutional network", "runs in ONNX Runtime Web"
    network = entry(searched, "tower", label, "tower", note, model.name)
    network["planes"] = {"encoder": description.encoder, "shape": description.plane_shape()}
    return network


def entry(
    network: Network, id_: str, label: str, family: str, note: str, file: str | None
) -> dict[str, object]:
    """`SiteNetwork` of web/src/wasm/playdata.ts."""
    return {
        "game": network.game,
        "id": id_,
        "label": label,
        "family": family,
        "note": note,
        "file": file,
        "bytes": (FOLDER / file).stat().st_size if file else 0,
        "planes": None,
        "algorithms": algorithms_of(network),
    }


def algorithms_of(network: Network) -> dict[str, object]:
    """`Algorithms` of web/src/wasm/playdata.ts: what the server would answer each kind of question with."""
    engine, start = Engine(network), Position.start(network.game)

    def algorithm(limits: SearchLimits) -> Algorithm:
        return engine.algorithm_for(engine_limits(limits, start, network))

    return {
        "levels": [algorithm(SearchLimits(level=level)) for level in LEVELS],
        "simulations": algorithm(SearchLimits(simulations=1)),
        "moveTime": algorithm(SearchLimits(move_time_ms=1)),
        "clock": algorithm(SearchLimits(clock=ClockLimits(white_ms=1, black_ms=1))),
        "infinite": algorithm(SearchLimits(infinite=True)),
    }


def narrow_if_newer(source: Path, target: Path) -> None:
    """Writes the same numbers in fewer bytes: whole steps in 8 bits, and a list of those that need 16.

    A network with many of those stays as it is.
    """
    if is_up_to_date(source, target):
        return
    with safe_open(source, "numpy") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dictionary)
        metadata = file.metadata()
    for name, steps in list(tensors.items()):
        if steps.dtype != np.int16:
            continue
        tensors[name] = steps.astype(np.int8)
        places = np.flatnonzero(tensors[name] != steps)
        tensors[f"{name}.wide_places"] = places.astype(np.uint32)
        tensors[f"{name}.wide_steps"] = steps.ravel()[places]
    narrow = save(tensors, metadata)
    target.write_bytes(narrow if len(narrow) < source.stat().st_size else source.read_bytes())


def is_up_to_date(source: Path, target: Path) -> bool:
    newest = max(source.stat().st_mtime, Path(__file__).stat().st_mtime)
    return target.is_file() and target.stat().st_mtime >= newest


def write_if_changed(path: Path, text: str) -> None:
    """Others may be reading it."""
    if not path.is_file() or path.read_text() != text:
        path.write_text(text)


def copy_if_newer(source: Path, target: Path) -> None:
    if not is_up_to_date(source, target):
        shutil.copyfile(source, target)


if __name__ == "__main__":
    main()
