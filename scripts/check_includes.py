"""Checks that rooms of core/ include only rooms below them, by [tool.milton.core] in pyproject.toml.

docs/architecture.md shows the same layers; that is checked, too. Tests and fuzzers may include every room; no
room includes them.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
OUTSIDE = frozenset({"tests", "fuzz"})  # they include the rooms, and are none


def read_layers(root: Path) -> list[str]:
    """The lines of the declaration, the highest layer first."""
    layers: list[str] = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["milton"]["core"][
        "layers"
    ]
    return layers


def height_of_rooms(layers: list[str]) -> dict[str, int]:
    return {room.strip(): -line for line, rooms in enumerate(layers) for room in rooms.split("|")}


def problem_of(room: str, target: str, heights: dict[str, int]) -> str | None:
    """Why a file of `room` may not include `target`, None if it may."""
    included = target.split("/")[0]
    if room == included or room in OUTSIDE:
        return None
    if included not in heights:
        return f"{included!r} is no room of [tool.milton.core] in pyproject.toml"
    if heights[included] == heights[room]:
        return f"{room} and {included} stand on one line and do not include each other"
    if heights[included] > heights[room]:
        return f"{room} stands below {included}: rooms include only rooms below them"
    return None


def find_problems(root: Path) -> Iterator[str]:
    layers = read_layers(root)
    heights = height_of_rooms(layers)
    for path in sorted([*root.glob("core/**/*.h"), *root.glob("core/**/*.cpp")]):
        name, room = path.relative_to(root).as_posix(), path.relative_to(root / "core").parts[0]
        if room not in heights and room not in OUTSIDE:
            yield f"{name}: {room!r} is no room of [tool.milton.core] in pyproject.toml"
            continue
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            match = INCLUDE.match(line)
            problem = problem_of(room, match[1], heights) if match else None
            if match and problem:
                yield f'{name}:{number}: #include "{match[1]}": {problem}'
    if "\n```\n" + "\n".join(layers) + "\n```\n" not in (root / "docs/architecture.md").read_text():
        yield "docs/architecture.md: does not show the layers of [tool.milton.core] in pyproject.toml"


def main() -> int:
    problems = list(find_problems(Path.cwd()))
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
