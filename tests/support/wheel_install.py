"""A wheel of the checkout in a virtual environment of its own, with the base dependencies and nothing else.

Without the network: the compiled modules are those of the checkout, and the dependencies are copied from the
environment that runs the tests.
"""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class WheelInstall:
    folder: Path
    wheel: Path

    @property
    def python(self) -> Path:
        return self.folder / "venv/bin/python"

    @property
    def site_packages(self) -> Path:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        return self.folder / "venv/lib" / version / "site-packages"

    def environment(self) -> dict[str, str]:
        """Nothing of the checkout, nothing of the user."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        return kept | {"HOME": str(self.folder), "MILTON_HOME": str(self.folder / "home"), "COLUMNS": "200"}

    def run(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.python.with_name("milton")), *arguments],
            cwd=self.folder,
            env=self.environment(),
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [str(self.python.with_name("milton")), *arguments],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def num_bytes(self) -> int:
        """Of site-packages, as pip leaves it: with the bytecode of every module."""
        compiled = [str(self.python), "-m", "compileall", "-q", "-j", "1", str(self.site_packages)]
        subprocess.run(compiled, check=False, capture_output=True)
        return sum(path.stat().st_blocks * 512 for path in self.site_packages.rglob("*") if path.is_file())


def build_wheel(folder: Path) -> Path:
    """What `make wheel` makes, but with the modules that `make build` compiled."""
    pip("wheel", str(ROOT), "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder),
        "-C", "wheel.cmake=false", "-C", "wheel.py-api=",
        "-C", "sdist.include=src/milton/_core/*.so;src/milton/webapi/static")  # fmt: skip
    [wheel] = folder.glob("*.whl")
    return wheel


def install(folder: Path) -> WheelInstall:
    made = WheelInstall(folder, build_wheel(folder))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    pip("--python", str(made.python), "install", "--no-index", "--no-deps", "--no-compile", str(made.wheel))
    for name in base_dependencies():
        copy_distribution(name, made.site_packages)
    pip("--python", str(made.python), "check")
    return made


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def base_dependencies() -> set[str]:
    """The distributions that `pip install milton-zero` brings, without milton-zero."""
    found: set[str] = set()
    waiting = [("milton-zero", frozenset({""}))]
    while waiting:
        name, extras = waiting.pop()
        for text in importlib.metadata.requires(name) or ():
            wanted = Requirement(text)
            applies = wanted.marker is None or any(
                wanted.marker.evaluate({"extra": extra}) for extra in extras
            )
            if applies and wanted.name not in found:
                found.add(wanted.name)
                waiting.append((wanted.name, frozenset({"", *wanted.extras})))
    return found


def copy_distribution(name: str, site_packages: Path) -> None:
    home = Path(sysconfig.get_path("purelib")).resolve()
    for file in importlib.metadata.files(name) or ():
        source = Path(str(file.locate())).resolve()
        if source.is_relative_to(home) and source.is_file() and source.suffix != ".pyc":
            target = site_packages / source.relative_to(home)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
