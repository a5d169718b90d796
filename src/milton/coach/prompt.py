"""What a language model is told: the task, the traits, the offline coach's figures, and games. Sends nothing.

Only moves, values and results of games go in, never texts that came with them.
"""

import json
import math
from dataclasses import dataclass, replace

import numpy as np

from milton.config import CoachSettings
from milton.errors import CoachError
from milton.records import GameRecord, games_suffix, json_line, pgn_text
from milton.replay import GameBlock, recorded_games

from .reply import reply_schema
from .report import WeaknessReport
from .traits import CATEGORIES, traits_of

# Notation splits into short tokens: two bytes each is more than any tokenizer we know makes of it.
_BYTES_PER_TOKEN = 2


@dataclass(frozen=True, slots=True)
class Prompt:
    system: str
    user: str
    num_games: int

    @property
    def tokens(self) -> int:
        """An estimate that errs upwards."""
        return estimate_tokens(self.system) + estimate_tokens(self.user)


def estimate_tokens(text: str) -> int:
    return math.ceil(len(text.encode()) / _BYTES_PER_TOKEN)


def build_prompt(blocks: list[GameBlock], figures: WeaknessReport, settings: CoachSettings) -> Prompt:
    """As many sampled games as fit; CoachError if not even the task does."""
    system = _system_text(figures.game)
    user = f"Figures measured over {figures.num_games} games:\n{_figures_text(figures)}\n\nGames:\n"
    room = settings.max_prompt_tokens - estimate_tokens(system) - estimate_tokens(user)
    if room < 0:
        raise CoachError(
            f"the task alone takes about {settings.max_prompt_tokens - room:,} tokens; raise "
            f"coach.max_prompt_tokens ({settings.max_prompt_tokens:,})"
        )
    texts: list[str] = []
    for game in _sampled_games(blocks, settings.games, seed=figures.iteration):
        text = _game_text(game)
        room -= estimate_tokens(text)
        if room < 0:
            break
        texts.append(text)
    return Prompt(system, user + "".join(texts), len(texts))


def _system_text(game: str) -> str:
    traits = "\n".join(
        f"- {trait.name} ({trait.lowest} to {trait.highest}): {trait.meaning}"
        for trait in traits_of(game).values()
    )
    schema = json.dumps(reply_schema(game), separators=(",", ":"))
    return (
        f"You coach a program that learns {game} by playing itself. Find its systematic weaknesses in the "
        "games below. For each give a category, one sentence, a severity from 0 to 1, and a fingerprint: "
        "a filter over positions, seen by the side to move, that finds where it shows. A fingerprint "
        "is a list of conditions on traits (all must hold; leave an end of a range null if it is open) and, "
        "only if the weakness belongs to an opening, the first moves of the game. Positions that fit will be "
        "trained on more often. Name at most 12; good fingerprints fit between 0.1 % and 60 % of all "
        f"positions.\n\nCategories: {', '.join(CATEGORIES)}.\n\n"
        f"Traits; 'own' is the side to move:\n{traits}\n\n"
        f"Answer with one JSON object of this schema and nothing else:\n{schema}\n"
    )


def _figures_text(figures: WeaknessReport) -> str:
    entries = [
        {
            "conditions": [condition.model_dump() for condition in weakness.fingerprint.conditions],
            "opening": weakness.fingerprint.opening,
            **(weakness.figures.model_dump() if weakness.figures else {}),
        }
        for weakness in figures.weaknesses
    ]
    known = {"statistic": figures.statistic, "mean_loss": figures.mean_loss, "found": entries}
    return json.dumps(known, separators=(",", ":"))


def _sampled_games(blocks: list[GameBlock], num_games: int, seed: int) -> list[GameRecord]:
    total = sum(block.num_games for block in blocks)
    chosen = np.random.default_rng(seed).permutation(total)[:num_games]
    is_chosen = np.isin(np.arange(total), chosen)
    games: list[GameRecord] = []
    first = 0
    for block in blocks:
        games += recorded_games(block.select_games(is_chosen[first : first + block.num_games]))
        first += block.num_games
    return games


def _game_text(game: GameRecord) -> str:
    game = replace(game, tags={})  # they only cost tokens
    return pgn_text(game, roster=False) if games_suffix(game.game) == ".pgn" else json_line(game)
