"""The core is compiled once per instruction set; which one is loaded changes speed and nothing else."""

import json
import os
import subprocess
import sys

import pytest

from milton import _core

PROGRAM = """
import json
from milton import _core
from milton.bench.networks import fixed_sparse_net
report_name = lambda game: game.__name__.rsplit(".")[-1]
report = {"variant": _core.variant}
for game in (_core.chess, _core.santorini, _core.connect_four):
    line = game.Line.start()
    for _ in range(12):
        moves = line.legal_moves()
        line = line.play(moves[len(moves) * 5 // 7])
    report[report_name(game)] = [
        line.text(), line.legal_moves(), line.hash, game.perft(line, 3), line.pack().hex(),
        [line.active_features(name).tolist() for name, *_ in game.spec()["sparse_encoders"]],
        line.move_contexts().tolist(), line.policy_rows().tolist(),
        [line.planes(name).tolist() for name in sorted(game.spec()["planes"])],
        game.random_playouts(20, 7),
    ]
    # Layers are summed in whole numbers; only the last digits of values differ (fused multiply-add).
    searcher = game.Searcher(fixed_sparse_net(report_name(game), 32), memory_bytes=8 << 20)
    searcher.set_line(line)
    found = searcher.search(max_nodes=2000, stop_early=False)
    report[report_name(game)] += [[m.bits, m.visits] for m in found.moves], found.max_depth
print(json.dumps(report, sort_keys=True))
"""


def run_with(variant: str, program: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MILTON_CORE": variant}
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )


def test_all_variants_of_this_build_agree():
    runnable = _core.runnable_variants()
    if len(runnable) < 2:
        pytest.skip(f"only {runnable} can run here")
    reports = [json.loads(run_with(name).stdout) for name in runnable]
    assert [report.pop("variant") for report in reports] == runnable
    assert all(report == reports[0] for report in reports)


@pytest.mark.skipif("MILTON_CORE" in os.environ, reason="a variant was forced for this run")
def test_the_fastest_variant_that_runs_here_is_chosen():
    assert _core.variant == _core.runnable_variants()[0]
    assert _core.cpu_level() in (_core.variant, *set(_core.VARIANTS) - set(_core.built_variants()))


def test_an_unknown_variant_is_refused_by_name():
    result = run_with("avx9000", "import milton._core")
    assert result.returncode == 1
    assert "'avx9000'" in result.stderr
