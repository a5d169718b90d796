"""Names the optional parts of the installation and how to get them. Knows no room that uses them.

The base package plays. Everything else is an extra of `pyproject.toml`; the table below says which modules
each of them brings, so that a missing one is always answered with the same line.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from milton.errors import ExtraMissingError

# On PyPI `milton` is somebody else's package.
DISTRIBUTION = "milton-zero"

# extra of pyproject.toml -> modules it brings
MODULES_OF_EXTRA: dict[str, tuple[str, ...]] = {
    "train": ("torch",),
    "onnx": ("onnx", "onnxruntime"),
    "cluster": ("ray",),
    "lab": ("gymnasium", "pettingzoo"),
    "coach": ("openai",),
    "track": ("tensorboard",),
    "openvino": ("openvino",),
    "parquet": ("pyarrow",),
}
_EXTRA_OF_MODULE = {module: extra for extra, modules in MODULES_OF_EXTRA.items() for module in modules}


def install_command(extra: str) -> str:
    """What to type to get an extra; in a checkout it completes the editable install."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"


def missing_extra(extra: str, purpose: str) -> ExtraMissingError:
    """The error for `purpose`, which needs `extra`."""
    return ExtraMissingError(f"{purpose} needs the extra `{extra}`: {install_command(extra)}")


def explain_import_error(error: ImportError, purpose: str = "") -> ExtraMissingError | None:
    """The same failure in a user's words, or None if no extra brings the module: then it is a bug."""
    module = (error.name or "").partition(".")[0]
    extra = _EXTRA_OF_MODULE.get(module)
    return None if extra is None else missing_extra(extra, purpose or f"this command (it uses {module})")


def require(extra: str, purpose: str) -> None:
    """Raises ExtraMissingError where the modules of an extra cannot be found; imports none of them."""
    if any(find_spec(module) is None for module in MODULES_OF_EXTRA[extra]):
        raise missing_extra(extra, purpose)


@contextmanager
def needed_for(purpose: str) -> Iterator[None]:
    """Turns the failed import of an optional module into ExtraMissingError."""
    try:
        yield
    except ModuleNotFoundError as error:
        explained = explain_import_error(error, purpose)
        if explained is None:
            raise
        raise explained from error
