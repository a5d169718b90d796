"""What every command owes its user: help, exit codes, one line for a refusal, and a quick start."""

import errno
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import typer

import milton
from milton import _core
from milton.cli import main, run_reporting_errors
from milton.cli.app import app
from milton.config import failure_log, layers
from milton.errors import MiltonError


def test_version_is_the_package_version(run_milton):
    result = run_milton("--version")
    assert result.returncode == 0
    assert result.stdout == f"milton {milton.__version__}\n"


@pytest.mark.parametrize("command", ["doctor", "perft", "bench"])
def test_every_command_explains_itself(run_milton, command):
    result = run_milton(command, "--help")
    assert result.returncode == 0
    assert "--json" in result.stdout


def test_help_says_what_to_try_first(run_milton):
    shown = run_milton("-h").stdout
    steps = [line.split()[1] for line in shown.splitlines() if line.startswith("   milton ")]
    assert steps == ["play", "loop", "serve", "doctor"]


def test_paragraphs_of_help_fill_the_width_of_the_terminal(run_milton):
    shown = run_milton("teach", "-h").stdout.splitlines()
    [start] = [index for index, line in enumerate(shown) if "Labelling can be stopped" in line]
    paragraph = shown[start : shown.index(" " * len(shown[start]), start)]
    assert len(paragraph) > 1
    assert all(len(line.rstrip()) > 60 for line in paragraph[:-1])
    assert sum("Example: milton teach" in line for line in shown) == 2


def test_help_is_grouped_and_lists_every_command_once(run_milton):
    from milton.cli.app import PANELS

    names = [name for names in PANELS.values() for name in names]
    registered = [info.name for info in (*app.registered_commands, *app.registered_groups)]
    assert sorted(names) == sorted(registered)
    shown = run_milton("-h").stdout
    places = [shown.index(f"─ {panel} ─") for panel in PANELS]
    assert places == sorted(places)


def commands(group, prefix=""):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix}{name} ")
        if not getattr(command, "no_args_is_help", False):
            yield pytest.param(f"milton {prefix}{name}", command, id=prefix + name)


@pytest.mark.parametrize(("name", "command"), list(commands(typer.main.get_command(app))))
def test_help_shows_an_example_that_can_be_typed(name, command):
    examples = re.findall(r"^ *Example[^:]*: (.+)$", command.help, re.MULTILINE)
    assert examples
    for example in examples:
        words = shlex.split(re.split(" && | -- ", example)[0])
        assert " ".join(words).startswith(name)
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, example


def test_short_options_mean_the_same(run_milton):
    assert run_milton("-V").stdout == run_milton("--version").stdout
    assert run_milton("perft", "-h").stdout == run_milton("perft", "--help").stdout


def test_shells_can_complete_commands_and_options(run_milton):
    import os
    import subprocess
    import sys

    environment = {
        **os.environ,
        "_MILTON_COMPLETE": "complete_bash",
        "COMP_WORDS": "milton tourn",
        "COMP_CWORD": "1",
    }
    result = subprocess.run(
        [sys.executable, "-m", "milton.cli"], env=environment, capture_output=True, text=True, check=False
    )
    assert "tournament" in result.stdout


def test_wrong_usage_exits_with_two(run_milton):
    assert run_milton("perft", "--depth", "-1").returncode == 2
    assert run_milton("no-such-command").returncode == 2


def test_a_refusal_is_one_line_on_stderr_and_exit_code_one(run_milton):
    result = run_milton("perft", "--fen", "8/8/8/8/8/8/8/8 w - -\n0 1")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.startswith("milton: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_failure_that_nobody_foresaw_is_one_line_with_its_traceback_in_a_file(
    capsys, tmp_path, monkeypatch
):
    monkeypatch.setenv("MILTON_HOME", str(tmp_path))
    with pytest.raises(SystemExit) as stopped:
        run_reporting_errors(lambda: 1 // 0)
    assert stopped.value.code == 70
    (line,) = capsys.readouterr().err.splitlines()
    assert "ZeroDivisionError" in line
    assert str(tmp_path / "failures.log") in line
    log = (tmp_path / "failures.log").read_text()
    assert "Traceback (most recent call last)" in log
    assert (tmp_path / "failures.log").stat().st_mode & 0o777 == 0o600


def test_a_user_without_a_home_gets_the_same_line(capsys, tmp_path, monkeypatch):
    def no_home() -> None:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("MILTON_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.setattr(failure_log, "user_file", lambda: tmp_path / "no" / "file" / "milton.toml")
    assert layers.user_file() == Path("/.milton/milton.toml")
    (tmp_path / "no").write_text("a file where the folder would be")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(SystemExit) as stopped:
        run_reporting_errors(lambda: 1 // 0)
    assert stopped.value.code == 70
    (line,) = capsys.readouterr().err.splitlines()
    assert str(tmp_path / f"milton-{os.getuid()}" / "failures.log") in line


@pytest.mark.parametrize(("encoding", "text"), [("ascii", "– ± → ☃"), ("latin-1", "☃"), ("utf-8", "\udcff")])
def test_what_a_terminal_cannot_show_is_escaped(monkeypatch, encoding, text):
    shown = io.BytesIO()
    stream = io.TextIOWrapper(shown, encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    run_reporting_errors(lambda: print(text))
    stream.flush()
    assert b"\\u" in shown.getvalue()


def test_a_core_that_cannot_be_loaded_is_one_line(run_milton, monkeypatch):
    monkeypatch.setenv("MILTON_CORE", "abacus")
    refused = run_milton("perft", "--depth", "1")
    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    assert line.startswith("milton: MILTON_CORE must be one of")


def test_ctrl_c_before_the_command_has_begun_is_one_line(capsys):
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as stopped:
        run_reporting_errors(interrupt)
    assert stopped.value.code == 130
    assert capsys.readouterr().err == "milton: interrupted\n"


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried …")]
)
def test_a_lack_of_memory_is_one_line(capsys, error):
    def fail() -> None:
        raise error

    with pytest.raises(SystemExit) as stopped:
        run_reporting_errors(fail)
    assert stopped.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "not enough memory" in line


@pytest.mark.parametrize("command", [["status", "--run"], ["serve", "--run"], ["inspect", "--checkpoint"]])
def test_a_path_longer_than_any_file_is_a_refusal(capsys, tmp_path, command):
    path = tmp_path / ("a" * 400)
    with pytest.raises(SystemExit) as stopped:
        main([*command, str(path)])
    assert stopped.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"milton: '{path}")
    assert line.endswith("File name too long")


@pytest.mark.parametrize(
    ("number", "says"), [(errno.EACCES, "Permission denied"), (errno.EBADF, "unexpected")]
)
def test_only_what_the_system_refuses_about_a_file_is_a_refusal(capsys, tmp_path, monkeypatch, number, says):
    """A folder that may not be entered is nobody's bug; a descriptor that was closed is."""

    monkeypatch.setenv("MILTON_HOME", str(tmp_path))

    def fail():
        raise OSError(number, os.strerror(number), "some/file")

    with pytest.raises(SystemExit) as stopped:
        run_reporting_errors(fail)
    assert stopped.value.code == (1 if number == errno.EACCES else 70)
    assert says in capsys.readouterr().err


def test_a_milton_error_anywhere_becomes_one_line_and_exit_code_one(capsys):
    def refuse():
        raise MiltonError("two\nlines")

    with pytest.raises(SystemExit) as stopped:
        run_reporting_errors(refuse)
    assert stopped.value.code == 1
    assert capsys.readouterr().err == "milton: two lines\n"


def test_reading_a_run_does_not_wait_for_torch():
    code = "import sys\nfrom milton.loop import run_status\nassert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_command_starts_without_torch_or_the_core():
    program = (
        "import sys, milton.cli.app\n"
        "heavy = ('torch', 'numpy', 'onnxruntime', 'chess', 'milton._core')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_bench_returns_positive_figures_for_every_benchmark(run_milton):
    result = run_milton("bench", "--quick", "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["machine"]["core"] in _core.VARIANTS
    names = {entry["name"] for entry in report["measurements"]}
    assert {"chess perft", "python-chess perft", "santorini playouts", "connect_four legal moves"} <= names
    assert all(entry["value"] > 0 for entry in report["measurements"])


def test_bench_refuses_an_unknown_name_before_it_measures(run_milton):
    result = run_milton("bench", "perft", "pertf")
    assert result.returncode == 1
    assert "'pertf'" in result.stderr
    assert result.stdout == ""
