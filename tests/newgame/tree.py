"""A copy of the project in which docs/add-a-game.md was followed for the game in nim/."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]
GAME_FOLDER = Path(__file__).parent / "nim"

# An editable install finds `milton` in the project before any path is looked at.
_RUN = """
import runpy, sys
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "ScikitBuildInplaceFinder"]
sys.path.insert(0, sys.argv[1])
module = sys.argv[2]
sys.argv[:] = [module, *sys.argv[3:]]
if module.endswith(".py"):
    runpy.run_path(module, run_name="__main__")
else:
    runpy.run_module(module, run_name="__main__", alter_sys=True)
"""


class Tree:
    def __init__(self, path: Path) -> None:
        self.path = path

    def follow_the_page(self) -> None:
        """Puts the game's files into a copy of the project, names it in the core, and compiles."""
        shutil.copytree(PROJECT / "core", self.path / "core")
        shutil.copy(PROJECT / "CMakeLists.txt", self.path)
        self._copy_package()
        shutil.copytree(GAME_FOLDER, self.path, dirs_exist_ok=True)
        games = self.path / "core" / "encode" / "all_games.h"
        games.write_text(with_game(games.read_text()))
        self._compile()

    def _copy_package(self) -> None:
        package = self.path / "src" / "milton"
        package.mkdir(parents=True)
        for entry in (PROJECT / "src" / "milton").iterdir():
            if entry.name == "_core":
                (package / "_core").mkdir()
                shutil.copy(entry / "__init__.py", package / "_core")
            elif entry.name == "gameinfo":
                shutil.copytree(entry, package / "gameinfo")
            elif entry.name == "webapi":  # the page is built into it
                shutil.copytree(entry, package / "webapi", ignore=shutil.ignore_patterns("static"))
            elif entry.name != "__pycache__":
                (package / entry.name).symlink_to(entry)

    def _compile(self) -> None:
        tools = Path(sys.executable).parent
        build = self.path / "build"
        options = {
            "CMAKE_MAKE_PROGRAM": tools / "ninja",
            "Python_EXECUTABLE": sys.executable,
            "MILTON_MODULE_DIR": self.path / "src" / "milton" / "_core",
            "MILTON_VARIANTS": "generic",
            "MILTON_OPTIMISATION": "-O1",  # compiling takes longer than all the games
        }
        defined = [f"-D{name}={value}" for name, value in options.items()]
        subprocess.run([tools / "cmake", "-S", self.path, "-B", build, "-G", "Ninja", *defined], check=True)
        subprocess.run([tools / "ninja", "-C", build, "-j", "2", "_generic"], check=True)

    def build_page(self) -> None:
        """`npm run schema` and `make web`, with this tree's games and the project's node_modules."""
        web = self.path / "web"
        shutil.copytree(PROJECT / "web", web, ignore=shutil.ignore_patterns("node_modules", "dist"))
        (web / "node_modules").symlink_to(PROJECT / "web" / "node_modules")
        (self.path / "docs").symlink_to(PROJECT / "docs")
        shutil.copytree(PROJECT / "scripts", self.path / "scripts")
        self.run(self.path / "scripts" / "web_schema.py", web / "src" / "api")
        for tool in (
            ("openapi-typescript", "src/api/openapi.json", "-o", "src/api/schema.ts"),
            ("tsc", "--noEmit"),
            ("vite", "build", "--mode", "served", "--logLevel", "warn"),
        ):
            done = subprocess.run(
                [web / "node_modules" / ".bin" / tool[0], *tool[1:]],
                cwd=web,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr

    def command(self, module: object) -> list[str]:
        """What runs a Python module, or a file, in this tree."""
        return [sys.executable, "-c", _RUN, str(self.path / "src"), str(module)]

    def run(self, module: object, *arguments: object) -> str:
        """Standard output of such a program."""
        command = [*self.command(module), *map(str, arguments)]
        environment = os.environ | {"PYTHONPATH": str(self.path / "src")}
        done = subprocess.run(
            command, cwd=self.path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def with_game(all_games: str) -> str:
    """core/encode/all_games.h with the two lines that name the game."""
    include, visit = '#include "encode/santorini/encoding.h"\n', "<santorini::Position>();\n"
    assert all_games.count(include) == all_games.count(visit) == 1
    return all_games.replace(include, '#include "encode/nim/encoding.h"\n' + include).replace(
        visit, visit + "  visit.template operator()<nim::Position>();\n"
    )
