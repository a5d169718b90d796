"""Which challenges are accepted, and why the others are not. Pure: the same question, the same answer."""

from collections.abc import Callable
from dataclasses import dataclass

from milton.config import LichessSettings
from milton.errors import NotationError
from milton.games import Position

from .calls import DeclineReason
from .events import Challenge, TimeControl, User

STANDARD = "standard"
REAL_TIME = "clock"


@dataclass(frozen=True, slots=True)
class Situation:
    """What the answer depends on besides the challenge itself."""

    has_room: bool
    is_stopping: bool
    games_with_opponent: int  # in the last day
    games_with_bots: int
    can_keep: Callable[[float, float], bool] = lambda _initial_s, _increment_s: (
        True
    )  # a clock, as things are now


def reason_to_decline(
    challenge: Challenge, settings: LichessSettings, situation: Situation
) -> DeclineReason | None:
    """None accepts. Lasting reasons come first, so that opponents do not ask again in vain."""
    return (
        _variant_reason(challenge, settings)
        or _clock_reason(challenge.time_control, settings)
        or _mode_reason(challenge, settings)
        or _opponent_reason(challenge.challenger, settings)
        or _passing_reason(challenge.challenger, settings, situation)
        or _pace_reason(challenge.time_control, situation)
    )


def _variant_reason(challenge: Challenge, settings: LichessSettings) -> DeclineReason | None:
    if challenge.variant.key not in settings.accept_variants:
        # "standard" tells the challenger to try standard chess.
        return "standard" if settings.accept_variants == (STANDARD,) else "variant"
    if challenge.variant.key == STANDARD:
        return None
    try:
        position = Position.from_fen(challenge.initial_fen or "")
    except NotationError:
        return "variant"
    return None if position.legal_moves() else "variant"


def _clock_reason(control: TimeControl, settings: LichessSettings) -> DeclineReason | None:
    if control.type != REAL_TIME or control.limit is None or control.increment is None:
        return "timeControl"
    if control.limit < settings.min_initial_s:
        return "tooFast"
    if control.limit > settings.max_initial_s:
        return "tooSlow"
    if not settings.min_increment_s <= control.increment <= settings.max_increment_s:
        return "timeControl"
    # A game of 0+0 would be lost before it begins, whatever the settings allow.
    return "tooFast" if control.limit <= 0 and control.increment <= 0 else None


def _mode_reason(challenge: Challenge, settings: LichessSettings) -> DeclineReason | None:
    """The reason names what the challenger should send instead."""
    if challenge.rated and not settings.accept_rated:
        return "casual" if settings.accept_casual else "generic"
    if not challenge.rated and not settings.accept_casual:
        return "rated" if settings.accept_rated else "generic"
    return None


def _opponent_reason(opponent: User | None, settings: LichessSettings) -> DeclineReason | None:
    if opponent is None or is_listed(opponent, settings.block_list):
        return "generic"
    if is_listed(opponent, settings.allow_list):
        return None
    if opponent.is_bot and not settings.accept_bots:
        return "noBot"
    if not opponent.is_bot and not settings.accept_humans:
        return "onlyBot"
    rating = opponent.rating
    if rating is not None and not settings.min_rating <= rating <= settings.max_rating:
        return "generic"
    return None


def _passing_reason(
    opponent: User | None, settings: LichessSettings, situation: Situation
) -> DeclineReason | None:
    most = settings.games_per_opponent_per_day
    is_tired_of_opponent = 0 < most <= situation.games_with_opponent
    is_tired_of_bots = (
        opponent is not None and opponent.is_bot and situation.games_with_bots >= settings.bot_games_per_day
    )
    is_busy = situation.is_stopping or not situation.has_room
    return "later" if is_busy or is_tired_of_opponent or is_tired_of_bots else None


def _pace_reason(control: TimeControl, situation: Situation) -> DeclineReason | None:
    """A game that would be lost on time because the machine is busy is declined."""
    return None if situation.can_keep(control.limit or 0, control.increment or 0) else "tooFast"


def is_listed(user: User, names: tuple[str, ...]) -> bool:
    """Lichess's names do not depend on case."""
    return user.id.lower() in {name.lower() for name in names}
