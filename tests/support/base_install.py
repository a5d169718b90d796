"""Runs commands as if only the base package were installed: the modules of all extras cannot be found.

Usage: python base_install.py CASES.json, a list of argument lists; prints one JSON object a case.
"""

import contextlib
import importlib.machinery
import io
import json
import os
import subprocess
import sys
import traceback
from pathlib import Path

# What the base package does not depend on; safetensors and friends must not creep back in either.
BLOCKED = frozenset(
    [
        "torch",
        "onnx",
        "onnxruntime",
        "openvino",
        "ray",
        "gymnasium",
        "pettingzoo",
        "openai",
        "bitbully",
        "pyarrow",
        "tensorboard",
        "safetensors",
    ]
)


def block_extras(modules: frozenset[str] = BLOCKED) -> None:
    """Python's own finder answers "not found", exactly as it does where a package is not installed."""
    find = importlib.machinery.PathFinder.find_spec

    def find_spec(name, path=None, target=None):
        return None if name.partition(".")[0] in modules else find(name, path, target)

    importlib.machinery.PathFinder.find_spec = find_spec


def run_blocked(cases: list[list[str]], folder: Path) -> list[dict]:
    """In one process, for speed; processes that it starts are blocked by sitecustomize, too."""
    site = folder / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import base_install; base_install.block_extras()\n"
    )
    (folder / "cases.json").write_text(json.dumps(cases))
    result = subprocess.run(
        [sys.executable, __file__, str(folder / "cases.json")],
        env={**os.environ, "PYTHONPATH": str(site), "MILTON_HOME": str(folder / "home")},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        input="",
    )
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def _run(arguments: list[str]) -> dict:
    from milton.cli import main

    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as stopped:
            code = stopped.code or 0
        except BaseException:  # noqa: BLE001  (whatever it is, the test is to see it)
            traceback.print_exc(file=err)
            code = 70
    return {"code": code, "out": out.getvalue(), "err": err.getvalue()}


if __name__ == "__main__":
    for case in json.loads(Path(sys.argv[1]).read_text()):
        print(json.dumps(_run(case)), flush=True)
