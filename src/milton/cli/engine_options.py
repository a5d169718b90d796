"""Options that commands with matches of UCI engines share: what becomes of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.options import LocalWorkers, num_threads
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.arena import Opening, OpeningJudge
    from milton.rating import CommonOptions, MoveLimit, Referee

EngineName = Annotated[
    str, typer.Argument(help="champion, a checkpoint, a run, an engine of the catalog or a UCI command.")
]
FixedOptions = Annotated[
    list[str] | None,
    typer.Option("--option", help="UCI option name=value with a fixed value; may be repeated."),
]
TimeControl = Annotated[
    str, typer.Option("--tc", help="Limit of both sides: 2+0.02, movetime:0.1, nodes:N or depth:N.")
]
Nodes = Annotated[int | None, typer.Option(min=1, help="Nodes per move, instead of time.")]
HashMb = Annotated[int | None, typer.Option("--hash", min=1, help="Hash of both sides, in MB.")]
EngineThreads = Annotated[
    int, typer.Option("--threads", min=0, help="Threads of each engine; 0 uses all cores.")
]
Overhead = Annotated[int | None, typer.Option(min=0, help="Move overhead of both sides, in ms.")]
Margin = Annotated[int, typer.Option("--margin", min=0, help="Tolerated overrun of a clock, in ms.")]
Adjudicate = Annotated[bool, typer.Option(help="End games that both engines call drawn or won.")]
DrawFrom = Annotated[int, typer.Option(min=1, help="Adjudicate no draws before this move.")]
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
class EngineMatchOptions:
    """Options of every command in which UCI engines of this machine play chess (option_groups)."""

    time_control: TimeControl = "2+0.02"
    nodes: Nodes = None
    workers: LocalWorkers = None
    hash_mb: HashMb = 16
    threads: EngineThreads = 1
    overhead: Overhead = 10
    margin: Margin = 10
    adjudicate: Adjudicate = True
    seed: Seed = 0
    opening_plies: OpeningPlies = 8

    @property
    def limit(self) -> "MoveLimit":
        from milton.rating import MoveLimit

        return MoveLimit.parse(self.time_control) if self.nodes is None else MoveLimit("nodes", self.nodes)

    @property
    def common(self) -> "CommonOptions":
        from milton.rating import CommonOptions

        return CommonOptions(self.hash_mb, num_threads(self.threads), self.overhead)

    @property
    def num_workers(self) -> int:
        from milton.rating import num_cores

        return self.workers or num_cores()

    def judge(self) -> "OpeningJudge":
        return judge_of(self.opening_plies, self.seed)

    def referee(self, adjudication: "AdjudicationOptions | None" = None) -> "Referee":
        from milton.rating import DrawRule, Referee, WinRule

        rules = adjudication or AdjudicationOptions()
        draw = DrawRule(rules.draw_from, rules.draw_moves, rules.draw_score)
        win = WinRule(rules.win_moves, rules.win_score)
        return Referee(
            self.margin / 1000,
            draw if self.adjudicate and draw.moves else None,
            win if self.adjudicate and win.moves else None,
        )


@dataclass(frozen=True, slots=True)
class AdjudicationOptions:
    """When the referee ends a game that both engines call drawn or won."""

    draw_from: DrawFrom = 40
    draw_moves: DrawMoves = 8
    draw_score: DrawScore = 10
    win_moves: WinMoves = 4
    win_score: WinScore = 600


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


def engine_options(changes: Sequence[str] | None) -> dict[str, str]:
    """Texts of the form name=value as options; a name may hold spaces."""
    values = {}
    for text in changes or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise typer.BadParameter(f"expected an option as name=value, got {text!r}")
        values[name.strip()] = value.strip()
    return values


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
