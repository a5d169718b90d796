"""`milton serve`, and the page beside `milton loop`."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager

import httpx2
import pytest
import short_loop
from patience import PATIENCE_S

MILTON = [sys.executable, "-m", "milton.cli"]
TINY = [
    word
    for key, value in short_loop.TINY.items()
    if key != "loop.game"
    for word in ("--set", f"{key}={json.dumps(value)}")
]


@contextmanager
def started(*arguments, **environment):
    process = subprocess.Popen(
        [*MILTON, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def address_in(process) -> str:
    """The address that the program prints."""
    for line in process.stdout:
        found = re.search(r"http://[\w.:\[\]-]+", line)
        if found:
            return found[0]
    raise AssertionError(f"no address was printed, the program ended with {process.wait()}")


def test_a_server_answers_and_ends_quietly_on_request():
    with started("serve", "--port", "0") as process:
        url = address_in(process)
        assert httpx2.get(f"{url}/api/info", timeout=PATIENCE_S).json()["version"]
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert "Traceback" not in rest
        process.wait()


def test_strangers_need_a_token():
    token = "a token that is long enough"
    with started("serve", "--port", "0", "--host", "0.0.0.0") as process:
        assert "--token" in process.stdout.read()
        assert process.wait() == 1
    with started(
        "serve", "--port", "0", "--token", "env:MILTON_TEST_TOKEN", MILTON_TEST_TOKEN=token
    ) as process:
        url = address_in(process)
        assert httpx2.get(f"{url}/api/info", timeout=PATIENCE_S).status_code == 401
        assert httpx2.get(f"{url}/", params={"token": token}, timeout=PATIENCE_S).status_code == 303


@pytest.mark.parametrize(
    "arguments",
    [("--run", "nowhere"), ("--lab", "nowhere"), ("--token", "the token itself"), ("--port", "x")],
)
def test_what_cannot_be_served_is_said_in_a_line(arguments):
    with started("serve", *arguments) as process:
        said = process.stdout.read()
        assert process.wait() in (1, 2)
    assert "Traceback" not in said
    assert "the token itself" not in said


def test_a_loop_serves_its_page_on_the_next_free_port_and_takes_it_down(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        options = (
            "--run",
            str(tmp_path / "run"),
            "--game",
            "connect_four",
            "--profile",
            "any-game-quick",
            *TINY,
        )
        with started("loop", *options, "--port", str(port), "--plain") as process:
            url = address_in(process)
            assert int(url.rsplit(":", 1)[1]) > port
            snapshot = httpx2.get(f"{url}/api/run", timeout=PATIENCE_S).json()
            assert snapshot["run"]["isRunning"]
            process.send_signal(signal.SIGINT)
            said = process.stdout.read()
            assert process.wait() == 0
            assert "Traceback" not in said
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(url)


def test_a_loop_without_a_page_loads_no_web_framework(tmp_path):
    program = (
        "import json, sys; from milton.cli.app import app; "
        "app(sys.argv[1:], standalone_mode=False); "
        "print(json.dumps([name for name in sys.modules if name.split('.')[0] in ('fastapi', 'uvicorn')]))"
    )
    options = ("--run", str(tmp_path / "run"), "--game", "connect_four", "--profile", "any-game-quick", *TINY)
    done = subprocess.run(
        [sys.executable, "-c", program, "loop", *options, "--iterations", "1", "--no-dashboard", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1]) == []
    assert "http://" not in done.stdout + done.stderr
