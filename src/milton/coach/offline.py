"""The offline coach: systematic weaknesses from the games alone, without network or language model.

Fingerprints are proposed on one half of the games and tested on the other, so that looking hard for something
does not make it true.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from milton.config import CoachSettings
from milton.replay import GameBlock

from .candidates import Sample, propose, propose_openings
from .evidence import Evidence, gather_evidence
from .fingerprint import Condition, Fingerprint, match
from .report import Figures, Weakness, WeaknessReport
from .statistics import MIN_CLUSTERS, Difference, compare_means, q_values
from .traits import Category, measure, trait_of, traits_of

STATISTIC = (
    "mean loss beyond that of positions of equal value, inside minus outside the fingerprint; z with "
    "variance clustered by game, one-sided; proposed on half of the games, tested on the other; "
    "Benjamini-Hochberg q <= 0.05"
)
# Traits are optional; a reader must know that nothing but openings was looked at.
_NO_TRAITS = "openings only, because the game declares no traits; "
_MAX_Q = 0.05
# More positions make the same findings, slower.
_MAX_COUNTED = 60_000
# Two fingerprints that share more of their positions than this say the same thing twice.
_MAX_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class _Tested:
    fingerprint: Fingerprint
    is_inside: NDArray[np.bool_]
    difference: Difference
    q_value: float

    @property
    def stands(self) -> bool:
        has_enough = self.difference.num_clusters >= MIN_CLUSTERS
        return has_enough and self.q_value <= _MAX_Q and self.difference.low > 0.0


def offline_report(blocks: list[GameBlock], settings: CoachSettings, iteration: int = 0) -> WeaknessReport:
    """What the games of some blocks say about their player."""
    evidence = gather_evidence(blocks)
    rows = np.flatnonzero(evidence.is_counted)[:_MAX_COUNTED]
    first, second = (rows[evidence.games[rows] % 2 == half] for half in (0, 1))
    proposals = propose(_sample(evidence, first), settings) + propose_openings(blocks)
    sample = _sample(evidence, second)
    tested = _test(evidence, sample, second, proposals) if len(second) else []
    mean_loss = float(sample.losses.mean()) if len(second) else 0.0
    return WeaknessReport.model_validate(
        {
            "game": evidence.game,
            "iteration": iteration,
            "provider": "offline",
            "num_games": evidence.num_games,
            "num_positions": len(rows),
            "statistic": STATISTIC if traits_of(evidence.game) else _NO_TRAITS + STATISTIC,
            "num_tested": len(tested),
            "mean_loss": mean_loss,
            "weaknesses": tuple(_choose(tested, sample, mean_loss, settings)),
        }
    )


def _sample(evidence: Evidence, rows: NDArray[np.int64]) -> Sample:
    _, games = np.unique(evidence.games[rows], return_inverse=True)
    losses = evidence.losses[rows]
    return Sample(
        game=evidence.game,
        traits=np.ascontiguousarray(measure(evidence.game, evidence.packed[rows]).T),
        excess=losses - evidence.expected[rows],
        losses=losses,
        games=games,
        num_games=int(games.max(initial=-1)) + 1,
    )


def _test(
    evidence: Evidence, sample: Sample, rows: NDArray[np.int64], proposals: list[Fingerprint]
) -> list[_Tested]:
    openings = [fingerprint for fingerprint in proposals if fingerprint.opening]
    in_opening = match(openings, evidence.packed, evidence.is_first)[rows] if openings else None
    groups = []
    for fingerprint in proposals:
        is_inside = sample.matches(fingerprint)
        if fingerprint.opening and in_opening is not None:
            is_inside &= in_opening[:, openings.index(fingerprint)]
        groups.append(is_inside)
    differences = [compare_means(sample.excess, group, sample.games, sample.num_games) for group in groups]
    adjusted = q_values(np.array([difference.p_value for difference in differences]))
    return [
        _Tested(fingerprint, group, difference, float(q_value))
        for fingerprint, group, difference, q_value in zip(
            proposals, groups, differences, adjusted, strict=True
        )
    ]


def _choose(
    tested: list[_Tested], sample: Sample, mean_loss: float, settings: CoachSettings
) -> list[Weakness]:
    """Those that pass the test, most severe first, without near-duplicates."""
    chosen: list[tuple[_Tested, float]] = []
    standing = [entry for entry in tested if entry.stands and mean_loss > 0.0]
    for entry in sorted(standing, key=lambda entry: -entry.difference.low):
        if len(chosen) == settings.max_weaknesses:
            break
        if all(_overlap(entry.is_inside, other.is_inside) <= _MAX_OVERLAP for other, _ in chosen):
            chosen.append((entry, min(1.0, entry.difference.low / mean_loss)))
    return [_weakness(entry, sample, severity) for entry, severity in chosen]


def _overlap(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> float:
    return float((a & b).sum()) / max(1, int((a | b).sum()))


def _weakness(entry: _Tested, sample: Sample, severity: float) -> Weakness:
    loss = float(sample.losses[entry.is_inside].mean())
    expected = loss - entry.difference.mean_inside
    return Weakness(
        category=_category(entry.fingerprint),
        description=f"loses {loss:.4f} a move where {expected:.4f} is usual",
        fingerprint=entry.fingerprint,
        severity=severity,
        figures=Figures(
            num_positions=entry.difference.num_inside,
            loss=loss,
            expected=expected,
            z=entry.difference.z,
            q_value=entry.q_value,
        ),
    )


def _category(fingerprint: Fingerprint) -> Category:
    if fingerprint.opening:
        return "opening repertoire"
    # The rarer trait says more than the stage of the game that it is combined with.
    telling = [c for c in fingerprint.conditions if c.trait not in ("ply", "phase")]
    if not telling:
        return _stage_category(fingerprint.game, fingerprint.conditions[0])
    return trait_of(fingerprint.game, telling[0].trait).category


def _stage_category(game: str, condition: Condition) -> Category:
    trait = trait_of(game, condition.trait)
    if condition.at_least == trait.lowest:
        return "opening repertoire"
    return "endgame technique" if condition.at_most == trait.highest else "piece coordination"
