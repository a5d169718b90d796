"""What a person sees: the panel fits its terminal, messages appear once, remaining time is honest."""

import io
import json
import time

import pytest
from rich.console import Console

from milton.loop import JsonView, LiveStatus, Message, PlainView
from milton.loop.live_status import StageFigures
from milton.loop.status_panel import STAGE_NAMES, duration, iteration_line, render, sparkline
from milton.workforce import WorkerFigures


def full_board() -> LiveStatus:
    return LiveStatus(
        run="long",
        game="connect_four",
        path="runs/a-run-with-quite-a-long-name",
        num_iterations=1000,
        stage=StageFigures(123, "self-play", "positions", 125_000, 250_000, 1000.0, "text " * 40),
        started_s=1000.0,
        num_positions=123_456_789,
        num_games=1_234_567,
        games_per_hour=12_345_678.0,
        simulations_per_s=1_234_567.0,
        positions_per_s=12_345.0,
        draw_rate=1.0,
        mean_plies=123.4,
        losses={"train/policy_loss": 1.5, "holdout/policy_loss": 1.6, "holdout/policy_agreement": 0.5},
        arena="+100 =100 −100",
        arena_elo="+1234 [+1000, +2000] Elo",
        num_promotions=99,
        champion="iter_0123 0123abcd",
        elo="+1234 [+1000, +1500]",
        score_against_first=0.975,
        elo_history=[float(n) for n in range(30)],
    )


def drawn(status: LiveStatus, width: int, now: float = 1060.0) -> list[str]:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    with console.capture() as capture:
        console.print(render(status, now))
    return capture.get().splitlines()


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
def test_the_picture_fits_any_width(width: int) -> None:
    lines = drawn(full_board(), width)
    assert {len(line) for line in lines} == {width}
    assert all(line[-1] in "╮│╯" for line in lines)


@pytest.mark.parametrize("width", [80, 120])
def test_the_picture_shows_every_figure_in_full(width: int) -> None:
    text = "\n".join(drawn(full_board(), width))
    for words in (
        "iteration 123 of 1000",
        "125,000 / 250,000 positions",
        "ETA 1:00",
        "1,234,567",
        "123,456,789",
        "1.600",
        "+1234 [+1000, +2000]",
        "+1234 [+1000, +1500]",
        "97.5%",
        "iter_0123 0123abcd",
        "MB",
    ):
        assert words in text


@pytest.mark.parametrize("stage", STAGE_NAMES)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_present_stage_and_the_time_are_never_cut(stage: str, width: int) -> None:
    status = full_board()
    status.stage.name = stage
    line = drawn(status, width, now=1000.0 + 36_000.0)[1]
    assert f"◉ {stage}" in line
    assert line.endswith(" 10:00:00 │")
    assert "…" not in line
    assert line.count("○") + line.count("●") == len(STAGE_NAMES) - (2 if stage in ("labels", "deploy") else 3)


def test_the_picture_keeps_its_height_while_figures_change() -> None:
    empty = LiveStatus(stage=StageFigures(1, "arena", "games", 0, 100, 1000.0))
    assert len(drawn(empty, 80)) == len(drawn(full_board(), 80))


def test_an_unknown_text_is_never_read_as_markup() -> None:
    status = full_board()
    status.say(Message("warning", "shard", "[red]broken[/nonsense]", time_s=1060.0))
    assert "[red]broken[/nonsense]" in "\n".join(drawn(status, 120))


def test_old_messages_leave_the_picture() -> None:
    status = full_board()
    status.say(Message("warning", "shard", "broken", time_s=1060.0))
    assert "broken" in "\n".join(drawn(status, 80, now=1061.0))
    assert "broken" not in "\n".join(drawn(status, 80, now=2000.0))


def test_remaining_time_does_not_count_what_was_found() -> None:
    stage = StageFigures(1, "self-play", "positions", 60.0, 100.0, 1000.0, "", found=50.0)
    assert stage.eta_s(1010.0) == pytest.approx(40.0)
    assert stage.share == pytest.approx(0.6)
    assert StageFigures(started_s=1000.0).eta_s(1010.0) is None


def test_iterations_stand_like_a_table() -> None:
    first, later = full_board(), full_board()
    first.num_new_positions, later.num_new_positions = 600, 1_000_000
    lines = [iteration_line(first, 1).plain, iteration_line(later, 1000).plain]
    assert len({len(line) for line in lines}) == 1
    assert len(lines[0]) < 76


def test_a_message_is_printed_once_even_if_it_comes_again() -> None:
    status, out = LiveStatus(), io.StringIO()
    view = PlainView(status, Console(file=out, width=40))
    for _ in range(2):
        status.say(Message("alarm", "nan", "the loss is not a number", "back to the last good weights"))
        view.refresh()
        view.refresh()
    assert (
        out.getvalue().splitlines() == ["alarm: the loss is not a number; back to the last good weights"] * 2
    )


def test_plain_lines_are_never_silent_for_long() -> None:
    status, out = LiveStatus(), io.StringIO()
    status.stage = StageFigures(iteration=3, name="self-play", unit="positions", done=1500, total=6000)
    view = PlainView(status, Console(file=out, width=40))
    started_s = time.monotonic()
    view.report_progress(started_s + 1)
    assert out.getvalue() == ""
    view.report_progress(started_s + 10)
    assert "iteration 3, self-play: 25% (1,500 of 6,000 positions)" in out.getvalue()
    view.close()
    view.report_progress(started_s + 1000)
    assert len(out.getvalue().splitlines()) == 1


def test_json_lines_know_no_infinity() -> None:
    status, out = LiveStatus(losses={"train/policy_loss": float("inf")}), io.StringIO()
    view = JsonView(status, Console(file=out))
    view.iteration_done(1)
    assert json.loads(out.getvalue())["losses"] == {"train/policy_loss": None}


def test_durations_and_sparklines_read_well() -> None:
    assert [duration(seconds) for seconds in (-1.0, 59.6, 3599.0, 3600.0)] == [
        "0:00",
        "1:00",
        "59:59",
        "1:00:00",
    ]
    assert sparkline([]) == ""
    assert sparkline([0.0, 50.0, 100.0]) == "▁▅█"
    assert len(sparkline([1.0] * 100)) == 8


def test_workers_elsewhere_stand_in_the_picture_and_in_the_progress() -> None:
    status = full_board()
    assert not any("workers" in line for line in drawn(status, 120))
    status.workers = [
        WorkerFigures("one", "playing", 4, 1000.0),
        WorkerFigures("one", "playing", 4, 1000.0),
        WorkerFigures("two", "silent", 8, 0.0),
    ]
    assert any("2 on 1 node, 1 silent" in line for line in drawn(status, 160))
    assert status.as_progress()["workers"][2] == {
        "node": "two",
        "state": "silent",
        "threads": 8,
        "positions_per_s": 0.0,
    }
