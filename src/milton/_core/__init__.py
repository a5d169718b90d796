"""Loads the compiled core in the fastest variant this CPU can run. Knows nothing of what the core does.

MILTON_CORE=generic|avx2|avx512 forces a variant (tests compare them). One that the CPU cannot run is refused.
"""

import importlib
import importlib.util
import os
from types import ModuleType
from typing import TYPE_CHECKING

# Fastest first.
VARIANTS = ("avx512", "avx2", "generic")
_NEEDS = {"avx2": "AVX2, BMI2 and FMA", "avx512": "AVX-512 with VNNI"}


def built_variants() -> list[str]:
    """The variants compiled into this installation, fastest first."""
    return [name for name in VARIANTS if _is_built(name)]


def runnable_variants() -> list[str]:
    """Those of them that this CPU can run, fastest first."""
    built = built_variants()
    if "generic" not in built:  # a development build for this machine
        return built
    best = _load_variant("generic").cpu_level()
    return [name for name in built if VARIANTS.index(name) >= VARIANTS.index(best)]


def _is_built(name: str) -> bool:
    spec = importlib.util.find_spec(f"{__name__}._{name}")
    # The folder of stubs alone looks like a namespace package, which has no origin.
    return spec is not None and spec.origin is not None


def _load_variant(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}._{name}")


def _choose_variant(wanted: str) -> str:
    built = built_variants()
    if not built:
        raise ImportError("milton's compiled core is missing: run `make build` (or reinstall the wheel)")
    if wanted and wanted not in VARIANTS:
        raise ImportError(f"MILTON_CORE must be one of {VARIANTS}, got {wanted!r}")
    if wanted and wanted not in built:
        raise ImportError(f"MILTON_CORE={wanted!r} is not in this build, which has {built}")
    runnable = runnable_variants()
    if wanted and wanted not in runnable:
        raise ImportError(
            f"MILTON_CORE={wanted!r} needs {_NEEDS[wanted]}; this CPU offers {runnable[0]!r} at most"
        )
    return wanted or runnable[0]


if TYPE_CHECKING:
    # Every variant has the same members; the stubs are generated from this one.
    from milton._core._generic import *  # noqa: F403
else:
    _module = _load_variant(_choose_variant(os.environ.get("MILTON_CORE", "")))
    globals().update({name: value for name, value in vars(_module).items() if not name.startswith("_")})
