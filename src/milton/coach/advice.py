"""Games in, report out, whoever is asked. A provider that fails gives a report that says why."""

from milton.config import CoachSettings
from milton.errors import MiltonError
from milton.replay import GameBlock

from .offline import offline_report
from .report import WeaknessReport

OFFLINE = "offline"


def ask_coach(blocks: list[GameBlock], settings: CoachSettings, iteration: int = 0) -> WeaknessReport:
    """The report of the settings' provider about the games of some blocks."""
    figures = offline_report(blocks, settings, iteration)
    if settings.provider == OFFLINE:
        return figures
    from .language_model import ask_model  # needs the extra `coach`

    try:
        return ask_model(blocks, figures, settings)
    except MiltonError as error:
        return figures.model_copy(
            update={
                "provider": settings.provider,
                "model": settings.model,
                "weaknesses": (),
                "problem": str(error),
            }
        )
