"""The API description and the page's types say what the server does."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
GENERATOR = WEB / "node_modules" / ".bin" / "openapi-typescript"
STALE = "stale: run `npm run schema` in web/"


def test_the_games_of_the_page_are_those_that_are_declared(tmp_path):
    script = WEB.parent / "scripts" / "web_schema.py"
    subprocess.run([sys.executable, script, tmp_path], check=True)
    for name in ("games.ts", "games.css"):
        assert (WEB / "src" / "api" / name).read_text() == (tmp_path / name).read_text(), STALE


def test_the_checked_in_description_is_that_of_the_server(runless_client):
    served = runless_client.get("/api/openapi.json").json()
    assert json.loads((WEB / "src" / "api" / "openapi.json").read_text()) == served, STALE


@pytest.mark.skipif(
    shutil.which("node") is None or not GENERATOR.exists(), reason="Node.js or web/node_modules is missing"
)
def test_the_types_of_the_page_are_those_of_the_description(tmp_path):
    made = tmp_path / "schema.ts"
    subprocess.run(
        [GENERATOR, WEB / "src" / "api" / "openapi.json", "-o", made], check=True, capture_output=True
    )
    assert (WEB / "src" / "api" / "schema.ts").read_text() == made.read_text(), STALE


def test_every_operation_describes_itself_and_its_refusals(runless_client):
    description = runless_client.get("/api/openapi.json").json()
    for operations in description["paths"].values():
        for operation in operations.values():
            assert operation["description"]
            for status in ("403", "413", "422", "429"):
                schema = operation["responses"][status]["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Problem"}
