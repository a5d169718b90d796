"""A file is there as a whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from milton.errors import RunError
from milton.rundir import atomic, replacing, write_bytes, write_text
from milton.rundir.atomic import explain_os_error, quarantine, remove_temporaries


def test_content_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "first")
    write_bytes(path, b"second")
    assert path.read_bytes() == b"second"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_content_and_no_rubbish(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "first")

    def write_half_and_fail() -> None:
        with replacing(path) as temporary:
            temporary.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half_and_fail()
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "iter_0001").mkdir()
    stale = tmp_path / "iter_0001" / ".candidate.safetensors.tmp-123-abcd"
    stale.write_text("half")
    kept = tmp_path / "notes.tmp-1"
    kept.write_text("mine")
    assert remove_temporaries(tmp_path) == [stale]
    assert kept.exists()


def test_missing_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="does not exist"):
        write_text(tmp_path / "nowhere" / "file", "x")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named_with_the_way_out() -> None:
    with pytest.raises(OSError, match="No space") as caught, open("/dev/full", "wb", buffering=0) as full:  # noqa: PTH123
        full.write(b"x")
    assert "free some space" in str(explain_os_error(caught.value, Path("/dev/full")))


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EDQUOT])
def test_every_refusal_of_the_system_comes_with_advice(code: int) -> None:
    message = str(explain_os_error(OSError(code, os.strerror(code)), Path("/some/file")))
    assert "'/some/file'" in message
    assert "free some space" in message or "--run" in message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_named_with_the_way_out(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(RunError, match="--run"):
        write_text(tmp_path / "file", "x")


def test_quarantine_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "bad"
    names = []
    for content in ("a", "b", "c"):
        path.write_text(content)
        names.append(quarantine(path))
    assert [name.read_text() for name in names] == ["a", "b", "c"]
    assert not path.exists()


def test_a_new_iteration_folder_is_flushed_by_name(run, monkeypatch):
    """Files in it are flushed, but a power cut would take the folder itself."""
    flushed = []
    monkeypatch.setattr(atomic, "flush_folder", flushed.append)
    run.iteration_dir(1, create=True)
    assert flushed == [run.path]
