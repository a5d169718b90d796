"""Nothing of a Lichess game reaches training: by the imports, and by what happens to the run's files."""

import asyncio
import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path

from lichess_bot import fake, playing, somebody

from milton.config import Settings
from milton.play import Network
from milton.rundir import RunDir

ROOT = Path(__file__).parents[2]
LEARNING = ("milton.replay", "milton.selfplay", "milton.training", "milton.loop", "torch")


def test_the_bot_never_imports_what_learns():
    code = "import sys, milton.lichess.service; print(*[name for name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [name for name in loaded.stdout.split() if name.startswith(LEARNING)] == []


def test_the_contract_stands_in_the_project_file():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    forbidden = next(
        c for c in contracts if c["type"] == "forbidden" and "milton.lichess" in c["source_modules"]
    )
    assert {"milton.replay", "milton.selfplay", "milton.training", "milton.loop"} <= set(
        forbidden["forbidden_modules"]
    )


def test_games_leave_the_run_as_it_was(tmp_path, networks):
    def content() -> dict[Path, str]:
        # SQLite makes and removes its side files for readers too.
        files = [p for p in run.path.rglob("*") if p.is_file() and not p.name.endswith(("-wal", "-shm"))]
        return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    async def scenario() -> None:
        lichess = fake()
        async with playing(lichess, tmp_path / "games", Network.load(networks[0]), run.path) as table:
            lichess.challenge(somebody(resigns_at=10))
            await lichess.until(lambda: bool(lichess.finished_games()))
            await table.bot.active_games.wait_until_empty()

    with RunDir.create(tmp_path / "run", Settings()) as run:
        checkpoint = run.iteration_dir(1, create=True) / "candidate.safetensors"
        checkpoint.write_bytes(networks[0].read_bytes())
        run.promote(1, checkpoint)
    before = content()
    asyncio.run(scenario())
    assert content() == before
    assert list((tmp_path / "games").glob("*.pgn"))
