"""Identifies a machine's Milton: version, code, and answers of its core. Workers must match their driver, or
their games would be those of another program. Knows no Ray."""

import hashlib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import milton
from milton.config import GAME_NAMES
from milton.games import GameSpec, core_game

_SIMULATIONS = 400
# What a worker runs. A page of the browser, say, may differ.
_ROOMS = ("config", "games", "nets", "inference", "replay", "selfplay", "arena", "cluster")


@dataclass(frozen=True, slots=True)
class Identity:
    version: str
    code: str  # digest of the Python files that workers run: tells commits apart
    core: str  # digest of what the compiled core answers: the same on every CPU it was built for

    def __str__(self) -> str:
        return f"milton {self.version} (code {self.code}, core {self.core})"

    def to_wire(self) -> dict[str, str]:
        return asdict(self)

    @classmethod
    def from_wire(cls, values: dict[str, str]) -> "Identity":
        """Of whatever another version sends; what is missing is empty and therefore different."""
        return cls(*(str(values.get(name, "")) for name in ("version", "code", "core")))


@cache
def own_identity() -> Identity:
    return Identity(milton.__version__, _code_digest(Path(milton.__file__).parent), _core_digest())


def refusal(mine: Identity, theirs: Identity, node: str) -> str:
    """Why a node cannot work for this driver and what helps; empty if it can."""
    if theirs == mine:
        return ""
    if theirs.code != mine.code or theirs.version != mine.version:
        fix = "install the same commit there (git checkout and make build, or the same wheel)"
    else:
        fix = "its compiled core is of another commit: run make build there"
    return f"node {node} is not used: it runs {theirs}, this is {mine}; {fix} and restart its Ray"


def _code_digest(package: Path) -> str:
    digest = hashlib.blake2b(digest_size=6)
    files = {
        path.relative_to(package).as_posix(): path
        for room in _ROOMS
        for path in package.glob(f"{room}/**/*.py")
    }
    for name, path in sorted(files.items()):
        digest.update(f"{name}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _core_digest() -> str:
    """Sizes, rules and search of every game, by asking: binaries differ between compilers and CPUs."""
    digest = hashlib.blake2b(digest_size=6)
    for name in GAME_NAMES:
        spec, core = GameSpec.of(name), core_game(name)
        encoders = tuple(spec.sparse_encoders.values())
        sizes = (spec.num_actions, encoders, spec.num_policy_rows, spec.packed_bytes)
        searcher = core.Searcher(None, memory_bytes=8 << 20)
        searcher.set_line(core.Line.start())
        report = searcher.search(max_nodes=_SIMULATIONS, stop_early=False)
        visits = [(move.bits, move.visits) for move in report.moves]
        answer = (name, sizes, sorted(spec.planes.items()), core.perft(core.Line.start(), 3), visits)
        digest.update(repr(answer).encode())
    return digest.hexdigest()
