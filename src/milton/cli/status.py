"""`milton status`: where a run stands, what it has learnt, what went wrong."""

import dataclasses
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from milton.cli.output import AsJson, console, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from milton.loop import RunStatus
    from milton.rundir import AnchoredRating

_NOTHING = "–"


def register(app: typer.Typer) -> None:
    app.command("status")(status)


def status(
    run: Annotated[
        Path | None, typer.Option("--run", help="Run folder; default: the run that changed last.")
    ] = None,
    root: Annotated[Path, typer.Option(help="The folder that holds the runs.")] = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """Show the state of a run: stage, figures, matches, ladder, alarms. Works while the loop runs.

    Example: milton status --run runs/chess
    """
    from milton.loop import run_status

    found = run_status(run or _newest_run(root))
    if as_json:
        rated = [milestone.model_dump() for milestone in found.milestones]
        print_json(dataclasses.asdict(found) | {"milestones": rated})
    else:
        _print(found)


def _newest_run(root: Path) -> Path:
    from milton.errors import RunError
    from milton.rundir import newest_run

    found = newest_run(root)
    if found is None:
        raise RunError(f"no runs in {str(root)!r}; `milton loop` starts one, --run names one elsewhere")
    return found


def _print(found: "RunStatus") -> None:
    from rich.rule import Rule
    from rich.text import Text

    screen = console()
    summary = found.summary
    title = Text.assemble(("Milton", "bold"), f" · {summary.game} · {summary.path} · ", _state(found))
    screen.print(Rule(title, align="left", style="dim"))
    screen.print(_figures(found))
    if found.arena:
        screen.print(_matches(found))
    if found.ladder_matches:
        screen.print(_ladder(found))
    for alarm in found.alarms:
        text = f"{alarm.message}; {alarm.action}" if alarm.action else alarm.message
        screen.print(Text(f"iteration {alarm.iteration}: {alarm.level}: {text}", style="yellow"))


def _state(found: "RunStatus") -> tuple[str, str]:
    summary = found.summary
    if not found.is_running:
        return "stopped", "bold"
    return f"running (process {summary.running_pid})", "bold green"


def _figures(found: "RunStatus") -> "Table":
    from rich.table import Table
    from rich.text import Text

    from milton.loop.status_panel import SHOWN_NAMES, duration, workers_words

    summary, metrics = found.summary, found.summary.metrics
    seconds = sum(found.stage_seconds.values())
    shares = ", ".join(
        f"{SHOWN_NAMES.get(name, name)} {share:.0%}" for name, share in found.stage_shares.items()
    )
    of = f" of {found.num_iterations_set}" if found.num_iterations_set else ""
    stage = SHOWN_NAMES.get(summary.latest_stage, summary.latest_stage)
    last = f"after {stage}" if stage else "before the first stage"
    rows = [
        ("iteration", f"{summary.latest_iteration}{of}, {last}"),
        ("now", _stage_words(found.stage)),
        ("workers", workers_words(found.workers)),
        *_nodes(found.workers),
        ("games", f"{summary.num_games:,} with {summary.num_positions:,} positions"),
        ("draws, plies", _pair(metrics, "selfplay/draw_rate", ".0%", "selfplay/mean_plies", ".0f")),
        ("speed", _speed(metrics)),
        ("disk", _bytes(found.bytes_per_position)),
        ("policy loss", _loss(metrics, "policy_loss")),
        ("value loss", _loss(metrics, "value_loss")),
        ("coach", _coach_words(found.coach)),
        ("practice", _practice_words(found.practice)),
        ("champion", f"{summary.champion or _NOTHING}, {_count(summary.num_promotions, 'promotion')}"),
        ("plays people", found.deployed),
        ("over the first", _over_the_first(found)),
        *(("rated", str(milestone)) for milestone in found.milestones),
        *([("anchored", _anchored(found.anchored))] if found.anchored and not _is_milestone(found) else []),
        ("time", f"{duration(seconds)}: {shares}" if shares else _NOTHING),
        ("processor", "" if found.processor_s is None else duration(found.processor_s)),
        ("changed", time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(summary.updated_s))),
    ]
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="dim")
    table.add_column()
    for name, value in rows:
        if value:
            table.add_row(name, Text(value))
    return table


def _stage_words(stage: dict[str, Any]) -> str:
    if not stage:
        return ""
    text = f"iteration {stage['iteration']}, {stage['name']}"
    if stage["total"]:
        text += f", {stage['done']:,.0f} of {stage['total']:,.0f} {stage['unit']}"
    return f"{text}  {stage['text']}".rstrip()


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _nodes(workers: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """A line for every node that plays for the run."""
    speeds: dict[str, float] = {}
    for worker in workers:
        speeds[worker["node"]] = speeds.get(worker["node"], 0.0) + worker["positions_per_s"]
    return [("", f"{node}: {speed:,.0f} positions/s") for node, speed in sorted(speeds.items())]


def _coach_words(report: dict[str, Any] | None) -> str:
    if report is None:
        return ""
    if report["problem"]:
        return f"no weights: {report['problem']}"
    used = [weakness for weakness in report["weaknesses"] if not weakness["ignored"]]
    words = f"iteration {report['iteration']}, {report['provider']}: {len(used)} weaknesses in use"
    return f"{words}, first {used[0]['category']}: {used[0]['description']}" if used else words


def _practice_words(figures: dict[str, Any] | None) -> str:
    from milton.coach import PracticeFigures

    return "" if figures is None else str(PracticeFigures.model_validate(figures))


def _pair(metrics: dict[str, float], first: str, first_form: str, second: str, second_form: str) -> str:
    if first not in metrics or second not in metrics:
        return _NOTHING
    return f"{metrics[first]:{first_form}}, {metrics[second]:{second_form}}"


def _speed(metrics: dict[str, float]) -> str:
    names = ("simulations_per_s", "positions_per_s", "games_per_hour")
    if f"selfplay/{names[0]}" not in metrics:
        return _NOTHING
    units = ("simulations/s", "positions/s", "games/hour")
    words = [f"{metrics[f'selfplay/{name}']:,.0f} {unit}" for name, unit in zip(names, units, strict=True)]
    if "train/samples_per_s" in metrics:
        words.append(f"training {metrics['train/samples_per_s']:,.0f} positions/s")
    return ", ".join(words)


def _bytes(bytes_per_position: float | None) -> str:
    return _NOTHING if bytes_per_position is None else f"{bytes_per_position:.1f} bytes a position"


def _loss(metrics: dict[str, float], name: str) -> str:
    train, holdout = metrics.get(f"train/{name}"), metrics.get(f"holdout/{name}")
    if train is None:
        return _NOTHING
    words = f"{train:.3f}" + ("" if holdout is None else f", hold-out {holdout:.3f}")
    if name == "policy_loss" and "holdout/policy_agreement" in metrics:
        words += f", agrees with the search {metrics['holdout/policy_agreement']:.0%}"
    return words


def _over_the_first(found: "RunStatus") -> str:
    measured = found.over_first
    if measured is None:
        return _NOTHING
    text = f"{measured.player} {measured.elo_interval} Elo"
    if found.score_against_first is not None:
        text += f", {found.score_against_first:.1%} against it"
    chained = "" if found.elo_chained is None else f"; the champion about {found.elo_chained:+.0f}"
    return text + chained


def _is_milestone(found: "RunStatus") -> bool:
    """Whether the newest rating by published figures is that of a milestone, which has a line of its own."""
    return any(found.anchored and found.anchored.elo == rated.elo for rated in found.milestones)


def _anchored(rating: "AnchoredRating") -> str:
    return (
        f"{rating.elo:.0f} [{rating.low:.0f}, {rating.high:.0f}] on the scale of {rating.pool}: "
        f"{rating.network}, {rating.num_games} games at {rating.time_control}"
    )


def _matches(found: "RunStatus") -> "Table":
    table = _table("arena", "iteration", "result", "score", "Elo", "distinct", "")
    for line in found.arena:
        match = line.match
        distinct = _NOTHING if line.num_distinct is None else f"{line.num_distinct}/{match.num_games}"
        table.add_row(
            str(line.iteration),
            f"+{match.wins} ={match.draws} −{match.losses}",
            f"{match.score:.1%}",
            match.elo_interval,
            distinct,
            "promoted" if line.was_promoted else "",
        )
    return table


def _ladder(found: "RunStatus") -> "Table":
    table = _table(f"ladder of {found.ladder_matches[-1].player}", "rung", "result", "score", "Elo")
    for match in found.ladder_matches:
        result = f"+{match.wins} ={match.draws} −{match.losses}"
        table.add_row(match.opponent, result, f"{match.score:.1%}", match.elo_interval)
    return table


def _table(title: str, *columns: str) -> "Table":
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold cyan", box=None, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index in (0, len(columns) - 1) else "right", no_wrap=True)
    return table
