"""The live table of the bot and its games. Pure: the same state gives the same table."""

from collections.abc import Sequence

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from milton.play import Score

from .bot import Bot
from .champions import network_name
from .progress import Progress
from .session import GameSession

NOTHING = "–"
COLUMNS = ("game", "opponent", "we", "control", "move", "last", "our clock", "their clock", "score", "")


def render(bot: Bot, messages: Sequence[str], now: float) -> Panel:
    return Panel(
        Group(_games(bot, now), Text(), _figures(bot), *(_message(text) for text in messages)),
        title=f"[bold]Milton[/] · {bot.account.username} · {network_name(bot.champions.network)}",
        title_align="left",
        subtitle="stopping" if bot.is_stopping else "Ctrl-C stops",
        subtitle_align="right",
        padding=(0, 1),
        border_style="dim",
    )


def _games(bot: Bot, now: float) -> Table:
    table = Table(box=None, expand=True, header_style="bold cyan", pad_edge=False)
    for name in COLUMNS:
        is_number = name in ("move", "our clock", "their clock", "score")
        table.add_column(name, justify="right" if is_number else "left", no_wrap=True)
    for session in bot.sessions.values():
        table.add_row(*_row(session, now))
    for _ in range(bot.active_games.limit - len(bot.sessions)):
        table.add_row(Text(NOTHING, "dim"))
    return table


def _row(session: GameSession, now: float) -> list[str]:
    progress = session.progress
    if progress is None:
        return [session.id, "connecting"]
    rating = f" {progress.opponent.rating}" if progress.opponent.rating else ""
    last_choice = next(reversed(session.choices.values()), None)
    return [
        session.id,
        f"{progress.opponent.text}{rating}",
        "○" if progress.colour == "white" else "●",
        progress.full.clock.text if progress.full.clock else NOTHING,
        str(progress.ply // 2 + 1),
        progress.line[-1] if progress.line else NOTHING,
        *_clocks(progress, now),
        score_text(last_choice.score) if last_choice else NOTHING,
        "thinking" if session.is_thinking else "waiting",
    ]


def _clocks(progress: Progress, now: float) -> tuple[str, str]:
    clock = progress.clock(now)
    theirs = progress.state.clock_s(progress.opponent_colour)
    return (_clock_text(clock.remaining_s), _clock_text(theirs)) if clock else (NOTHING, NOTHING)


def _clock_text(seconds: float) -> str:
    minutes, rest = divmod(max(0.0, seconds), 60)
    return f"{minutes:.0f}:{rest:04.1f}"


def score_text(score: Score) -> str:
    return f"{score.centipawns / 100:+.2f}" if score.mate_in is None else f"#{score.mate_in}"


def _figures(bot: Bot) -> Text:
    figures = bot.figures
    return Text(
        f"{figures.num_games} games  +{figures.num_wins} ={figures.num_draws} −{figures.num_losses}   "
        f"challenges {figures.num_challenges}, declined {figures.num_declined}   "
        f"reconnects {figures.num_reconnects}, 429s {figures.num_rate_limited}, "
        f"retries {figures.num_retries}, failures {figures.num_failures}",
        style="dim",
    )


def _message(text: str) -> Text:
    return Text(text, overflow="ellipsis", no_wrap=True)
