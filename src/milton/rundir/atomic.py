"""Files that are either there as a whole or not at all. The one home of writing files safely.

A file is written under a temporary name in the same folder, flushed to the disk, then renamed; the folder is
flushed too. A process killed in between leaves only a temporary file, which the folder's next owner removes.
"""

import errno
import hashlib
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from milton.errors import RunError

_TEMPORARY_MARK = ".tmp-"
_ADVICE = {
    errno.ENOSPC: "the disk is full; free some space and start again, nothing was lost",
    errno.EDQUOT: "the disk quota is used up; free some space and start again, nothing was lost",
    errno.EROFS: "the file system is read-only; choose another folder with --run",
    errno.EACCES: "no permission to write there; change the folder's owner or choose another with --run",
    errno.EPERM: "no permission to write there; change the folder's owner or choose another with --run",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.ENOENT: "the folder does not exist",
}


def explain_os_error(error: OSError, path: Path) -> RunError:
    """An error of the operating system with what to do about it."""
    advice = _ADVICE.get(error.errno or 0, error.strerror or str(error))
    return RunError(f"cannot write {str(path)!r}: {advice}")


def inside(folder: Path, name: str) -> Path:
    """`folder / name`, symbolic links followed; RunError if that lies outside. Names in a run's files are
    other people's: they may point anywhere."""
    try:
        home = folder.resolve()
        path = (home / name).resolve()
        leaves = Path(name).is_absolute() or not path.is_relative_to(home) or path == home
    except (OSError, ValueError, RuntimeError) as error:  # NUL, a loop of links
        raise RunError(f"{name[:200]!r} is not a file of {str(folder)!r}: {error}") from error
    if leaves:
        raise RunError(f"{name[:200]!r} leaves the folder {str(folder)!r}")
    return folder / name


def check_own_entries(folder: Path) -> None:
    """Checks everything below `folder` as `check_own_entry` does."""
    home = folder.resolve()
    for root, folders, files in os.walk(home):
        for name in (*folders, *files):
            check_own_entry(home, Path(root, name))


def check_own_entry(folder: Path, path: Path) -> None:
    """RunError if `path` is a link that leads out of `folder`, a pipe or a device. What is written to the
    first changes somebody else's file; who reads the others may wait for ever. What is not there passes."""
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            mode = inside(folder, path.relative_to(folder).as_posix()).stat().st_mode
    except FileNotFoundError:
        return
    except RunError as error:
        raise RunError(f"{error}; replace this link by what it leads to, or remove it") from error
    except OSError as error:
        raise RunError(f"cannot inspect {str(path)!r}: {error.strerror}") from error
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise RunError(f"{str(path)!r} is neither a file nor a folder; remove it, no run needs it")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yields a temporary path to write to; on success the file becomes `path`, on failure it is removed."""
    temporary = path.with_name(f".{path.name}{_TEMPORARY_MARK}{os.getpid()}-{secrets.token_hex(4)}")
    try:
        yield temporary
        flush_file(temporary)
        temporary.replace(path)
        flush_folder(path.parent)
    except OSError as error:
        raise explain_os_error(error, path) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Replaces `path` by `content`, as a whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, content: str) -> None:
    """Replaces `path` by `content` in UTF-8, as a whole or not at all."""
    write_bytes(path, content.encode())


def flush_file(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Makes renames in `folder` survive a power cut, where the system can."""
    if sys.platform == "win32":  # cannot open a folder, and needs no flush after a rename
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def remove_file(path: Path) -> None:
    """Removes a file if it is there, so that a power cut does not bring it back."""
    try:
        path.unlink(missing_ok=True)
        flush_folder(path.parent)
    except OSError as error:
        raise explain_os_error(error, path) from error


def remove_temporaries(folder: Path) -> list[Path]:
    """Removes what interrupted writes left in `folder` and below. Only for the owner of the folder."""
    home = folder.resolve()
    found = folder.rglob(f".*{_TEMPORARY_MARK}*")
    stale = [path for path in found if path.is_file() and path.parent.resolve().is_relative_to(home)]
    for path in stale:
        path.unlink(missing_ok=True)
    return stale


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise RunError(f"cannot read {str(path)!r}: {error.strerror}") from error


def unused_name(path: Path) -> Path:
    """Where a damaged file is kept: FILE.quarantined, or with a number if there is one already."""
    target = path.with_name(f"{path.name}.quarantined")
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{path.name}.{number}.quarantined")
    return target


def quarantine(path: Path) -> Path:
    """Moves a damaged file out of the way, keeping its content for inspection."""
    target = unused_name(path)
    try:
        path.rename(target)
        flush_folder(path.parent)
    except OSError as error:
        raise explain_os_error(error, path) from error
    return target
