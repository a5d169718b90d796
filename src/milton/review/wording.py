"""Lets a language model word a review, if one is configured. Knows no search, no files and no display.

The model hears our facts about the judged moves and may only explain them. Judgements, figures, moves and
lines are never taken from its reply: a text that names a move or a number beyond the facts is dropped, and
the sentence of the offline coach stays. Calls have the limits of the coach's (milton.coach.language_model).
"""

import json
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from milton.coach import OFFLINE
from milton.coach.fingerprint import StrictModel
from milton.coach.prompt import Prompt, estimate_tokens
from milton.coach.reply import json_part, strict_schema
from milton.coach.report import explain, harmless
from milton.config import CoachSettings, log_failure
from milton.errors import CoachError, MiltonError
from milton.games import Position

from .annotate import describe, line_text
from .review import Review, ReviewedMove

# More would make the call too slow; the moves that lost most come first.
MOST_MOVES = 40
_MOST_LETTERS = 400
# A comment of a PGN file has no braces, and a command for programs ([%eval …]) is no sentence.
_FORBIDDEN = re.compile(r"[{}\[\]<>`\\|]|://|www\.", re.IGNORECASE)
_CASTLING = re.compile(r"\b[O0o]-[O0o](?:-[O0o])?")
_WORD = re.compile(r"[^\W_]+")
# A move of Connect Four, alone; "a" is a word, too, and the end of "you'd" is none.
_COLUMN = re.compile(r"(?<!['\u2019\w])[b-g](?!\w)")


@dataclass(frozen=True, slots=True)
class Wording:
    """Sentences by the index of a move in its game; empty where no model was asked or none was believed."""

    texts: Mapping[int, str] = field(default_factory=dict)
    provider: str = OFFLINE
    model: str = ""
    tokens: int = 0
    num_dropped: int = 0  # sentences with moves or numbers beyond the facts
    problem: str = ""  # why there are none, if something went wrong


class _Sentence(StrictModel):
    number: Annotated[int, Field(ge=1, le=MOST_MOVES)]
    text: Annotated[str, Field(min_length=1, max_length=_MOST_LETTERS), AfterValidator(harmless)]


class _Reply(StrictModel):
    sentences: Annotated[tuple[_Sentence, ...], Field(max_length=MOST_MOVES)]


def worded(review: Review, settings: CoachSettings) -> tuple[Review, Wording]:
    """The same review with the words of the settings' model; as it was if there are none, and why."""
    wording = word_moves(list(review.record.positions()), review.moves, settings)
    moves = tuple(replace(move, words=wording.texts.get(move.ply_index, "")) for move in review.moves)
    return replace(review, moves=moves), wording


def word_moves(
    positions: Sequence[Position], moves: Sequence[ReviewedMove], settings: CoachSettings
) -> Wording:
    """What the settings' model says about the judged ones of `moves`; `positions` are those of the game."""
    judged = sorted((move for move in moves if move.is_judged), key=lambda move: -move.lost)[:MOST_MOVES]
    if settings.provider == OFFLINE or not judged:
        return Wording()
    try:
        return _ask([(move, positions[move.ply_index]) for move in judged], settings)
    except MiltonError as error:  # translated: a model that fails must not cost the review
        problem = str(error)
    except Exception as error:  # noqa: BLE001 -- nothing that a provider does ends a review
        problem = f"{settings.provider} failed: {type(error).__name__} (traceback in {log_failure(error)})"
    return Wording(provider=settings.provider, model=settings.model, problem=problem)


def _ask(told: Sequence[tuple[ReviewedMove, Position]], settings: CoachSettings) -> Wording:
    from milton.coach.language_model import ask  # needs the extra `coach`

    prompt, num_told = _build_prompt(told, settings)
    reply = ask(prompt, reply_schema(), settings)
    sentences = _parse(reply.text, num_told)
    texts = {
        told[number - 1][0].ply_index: text
        for number, text in sentences.items()
        if _keeps_to_the_facts(text, *told[number - 1])
    }
    return Wording(
        texts=texts,
        provider=reply.provider,
        model=reply.model,
        tokens=reply.tokens,
        num_dropped=len(sentences) - len(texts),
    )


def reply_schema() -> dict[str, Any]:
    schema: dict[str, Any] = strict_schema(_Reply.model_json_schema())
    return schema


def _build_prompt(
    told: Sequence[tuple[ReviewedMove, Position]], settings: CoachSettings
) -> tuple[Prompt, int]:
    """As many moves as fit, those that lost most first; CoachError if not even one does."""
    game = told[0][1].game
    system = (
        f"You explain mistakes in a game of {game} to its player. For each numbered move below say in one or "
        "two short sentences why it was bad and what the better line achieves. The facts come from an engine "
        "and are right: explain them, do not judge anew. Name no move, square or number that is not in the "
        "facts of that move. Plain text in English, no markup.\n\n"
        "Answer with one JSON object of this schema and nothing else:\n"
        f"{json.dumps(reply_schema(), separators=(',', ':'))}\n"
    )
    room = settings.max_prompt_tokens - estimate_tokens(system)
    # Every sentence needs its share of the reply.
    most = min(len(told), max(1, settings.max_reply_tokens // math.ceil(_MOST_LETTERS / 3)))
    lines: list[str] = []
    for number, (move, position) in enumerate(told[:most], start=1):
        line = json.dumps({"number": number, **_facts(move, position)}, separators=(",", ":")) + "\n"
        room -= estimate_tokens(line)
        if room < 0:
            break
        lines.append(line)
    if not lines:
        raise CoachError(
            f"not even one move fits into coach.max_prompt_tokens ({settings.max_prompt_tokens:,}); raise it"
        )
    return Prompt(system, "".join(lines), num_games=1), len(lines)


def _facts(move: ReviewedMove, position: Position) -> dict[str, str]:
    """Only moves and figures: no names and no comments, which came from outside."""
    return {
        "position": position.text,
        "played": line_text(position, move.played_line),
        "better": line_text(position, move.better_line),
        "facts": describe(replace(move, words=""), position),
    }


def _parse(text: str, num_told: int) -> dict[int, str]:
    """Sentences by number; CoachError says what is wrong without repeating the text."""
    try:
        reply = _Reply.model_validate_json(json_part(text))
    except ValidationError as error:
        raise CoachError(f"the reply was refused: {explain(error)}") from None
    sentences = {sentence.number: sentence.text for sentence in reply.sentences}
    if len(sentences) != len(reply.sentences) or any(number > num_told for number in sentences):
        raise CoachError("the reply was refused: it numbers moves that it was not asked about, or one twice")
    return sentences


def _keeps_to_the_facts(text: str, move: ReviewedMove, position: Position) -> bool:
    """No move, square or number that the facts do not have, and nothing that is more than plain text."""
    # Other forms of digits, letters and dashes name moves, too.
    text = "".join("-" if unicodedata.category(letter) == "Pd" else letter for letter in text)
    text = unicodedata.normalize("NFKC", text)
    if not text or _FORBIDDEN.search(text):
        return False
    facts = _facts(move, position)
    known = " ".join((facts["played"], facts["better"], facts["facts"]))
    if not set(_CASTLING.findall(text)) <= set(_CASTLING.findall(known)):
        return False
    are_columns = all(len(played) == 1 for played in (*move.played_line, *move.better_line))
    if are_columns and not set(_COLUMN.findall(text.lower())) <= set(_COLUMN.findall(known.lower())):
        return False
    return set(_telling_words(text)) <= set(_telling_words(known)) | set(_squares(move))


def _telling_words(text: str) -> Iterator[str]:
    """Words with a digit: numbers, squares and moves."""
    return (word for word in _WORD.findall(text) if any(letter.isdigit() for letter in word))


def _squares(move: ReviewedMove) -> Iterator[str]:
    """What the moves of both lines are written with, whole and in squares."""
    for text in (*move.played_line, *move.better_line):
        yield from _telling_words(text)
        yield from re.findall(r"[a-z]\d", text)
