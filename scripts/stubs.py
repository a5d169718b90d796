"""Writes the type stubs of the compiled core, or checks that the ones in the tree are current.

The stubs are generated from the generic variant; all variants have the same members.
"""

import difflib
import sys
import tempfile
from pathlib import Path

from nanobind import stubgen

MODULE = "milton._core._generic"
STUBS_DIR = Path(__file__).parent.parent / "src" / "milton" / "_core" / "_generic"


def generate(folder: Path) -> dict[str, str]:
    """The stub files, by path relative to the module's folder."""
    stubgen.main(["-q", "-r", "-m", MODULE, "-O", str(folder)])
    return read_stubs(folder / STUBS_DIR.name)


def read_stubs(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*.pyi"))}


def differences(kept: dict[str, str], fresh: dict[str, str]) -> list[str]:
    lines: list[str] = []
    for name in sorted(kept.keys() | fresh.keys()):
        before, after = kept.get(name, "").splitlines(), fresh.get(name, "").splitlines()
        lines += difflib.unified_diff(before, after, f"kept/{name}", f"fresh/{name}", lineterm="", n=0)
    return lines


def write(fresh: dict[str, str]) -> None:
    for path in STUBS_DIR.rglob("*.pyi"):
        path.unlink()
    for name, text in fresh.items():
        path = STUBS_DIR / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main(action: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        fresh = generate(Path(folder))
    if action == "write":
        write(fresh)
        return 0
    changed = differences(read_stubs(STUBS_DIR), fresh)
    if changed:
        print("\n".join(changed[:40]))
        print("the stubs of the core are stale: run `make stubs` and commit src/milton/_core/_generic")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
