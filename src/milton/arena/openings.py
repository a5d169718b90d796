"""Openings of matches, without a book; the one home of all three kinds.

- `make_openings`: the players' own early moves, for the gate.
- `random_openings`: random moves, kept if neither side is losing material.
- `balanced_openings`: random moves, kept if a network's short search calls the position level.

The last two depend on their seed alone and not on who plays, so that results of different matches compare.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess

from milton import _core
from milton.config import default_search, derive_seed
from milton.errors import ArgumentError
from milton.games import Position, core_game
from milton.inference.search_settings import core_search_settings
from milton.inference.sparse import load_sparse_net
from milton.play import shipped_champion
from milton.rundir import sha256_of, state_folder, write_text

from .match import Opening, Player, open_match
from .material import material_balance, material_gains

DEFAULT_PLIES = 6
BALANCED_PLIES = 8
# About half a pawn: the champion's value of a pawn in the middle game is 0.125 (44 of its centipawns).
LARGEST_VALUE = 0.063

_LARGEST_GAIN = 1  # pawns
# Draws of an opening before giving up: small games have few openings.
_ATTEMPTS_PER_OPENING = 100
# Simulations behind each move of an opening: enough to be sensible, few enough to vary.
_OPENING_SIMULATIONS = 32
# How often missing openings are drawn again before fewer have to do.
_OPENING_ROUNDS = 20
# Rounds before openings grow by a ply.
_ROUNDS_A_PLY = 4
# Simulations behind the judgement of a random opening; 128 keep the same share of them.
_JUDGING_SIMULATIONS = 64
# Openings that are drawn and judged at once. Part of what a seed means: another size gives other openings.
_DRAWN_AT_ONCE = 400
_FRUITLESS_ROUNDS = 5


def make_openings(
    game: str,
    players: Sequence[Player],
    count: int,
    *,
    plies: int,
    temperature: float,
    seed: int,
    threads: int = 1,
) -> list[Opening]:
    """Distinct openings from the players' own early moves, in turn; fewer if no more can be found.

    Where players agree too much for so many different openings of that length, the later ones are longer.
    """
    found: dict[Opening, None] = {}
    if plies == 0:
        return [()]
    for attempt in range(_OPENING_ROUNDS):
        missing = count - len(found)
        if missing <= 0:
            break
        for number, player in enumerate(players):
            share = -(-missing // len(players))
            drawn = _draw_openings(
                game,
                player,
                share,
                plies=plies + attempt // _ROUNDS_A_PLY,
                temperature=temperature,
                seed=derive_seed(seed, attempt, number),
                threads=threads,
            )
            found.update(dict.fromkeys(drawn))
    return list(found)[:count]


def _draw_openings(
    game: str, player: Player, count: int, *, plies: int, temperature: float, seed: int, threads: int
) -> list[Opening]:
    """The first plies of games that a player plays against itself, moves drawn by visits."""
    settings = _core.MatchSettings()
    settings.search_a = settings.search_b = player.search
    settings.simulations_a = settings.simulations_b = _OPENING_SIMULATIONS
    settings.max_plies = settings.sampled_plies = plies
    settings.temperature = temperature
    settings.keep_subtree = False  # kept visits would make the moves less various
    start = core_game(game).Line.start()
    match = open_match(game, player, player, settings, [start] * -(-count // 2), seed)
    match.run(threads)
    # An opening that ends the game goes back by one ply.
    return [
        tuple(moves if reason == "adjudicated" else moves[:-1])
        for _, _, _, reason, moves, _ in match.results()[:count]
    ]


def random_openings(game: str, count: int, *, plies: int = DEFAULT_PLIES, seed: int = 0) -> list[Opening]:
    """Distinct openings that leave the game open."""
    generator = random.Random(f"openings of {game} {plies} {seed}")
    found: dict[Opening, None] = {}
    for _ in range(count * _ATTEMPTS_PER_OPENING):
        if len(found) == count:
            return list(found)
        opening = _draw(game, plies, generator)
        if opening is not None:
            found.setdefault(opening)
    raise ArgumentError(f"found only {len(found)} of {count} openings of {plies} plies; ask for longer ones")


def _draw(game: str, plies: int, generator: random.Random, *, judge_material: bool = True) -> Opening | None:
    """None if the game ends in it or, in chess, a side is losing material."""
    position = Position.start(game)
    moves = []
    for _ in range(plies):
        if position.outcome() is not None:
            return None
        moves.append(generator.choice(position.legal_moves()))
        position = position.play(moves[-1])
    if position.outcome() is not None:
        return None
    if judge_material and game == "chess" and not is_balanced(position):
        return None
    return tuple(moves)


def is_balanced(position: Position) -> bool:
    """Equal material, and no capture that wins more than a pawn after the best capture in reply."""
    if material_balance(chess.Board(position.fen)) != 0:
        return False
    gains = material_gains(position)
    return all(
        gain - _best_gain(position.play(move)) <= _LARGEST_GAIN
        for move, gain in gains.items()
        if gain > _LARGEST_GAIN
    )


def _best_gain(position: Position) -> int:
    return max(material_gains(position).values(), default=0)


@dataclass(frozen=True, slots=True)
class OpeningJudge:
    """The network that says whether an opening is level, and what the openings are like."""

    game: str
    checkpoint: Path
    plies: int = BALANCED_PLIES
    seed: int = 0
    largest_value: float = LARGEST_VALUE

    @property
    def key(self) -> str:
        """Names everything that the openings depend on, for files."""
        return (
            f"{self.game}-{self.plies}-{self.seed}-{self.largest_value:g}-{sha256_of(self.checkpoint)[:12]}"
        )


def describe_openings(judge: OpeningJudge) -> str:
    network = sha256_of(judge.checkpoint)[:12]
    return f"balanced openings of {judge.plies} plies, seed {judge.seed}, judged by network {network}"


def balanced_openings(
    judge: OpeningJudge,
    count: int,
    *,
    threads: int = 1,
    cache: Path | None = None,
    on_found: Callable[[int, int], None] | None = None,
) -> list[Opening]:
    """Distinct random openings that lead to distinct positions which the judge calls level.

    The first openings are the same whatever `count` is. They are kept in `cache` (default: a file in the
    state folder), which grows when more are needed. `on_found` hears how many of how many there are.
    """
    path = cache or state_folder("openings") / f"{judge.key}.txt"
    rounds, found = _read_openings(path, judge)
    if len(found) >= count:
        return list(found.values())[:count]
    net, _ = load_sparse_net(judge.checkpoint, judge.game)
    search = core_search_settings(default_search(judge.game))
    player = Player("judge", _JUDGING_SIMULATIONS, net, search=search)
    fruitless = 0
    while len(found) < count:
        before = len(found)
        for position, opening in _level_openings(judge, player, rounds, threads):
            found.setdefault(position, opening)
        rounds += 1
        fruitless = fruitless + 1 if len(found) == before else 0
        if fruitless == _FRUITLESS_ROUNDS:
            raise ArgumentError(
                f"found only {len(found)} of {count} level openings of {judge.plies} plies; "
                "ask for longer ones"
            )
        if on_found is not None:
            on_found(min(len(found), count), count)
    lines = (str(rounds), *(" ".join(moves) for moves in found.values()))
    write_text(path, "".join(f"{line}\n" for line in lines))
    return list(found.values())[:count]


def shipped_judge(game: str, *, plies: int = BALANCED_PLIES, seed: int = 0) -> OpeningJudge | None:
    """The shipped champion as judge; None for a game without one."""
    champion = shipped_champion(game)
    return OpeningJudge(game, champion, plies, seed) if champion is not None else None


def _level_openings(
    judge: OpeningJudge, player: Player, round_number: int, threads: int
) -> Iterable[tuple[int, Opening]]:
    """Level openings of one round, each with the hash of the position it leads to."""
    generator = random.Random(f"balanced openings of {judge.game} {judge.plies} {judge.seed} {round_number}")
    drawn = [_draw(judge.game, judge.plies, generator, judge_material=False) for _ in range(_DRAWN_AT_ONCE)]
    openings = [moves for moves in drawn if moves is not None]
    positions = [Position.start(judge.game).play_all(moves) for moves in openings]
    if not positions:
        return
    settings = _core.MatchSettings()
    settings.search_a = settings.search_b = player.search
    settings.simulations_a, settings.simulations_b = player.simulations, 1
    settings.max_plies = 1
    settings.keep_subtree = False
    match = open_match(judge.game, player, player, settings, [position.line for position in positions], 0)
    match.run(threads)
    # Both games of a pair begin in the same position: the first one's search judges it.
    for index, (_, _, _, _, _, values) in enumerate(match.results()[::2]):
        if values and abs(values[0]) <= judge.largest_value:
            yield positions[index].line.hash, openings[index]


def _read_openings(path: Path, judge: OpeningJudge) -> tuple[int, dict[int, Opening]]:
    """Rounds drawn and openings found by position; nothing if the file is missing or damaged."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        openings = [tuple(line.split()) for line in lines[1:]]
        start = Position.start(judge.game)
        found = {start.play_all(moves).line.hash: moves for moves in openings}
        return int(lines[0]), found
    except (OSError, ValueError, IndexError):
        return 0, {}
