"""Measures speed and returns it. Nothing here is asserted by a test: figures depend on the machine.

A benchmark is a function that takes `quick` and yields Measurements. BENCHMARKS lists it by name with the
module that holds it, which is imported only when it runs.
"""

import importlib
import os
import platform
from collections.abc import Callable, Iterable, Iterator

from milton.bench.measurement import Measurement
from milton.errors import ArgumentError

__all__ = ["BENCHMARKS", "Measurement", "describe_machine", "run"]

Benchmark = Callable[[bool], Iterator[Measurement]]

# name -> "module:function" inside this package
BENCHMARKS = {
    "perft": "rules:measure_perft",
    "playouts": "rules:measure_playouts",
    "encoders": "encoders:measure_encoders",
    "signature": "search:measure_signature",
    "search": "search:measure_search",
    "alphabeta": "alphabeta:measure_alphabeta",
    "dense": "dense:measure_dense",
    "inference-server": "inference_server:measure_inference_server",
    "training": "training:measure_training",
    "coach": "coach:measure_coach",
    "reference": "reference:measure_reference",
    "environments": "lab:measure_environments",
    "playout-search": "lab:measure_playout_search",
    "first-search": "first_search:measure_first_search",
    "run-feed": "run_feed:measure_run_feed",
    "cluster": "cluster:measure_cluster",
    "cluster-driver": "cluster_driver:measure_driver",
}


def _load(name: str) -> Benchmark:
    if name not in BENCHMARKS:
        raise ArgumentError(f"expected a benchmark of {', '.join(BENCHMARKS)}, got {name!r}")
    module, function = BENCHMARKS[name].split(":")
    benchmark: Benchmark = getattr(importlib.import_module(f"{__name__}.{module}"), function)
    return benchmark


def run(names: Iterable[str], *, quick: bool) -> list[Measurement]:
    """Runs benchmarks one after the other; an unknown name is refused before the first starts."""
    benchmarks = [_load(name) for name in names]
    return [entry for benchmark in benchmarks for entry in benchmark(quick)]


def describe_machine() -> dict[str, str | int]:
    """The machine that the figures belong to."""
    from milton import _core

    return {
        "core": _core.variant,
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        "cpu": _cpu_name(),
        "python": platform.python_version(),
    }


def _cpu_name() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:  # noqa: PTH123 -- streamed, not read whole
            return next(
                (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown"
            )
    except OSError:
        return platform.processor() or "unknown"
