"""Games in, report out, for every provider. A provider that fails gives a report that says why."""

from milton.config import CoachSettings, log_failure
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
    except MiltonError as error:  # translated: a coach that fails must not end a stage
        problem = str(error)
    except Exception as error:  # noqa: BLE001 -- nothing that a provider does ends an iteration
        problem = f"{settings.provider} failed: {type(error).__name__} (traceback in {log_failure(error)})"
    return figures.model_copy(
        update={
            "provider": settings.provider,
            "model": settings.model,
            "weaknesses": (),
            "problem": problem,
        }
    )
