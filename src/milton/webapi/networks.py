"""Whom a page may play with, by id. New kinds join `open_catalog`; milton.play and milton.lab load them."""

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from milton.config import GameName
from milton.errors import RequestError
from milton.lab.opponents import QuickOpponent, open_opponent
from milton.lab.players import LAB_FOLDER
from milton.lab.players import SUFFIX as METHOD_SUFFIX
from milton.play import Network, find_network, shipped_champion
from milton.play.network import SHIPPED_CHAMPIONS
from milton.rundir import RunDir
from milton.webapi.lab_networks import LabFolders, LabMethods, LabNetworks
from milton.webapi.network_sources import NetworkEntry, NetworkSource, family_of, origin_of
from milton.webapi.play_messages import NetworkInfo
from milton.webapi.served_run import ServedRun

CHAMPION, SHIPPED, UNIFORM = "champion", "shipped", "uniform"
_ITERATION_ID = re.compile(r"^run:iter_(\d{4,9})$")
_KEPT_NETWORKS = 8

Opponent = Network | QuickOpponent


class RunNetworks:
    """The champion and the checkpoints of the run that is served."""

    def __init__(self, served: ServedRun) -> None:
        self._served = served

    def entries(self, game: GameName) -> Iterator[NetworkEntry]:
        champion = self.entry(CHAMPION, game)
        if champion is None:
            return
        yield champion
        with RunDir.open(self._served.path(), writable=False) as run:
            promoted = {record.checkpoint for record in run.database.champions()}
            paths = sorted(run.path.glob("iter_[0-9]*/candidate.safetensors"), reverse=True)
            for path in filter(run.holds, paths):
                note = "was champion" if run.relative(path) in promoted else "was not promoted"
                yield NetworkEntry(f"run:{path.parent.name}", path.parent.name, champion.family, note, path)

    def entry(self, network_id: str, game: GameName) -> NetworkEntry | None:
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
        return NetworkEntry(network_id, path.parent.name, family_of(path), "", path)

    @staticmethod
    def _champion(path: Path, game: GameName) -> NetworkEntry | None:
        with RunDir.open(path, writable=False) as run:
            if run.settings().game != game or not run.has_champion():
                return None
            pointer, name = run.deployed(), run.name
            checkpoint = path / pointer.checkpoint
            if not run.holds(checkpoint):
                return None
        label = f"champion of {name} ({pointer.short_name.split()[0]})"
        return NetworkEntry(CHAMPION, label, family_of(checkpoint), "follows promotions", checkpoint)


class ShippedNetworks:
    """The networks that came with the program; its champion is the default where no run has one."""

    def entries(self, game: GameName) -> Iterator[NetworkEntry]:
        champion = shipped_champion(game)
        if champion is not None:
            yield NetworkEntry(
                SHIPPED, "shipped champion", family_of(champion), origin_of(champion), champion
            )
        for path in sorted(SHIPPED_CHAMPIONS.glob(f"{game}-*.safetensors")):
            label = f"shipped {path.stem.removeprefix(f'{game}-')}"
            yield NetworkEntry(f"{SHIPPED}:{path.stem}", label, family_of(path), origin_of(path), path)

    def entry(self, network_id: str, game: GameName) -> NetworkEntry | None:
        wanted = SHIPPED if network_id == CHAMPION else network_id
        return next((entry for entry in self.entries(game) if entry.id == wanted), None)


class UniformNetwork:
    """Search that knows only the rules."""

    def entries(self, game: GameName) -> Iterator[NetworkEntry]:  # noqa: ARG002  (every game has it)
        yield NetworkEntry(UNIFORM, "no network", UNIFORM, "knows the rules and nothing else", None)

    def entry(self, network_id: str, game: GameName) -> NetworkEntry | None:
        return next(self.entries(game)) if network_id in (UNIFORM, CHAMPION) else None


class NetworkCatalog:
    """Finds networks by id and keeps the last few loaded. Safe to use from several threads."""

    def __init__(self, sources: tuple[NetworkSource, ...]) -> None:
        self._sources = sources
        self._loaded: OrderedDict[tuple[Path, int, int], Opponent] = OrderedDict()
        self._lock = threading.Lock()

    def list(self, game: GameName) -> list[NetworkInfo]:
        """Best first: the first is what a page should play with unless told otherwise."""
        return [
            NetworkInfo(
                id=entry.id,
                label=entry.label,
                game=game,
                family=entry.family,
                note=entry.note,
                limits=entry.limits,
            )
            for source in self._sources
            for entry in source.entries(game)
        ]

    def load(self, network_id: str, game: GameName) -> Opponent:
        """RequestError if there is none with this id; CheckpointError if its file is damaged."""
        entries = (source.entry(network_id, game) for source in self._sources)
        entry = next((found for found in entries if found is not None), None)
        if entry is None:
            raise _missing(network_id, game)
        if entry.file is None:
            return Network.uniform(game)
        with self._lock:  # two pages that ask for the same network load it once
            return self._load(entry, entry.file, game)

    def _load(self, entry: NetworkEntry, file: Path, game: GameName) -> Opponent:
        try:
            status = file.stat()
        except OSError as error:  # the loop has just deleted it
            raise _missing(entry.id, game) from error
        key = (file, status.st_mtime_ns, status.st_size)
        network = self._loaded.pop(key, None) or _open(file, game)
        self._loaded[key] = network
        if len(self._loaded) > _KEPT_NETWORKS:
            self._loaded.popitem(last=False)
        return network


def open_catalog(served: ServedRun, lab: tuple[Path, ...] = ()) -> NetworkCatalog:
    """The first source that knows an id decides, so a run's champion goes before the shipped one.

    `lab` are more folders and files of the lab than its own folder.
    """
    places = LabFolders(LAB_FOLDER, *lab)
    sources = (RunNetworks(served), ShippedNetworks(), LabNetworks(places), LabMethods(places))
    return NetworkCatalog((*sources, UniformNetwork()))


def _open(file: Path, game: GameName) -> Opponent:
    return open_opponent(file) if file.suffix == METHOD_SUFFIX else find_network(game, file)


def _missing(network_id: str, game: GameName) -> RequestError:
    return RequestError(
        f"there is no network {network_id!r} for {game}",
        status=404,
        hint="Choose one of the list; checkpoints that were not promoted are deleted after a while.",
        where="network",
    )
