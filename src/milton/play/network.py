"""Which network plays: where it is looked for, and the network itself, shared by any number of engines."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from milton._core import SparseNet
from milton.errors import CheckpointError
from milton.games import GameSpec
from milton.inference.evaluator import Evaluator
from milton.inference.load import Device, load_evaluator
from milton.inference.sparse import load_sparse
from milton.nets import CheckpointInfo, read_checkpoint_info
from milton.rundir import RunDir, sha256_of

if TYPE_CHECKING:
    from milton.play.searcher import Searcher

SHIPPED_CHAMPIONS = Path(__file__).parent.parent / "champions"
NO_NETWORK_WARNING = "no network was found: playing by search without knowledge (uniform priors)"


@dataclass(frozen=True, slots=True)
class OwnSearch:
    """A search by other rules than an engine's settings, such as random games to the end."""

    make_searcher: Callable[[int, int], "Searcher"]  # of bytes of memory and threads
    simulations: int  # a move, if no limit is set


@dataclass(frozen=True, slots=True)
class Network:
    """A network ready to play, or none at all: then all moves look equal and every position level.

    With `own_search` it brings its search along, and an engine's settings do not apply.
    """

    game: str
    name: str  # for people
    sparse: SparseNet | None = None  # evaluated in the core
    dense: Evaluator | None = None  # evaluated outside, in batches
    info: CheckpointInfo | None = None
    sha256: str = ""  # of the checkpoint
    own_search: OwnSearch | None = None

    @staticmethod
    def uniform(game: str) -> "Network":
        return Network(GameSpec.of(game).name, "uniform")

    @staticmethod
    def load(
        checkpoint: Path, game: str | None = None, device: Device = "auto", threads: int = 1
    ) -> "Network":
        """The network of a checkpoint of any family; CheckpointError if it is for another game.

        Only dense families import torch. `device` and `threads` are theirs.
        """
        info = read_checkpoint_info(checkpoint)
        found = info.description.game
        if game is not None and found != game:
            raise CheckpointError(f"{checkpoint}: expected a network for {game}, got one for {found}")
        if info.description.is_sparse:
            network = load_sparse(checkpoint)
            return Network(found, _name_of(checkpoint), network.net, None, info, network.sha256)
        evaluator = load_evaluator(checkpoint, device, threads)
        return Network(found, _name_of(checkpoint), None, evaluator, info, sha256_of(checkpoint))


def _name_of(checkpoint: Path) -> str:
    """Its file; of a run the iteration, because the candidates of all iterations are called the same."""
    folder = checkpoint.resolve().parent.name
    if not re.fullmatch(r"iter_\d{4,}", folder):
        return checkpoint.name
    return folder if checkpoint.stem == "candidate" else f"{folder}/{checkpoint.stem}"


def shipped_champion(game: str) -> Path | None:
    """The network that came with the program, if there is one for the game."""
    path = SHIPPED_CHAMPIONS / f"{game}.safetensors"
    return path if path.is_file() else None


def shipped_variant(game: str, name: str) -> Path | None:
    """Another network that came with the program, by its short name: `taught` is chess-taught.safetensors."""
    found = {
        path.stem.removeprefix(f"{game}-"): path for path in SHIPPED_CHAMPIONS.glob(f"{game}-*.safetensors")
    }
    return found.get(name)


def find_checkpoint(game: str, checkpoint: Path | None = None, run: Path | None = None) -> Path | None:
    """The file to play with: the one named, else the run's, else the shipped one, else None.

    Of a run, also where `checkpoint` is one, it is the network that plays people.
    """
    if checkpoint is not None:
        if RunDir.exists(checkpoint):
            run = checkpoint
        elif checkpoint.exists():
            return checkpoint
        else:
            return shipped_variant(game, str(checkpoint)) or checkpoint
    if run is not None:
        with RunDir.open(run, writable=False) as opened:
            return opened.deployed_checkpoint()
    return shipped_champion(game)


def find_network(
    game: str, checkpoint: Path | None = None, run: Path | None = None, device: Device = "auto"
) -> Network:
    """The network of `find_checkpoint`, or the uniform one, about which doors warn by NO_NETWORK_WARNING."""
    path = find_checkpoint(game, checkpoint, run)
    return Network.uniform(game) if path is None else Network.load(path, game, device)
