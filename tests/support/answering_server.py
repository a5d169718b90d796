"""A `milton serve` in another process, as a user meets it: it answers, and Ctrl-C ends it quietly."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
from patience import PATIENCE_S


@contextmanager
def answering_server(process: "subprocess.Popen[str]") -> Iterator[str]:
    """The address that the process prints, once it has answered there; stops the process in the end."""
    assert process.stdout is not None
    try:
        url = next(found[0] for line in process.stdout if (found := re.search(r"http://[\w.:-]+", line)))
        assert httpx2.get(f"{url}/api/info", timeout=PATIENCE_S).json()["version"]
        yield url
        process.send_signal(signal.SIGINT)
        assert "Traceback" not in process.stdout.read()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
