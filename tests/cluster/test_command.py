"""`milton loop --cluster local`: a private Ray that ends with the loop, also by Ctrl-C."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from patience import PATIENCE_S
from ray_cluster import until
from run_invariants import check_everything
from short_loop import TINY


def command(run: Path, *more: str) -> list[str]:
    settings = [word for key, value in TINY.items() for word in ("--set", f"{key}={_toml(value)}")]
    where = ["--run", str(run), "--profile", "any-game-quick", "--plain", "--no-dashboard"]
    return [sys.executable, "-m", "milton.cli", "loop", *where, *settings, *more]


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_ctrl_c_ends_the_loop_and_its_private_ray_and_the_run_goes_on_without(tmp_path):
    run = tmp_path / "run"
    process = subprocess.Popen(
        command(run, "--iterations", "0", "--cluster", "local", "--workers", "2"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        seen: list[str] = []
        while not any("ladder" in line for line in seen):
            line = process.stdout.readline()
            assert line, (seen, process.stderr)
            seen.append(line)
        assert any("worker on" in line and "joined" in line for line in seen)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: everybody hears it
        output, errors = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0
        assert "--cluster local --workers 2" in output
        assert errors.strip() == "playing on the Ray cluster local (from --cluster)"
        until(lambda: not is_there(process.pid), "everything of Ray has ended")
        assert not list(Path("/tmp").glob(f"mr-{process.pid}-*"))
        assert not list(Path(tempfile.gettempdir()).glob(f"mr-{process.pid}-*"))
    finally:
        if is_there(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    number = str(max(int(folder.name[5:]) for folder in run.glob("iter_*")))
    assert subprocess.run(command(run, "--iterations", number), check=False).returncode == 0
    check_everything(run)
