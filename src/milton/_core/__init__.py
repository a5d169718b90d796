"""Loads the compiled core in the fastest variant this CPU can run. Knows nothing of what the core does.

MILTON_CORE=generic|avx2 forces a variant (tests compare them); a variant that the CPU cannot run is refused.
"""

import importlib
import importlib.util
import os
from types import ModuleType
from typing import TYPE_CHECKING

# Fastest first.
VARIANTS = ("avx2", "generic")


def built_variants() -> list[str]:
    """The variants compiled into this installation, fastest first."""
    return [name for name in VARIANTS if _is_built(name)]


def _is_built(name: str) -> bool:
    spec = importlib.util.find_spec(f"{__name__}._{name}")
    # The folder of stubs alone looks like a namespace package, which has no origin.
    return spec is not None and spec.origin is not None


def _load_variant(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}._{name}")


def _choose_variant(built: list[str], wanted: str) -> str:
    if not built:
        raise ImportError("milton's compiled core is missing: run `make build` (or reinstall the wheel)")
    if wanted and wanted not in VARIANTS:
        raise ImportError(f"MILTON_CORE must be one of {VARIANTS}, got {wanted!r}")
    if wanted and wanted not in built:
        raise ImportError(f"MILTON_CORE={wanted!r} is not in this build, which has {built}")
    if "generic" not in built:  # a development build of one variant
        return built[0]
    cpu = _load_variant("generic").cpu_level()
    if wanted == "avx2" and cpu != "avx2":
        raise ImportError(f"MILTON_CORE='avx2' needs AVX2, BMI2 and FMA; this CPU offers {cpu!r}")
    if wanted:
        return wanted
    return cpu if cpu in built else "generic"


if TYPE_CHECKING:
    # Every variant has the same members; the stubs are generated from this one.
    from milton._core._generic import *  # noqa: F403
else:
    _module = _load_variant(_choose_variant(built_variants(), os.environ.get("MILTON_CORE", "")))
    globals().update({name: value for name, value in vars(_module).items() if not name.startswith("_")})
