"""What runs beside the loop: kept running, ended with the loop, never in its way. Real processes."""

import sys
import time
from io import StringIO
from pathlib import Path

import pytest
from finished_runs import ALL_STAGES, done_stages, messages
from patience import PATIENCE_S
from rich.console import Console
from short_loop import tiny_settings

from milton.loop import init_run, run_loop
from milton.loop.deployment import Deployment, RestartBackoff, SupervisedProcess
from milton.loop.view import PlainView
from milton.workforce import Notice

QUICK = RestartBackoff(first_s=0.01, longest_s=0.05)
SERVES = "import sys; print('ready', flush=True); sys.stdin.read()"


def kept(code: str, backoff: RestartBackoff = QUICK) -> SupervisedProcess:
    return SupervisedProcess("the bot", "lichess", [sys.executable, "-c", code], backoff)


def until_told(process: Deployment, words: str, times: int = 1) -> list[str]:
    """What was told until then."""
    told: list[str] = []
    give_up_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up_s:
        told += [f"{notice.message}; {notice.action}" for notice in process.notices()]
        if sum(words in line for line in told) >= times:
            return told
        time.sleep(0.01)
    raise AssertionError(f"{words!r} was not told in {told}")


def test_pauses_double_up_to_the_longest_and_begin_again_after_a_long_life():
    backoff = RestartBackoff(first_s=2.0, longest_s=10.0, settled_s=60.0)
    lengths = [0.0]
    for _ in range(5):
        lengths.append(backoff.next(lengths[-1], ran_s=1.0))
    assert lengths[1:] == [2.0, 4.0, 8.0, 10.0, 10.0]
    assert backoff.next(10.0, ran_s=60.0) == 2.0


def test_a_process_that_ends_is_started_again_and_its_last_words_are_told():
    process = kept("import sys; print('no token for you', file=sys.stderr); sys.exit(3)")
    process.start()
    told = until_told(process, "ended with exit code 3: no token for you", times=3)
    process.close()
    assert sum("started (process " in line for line in told) >= 3
    assert "starting it again in" in "".join(told)


def test_what_a_process_leaves_behind_does_not_hide_that_it_ended():
    code = "sleep 600 & echo 'my child stays' >&2; exit 3"
    process = SupervisedProcess("the bot", "lichess", ["/bin/sh", "-c", code], QUICK)
    process.start()
    until_told(process, "ended with exit code 3: my child stays", times=2)
    process.close()


def test_a_system_without_threads_is_told(monkeypatch):
    def fails(_thread: object) -> None:
        raise RuntimeError("can't start new thread")

    process = kept(SERVES)
    with monkeypatch.context() as patch:
        patch.setattr("threading.Thread.start", fails)
        process.start()
    assert [notice.message for notice in process.notices()] == [
        "the bot does not start: can't start new thread"
    ]
    process.close()


def test_a_program_that_does_not_exist_is_told_and_tried_again():
    process = SupervisedProcess("the bot", "lichess", ["/does/not/exist"], QUICK)
    process.start()
    until_told(process, "the bot does not start", times=2)
    process.close()


def test_closing_ends_a_process_that_watches_its_input():
    process = kept(SERVES)
    process.start()
    until_told(process, "the bot: ready")
    process.close(PATIENCE_S)
    assert [notice.message for notice in process.notices()] == ["the bot ended with the loop"]


def test_a_process_that_does_not_listen_is_killed():
    process = kept("import threading; print('ready', flush=True); threading.Event().wait()")
    process.start()
    until_told(process, "the bot: ready")
    process.close(patience_s=0.1)
    assert [notice.message for notice in process.notices()] == ["the bot did not end when asked"]


class Awaited(SupervisedProcess):
    """The loop hears of the first end before it goes on: it may be quicker than the start of a process."""

    def start(self) -> None:
        super().start()
        self.heard: list[Notice] = []
        while not any("ended" in notice.message for notice in self.heard):
            self.heard += super().notices()
            time.sleep(0.01)

    def notices(self) -> list[Notice]:
        heard, self.heard = self.heard, []
        return heard + super().notices()


def test_a_process_that_dies_at_once_does_not_keep_the_loop_from_its_iterations(tmp_path: Path):
    out = StringIO()
    command = [sys.executable, "-c", "import sys; sys.exit('out of order')"]
    deployment = Awaited("the bot", "lichess", command, RestartBackoff(first_s=0.05))
    with init_run(tmp_path / "run", tiny_settings()) as run:
        assert run_loop(
            run,
            run.settings(),
            iterations=1,
            console=Console(file=out, width=200),
            open_view=PlainView,
            deployment=deployment,
        )
        assert done_stages(run, 1) == ALL_STAGES
        assert "warning the bot ended with exit code 1: out of order; starting it again in" in messages(run)
    assert "the bot ended with exit code 1: out of order" in out.getvalue()


class BrokenError(Exception):
    pass


class Recorded:
    """A deployment that only remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def start(self) -> None:
        self.calls.append("start")

    def notices(self) -> list[Notice]:
        if self.calls == ["start"]:
            raise BrokenError
        return []

    def close(self, patience_s: float = 0.0) -> None:
        self.calls.append("close")


def test_a_loop_that_fails_still_closes_what_runs_beside_it(tmp_path: Path):
    deployment = Recorded()
    with init_run(tmp_path / "run", tiny_settings()) as run, pytest.raises(BrokenError):
        run_loop(run, run.settings(), iterations=1, console=Console(file=StringIO()), deployment=deployment)
    assert deployment.calls == ["start", "close"]
