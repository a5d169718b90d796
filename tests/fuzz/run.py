"""Fuzzes every format for a while: `python tests/fuzz/run.py SECONDS [TARGET …]`, or `make fuzz FUZZ_S=600`.

With atheris (extra `fuzz`) the search is guided by coverage and its corpus is kept in build/fuzz; without it
seeds are changed at random. Fuzzers of the core by itself take part where they are built. A finding is
written to build/fuzz and ends the program with code 1.
"""

import hashlib
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
FOLDER = HERE.parents[1] / "build" / "fuzz"
MAX_BYTES = 16_384


def libfuzzer_options(name: str, seconds: float) -> list[str]:
    return [
        f"-max_total_time={seconds:.0f}",
        f"-max_len={MAX_BYTES}",
        f"-artifact_prefix={FOLDER}/{name}-",
        "-timeout=20",
        "-rss_limit_mb=4096",
        "-print_final_stats=1",
    ]


def open_corpus(name: str, seeds: list[bytes]) -> str:
    """The folder of inputs that were worth keeping, seeds included."""
    corpus = FOLDER / name
    corpus.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        (corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    return str(corpus)


def fuzz(name: str, seconds: float) -> None:
    """In a process of its own; ends it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        import atheris
    except ImportError:
        _fuzz_at_random(name, seconds)
        return
    with atheris.instrument_imports(include=["milton"]):
        from targets import TARGETS
    corpus = open_corpus(name, TARGETS[name].seeds())
    atheris.Setup([name, *libfuzzer_options(name, seconds), corpus], TARGETS[name].check)
    atheris.Fuzz()


def _fuzz_at_random(name: str, seconds: float) -> None:
    import numpy as np
    from targets import TARGETS, mutated

    target = TARGETS[name]
    deadline, count = time.monotonic() + seconds, 0
    for data in mutated(target.seeds(), np.random.default_rng(time.time_ns())):
        try:
            target.check(data)
        except BaseException:
            (FOLDER / f"{name}-finding").write_bytes(data)
            raise
        count += 1
        if time.monotonic() > deadline:
            break
    print(f"{count} inputs changed at random", flush=True)


def _num_inputs(said: str) -> str:
    guided = re.search(r"number_of_executed_units: *(\d+)", said)
    lines = said.splitlines()
    return f"{guided[1]} inputs guided by coverage" if guided else lines[-1] if lines else "nothing was said"


def command_of(name: str, seconds: float) -> list[str]:
    from core_targets import (  # not in the child: milton is not instrumented yet
        PREFIX,
        core_seeds,
        program_of,
    )

    if name.startswith(PREFIX):
        corpus = open_corpus(name, core_seeds(name))
        return [str(program_of(name)), *libfuzzer_options(name, seconds), corpus]
    return [sys.executable, __file__, "--one", name, str(seconds)]


def main(seconds: float, names: list[str]) -> int:
    from core_targets import core_targets
    from targets import TARGETS

    chosen = names or [*TARGETS, *core_targets()]
    found = []
    for name in chosen:
        command = command_of(name, max(1.0, seconds / len(chosen)))
        child = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
        said = child.stdout + child.stderr
        if child.returncode != 0:
            found.append(name)
            print(said[-5000:], flush=True)
        print(f"{name}: {_num_inputs(said)}", flush=True)
    print(f"findings: {', '.join(found)}; the inputs are in {FOLDER}" if found else "no findings", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        fuzz(sys.argv[2], float(sys.argv[3]))
    else:
        sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
