"""Shows a Board: live in a terminal, or one plain line a stage elsewhere. Changes nothing."""

import time
from typing import Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from .board import Board, memory_mb


class View(Protocol):
    def refresh(self) -> None:
        """Something changed."""

    def stage_done(self, line: str) -> None:
        """A stage was finished; `line` says how."""

    def close(self) -> None: ...


class PlainView:
    """One line a stage, for logs and pipes."""

    def __init__(self, board: Board, console: Console) -> None:
        self._board = board
        self._console = console
        self._shown: list[str] = []

    def refresh(self) -> None:
        new = [message for message in self._board.messages if message not in self._shown]
        self._shown = list(self._board.messages)
        for message in new:
            self._console.print(message, markup=False, soft_wrap=True)

    def stage_done(self, line: str) -> None:
        self.refresh()
        self._console.print(line, markup=False, soft_wrap=True)

    def close(self) -> None:
        self.refresh()


class LiveView:
    """A panel that is drawn again a few times a second."""

    def __init__(self, board: Board, console: Console) -> None:
        self._board = board
        self._live = Live(
            get_renderable=lambda: render(board), console=console, refresh_per_second=4, transient=False
        )
        self._live.start()

    def refresh(self) -> None:
        """The panel draws itself."""

    def stage_done(self, line: str) -> None:
        self._live.console.print(line, markup=False, style="dim")

    def close(self) -> None:
        self._live.stop()


def open_view(board: Board, console: Console) -> View:
    return LiveView(board, console) if console.is_terminal else PlainView(board, console)


def render(board: Board) -> Panel:
    """The whole picture of a moment."""
    rows = [_stage_row(board), _figures(board)]
    if board.messages:
        rows.append(Text("\n".join(board.messages), style="yellow"))
    passed = duration(time.time() - board.started_s)
    title = f"[bold]Milton[/] · {board.run} · {board.game} · {passed}"
    return Panel(Group(*rows), title=title, subtitle="Ctrl-C stops; `milton loop` goes on", padding=(0, 1))


def _stage_row(board: Board) -> Table:
    stage = board.stage
    eta = stage.eta_s(time.time())
    row = Table.grid(padding=(0, 1))
    row.add_row(
        Text(f"iteration {stage.iteration}", style="bold"),
        Text(stage.name, style="cyan"),
        ProgressBar(total=1.0, completed=stage.share, width=28),
        Text(f"{stage.done:,.0f}/{stage.total:,.0f} {stage.unit}"),
        Text(f"ETA {duration(eta)}" if eta is not None else "", style="dim"),
        Text(stage.text, style="dim"),
    )
    return row


def _figures(board: Board) -> Table:
    losses = board.losses
    table = Table.grid(padding=(0, 3), expand=False)
    table.add_row(
        _pair("games", f"{board.num_games:,}"),
        _pair("games/hour", f"{board.games_per_hour:,.0f}"),
        _pair("simulations/s", f"{board.simulations_per_s:,.0f}"),
    )
    table.add_row(
        _pair("positions", f"{board.num_positions:,}"),
        _pair("positions/s", f"{board.positions_per_s:,.0f}"),
        _pair("draws", f"{board.draw_rate:.0%}, {board.mean_plies:.0f} plies a game"),
    )
    table.add_row(
        _pair("policy loss", _loss(losses, "policy_loss")),
        _pair("value loss", _loss(losses, "value_loss")),
        _pair("agreement", f"{losses.get('holdout/policy_agreement', 0.0):.0%}"),
    )
    table.add_row(
        _pair("arena", board.arena or "-"),
        _pair("promotions", f"{board.num_promotions}"),
        _pair("Elo against the first", board.elo or "-"),
    )
    table.add_row(
        _pair("champion", board.champion),
        _pair("self-play share", f"{board.selfplay_share:.0%}"),
        _pair("memory", f"{memory_mb():,.0f} MB"),
    )
    return table


def _pair(name: str, value: str) -> Text:
    return Text.assemble((f"{name} ", "dim"), (value, "bold"))


def _loss(losses: dict[str, float], name: str) -> str:
    train, holdout = losses.get(f"train/{name}"), losses.get(f"holdout/{name}")
    if train is None:
        return "-"
    return f"{train:.3f}" if holdout is None else f"{train:.3f} (hold-out {holdout:.3f})"


def duration(seconds: float) -> str:
    whole = max(0, round(seconds))
    hours, rest = divmod(whole, 3600)
    minutes, secs = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{secs:02d}" if hours else f"{minutes}:{secs:02d}"
