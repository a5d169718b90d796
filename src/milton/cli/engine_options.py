"""Options that commands with matches of UCI engines share: what becomes of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.arena import Opening, OpeningJudge
    from milton.rating import MoveLimit, Referee

EngineName = Annotated[
    str, typer.Argument(help="champion, a checkpoint, a run, an engine of the catalog or a UCI command.")
]
FixedOptions = Annotated[
    list[str] | None, typer.Option("--option", help="UCI option name=value that stays fixed.")
]
TimeControl = Annotated[
    str, typer.Option("--tc", help="Limit of both sides: 2+0.02, movetime:0.1, nodes:N or depth:N.")
]
Nodes = Annotated[int | None, typer.Option(min=1, help="Nodes a move instead of time.")]
HashMb = Annotated[int | None, typer.Option("--hash", min=1, help="Hash of both sides, in MB.")]
EngineThreads = Annotated[int, typer.Option("--threads", min=1, help="Threads of each engine.")]
Overhead = Annotated[int | None, typer.Option(min=0, help="Move overhead of both sides, in ms.")]
Margin = Annotated[int, typer.Option("--margin", min=0, help="How far a clock may be overrun, in ms.")]
Adjudicate = Annotated[bool, typer.Option(help="End games that both engines call drawn or won.")]
DrawFrom = Annotated[int, typer.Option(min=1, help="First move of a draw by adjudication.")]
DrawMoves = Annotated[int, typer.Option(min=0, help="Moves of each side that must look level; 0: never.")]
DrawScore = Annotated[int, typer.Option(min=0, help="Highest score that counts as level, in centipawns.")]
WinMoves = Annotated[int, typer.Option(min=0, help="Moves of each side that must look won; 0: never.")]
WinScore = Annotated[
    int, typer.Option(min=1, help="Lowest score that counts as won, in centipawns, for both engines.")
]
Seed = Annotated[int, typer.Option(min=0, help="Random seed of the openings.")]
OpeningPlies = Annotated[int, typer.Option(min=1, help="Random plies at the start of every game.")]
StateFile = Annotated[
    Path | None, typer.Option("--state", help="File that keeps the games; the same command resumes.")
]


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """What a command was told about its games, whoever plays them."""

    games: int  # of each match; every opening is played twice
    opening_plies: int  # random ones
    seed: int
    workers: int | None  # None: one for each core
    games_file: Path | None
    as_json: bool

    @property
    def num_pairs(self) -> int:
        return (self.games + 1) // 2


def limit_of(time_control: str, nodes: int | None) -> "MoveLimit":
    from milton.rating import MoveLimit

    return MoveLimit("nodes", nodes) if nodes is not None else MoveLimit.parse(time_control)


def engine_options(changes: Sequence[str] | None) -> dict[str, str]:
    """Texts of the form name=value as options; a name may hold spaces."""
    values = {}
    for text in changes or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise typer.BadParameter(f"expected an option as name=value, got {text!r}")
        values[name.strip()] = value.strip()
    return values


def referee_of(
    margin_ms: int,
    *,
    adjudicate: bool,
    draw: tuple[int, int, int] | tuple[()] = (),
    win: tuple[int, int] | tuple[()] = (),
) -> "Referee":
    """`draw` and `win` as DrawRule and WinRule take them; the rules' own values where they are empty."""
    from milton.rating import DrawRule, Referee, WinRule

    draw_rule, win_rule = DrawRule(*draw), WinRule(*win)
    return Referee(
        margin_ms / 1000,
        draw_rule if adjudicate and draw_rule.moves else None,
        win_rule if adjudicate and win_rule.moves else None,
    )


def openings_of(judge: "OpeningJudge", count: int, threads: int, *, quiet: bool) -> "list[Opening]":
    """Balanced openings, with a bar while they are made."""
    from milton.arena import balanced_openings

    with progress_bar("openings", count, hidden=quiet) as advance:
        return balanced_openings(judge, count, threads=threads, on_found=advance)


def judge_of(plies: int, seed: int) -> "OpeningJudge":
    from milton.arena import shipped_judge
    from milton.errors import CheckpointError

    judge = shipped_judge("chess", plies=plies, seed=seed)
    if judge is None:
        raise CheckpointError("no chess network was shipped; balanced openings need one")
    return judge


def new_state_file(kind: str) -> Path:
    """An unused file name in the state folder."""
    import secrets
    import time

    from milton.rundir import state_folder

    name = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    return state_folder(kind) / f"{name}-{secrets.token_hex(2)}.jsonl"
