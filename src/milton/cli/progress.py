"""A progress bar on stderr while a command works; nothing where no person is watching."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Advance(Protocol):
    def __call__(self, done: float, total: float | None = None, text: str = "") -> None: ...


@contextmanager
def progress_bar(title: str, total: float | None, *, hidden: bool = False) -> Iterator[Advance]:
    """Yields a function that moves the bar."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, complete_style="cyan"),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[text]}", style="dim"),
    )
    is_hidden = hidden or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=is_hidden, expand=True) as progress:
        task = progress.add_task(title, total=total, text="")

        def advance(done: float, total: float | None = None, text: str = "") -> None:
            progress.update(task, completed=done, total=total, text=text)

        yield advance
