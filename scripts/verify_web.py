"""Compares an ONNX file with PyTorch as `milton verify` does, but runs it in ONNX Runtime Web, under Node.

Usage: .venv/bin/python scripts/verify_web.py MODEL CHECKPOINT [NUM_POSITIONS]; exit 1 if they differ.
"""

import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import numpy as np

from milton.nets.checkpoint import load_checkpoint
from milton.nets.inputs import random_positions
from milton.nets.verify import Verification, compare

WEB = Path(__file__).parent.parent / "web"
SEED = 1


class WebSession:
    """The part of onnxruntime.InferenceSession that `compare` uses, in another process."""

    def __init__(self, stdin: IO[str], stdout: IO[str]) -> None:
        self._stdin, self._stdout = stdin, stdout

    def run(self, outputs: list[str], inputs: dict[str, Any]) -> list[Any]:
        self._stdin.write(json.dumps({name: to_json(array) for name, array in inputs.items()}) + "\n")
        self._stdin.flush()
        line = self._stdout.readline()
        if not line:
            raise RuntimeError("ONNX Runtime Web ended without an answer; its message is above")
        found = json.loads(line)
        return [from_json(found[name]) for name in outputs]


def to_json(array: Any) -> dict[str, object]:
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"type": str(array.dtype), "shape": array.shape, "data": data}


def from_json(array: dict[str, Any]) -> Any:
    return np.frombuffer(base64.b64decode(array["data"]), array["type"]).reshape(array["shape"])


def verify_in_web_runtime(model: Path, checkpoint_path: Path, num_positions: int) -> Verification:
    checkpoint = load_checkpoint(checkpoint_path)
    packed = random_positions(checkpoint.description.spec, num_positions, SEED)
    command = ["node", "scripts/run_onnx.mjs", str(model.resolve())]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=WEB, stdin=pipe, stdout=pipe, text=True) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        found = compare(WebSession(node.stdin, node.stdout), checkpoint, packed)
        node.stdin.close()
    return found


def main(model: str, checkpoint: str, num_positions: str = "256") -> None:
    found = verify_in_web_runtime(Path(model), Path(checkpoint), int(num_positions))
    for name, difference in found.max_difference.items():
        print(f"{name}: largest difference {difference:.2e} over {found.num_positions} positions")
    print(f"{'agrees' if found.agrees else 'DIFFERS'} (tolerance {found.tolerance:.0e})")
    sys.exit(not found.agrees)


if __name__ == "__main__":
    main(*sys.argv[1:])
