"""Two machines whose line is cut while both go on: no block is lost, repeated or late."""

import subprocess
import sys
from pathlib import Path

import pytest
from two_machines import is_possible

PROGRAM = Path(__file__).parents[1] / "support" / "partitioned_cluster.py"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_possible(), reason="network namespaces need Linux and root's rights"),
]


def test_a_cut_line_loses_and_repeats_nothing(tmp_path: Path):
    """Both directions, either of them, and until the far machine is given up."""
    command = ["unshare", "--net", sys.executable, str(PROGRAM), str(tmp_path)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 0, result.stdout
    print(result.stdout)
