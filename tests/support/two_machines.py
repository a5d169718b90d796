"""Two machines on one: a network namespace each, and a line between them that can be cut (Linux, root).

What is sent over a cut line vanishes without a word, as behind a firewall: both sides go on, no connection is
closed. This process is the near machine; it has to be started with `unshare --net`.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from ray_cluster import Machine

NEAR_IP, FAR_IP = "10.77.0.1", "10.77.0.2"
_NEAR_MAC, _FAR_MAC, _NOBODY = "02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:99"


class TwoMachines:
    def __init__(self, far_pid: int) -> None:
        """`far_pid` is a process of the far machine."""
        self.near = Machine(NEAR_IP)
        self.far = Machine(FAR_IP, ("nsenter", f"--net=/proc/{far_pid}/ns/net"))
        run(
            "ip",
            "link",
            "add",
            "near",
            "address",
            _NEAR_MAC,
            "type",
            "veth",
            "peer",
            "name",
            "far",
            "netns",
            str(far_pid),
        )
        run(*self.far.enter, "ip", "link", "set", "far", "address", _FAR_MAC)
        ends = ((self.near, "near", FAR_IP), (self.far, "far", NEAR_IP))
        for machine, device, other_ip in ends:
            run(*machine.enter, "ip", "link", "set", "lo", "up")
            run(*machine.enter, "ip", "address", "add", f"{machine.ip}/24", "dev", device)
            run(*machine.enter, "ip", "link", "set", device, "up")
            # Ray takes the address from which it would reach the Internet.
            run(*machine.enter, "ip", "route", "add", "default", "via", other_ip)
        self.mend()

    def cut(self, *, to_far: bool = True, to_near: bool = True) -> None:
        self._send(_NOBODY if to_far else _FAR_MAC, _NOBODY if to_near else _NEAR_MAC)

    def mend(self) -> None:
        self._send(_FAR_MAC, _NEAR_MAC)

    def _send(self, to_far: str, to_near: str) -> None:
        """Whom frames are addressed to; a network card drops those for others."""
        for machine, device, other_ip, mac in (
            (self.near, "near", FAR_IP, to_far),
            (self.far, "far", NEAR_IP, to_near),
        ):
            words = ("ip", "neigh", "replace", other_ip, "lladdr", mac, "dev", device, "nud", "permanent")
            run(*machine.enter, *words)


@contextmanager
def two_machines() -> Iterator[TwoMachines]:
    with subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as far:
        assert far.stdin is not None
        assert far.stdout is not None
        far.stdin.write(b"here\n")
        far.stdin.flush()
        far.stdout.readline()  # its namespace is made
        yield TwoMachines(far.pid)


def run(*words: str) -> None:
    subprocess.run(words, check=True)


def is_possible() -> bool:
    """Whether this process may make network namespaces and lines between them."""
    try:
        return (
            subprocess.run(["unshare", "--net", "ip", "link"], capture_output=True, check=False).returncode
            == 0
        )
    except OSError:
        return False
