"""A network of its own for programs that listen on every interface: the only one that it has is loopback."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

# Makes the namespace, switches loopback on (it starts switched off) and keeps both alive.
_KEEPER = """
import fcntl, socket, struct, sys
SIOCSIFFLAGS, IFF_UP_RUNNING = 0x8914, 0x1 | 0x40
with socket.socket() as any_socket:
    fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP_RUNNING))
print("up", flush=True)
sys.stdin.read()
"""


@contextmanager
def own_network() -> Iterator[list[str]]:
    """The words in front of a command that runs it inside; skips where the system allows none."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    with subprocess.Popen(
        ["unshare", "--net", *user, sys.executable, "-c", _KEEPER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as keeper:
        assert keeper.stdout is not None
        if keeper.stdout.readline().strip() != "up":
            pytest.skip("the system gives no network namespaces, without which Ray would listen to everybody")
        inside = ["--user", "--preserve-credentials"] if user else []
        yield ["nsenter", "--target", str(keeper.pid), "--net", *inside, "--"]
