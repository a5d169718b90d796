"""Writes the engine of the static site into web/public-site/engine: the core, its networks, and play.json.

play.json takes the levels, the settings of searches and clocks and the list of networks from the package, so
that the TypeScript types none of them in again. Files that are up to date are left alone.
"""

import json
import shutil
from pathlib import Path

from milton import _core
from milton.config import default_search
from milton.games import GAME_NAMES
from milton.nets import read_checkpoint_info
from milton.nets.sparse_grid import GRID_SCALES
from milton.play import clock, levels
from milton.play.network import SHIPPED_CHAMPIONS, shipped_champion
from milton.play.search import NODES_FOR_ONE_MOVE

ROOT = Path(__file__).parent.parent
CORE = ROOT / "build/wasm/milton.wasm"
FOLDER = ROOT / "web/public-site/engine"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    networks = [network for game in GAME_NAMES for network in networks_of(game)]
    wanted = {"play.json", CORE.name, *(str(network["file"]) for network in networks if network["file"])}
    for stale in FOLDER.iterdir():
        if stale.name not in wanted:
            stale.unlink()
    copy_if_newer(CORE, FOLDER / CORE.name)
    (FOLDER / "play.json").write_text(json.dumps(play_data(networks), indent=1) + "\n")


def play_data(networks: list[dict[str, object]]) -> dict[str, object]:
    """`PlayData` of web/src/wasm/playdata.ts."""
    return {
        "simulationsOfLevel": levels.SIMULATIONS_OF_LEVEL,
        "clock": {
            "moveOverheadS": clock.DEFAULT_MOVE_OVERHEAD_S,
            "safeOverheadS": clock.SAFE_OVERHEAD_S,
            "shortestS": clock.SHORTEST_S,
            "mostMovesLeft": clock.MOST_MOVES_LEFT,
            "fewestMovesLeft": clock.FEWEST_MOVES_LEFT,
            "pliesPerMoveLess": clock.PLIES_PER_MOVE_LESS,
            "incrementShare": clock.INCREMENT_SHARE,
            "doubtFactor": clock.DOUBT_FACTOR,
            "largestShare": clock.LARGEST_SHARE,
            "nodesForOneMove": NODES_FOR_ONE_MOVE,
        },
        "search": {game: search_settings(game) for game in GAME_NAMES},
        "gridScales": GRID_SCALES,
        "networks": networks,
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
        copy_if_newer(champion, FOLDER / champion.name)
        networks.append(
            entry(game, "champion", "shipped champion", "sparse", "evaluated in the core", champion.name)
        )
    tower = SHIPPED_CHAMPIONS / f"{game}-tower.safetensors"
    if tower.is_file():
        networks.append(tower_entry(game, tower))
    networks.append(entry(game, "uniform", "no network", "uniform", "knows the rules and nothing else", None))
    return networks


def tower_entry(game: str, checkpoint: Path) -> dict[str, object]:
    model = FOLDER / f"{checkpoint.stem}.onnx"
    if not model.is_file() or model.stat().st_mtime < checkpoint.stat().st_mtime:
        from milton.nets.export import export_onnx  # torch takes seconds to import

        export_onnx(checkpoint, model)
    description = read_checkpoint_info(checkpoint).description
    network = entry(game, "tower", "convolutional network", "tower", "runs in ONNX Runtime Web", model.name)
    network["planes"] = {"encoder": description.encoder, "shape": description.plane_shape()}
    return network


def entry(game: str, id_: str, label: str, family: str, note: str, file: str | None) -> dict[str, object]:
    """`SiteNetwork` of web/src/wasm/playdata.ts."""
    return {
        "game": game,
        "id": id_,
        "label": label,
        "family": family,
        "note": note,
        "file": file,
        "planes": None,
    }


def copy_if_newer(source: Path, target: Path) -> None:
    if not target.is_file() or target.stat().st_mtime < source.stat().st_mtime:
        shutil.copyfile(source, target)


if __name__ == "__main__":
    main()
