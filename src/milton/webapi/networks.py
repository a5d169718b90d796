"""Which networks a page may play with, by id. New kinds join `open_shelf`; milton.play loads them."""

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from milton.config import GameName
from milton.errors import CheckpointError, RequestError
from milton.lab.players import LAB_FOLDER
from milton.nets import read_checkpoint_info
from milton.play import Network, find_network, shipped_champion
from milton.play.network import SHIPPED_CHAMPIONS
from milton.rundir import RunDir
from milton.webapi.play_messages import NetworkInfo
from milton.webapi.served_run import ServedRun

CHAMPION, SHIPPED, UNIFORM = "champion", "shipped", "uniform"
_ITERATION_ID = re.compile(r"^run:iter_(\d{4,9})$")
_KEPT_NETWORKS = 8


@dataclass(frozen=True, slots=True)
class Offer:
    """A network that may be chosen; `checkpoint` None stands for search without a network."""

    id: str
    label: str
    family: str
    note: str
    checkpoint: Path | None


class NetworkSource(Protocol):
    """Somewhere networks come from."""

    def offers(self, game: GameName) -> Iterator[Offer]:
        """Cheap: opens no checkpoint but the ones it must; best first."""

    def offer(self, network_id: str, game: GameName) -> Offer | None:
        """The offer with an id of this source."""


class RunNetworks:
    """The champion and the checkpoints of the run that is served."""

    def __init__(self, served: ServedRun) -> None:
        self._served = served

    def offers(self, game: GameName) -> Iterator[Offer]:
        champion = self.offer(CHAMPION, game)
        if champion is None:
            return
        yield champion
        with RunDir.open(self._served.path(), writable=False) as run:
            promoted = {record.checkpoint for record in run.database.champions()}
            paths = sorted(run.path.glob("iter_[0-9]*/candidate.safetensors"), reverse=True)
            for path in filter(run.holds, paths):
                note = "was champion" if run.relative(path) in promoted else "was not promoted"
                yield Offer(f"run:{path.parent.name}", path.parent.name, champion.family, note, path)

    def offer(self, network_id: str, game: GameName) -> Offer | None:
        folder = self._served.find()
        if folder is None or not RunDir.exists(folder):
            return None
        if network_id == CHAMPION:
            return self._champion(folder, game)
        match = _ITERATION_ID.match(network_id)
        if match is None:
            return None
        with RunDir.open(folder, writable=False) as run:
            path = run.candidate_path(int(match[1]))
            if run.settings().game != game or not run.holds(path):
                return None
        return Offer(network_id, path.parent.name, _family(path), "", path)

    @staticmethod
    def _champion(path: Path, game: GameName) -> Offer | None:
        with RunDir.open(path, writable=False) as run:
            if run.settings().game != game or not run.has_champion():
                return None
            pointer, name = run.champion(), run.name
            checkpoint = path / pointer.checkpoint
            if not run.holds(checkpoint):
                return None
        label = f"champion of {name} ({pointer.short_name.split()[0]})"
        return Offer(CHAMPION, label, _family(checkpoint), "follows promotions", checkpoint)


class ShippedNetworks:
    """The networks that came with the program; its champion is the default where no run has one."""

    def offers(self, game: GameName) -> Iterator[Offer]:
        champion = shipped_champion(game)
        if champion is not None:
            yield Offer(SHIPPED, "shipped champion", _family(champion), _origin(champion), champion)
        for path in sorted(SHIPPED_CHAMPIONS.glob(f"{game}-*.safetensors")):
            label = f"shipped {path.stem.removeprefix(f'{game}-')}"
            yield Offer(f"{SHIPPED}:{path.stem}", label, _family(path), _origin(path), path)

    def offer(self, network_id: str, game: GameName) -> Offer | None:
        wanted = SHIPPED if network_id == CHAMPION else network_id
        return next((offer for offer in self.offers(game) if offer.id == wanted), None)


class LabNetworks:
    """Networks of the lab's methods, where `milton lab export` puts them. They play by search here."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def offers(self, game: GameName) -> Iterator[Offer]:
        for path in sorted(self._folder.glob("*.safetensors")):
            with suppress(CheckpointError):  # one damaged file must not empty the list
                info = read_checkpoint_info(path)
                if info.description.game == game:
                    family = info.description.family
                    yield Offer(f"lab:{path.stem}", f"lab: {path.stem}", family, _origin(path), path)

    def offer(self, network_id: str, game: GameName) -> Offer | None:
        return next((offer for offer in self.offers(game) if offer.id == network_id), None)


class UniformNetwork:
    """Search that knows only the rules."""

    def offers(self, game: GameName) -> Iterator[Offer]:  # noqa: ARG002  (every game has it)
        yield Offer(UNIFORM, "no network", UNIFORM, "knows the rules and nothing else", None)

    def offer(self, network_id: str, game: GameName) -> Offer | None:
        return next(self.offers(game)) if network_id in (UNIFORM, CHAMPION) else None


class NetworkShelf:
    """Finds networks by id and keeps the last few loaded. Safe to use from several threads."""

    def __init__(self, sources: tuple[NetworkSource, ...]) -> None:
        self._sources = sources
        self._loaded: OrderedDict[tuple[Path, int, int], Network] = OrderedDict()
        self._lock = threading.Lock()

    def list(self, game: GameName) -> list[NetworkInfo]:
        """Best first: the first is what a page should play with unless told otherwise."""
        return [
            NetworkInfo(id=offer.id, label=offer.label, game=game, family=offer.family, note=offer.note)
            for source in self._sources
            for offer in source.offers(game)
        ]

    def load(self, network_id: str, game: GameName) -> Network:
        """RequestError if there is none with this id; CheckpointError if its file is damaged."""
        offers = (source.offer(network_id, game) for source in self._sources)
        offer = next((found for found in offers if found is not None), None)
        if offer is None:
            raise _missing(network_id, game)
        if offer.checkpoint is None:
            return Network.uniform(game)
        with self._lock:  # two pages that ask for the same network load it once
            return self._load(offer, offer.checkpoint, game)

    def _load(self, offer: Offer, checkpoint: Path, game: GameName) -> Network:
        try:
            status = checkpoint.stat()
        except OSError as error:  # the loop has just deleted it
            raise _missing(offer.id, game) from error
        key = (checkpoint, status.st_mtime_ns, status.st_size)
        network = self._loaded.pop(key, None) or find_network(game, checkpoint)
        self._loaded[key] = network
        if len(self._loaded) > _KEPT_NETWORKS:
            self._loaded.popitem(last=False)
        return network


def open_shelf(served: ServedRun) -> NetworkShelf:
    """The first source that knows an id decides, so a run's champion goes before the shipped one."""
    return NetworkShelf((RunNetworks(served), ShippedNetworks(), LabNetworks(LAB_FOLDER), UniformNetwork()))


def _missing(network_id: str, game: GameName) -> RequestError:
    return RequestError(
        f"there is no network {network_id!r} for {game}",
        status=404,
        hint="Choose one of the list; checkpoints that were not promoted are deleted after a while.",
        where="network",
    )


def _family(checkpoint: Path) -> str:
    return read_checkpoint_info(checkpoint).description.family


def _origin(checkpoint: Path) -> str:
    teacher = read_checkpoint_info(checkpoint).provenance.teacher
    return f"taught by {teacher}" if teacher else "learnt by itself"
