"""The figures of an experiment as Markdown. Decides nothing: it says what the intervals hold.

There are two intervals. That of the games says how certain the result is for these networks; that
over seeds (Student's t on the seeds' Elo) says what learning again would give, and answers the question.
"""

from collections.abc import Mapping, Sequence

from milton.arena import EloEstimate, PairCounts, estimate_elo, interval_over
from milton.config.toml_text import toml_value

from .plan import Plan
from .results import MatchResult, RunResult

SINGLE_SEED = "**Single seed**: the interval covers chance in the games, not chance in learning."


def markdown(name: str, plan: Plan, runs: Sequence[RunResult], matches: Sequence[MatchResult]) -> str:
    seeds = ", ".join(map(str, plan.seeds))
    lines = [f"# {name}", ""]
    lines += [f"Question: {plan.question}", ""] if plan.question else []
    conditions = f"{plan.game}, {plan.cost}, seeds {seeds}; {plan.match_text}, every opening from both sides."
    lines += [conditions, ""]
    if len(plan.seeds) == 1:
        lines += [SINGLE_SEED, ""]
    lines += _arms(plan, runs)
    for arm, other in plan.contrasts:
        found = [
            match
            for match in matches
            if (match.arm, match.opponent) == (arm, other) and match.seed in plan.seeds
        ]
        lines += _contrast(f"{arm} against {other}", found)
    for opponent in plan.matches.opponents:
        found = [match for match in matches if match.is_stranger and match.opponent == opponent]
        lines += _against_outside_opponent(opponent, plan, found)
    return "\n".join(lines).rstrip() + "\n"


def _arms(plan: Plan, runs: Sequence[RunResult]) -> list[str]:
    lines = ["## Arms", "", "| arm | settings |", "|---|---|"]
    lines.append(f"| all | {_changes(plan.common_overrides) or f'profile {plan.profile or plan.game}'} |")
    for arm in plan.arms:
        way = arm.command or arm.network
        what = f"`{way}`" if way else _changes(plan.own_overrides(arm)) or "nothing else"
        lines.append(f"| {arm.name} | {what} |")
    lines += ["", "| run | iterations | positions | promotions | processor minutes |"]
    lines.append("|---|---|---|---|---|")
    for run in runs:
        name = f"{run.arm}, seed {run.seed}{'' if run.done else ' (unfinished)'}"
        cells = (name, run.iterations, f"{run.positions:,}", run.promotions, f"{run.processor_s / 60:.1f}")
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return [*lines, ""]


def _changes(overrides: Mapping[str, object]) -> str:
    return ", ".join(f"`{key} = {toml_value(value)}`" for key, value in overrides.items())


def _contrast(title: str, matches: Sequence[MatchResult]) -> list[str]:
    lines = [f"## {title}", ""]
    if not matches:
        return [*lines, "Not played yet.", ""]
    lines += ["| seed | games | result | score | Elo [95 %] |", "|---|---|---|---|---|"]
    for match in matches:
        lines.append(f"| {match.seed} | {_cells(match.counts, match.estimate)} |")
    together = sum((match.counts for match in matches), PairCounts())
    lines.append(f"| all, chance of the games alone | {_cells(together, estimate_elo(together))} |")
    return [*lines, "", *_over_seeds([m.estimate.elo for m in matches if m.estimate is not None]), ""]


def _against_outside_opponent(opponent: str, plan: Plan, matches: Sequence[MatchResult]) -> list[str]:
    """Every arm against one outside opponent, and the arms' differences over it by seed."""
    lines = [f"## Against {opponent}", ""]
    if not matches:
        return [*lines, "Not played yet.", ""]
    lines += ["| arm | seed | games | result | score | Elo [95 %] |", "|---|---|---|---|---|---|"]
    elos: dict[str, dict[int, float]] = {}
    for match in matches:
        lines.append(f"| {match.arm} | {match.seed} | {_cells(match.counts, match.estimate)} |")
        if match.estimate is not None:
            elos.setdefault(match.arm, {})[match.seed] = match.estimate.elo
    lines.append("")
    for arm, other in plan.contrasts:
        common = sorted(set(elos.get(arm, {})) & set(elos.get(other, {})))
        if common:
            differences = [elos[arm][seed] - elos[other][seed] for seed in common]
            lines += [f"{arm} over {other}: {line}" for line in _over_seeds(differences)] + [""]
    return lines


def _cells(counts: PairCounts, estimate: EloEstimate | None) -> str:
    if estimate is None:
        return "0 | – | – | –"
    return f"{counts.num_games} | {counts.games} | {counts.score:.1%} | {str(estimate).removesuffix(' Elo')}"


def _over_seeds(elos: Sequence[float]) -> list[str]:
    if len(elos) < 2:
        return [SINGLE_SEED]
    mean, low, high = interval_over(elos)
    verdict = "holds 0: no difference is shown" if low <= 0.0 <= high else "does not hold 0"
    return [f"Over {len(elos)} seeds: {mean:+.0f} [{low:+.0f}, {high:+.0f}] Elo, which {verdict}."]
