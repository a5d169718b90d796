"""`milton doctor` sees what is wrong and names the fix."""

import json
import os
import stat

import pytest

from milton.cli.checks import examine, machine, software


def test_this_installation_is_healthy(run_milton, tmp_path):
    result = run_milton("doctor", "--json", "--root", str(tmp_path))
    report = json.loads(result.stdout)
    assert result.returncode == 0
    assert report["healthy"] is True
    names = [check["name"] for check in report["checks"]]
    expected = {"python", "core", "cores", "memory", "torch", "onnxruntime", "stockfish", "run folder"}
    assert expected | {"rated engines"} <= set(names)


def test_everything_that_is_not_ok_names_a_fix(tmp_path):
    assert all(check.fix for check in examine(tmp_path) if check.status != "ok")


def test_a_run_folder_below_a_file_fails_with_exit_code_one(run_milton, tmp_path):
    not_a_folder = tmp_path / "file"
    not_a_folder.write_text("")
    result = run_milton("doctor", "--runs", str(not_a_folder / "runs"))
    assert result.returncode == 1
    assert f"cannot write in {not_a_folder}" in " ".join(result.stdout.split())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_run_folder_without_permission_fails(tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    check = machine.check_run_folder(tmp_path / "runs")
    tmp_path.chmod(stat.S_IRWXU)
    assert check.status == "failed"
    assert check.fix


def test_looking_at_the_run_folder_leaves_nothing_behind(tmp_path):
    assert machine.check_run_folder(tmp_path / "runs").status in ("ok", "warning")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_extra_is_no_failure_and_names_the_install():
    check = software.check_extra("coach", ("no_such_module_here",))
    assert check.status == "absent"
    assert "milton-zero[coach]" in check.fix


def test_an_engine_that_does_not_speak_is_reported(tmp_path):
    engine = tmp_path / "stockfish"
    engine.write_text("#!/bin/sh\nexit 3\n")
    engine.chmod(stat.S_IRWXU)
    check = software.check_stockfish(str(tmp_path))
    assert check.status == "failed"
    assert str(engine) in check.detail


def test_no_engine_is_no_failure(tmp_path):
    assert software.check_stockfish(str(tmp_path)).status == "absent"


def test_rated_engines_that_are_missing_come_with_one_command(tmp_path, monkeypatch):
    from milton.rating import catalog

    monkeypatch.setattr(catalog, "_EXTRA_FOLDERS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    check = software.check_rated_engines()
    assert (check.status, check.detail) == ("absent", "0 of 6 of the pool ccrl")
    assert "make engines" in check.fix
    (tmp_path / "toga2").write_text("#!/bin/sh\n")
    (tmp_path / "toga2").chmod(0o755)
    monkeypatch.setattr(software, "checkout_folder", lambda: None)
    check = software.check_rated_engines()
    assert (check.status, check.detail) == ("absent", "1 of 6 of the pool ccrl")
    assert check.fix.endswith("apt-get install hoichess gnuchess phalanx glaurung ethereal-chess")
