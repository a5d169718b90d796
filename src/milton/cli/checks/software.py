"""Checks of the installation: compiled core, libraries, optional extras, external engines."""

import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import milton
from milton.cli.checks.check import Check
from milton.extras import DISTRIBUTION, MODULES_OF_EXTRA, install_command

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
# Checked by functions of their own, which say more than a version.
_CHECKED_APART = ("train", "onnx")

# Debian puts engines where the PATH of a service may not look.
ENGINE_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"])
ENGINE_TIMEOUT_S = 5.0
_GET_STOCKFISH = "apt-get install stockfish, or https://stockfishchess.org/download"


def checkout_folder() -> Path | None:
    """The folder of the sources if they run from a checkout, None if a wheel was installed."""
    folder = Path(milton.__file__).parents[2]
    return folder if (folder / "pyproject.toml").is_file() and (folder / "Makefile").is_file() else None


def check_installation() -> Check:
    folder = checkout_folder()
    detail = "wheel" if folder is None else f"checkout in {folder}"
    return Check("installation", "ok", f"{DISTRIBUTION} {milton.__version__}, {detail}")


def _remedy(in_checkout: str, of_wheel: str) -> str:
    return of_wheel if checkout_folder() is None else in_checkout


def engines_remedy(names: Sequence[str]) -> str:
    """How to get these engines of the rating catalog."""
    from milton.rating import install_command as install_engines

    return _remedy("make engines", f"on Debian: {install_engines(*names)}")


def _reinstall(module: str) -> str:
    return _remedy(
        "reinstall: rm -r .venv && make setup", f"reinstall: pip install --force-reinstall {module}"
    )


def check_core() -> Check:
    try:
        core = importlib.import_module("milton._core")
    except ImportError as error:
        return Check("core", "failed", str(error), _remedy("run: make build", _reinstall(DISTRIBUTION)))
    detail = (
        f"variant {core.variant}, CPU offers {core.cpu_level()}, built: {', '.join(core.built_variants())}"
    )
    if core.variant != core.cpu_level():
        fix = _remedy("unset MILTON_CORE, or make build VARIANTS=all", "unset MILTON_CORE")
        return Check("core", "warning", detail, f"for full speed: {fix}")
    return Check("core", "ok", detail)


def _imported(name: str, extra: str) -> ModuleType | Check:
    """The module, or a check that says why there is none."""
    if importlib.util.find_spec(name) is None:
        return _absent(name, extra)
    try:
        return importlib.import_module(name)
    except (ImportError, OSError) as error:  # OSError: a shared library of the wheel does not load
        return Check(name, "failed", f"cannot be imported: {error}", _reinstall(name))


def check_torch() -> Check:
    torch = _imported("torch", "train")
    if isinstance(torch, Check):
        return torch
    build = "CPU build" if torch.version.cuda is None else f"CUDA {torch.version.cuda} build"
    detail = f"{torch.__version__}, {build}, {torch.get_num_threads()} threads"
    if torch.version.cuda is not None and not torch.cuda.is_available():
        release = torch.__version__.partition("+")[0]
        fix = f"the CPU build is smaller: pip install --index-url {CPU_INDEX} torch=={release}"
        return Check("torch", "warning", detail + ", no GPU", fix)
    return Check("torch", "ok", detail)


def check_onnxruntime() -> Check:
    runtime = _imported("onnxruntime", "onnx")
    if isinstance(runtime, Check):
        return runtime
    providers = ", ".join(
        name.removesuffix("ExecutionProvider") for name in runtime.get_available_providers()
    )
    return Check("onnxruntime", "ok", f"{runtime.__version__}, runs on {providers}")


def check_extras() -> list[Check]:
    return [
        check_extra(extra, modules)
        for extra, modules in MODULES_OF_EXTRA.items()
        if extra not in _CHECKED_APART
    ]


def check_extra(extra: str, modules: tuple[str, ...]) -> Check:
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        return _absent(f"extra {extra}", extra, f"without {', '.join(missing)}")
    versions = ", ".join(f"{module} {importlib.metadata.version(module)}" for module in modules)
    return Check(f"extra {extra}", "ok", versions)


def _absent(name: str, extra: str, detail: str = "not installed") -> Check:
    return Check(name, "absent", detail, f"if wanted: {install_command(extra)}")


def check_rated_engines() -> Check:
    """The opponents of `milton rate --pool ccrl` and of a run's milestones."""
    from milton.rating import find_pool, find_program

    names = find_pool("ccrl").engines
    missing = [name for name in names if find_program(name) is None]
    detail = f"{len(names) - len(missing)} of {len(names)} of the pool ccrl"
    if missing:
        return Check("rated engines", "absent", detail, f"for ratings: {engines_remedy(missing)}")
    return Check("rated engines", "ok", detail)


def check_stockfish(search_path: str = ENGINE_PATH) -> Check:
    path = shutil.which("stockfish", path=search_path)
    if path is None:
        return Check("stockfish", "absent", "not found", f"for ratings: {_GET_STOCKFISH}")
    try:
        answer = subprocess.run(
            [path], input="uci\nquit\n", capture_output=True, text=True, timeout=ENGINE_TIMEOUT_S, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return Check(
            "stockfish", "failed", f"{path} does not answer: {error}", f"reinstall: {_GET_STOCKFISH}"
        )
    name = next((line[8:] for line in answer.splitlines() if line.startswith("id name ")), "nameless engine")
    return Check("stockfish", "ok", f"{name} ({path})")
