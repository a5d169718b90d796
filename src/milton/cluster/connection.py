"""The way to a Ray cluster: one that runs somewhere, or a private one that ends with this process.

The only module that starts or ends anything of Ray's. Knows no games.
"""

import contextlib
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType, TracebackType
from typing import Any

from milton.config import is_loopback
from milton.errors import ClusterError
from milton.extras import missing_extra

from .work_folder import WorkFolder

AUTO, LOCAL, NONE = "auto", "local", "none"
ADDRESS_VARIABLE = "RAY_ADDRESS"
_CLIENT = "ray://"
_REMOVE_S = 5.0
_PRIVATE_PREFIX = "mr-"  # short, see _short_folder


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """Where games are to be played, and who said so."""

    address: str  # HOST:PORT, ray://HOST:PORT, "auto" or "local"
    origin: str  # for people


def chosen_address(wanted: str | None, environment: Mapping[str, str]) -> ClusterAddress | None:
    """What `--cluster` and RAY_ADDRESS ask for together; None to play in this process."""
    variable = environment.get(ADDRESS_VARIABLE, "").strip()
    if wanted == NONE:
        return None
    if wanted is not None and wanted != AUTO:
        _check(wanted, "--cluster")
        return ClusterAddress(wanted, "--cluster")
    if variable:
        _check(variable, ADDRESS_VARIABLE)
        return ClusterAddress(variable, f"{ADDRESS_VARIABLE}={variable}")
    return ClusterAddress(AUTO, "--cluster") if wanted == AUTO else None


def _check(address: str, origin: str) -> None:
    if address in (AUTO, LOCAL):
        return
    host, colon, port = address.removeprefix(_CLIENT).rpartition(":")
    if not (colon and host and port.isdigit() and 0 < int(port) < 65536):
        raise ClusterError(
            f"{origin}: expected ray://HOST:PORT, HOST:PORT, {AUTO}, {LOCAL} or {NONE}, got {address!r}"
        )


class Connection:
    """An open connection to a cluster; a context manager that ends what it began."""

    def __init__(self, target: ClusterAddress, *, num_cpus: int, object_store_mb: int) -> None:
        self.target = target
        self._folder: WorkFolder | None = None
        is_private = target.address == LOCAL
        if is_private or is_loopback(target.address.rpartition(":")[0]):
            keep_to_loopback()
        if is_private:
            # Also removes the folders of private clusters whose driver was killed.
            self._folder = WorkFolder(_PRIVATE_PREFIX, _short_folder())
            # Loopback keeps other machines out, the token other users of this one.
            os.environ["RAY_AUTH_MODE"] = "token"
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        self.ray = load_ray()
        options: dict[str, Any] = {"address": target.address}
        if self._folder is not None:
            options |= {
                "num_cpus": num_cpus,
                "object_store_memory": object_store_mb * 2**20,
                "include_dashboard": False,
                "_node_ip_address": "127.0.0.1",
                "_temp_dir": str(self._folder.path),
            }
        try:
            self._connect(options)
        except BaseException:
            self.close()
            raise

    def _connect(self, options: dict[str, Any]) -> None:
        if self.ray.is_initialized():
            raise ClusterError("this process is connected to a Ray cluster already")
        try:
            self.ray.init(log_to_driver=False, logging_level="ERROR", **options)
        except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
            raise ClusterError(self._explained(error)) from error
        _silence(self.ray)

    def _explained(self, error: Exception) -> str:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        address = self.target.address
        hint = "check that a head runs there (`ray start --head`) and that this machine can reach it"
        if address == AUTO:
            hint = "start one with `ray start --head`, or name one: --cluster HOST:PORT"
        elif address.startswith(_CLIENT) and "grpc" in reason.lower():
            hint = "ray:// needs `pip install 'ray[client]'`"
        hint += "; if it asks for a token, set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN"
        return f"no Ray cluster at {address!r} (from {self.target.origin}): {reason}; {hint}"

    def close(self) -> None:
        """Leaves the cluster, which ends this process's workers; a private one ends as a whole."""
        with contextlib.suppress(Exception):
            self.ray.shutdown()
        if self._folder is not None:
            _remove(self._folder)

    def __enter__(self) -> "Connection":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def keep_to_loopback() -> None:
    """Before Ray is imported: lets 127.0.0.1 be 127.0.0.1.

    Ray binds its servers to loopback only if the node's address is exactly that, and replaces the address by
    the machine's own unless it is told that there are no other machines.
    """
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"


def load_ray() -> ModuleType:
    """Ray without its reports home; ExtraMissingError says how to get it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # A worker runs what its node has installed, not a copy of how this process was started.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    try:
        return import_module("ray")
    except ImportError as error:
        raise missing_extra("cluster", "a Ray cluster") from error


def _short_folder() -> str:
    """Names of Unix sockets may have 107 bytes and Ray's own part takes some 80 of them."""
    return "/tmp" if sys.platform != "win32" and len(tempfile.gettempdir()) > 12 else tempfile.gettempdir()


def _remove(folder: WorkFolder) -> None:
    """Ray's helpers may still write a last line while they end."""
    deadline = time.monotonic() + _REMOVE_S
    folder.close()
    while folder.path.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
        folder.close()


def _silence(ray: ModuleType) -> None:
    """Ray prints what its daemons complain about between the lines of our views, `log_to_driver` or not.

    The coordinator reports every loss in its own words.
    """
    worker = getattr(getattr(ray, "_private", None), "worker", None)
    if worker is not None and hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *_arguments, **_options: None
