"""The coach as a stage of the loop: weights that follow reports, faults that never stop it, resuming."""

import json
from io import StringIO

import numpy as np
from chat_server import KEY, chat_server, completion, flood, refusal, reply_of, silence, status, weakness
from rich.console import Console
from short_loop import tiny_settings
from typer.testing import CliRunner

from milton.cli.app import app
from milton.coach import judge, report_in_force
from milton.config import user_file
from milton.loop import PlainView, init_run, open_window, run_loop, run_status
from milton.replay import weights_path
from milton.rundir import RunDir

runner = CliRunner()
HOSTILE = "[red]Ignore[/red] this,\x1b[31m and [link=file:///etc/passwd]click[/link]"


def good() -> object:
    return completion(reply_of(weakness(), weakness(category="piece coordination", description=HOSTILE)))


def tiny(**more: object):
    """Iterations of a second: nothing is learnt, every stage is gone through."""
    quick = {"loop.samples_per_iter": 150, "arena.gate": "none", "arena.ladder_every": 1000}
    return tiny_settings(**quick, **more)


def model_settings(base_url: str, **more: object):
    """Secrets and addresses are the user's own: later calls find them in the user's file, not in the run."""
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(f'[coach]\nbase_url = "{base_url}"\napi_key = "env:LOOPBACK_API_KEY"\n')
    return tiny(
        **{
            "coach.every": 1,
            "coach.provider": "loopback",
            "coach.model": "parrot",
            "coach.base_url": base_url,
            "coach.api_key": "env:LOOPBACK_API_KEY",
            "coach.timeout_s": 300.0,
            "coach.min_match": 0.0,
            **more,
        }
    )


def learn(run: RunDir, iterations: int, **coach: object) -> str:
    """`coach`: what is otherwise than in the run's settings."""
    output = StringIO()
    console = Console(file=output, width=200)
    settings = run.settings()
    settings = settings.model_copy(update={"coach": settings.coach.model_copy(update=coach)})
    assert run_loop(run, settings, iterations=iterations, console=console, open_view=PlainView)
    return output.getvalue()


def weights_in(run: RunDir) -> np.ndarray:
    window = open_window(run, run.settings())
    window.update(run.shard_paths())
    return window.columns().weights


def invoke(*arguments: str) -> str:
    result = runner.invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_loop_runs_on_through_every_fault_and_never_shows_the_key(tmp_path):
    """One iteration each: a good report, then a row of faults, then a good one again."""
    faults = [
        lambda: completion("not JSON"),
        lambda: completion(reply_of(weakness(severity=float("nan")))),
        lambda: completion(reply_of(*[weakness()] * 400)),
        refusal,
        flood,
        lambda: status(429),
        lambda: status(500),
        silence,
    ]
    with chat_server(good, *faults, good) as server:
        settings = model_settings(server.base_url)
        with init_run(tmp_path / "run", settings) as run:
            text = learn(run, 1)
            assert weights_in(run).max() > 1.0
            for iteration, fault in enumerate(faults, start=2):
                text += learn(run, iteration, **({"timeout_s": 1.0} if fault is silence else {}))
                assert (weights_in(run) == 1.0).all(), iteration
                row = run.database.stage(iteration, "coach")
                assert row is not None
                assert row.result["problem"]
            text += learn(run, len(faults) + 2)
            assert weights_in(run).max() > 1.0
            events = [event for event in run.database.events() if event.kind == "coach"]
            warnings = [event for event in events if event.level == "warning"]
            assert [event.iteration for event in events if event.level == "info"] == [1, len(faults) + 2]
    assert len(warnings) == len(faults)
    assert all(warning.action == "continuing without weights" for warning in warnings)
    assert text.count("continuing without weights") == len(faults)
    assert len(server.requests) == len(faults) + 2
    assert KEY not in text
    for file in (tmp_path / "run").rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file


def test_weights_in_the_run_are_those_of_the_report(tmp_path):
    with chat_server(good) as server, init_run(tmp_path / "run", model_settings(server.base_url)) as run:
        learn(run, 2)
        report = report_in_force(run)
        assert report is not None
        assert report.iteration == 2
        window = open_window(run, run.settings())
        window.update(run.shard_paths())
        expected = judge(report, window.columns(), run.settings().coach).weights
        assert np.array_equal(weights_in(run), expected)
        assert expected.max() > expected.min()


def test_between_reports_the_old_one_weighs_the_new_positions(tmp_path):
    with chat_server(good, refusal) as server:
        settings = model_settings(server.base_url, **{"coach.every": 2})
        with init_run(tmp_path / "run", settings) as run:
            learn(run, 1)
            assert (weights_in(run) == 1.0).all()
            learn(run, 3)
            assert weights_path(run.shard_path(3)).exists()
            report = report_in_force(run)
            assert report is not None
            window = open_window(run, run.settings())
            window.update(run.shard_paths())
            weighed = judge(report, window.columns(), run.settings().coach).weights
            assert np.array_equal(weights_in(run), weighed)
            row = run.database.stage(3, "coach")
            assert row is not None
            assert row.result == {"report": 2}
    assert len(server.requests) == 1


def test_a_stage_that_was_killed_is_done_again_with_the_same_result(tmp_path):
    with init_run(tmp_path / "run", tiny(**{"coach.every": 1})) as run:
        learn(run, 2)
        before = (run.iteration_dir(2) / "coach.json").read_bytes(), weights_in(run)
        # Killed after the weights of the newest shard were written and before anything else was.
        run.database.forget_stages(2, ["coach", "train", "arena", "ladder"])
        (run.iteration_dir(2) / "coach.json").unlink()
    with RunDir.open(tmp_path / "run") as run:
        learn(run, 2)
        assert (run.iteration_dir(2) / "coach.json").read_bytes() == before[0]
        assert np.array_equal(weights_in(run), before[1])


def test_switching_the_coach_off_takes_its_weights_away(tmp_path):
    with chat_server(good) as server, init_run(tmp_path / "run", model_settings(server.base_url)) as run:
        learn(run, 1)
        assert weights_in(run).max() > 1.0
        off = run.settings({"coach.enabled": False})
        assert run_loop(run, off, iterations=2, console=Console(file=StringIO()))
        assert (weights_in(run) == 1.0).all()


def test_a_damaged_report_costs_its_weights_and_is_told(tmp_path):
    with chat_server(good, refusal) as server:
        settings = model_settings(server.base_url, **{"coach.every": 2})
        with init_run(tmp_path / "run", settings) as run:
            learn(run, 2)
            path = run.iteration_dir(2) / "coach.json"
            path.write_bytes(b"x" * path.stat().st_size)
            text = learn(run, 3)
            assert "not a weakness report" in text
            assert (weights_in(run) == 1.0).all()
            assert "not a weakness report" in run_status(run.path).coach["problem"]


def test_reports_are_shown_as_plain_text(tmp_path):
    path = tmp_path / "run"
    with chat_server(good) as server, init_run(path, model_settings(server.base_url)) as run:
        learn(run, 1)
    shown = invoke("coach", "show", "--run", str(path))
    assert "[link=file:///etc/passwd]click[/link]" in " ".join(shown.split())
    assert "\x1b" not in shown
    report = json.loads(invoke("coach", "show", "--run", str(path), "--json"))
    assert [entry["category"] for entry in report["weaknesses"]] == [
        "tactical awareness",
        "piece coordination",
    ]
    status_text = invoke("status", "--run", str(path))
    assert "loopback: 2 weaknesses in use, first tactical awareness: overlooks threats" in status_text
    assert json.loads(invoke("status", "--run", str(path), "--json"))["coach"]["model"] == "parrot"


def test_a_report_on_demand_weighs_the_run_and_a_dry_run_writes_nothing(tmp_path):
    path = tmp_path / "run"
    with init_run(path, tiny(**{"coach.enabled": False})) as run:
        learn(run, 2)
    missing = runner.invoke(app, ["coach", "show", "--run", str(path)])
    assert "no report yet" in str(missing.exception)
    report = json.loads(invoke("coach", "--run", str(path), "--dry-run", "--json", "--iteration", "1"))
    assert (report["iteration"], report["provider"]) == (1, "offline")
    dry = invoke("coach", "--run", str(path), "--dry-run", "--provider", "ollama")
    assert "Answer with one JSON object" in dry
    assert not list(path.rglob("coach.json"))
    with chat_server(good) as server:
        changes = {"base_url": server.base_url, "model": "parrot", "min_match": "0.0"}
        words = [word for key, value in changes.items() for word in ("--set", f"coach.{key}={value}")]
        invoke("coach", "--run", str(path), "--provider", "loopback", *words)
    with RunDir.open(path) as run:
        assert not run.findings
        assert weights_in(run).max() > 1.0
        assert (run.iteration_dir(2) / "coach.json").is_file()


def test_a_provider_that_fails_on_demand_is_an_error(tmp_path):
    with init_run(tmp_path / "run", tiny()) as run:
        learn(run, 1)
    with chat_server(lambda: status(500)) as server:
        words = ["--set", f"coach.base_url={server.base_url}", "--set", "coach.model=parrot"]
        result = runner.invoke(app, ["coach", "--run", str(tmp_path / "run"), "--provider", "x", *words])
    assert "status 500" in str(result.exception)


def test_a_run_from_somebody_else_sends_no_secret_anywhere(tmp_path, monkeypatch):
    """The copied settings name a server and a variable; neither is used, and the loop says so."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
    path = tmp_path / "run"
    init_run(path, tiny(**{"coach.every": 1, "coach.provider": "stranger", "coach.model": "parrot"})).close()
    with chat_server(good) as server:
        stored = path / "milton.toml"
        hostile = f'[coach]\nbase_url = "{server.base_url}"\napi_key = "env:AWS_SECRET_ACCESS_KEY"\n'
        stored.write_text(stored.read_text().replace("[coach]\n", hostile))
        words = ["loop", "--run", str(path), "--iterations", "1", "--plain", "--no-dashboard"]
        result = runner.invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "coach.api_key, coach.base_url, which is not read from a run" in " ".join(result.output.split())
    assert not server.requests
