"""What the bot says: greeting, goodbye, and answers to a few words that begin with "!". Pure text."""

from milton import __version__
from milton.play import Choice

HELP = "!eval: what I think of the position. !name: who I am."


def addressed(template: str, opponent: str, me: str) -> str:
    """A greeting or goodbye from the settings, with both names in it."""
    return template.replace("{me}", me).replace("{opponent}", opponent)


def answer(text: str, choice: Choice | None, network: str) -> str | None:
    """The reply to a line of chat; None if it is no known command."""
    word = text.strip().split(maxsplit=1)[0].lower() if text.strip() else ""
    if word == "!help":
        return HELP
    if word == "!name":
        return f"Milton {__version__}, network {network}"
    if word == "!eval":
        return _evaluation(choice)
    return None


def _evaluation(choice: Choice | None) -> str:
    if choice is None:
        return "I have not thought yet."
    score = choice.score
    opinion = f"{score.centipawns / 100:+.2f}" if score.mate_in is None else f"mate in {score.mate_in}"
    return f"{opinion} for me, {choice.analysis.effort}, expecting {' '.join(choice.pv[:6])}"
