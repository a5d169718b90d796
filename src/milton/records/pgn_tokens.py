"""Splits PGN text into games and their moves into tokens. Knows no chess beyond how moves look.

python-chess skips whatever it does not know and loses its place after a broken variation. Therefore every
token is looked at here first, and what python-chess is given holds nothing that it would skip.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from milton.errors import RecordError

from .record import MAX_PLIES

MAX_GAME_CHARS = 2_000_000
MAX_DEPTH = 50  # of variations within variations
MAX_DIGITS = 15  # of a whole number in an evaluation or a clock

_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
# Many programs do not escape quotes and backslashes.
_UNESCAPED_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s+"([^\r\n]*)"\s*\]\s*$')
_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
    |(?P<comment>\{[^}]*\})
    |(?P<rest_of_line>;[^\n]*)
    |(?P<result>(?:1-0|0-1|1/2-1/2|½-½|1/2)(?=[\s()]|$)|\*)
    |(?P<move>(?:P?[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqNBRQ]|\([nbrqNBRQ]\))?
       |O-O(?:-O)?|0-0(?:-0)?|o-o(?:-o)?|--|Z0|0000)(?:\+\+|[+\#])?(?=[\s!?(){};$.*]|$))
    |(?P<number>\d+(?:\.+|…)?(?=[\s(){};$A-Za-z0-]|$)|\.+|…)
    |(?P<nag>\$\d{1,3}(?=\D|$)|[!?]{1,2}(?![!?]))
    |(?P<open>\()
    |(?P<close>\))
    |(?P<glyph>\+-|-\+|\+/-|-/\+|\+/=|=/\+|±|∓|⩲|⩱|∞|=)(?=[\s(){}]|$)
    |(?P<passing>e\.?p\.?)(?=[\s(){}+\#]|$)
    """,
    re.VERBOSE,
)
# Python reads no whole number of thousands of digits, and makes no float of one of hundreds.
_LONG_NUMBER = re.compile(rf"\[%(?:eval|clk)\s[^\]]*?(?<![.\d])\d{{{MAX_DIGITS + 1}}}")
_GLYPHS = {
    "=": "$10",
    "∞": "$13",
    "+/=": "$14",
    "⩲": "$14",
    "=/+": "$15",
    "⩱": "$15",
    "+/-": "$16",
    "±": "$16",
    "-/+": "$17",
    "∓": "$17",
    "+-": "$18",
    "-+": "$19",
}
_RESULTS = {"½-½": "1/2-1/2", "1/2": "1/2-1/2"}


@dataclass(slots=True)
class RawGame:
    """A game's part of a text. Lines are counted from 1."""

    number: int
    source: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)  # of moves
    first_line: int = 0  # where the moves, or else the tags, begin

    def problem(self, what: str, fix: str, *, ply: int | None = None, line: int | None = None) -> RecordError:
        """An error that says where; `ply` counts from 1."""
        move = "" if ply is None else f", move {(ply + 1) // 2}{'' if ply % 2 else '...'}"
        source = f"{self.source}, " if self.source else ""
        place = f"{source}game {self.number}{move}, line {line or self.first_line}"
        return RecordError(f"{place}: {what}; {fix}")


def split_games(lines: Iterable[str], source: str = "") -> Iterator[RawGame | RecordError]:
    """The games of a text; an error in place of one whose tags cannot be read."""
    splitter = _Splitter(source)
    for number, line in enumerate(lines, start=1):
        yield from splitter.take(number, line.lstrip("\ufeff") if number == 1 else line)
    yield from splitter.end()


class _Splitter:
    """A blank line after moves ends a game, and so do tags."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._game = RawGame(1, source)
        self._error: RecordError | None = None
        self._in_comment = False
        self._after_blank = False
        self._num_chars = 0

    def take(self, number: int, line: str) -> Iterator[RawGame | RecordError]:
        text = line.strip()
        if not self._in_comment:
            if text.startswith("%"):
                return
            if not text:
                self._after_blank = True
                if self._game.lines:
                    yield from self.end()
                return
            if text.startswith("["):
                if self._game.lines:
                    yield from self.end()
                yield from self._take_tags(number, text)
                return
        self._take_moves(number, line)

    def end(self) -> Iterator[RawGame | RecordError]:
        game, error = self._game, self._error
        if self._in_comment and error is None:
            error = game.problem("a comment has no end", "close it with '}'")
        if game.lines or game.tags or error is not None:
            yield game if error is None else error
            game = RawGame(game.number + 1, self._source)
        self._game, self._error = game, None
        self._in_comment = self._after_blank = False
        self._num_chars = 0

    def _take_tags(self, number: int, text: str) -> Iterator[RawGame | RecordError]:
        found = _tags(text)
        if self._after_blank and any(name in self._game.tags for name, _ in found):
            yield from self.end()  # a game without moves
        self._after_blank = False
        self._game.first_line = self._game.first_line or number
        if not found:
            self._fail(
                f'expected a tag like [Event "…"], got {text[:60]!r}', "correct or remove the line", number
            )
        for name, value in found:
            if name in self._game.tags:
                self._fail(f"the tag {name!r} occurs twice", "remove one of them", number)
            self._game.tags[name] = value

    def _take_moves(self, number: int, line: str) -> None:
        self._num_chars += len(line)
        if self._num_chars > MAX_GAME_CHARS:
            self._fail(f"the game has more than {MAX_GAME_CHARS:,} characters", "split or shorten it", number)
            self._in_comment = False
            return
        if not self._game.lines:
            self._game.first_line = number
        self._game.lines.append(line if line.endswith("\n") else line + "\n")
        for sign in re.findall(r"[{};]", line):
            if sign == ";" and not self._in_comment:
                break
            self._in_comment = sign == "{" or (sign == ";" and self._in_comment)

    def _fail(self, what: str, fix: str, line: int) -> None:
        self._error = self._error or self._game.problem(what, fix, line=line)


def _tags(text: str) -> list[tuple[str, str]]:
    """Of one line; none if it holds anything else."""
    found, place = [], 0
    while match := _TAG.match(text, place):
        found.append((match[1], match[2].replace('\\"', '"').replace("\\\\", "\\")))
        place = match.end()
    if found and not text[place:].strip():
        return found
    whole = _UNESCAPED_TAG.match(text)
    return [(whole[1], whole[2])] if whole else []


@dataclass(slots=True)
class MoveText:
    """What python-chess is given, and on which line each move of the main line stands."""

    tokens: list[str] = field(default_factory=list)
    ply_lines: list[int] = field(default_factory=list)


def read_moves(game: RawGame, first_ply: int) -> MoveText:
    """Moves, comments, glyphs, variations and the result; RecordError for anything else.

    `first_ply` counts from 1: what the first move is called in messages.
    """
    reader = _MoveReader(game, first_ply)
    text, place, line = "".join(game.lines), 0, game.first_line
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            word = re.match(r"\S{1,30}", text[place:])
            raise reader.problem(
                f"expected a move, comment or result, got {word[0] if word else ''!r}",
                "correct it or put it into a comment {…}",
                line,
                at_next=True,
            )
        reader.take(str(match.lastgroup), match[0], line)
        line += match[0].count("\n")
        place = match.end()
    if reader.depth:
        raise reader.problem("a variation has no end", "close it with ')'", line - 1)
    return reader.found


class _MoveReader:
    """Checks that each token is allowed at its place."""

    def __init__(self, game: RawGame, first_ply: int) -> None:
        self.found = MoveText()
        self._game = game
        self._first_ply = first_ply
        self._has_move = [False]  # in the main line, and in each variation that is open
        self._result = ""

    @property
    def depth(self) -> int:
        return len(self._has_move) - 1

    def take(self, kind: str, text: str, line: int) -> None:
        if kind == "number":
            self._check_number(text, line)
        if kind in ("space", "number", "passing"):
            return
        if self._result and kind not in ("comment", "rest_of_line"):
            raise self.problem(
                f"{text!r} follows the result {self._result!r}", "put a blank line between games", line
            )
        problem = self._structure_problem(kind) or _comment_problem(kind, text)
        if problem is not None:
            raise self.problem(*problem, line)
        if kind == "move":
            self._has_move[-1] = True
            self.found.ply_lines += [line] if self.depth == 0 else []
        elif kind == "open":
            self._has_move.append(False)
        elif kind == "close":
            self._has_move.pop()
        elif kind == "result":
            self._result = text
        self.found.tokens.append(_as_python_chess_reads_it(kind, text))

    def problem(self, what: str, fix: str, line: int, *, at_next: bool = False) -> RecordError:
        ply = self._first_ply + max(0, len(self.found.ply_lines) - (0 if at_next else 1))
        return self._game.problem(what, fix, ply=ply, line=line)

    def _structure_problem(self, kind: str) -> tuple[str, str] | None:
        if kind == "move" and not self.depth and len(self.found.ply_lines) == MAX_PLIES:
            return f"the game has more than {MAX_PLIES:,} half-moves, which no game can have", "cut it"
        if kind == "open":
            if not self._has_move[-1]:
                return "a variation begins before any move that it could replace", "move it behind that move"
            if self.depth == MAX_DEPTH:
                return f"variations are nested more than {MAX_DEPTH} deep", "remove the innermost"
        if kind == "close":
            if not self.depth:
                return "')' without '('", "remove it"
            if not self._has_move[-1]:
                return "a variation without moves", "remove it"
        if kind == "result" and self.depth:
            return "a result within a variation", "remove it, or close the variation before it"
        if kind in ("nag", "glyph") and not self._has_move[-1]:
            return "an annotation before any move", "remove it"
        return None

    def _check_number(self, text: str, line: int) -> None:
        """A game that a blank line cut in two continues with a higher number."""
        is_cut = self._game.number > 1 and not self._game.tags and not self._has_move[0]
        if is_cut and text.rstrip(".…") not in ("", "1"):
            raise self._game.problem(
                f"the moves begin with {text!r}",
                f"a blank line ends a game: remove it if they belong to game {self._game.number - 1}",
                line=line,
            )


def _comment_problem(kind: str, text: str) -> tuple[str, str] | None:
    if kind in ("comment", "rest_of_line") and _LONG_NUMBER.search(text):
        return f"a number in a comment has more than {MAX_DIGITS} digits", "correct or remove it"
    return None


def _as_python_chess_reads_it(kind: str, text: str) -> str:
    if kind == "rest_of_line":
        return "{" + text[1:].strip().replace("}", ")") + "}"
    if kind == "glyph":
        return _GLYPHS[text]
    if kind == "result":
        return _RESULTS.get(text, text)
    if kind == "move":
        text = text.replace("(", "=").replace(")", "").rstrip("+#")
        return text.upper() if text.startswith("o-") else text.removeprefix("P")
    return text
