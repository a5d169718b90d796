"""Checks of the installation: compiled core, libraries, optional extras, external engines."""

import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess

from milton.cli.checks.check import Check

REINSTALL = "reinstall: make setup"

# extra of pyproject.toml -> modules it brings
EXTRAS = {
    "coach": ("openai",),
    "cluster": ("ray",),
    "lab": ("gymnasium", "pettingzoo"),
    "track": ("tensorboard",),
    "wasm": ("ziglang",),
    "openvino": ("openvino",),
}

# Debian puts engines where the PATH of a service may not look.
ENGINE_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"])
ENGINE_TIMEOUT_S = 5.0


def check_core() -> Check:
    try:
        core = importlib.import_module("milton._core")
    except ImportError as error:
        return Check("core", "failed", str(error), "run: make build")
    detail = (
        f"variant {core.variant}, CPU offers {core.cpu_level()}, built: {', '.join(core.built_variants())}"
    )
    if core.variant != core.cpu_level():
        return Check(
            "core", "warning", detail, "for full speed: unset MILTON_CORE, or make build VARIANTS=all"
        )
    return Check("core", "ok", detail)


def check_torch() -> Check:
    try:
        torch = importlib.import_module("torch")
    except (ImportError, OSError) as error:  # OSError: a shared library of the wheel does not load
        return Check("torch", "failed", f"cannot be imported: {error}", REINSTALL)
    build = "CPU build" if torch.version.cuda is None else f"CUDA {torch.version.cuda} build"
    detail = f"{torch.__version__}, {build}, {torch.get_num_threads()} threads"
    if torch.version.cuda is not None and not torch.cuda.is_available():
        fix = "the CPU build is smaller: pip install -c constraints.txt torch, from an index of CPU wheels"
        return Check("torch", "warning", detail + ", no GPU", fix)
    return Check("torch", "ok", detail)


def check_onnxruntime() -> Check:
    try:
        runtime = importlib.import_module("onnxruntime")
    except (ImportError, OSError) as error:
        return Check("onnxruntime", "failed", f"cannot be imported: {error}", REINSTALL)
    providers = ", ".join(
        name.removesuffix("ExecutionProvider") for name in runtime.get_available_providers()
    )
    return Check("onnxruntime", "ok", f"{runtime.__version__}, runs on {providers}")


def check_extras() -> list[Check]:
    return [check_extra(extra, modules) for extra, modules in EXTRAS.items()]


def check_extra(extra: str, modules: tuple[str, ...]) -> Check:
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        fix = f"if wanted: pip install 'milton[{extra}]'"
        return Check(f"extra {extra}", "absent", f"without {', '.join(missing)}", fix)
    versions = ", ".join(f"{module} {importlib.metadata.version(module)}" for module in modules)
    return Check(f"extra {extra}", "ok", versions)


def check_stockfish(search_path: str = ENGINE_PATH) -> Check:
    path = shutil.which("stockfish", path=search_path)
    if path is None:
        return Check("stockfish", "absent", "not found", "for ratings: make system-packages")
    try:
        answer = subprocess.run(
            [path], input="uci\nquit\n", capture_output=True, text=True, timeout=ENGINE_TIMEOUT_S, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return Check(
            "stockfish", "failed", f"{path} does not answer: {error}", "reinstall: make system-packages"
        )
    name = next((line[8:] for line in answer.splitlines() if line.startswith("id name ")), "nameless engine")
    return Check("stockfish", "ok", f"{name} ({path})")
