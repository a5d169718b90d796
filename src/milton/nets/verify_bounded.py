"""Verifies an ONNX file in a process of its own, with bounds on time and memory. Imports no framework itself.

An ONNX file is a program: it may loop for ever or ask for more memory than there is, and what runs it is
native code. What happens to the child stays there.
"""

import json
import subprocess
import sys
from pathlib import Path

from milton.errors import CheckpointError, MiltonError
from milton.extras import require
from milton.nets.verification import Verification
from milton.system import limit_memory

LONGEST_S = 120.0
MEMORY_MB = 4096  # beyond what the frameworks themselves take
MAX_FILE_BYTES = 1 << 31


def verify_bounded(
    path: Path,
    checkpoint: Path | None = None,
    *,
    num_positions: int = 256,
    longest_s: float = LONGEST_S,
    memory_mb: int = MEMORY_MB,
) -> Verification:
    """As `verify.verify_onnx`; CheckpointError also for a file that takes too long or too much."""
    require("onnx", "verifying an ONNX file")
    if not path.is_file():
        raise CheckpointError(f"{path}: there is no such file; `milton export --out {path.name}` writes one")
    if path.stat().st_size > MAX_FILE_BYTES:
        raise CheckpointError(f"{path}: expected an ONNX file of at most {MAX_FILE_BYTES:,} bytes")
    request = json.dumps([str(path), str(checkpoint) if checkpoint else None, num_positions, memory_mb])
    command = [sys.executable, "-m", "milton.nets.verify_bounded", request]
    try:
        child = subprocess.run(command, capture_output=True, text=True, timeout=longest_s, check=False)
    except subprocess.TimeoutExpired:
        raise CheckpointError(f"{path}: running it took longer than {longest_s:g} s") from None
    return _result(path, child, memory_mb)


def _result(path: Path, child: "subprocess.CompletedProcess[str]", memory_mb: int) -> Verification:
    lines = child.stdout.splitlines()
    try:
        kind, content = json.loads(lines[-1])
    except (IndexError, ValueError):
        reason = f"it ended with code {child.returncode}"
        raise CheckpointError(f"{path}: cannot be run within {memory_mb:,} MB: {reason}") from None
    if kind == "refused":
        raise CheckpointError(content)
    return Verification(content["num_positions"], content["max_difference"])


def _run(request: str) -> None:
    """In the child: prints what came out as one line of JSON."""
    path, checkpoint, num_positions, memory_mb = json.loads(request)
    from milton.nets.verify import verify_onnx  # the frameworks come before the limit: they map a lot

    limit_memory(memory_mb)  # where the system cannot, time alone is bounded
    try:
        found = verify_onnx(Path(path), Path(checkpoint) if checkpoint else None, num_positions=num_positions)
        answer: list[object] = [
            "done",
            {"num_positions": found.num_positions, "max_difference": found.max_difference},
        ]
    except MiltonError as error:  # translated: the parent process raises it
        answer = ["refused", str(error)]
    except MemoryError:
        answer = ["refused", f"{path}: cannot be run within {memory_mb:,} MB"]
    print(f"\n{json.dumps(answer)}", flush=True)


if __name__ == "__main__":
    _run(sys.argv[1])
