"""Renders a LiveStatus for a terminal of any width. Pure: the same figures give the same panel."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from milton.system import resident_memory_mb

from .live_status import LiveStatus

# By their names in run.sqlite.
SHOWN_NAMES = {
    "selfplay": "self-play",
    "label": "labels",
    "coach": "coach",
    "train": "training",
    "arena": "arena",
    "deploy": "deploy",
    "ladder": "ladder",
}
STAGE_NAMES = tuple(SHOWN_NAMES.values())
# Not part of every iteration, and the line is full: shown while they last.
_OCCASIONAL = ("labels", "deploy")
# From this width on the three groups of figures are shown side by side.
_WIDE = 108
_SPARKS = "▁▂▃▄▅▆▇█"
_NOTHING = "–"
_MESSAGE_S = 180.0  # how long a message stays in the panel; run.sqlite keeps it

Figures = list[tuple[str, str]]


def render(status: LiveStatus, now: float, width: int | None = None) -> Panel:
    """The whole panel at a moment, as wide as asked or as there is room."""
    parts: list[RenderableType] = [_Stages(status, now), _Bar(status, now), Text(), _Columns(status)]
    recent = [message for message in status.messages if now - message.time_s < _MESSAGE_S]
    if recent:
        parts += [Text(), *(_message(str(message)) for message in recent[-3:])]
    title = f"[bold]Milton[/] · {status.game} · {status.path or status.run}"
    return Panel(
        Group(*parts),
        title=title,
        title_align="left",
        subtitle="Ctrl-C stops, the same command resumes",
        subtitle_align="right",
        padding=(0, 1),
        border_style="dim",
        width=width,
    )


def iteration_line(status: LiveStatus, iteration: int) -> Text:
    """A finished iteration in one line of under 80 columns, so that lines align like a table."""
    holdout = status.losses.get("holdout/policy_loss"), status.losses.get("holdout/value_loss")
    policy, value = (_NOTHING if loss is None else f"{loss:.3f}" for loss in holdout)
    return Text.assemble(
        (f"{iteration:5d}", "bold"),
        (f" {status.num_new_positions:9,} positions", ""),
        ("  loss ", "dim"),
        f"{policy} {value}",
        ("  arena ", "dim"),
        f"{status.arena:13s}",
        (" ★" if status.was_promoted else "  ", "bold green"),
        overflow="ellipsis",
    )


class _Stages:
    """Which iteration, which of its stages, since when. Without room only the present stage is named."""

    def __init__(self, status: LiveStatus, now: float) -> None:
        self._status = status
        self._passed = duration(now - status.started_s)

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        words = self._words(self._names())
        if len(words) + len(self._passed) > options.max_width:
            words = self._words([name if name == self._status.stage.name else "" for name in self._names()])
        grid = Table.grid(expand=True)
        grid.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        grid.add_column(justify="right", no_wrap=True, min_width=len(self._passed))
        grid.add_row(words, Text(self._passed, "dim"))
        yield grid

    def _names(self) -> list[str]:
        present = self._status.stage.name
        return [name for name in STAGE_NAMES if name not in _OCCASIONAL or name == present]

    def _words(self, shown: list[str]) -> Text:
        stage, names = self._status.stage, self._names()
        of = f" of {self._status.num_iterations}" if self._status.num_iterations else ""
        words = Text.assemble((f"iteration {stage.iteration}{of}", "bold"), "   ")
        reached = names.index(stage.name) if stage.name in names else -1
        for index, name in enumerate(shown):
            mark, style = ("●", "green") if index < reached else ("○", "dim")
            if index == reached:
                mark, style = "◉", "bold cyan"
            words.append(f"{mark} {name}  " if name else f"{mark} ", style)
        return words


class _Bar:
    """The progress of the stage over the whole width."""

    def __init__(self, status: LiveStatus, now: float) -> None:
        self._stage = status.stage
        self._eta_s = status.stage.eta_s(now)

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        stage = self._stage
        width = len(f"{stage.total:,.0f}")
        count = f"{stage.done:{width},.0f} / {stage.total:,.0f} {stage.unit}" if stage.total > 0 else ""
        eta = "ETA " + (_NOTHING if self._eta_s is None else duration(self._eta_s))
        grid = Table.grid(expand=True, padding=(0, 1))
        grid.add_column(width=5, justify="right")
        grid.add_column(ratio=1)
        grid.add_column(no_wrap=True)
        grid.add_column(width=11, justify="right", no_wrap=True)
        bar = ProgressBar(total=1.0, completed=stage.share, complete_style="cyan", finished_style="cyan")
        grid.add_row(f"{stage.share:.0%}", bar, count, Text(eta, "dim"))
        yield grid
        yield Text(stage.text or " ", style="dim", no_wrap=True, overflow="ellipsis")


class _Columns:
    """Groups of figures, side by side as far as there is room."""

    def __init__(self, status: LiveStatus) -> None:
        self._status = status

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        status = self._status
        games, learning, strength = _games(status), _learning(status), _strength(status)
        if options.max_width >= _WIDE:
            yield _side_by_side(
                (_group("self-play", games), _group("learning", learning), _group("strength", strength))
            )
            return
        yield _side_by_side((_group("self-play", games), _group("learning", learning)))
        yield Text()
        yield _group("strength", strength, align="left")


def _side_by_side(groups: tuple[Table, ...]) -> Table:
    grid = Table.grid(expand=True, padding=(0, 3))
    for index in range(len(groups)):
        grid.add_column(ratio=4 if index == 2 else 3)
    grid.add_row(*groups)
    return grid


def _group(title: str, figures: Figures, align: str = "right") -> Table:
    table = Table.grid(expand=align == "right", padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(justify="right" if align == "right" else "left", no_wrap=True, overflow="ellipsis")
    table.add_row(Text(title, style="bold cyan"), "")
    for name, value in figures:
        table.add_row(Text(name, style="dim"), Text(value))
    return table


def _games(status: LiveStatus) -> Figures:
    workers = workers_words(asdict(worker) for worker in status.workers)
    return [
        *([("workers", workers)] if workers else []),
        ("games", f"{status.num_games:,}"),
        ("positions", f"{status.num_positions:,}"),
        ("games/hour", f"{status.games_per_hour:,.0f}"),
        ("positions/s", f"{status.positions_per_s:,.0f}"),
        ("simulations/s", f"{status.simulations_per_s:,.0f}"),
        ("draws, plies", f"{status.draw_rate:.0%}, {status.mean_plies:.0f}"),
    ]


def _learning(status: LiveStatus) -> Figures:
    losses = status.losses
    agreement = losses.get("holdout/policy_agreement")
    return [
        ("policy loss", _number(losses.get("train/policy_loss"))),
        ("  hold-out", _number(losses.get("holdout/policy_loss"))),
        ("value loss", _number(losses.get("train/value_loss"))),
        ("  hold-out", _number(losses.get("holdout/value_loss"))),
        ("agrees with search", _NOTHING if agreement is None else f"{agreement:.0%}"),
        ("memory", f"{resident_memory_mb():,.0f} MB"),
    ]


def _strength(status: LiveStatus) -> Figures:
    score = status.score_against_first
    return [
        ("champion", status.champion or _NOTHING),
        ("promotions", f"{status.num_promotions}"),
        ("last match", status.arena or _NOTHING),
        ("its Elo", status.arena_elo or _NOTHING),
        ("Elo over the first", f"{elo_words(status)} {sparkline(status.elo_history)}".strip()),
        ("last measured", status.elo_network or _NOTHING),
        ("  over the first", status.elo or _NOTHING),
        ("  score against it", _NOTHING if score is None else f"{score:.1%}"),
        *_milestone(status),
    ]


def _milestone(status: LiveStatus) -> Figures:
    if not status.milestone:
        return []
    return [("CCRL scale", status.milestone), ("  after", status.milestone_time)]


def elo_words(status: LiveStatus) -> str:
    """Of the present champion: what the ladder measured, or an estimate while it has not."""
    if status.elo and status.elo_network == status.champion:
        return status.elo
    return _NOTHING if status.elo_chained is None else f"about {status.elo_chained:+.0f}"


def workers_words(workers: Iterable[Mapping[str, Any]]) -> str:
    """How many play on how many nodes; `workers` are WorkerFigures as run.sqlite has them, maybe none."""
    known = list(workers)
    if not known:
        return ""
    playing = [worker for worker in known if worker["state"] == "playing"]
    num_nodes = len({worker["node"] for worker in playing})
    words = [f"{len(playing)} on {num_nodes} node{'' if num_nodes == 1 else 's'}"]
    for state in ("starting", "silent"):
        count = sum(worker["state"] == state for worker in known)
        words += [f"{count} {state}"] if count else []
    return ", ".join(words)


def _number(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.3f}"


def _message(text: str) -> Text:
    style = "red" if text.startswith(("alarm", "error")) else "yellow"
    return Text(text, style=style, overflow="fold")


def sparkline(values: list[float], width: int = 8) -> str:
    """The newest values as little bars, from 0 or the lowest to the highest."""
    shown = values[-width:]
    if not shown:
        return ""
    low, high = min(0.0, *shown), max(*shown, 1.0)
    return "".join(_SPARKS[round((value - low) / (high - low) * (len(_SPARKS) - 1))] for value in shown)


def duration(seconds: float) -> str:
    whole = max(0, round(seconds))
    hours, rest = divmod(whole, 3600)
    minutes, secs = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{secs:02d}" if hours else f"{minutes}:{secs:02d}"
