"""The API against its own description, by schemathesis: every answer is one that it lists, none is a fault.

`pip install schemathesis` brings some 25 packages, so it is not among the development tools.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from web_client import serving

PROGRAM = shutil.which("schemathesis", path=str(Path(sys.executable).parent)) or shutil.which("schemathesis")
# Rules beyond the schema (one kind of limit, a legal move) are refused with 422, as the description says.
EXCLUDED = "positive_data_acceptance,unsupported_method"


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="needs schemathesis: pip install schemathesis")
def test_the_api_answers_as_it_describes_itself(tmp_path):
    with serving() as client:
        client.get("/api/info")  # it is up
        command = [str(PROGRAM), "run", f"{client.base_url}/api/openapi.json", "--max-examples", "10"]
        command += ["--exclude-checks", EXCLUDED, "--suppress-health-check", "all"]
        command += ["--exclude-path-regex", "events$", "--request-timeout", "20"]  # a stream never ends
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    print(result.stdout[-2000:])
    assert result.returncode == 0, result.stdout[-5000:]
