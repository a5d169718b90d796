"""Many games in a row, several at a time, while everything goes wrong now and then."""

import asyncio
import gc
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from lichess_bot import HASTY, KEEP_ALIVE_S, Table, playing
from patience import PATIENCE_S

from milton.config import Settings
from milton.lichess.session import GameSession
from milton.lichess.testing import Behaviour, FakeLichess, Fault, Faults, Opponent, random_moves
from milton.play import Network
from milton.rundir import RunDir
from milton.system import resident_memory_mb

CONCURRENCY = 8
INITIAL_S = 180  # server, opponents and bot share one process and whatever the machine has left for it
RATES = {
    Fault.TOO_MANY_REQUESTS: 0.01,
    Fault.TOO_MANY_REQUESTS_UNTOLD: 0.01,
    Fault.SERVER_ERROR: 0.01,
    Fault.LOST_ANSWER: 0.01,
    Fault.SLOW_ANSWER: 0.01,
    Fault.DROP_STREAM: 0.01,
    Fault.SILENCE: 0.002,
    Fault.DUPLICATE_LINE: 0.02,
    Fault.OLD_LINE: 0.02,
    Fault.MALFORMED_LINE: 0.01,
    Fault.MISSING_FIELD: 0.005,
    Fault.UNKNOWN_KIND: 0.02,
}
ODD_CLOCKS = (
    {"type": "unlimited"},
    {"type": "correspondence", "daysPerTurn": 3},
    {"type": "clock", "limit": -5, "increment": 0},
    {"type": "clock", "limit": 10**12, "increment": 10**12},
    {"type": "clock"},
)


@dataclass
class Marathon:
    """What happened, as server and bot saw it."""

    lichess: FakeLichess
    table: Table
    folder: Path
    seconds: float = 0.0
    memory_mb: list[float] = field(default_factory=list)  # after every tenth of the games
    num_sessions_left: int = 0

    def lost_on_time(self) -> list[str]:
        games = self.lichess.finished_games()
        return [game.id for game in games if game.status == "outoftime" and game.winner != game.bot_colour]

    def report(self) -> str:
        figures = self.table.bot.figures
        statuses = Counter(game.status for game in self.lichess.finished_games())
        faults = sum(self.lichess.faults.num_struck.values())
        return (
            f"{len(self.lichess.games)} games in {self.seconds:.0f} s, "
            f"at most {self.lichess.peak_games} at once: {dict(statuses)}\n"
            f"won {figures.num_wins}, drawn {figures.num_draws}, lost {figures.num_losses}; "
            f"lost on time {len(self.lost_on_time())}\n"
            f"moves posted {figures.num_moves_posted}, illegal {len(self.lichess.illegal_moves)}, "
            f"duplicate {len(self.lichess.duplicate_moves)}\n"
            f"requests {figures.num_requests}, reconnects {figures.num_reconnects}, 429s "
            f"{figures.num_rate_limited}, retries {figures.num_retries}, malformed lines "
            f"{figures.num_malformed_lines}, faults {faults}\n"
            f"challenges {figures.num_challenges}, declined {figures.num_declined}, "
            f"champions {figures.num_swaps + 1}\n"
            f"memory after each tenth of the games, MB: {', '.join(f'{m:.0f}' for m in self.memory_mb)}"
        )


async def run_marathon(
    num_games: int, networks: tuple[Path, Path], folder: Path, hot_swap: str, seed: int
) -> Marathon:
    """`networks`: the champion, and the one that takes over in the middle."""
    generator = random.Random(seed)
    faults = Faults(RATES, seed=seed, retry_after_s=0.3, slow_s=0.5)
    lichess = FakeLichess(faults=faults, keep_alive_s=KEEP_ALIVE_S, seed=seed)
    started = time.monotonic()
    with RunDir.create(folder / "run", Settings()) as run:
        _promote(run, 1, networks[0])
        network = Network.load(networks[0], "chess")
        settings: dict[str, object] = {
            "concurrency": CONCURRENCY,
            "abort_after_s": 1,
            "ponder": True,
            "chat_commands": True,
            "draw_min_ply": 20,
            "draw_score": 0.5,
            "draw_moves": 2,
            "hot_swap": hot_swap,
        }
        async with playing(lichess, folder / "games", network, run.path, HASTY, **settings) as table:
            marathon = Marathon(lichess, table, folder / "games")
            await _play_all(marathon, num_games, generator, run, networks[1])
            table.bot.stop("finish")
            await table.running
            gc.collect()
            marathon.num_sessions_left = sum(type(thing) is GameSession for thing in gc.get_objects())
    marathon.seconds = time.monotonic() - started
    return marathon


async def _play_all(
    marathon: Marathon, num_games: int, generator: random.Random, run: RunDir, second: Path
) -> None:
    lichess = marathon.lichess
    is_swapped = False
    while len(lichess.games) < num_games or lichess.running_games():
        if not is_swapped and len(lichess.finished_games()) >= num_games // 2:
            _promote(run, 2, second)
            is_swapped = True
        wanted = min(CONCURRENCY, num_games - len(lichess.finished_games()))
        missing = wanted - len(lichess.running_games()) - len(lichess.challenges)
        for _ in range(missing if len(lichess.games) + len(lichess.challenges) < num_games else 0):
            _challenge(lichess, generator)
        num_done = len(lichess.finished_games())
        if num_done * 10 // num_games > len(marathon.memory_mb):
            marathon.memory_mb.append(resident_memory_mb())
        seen = (num_done, len(lichess.challenges), len(lichess.games))
        await lichess.until(
            lambda seen=seen: (
                seen != (len(lichess.finished_games()), len(lichess.challenges), len(lichess.games))
            ),
            timeout_s=PATIENCE_S,
        )
    marathon.memory_mb.append(resident_memory_mb())


def _promote(run: RunDir, iteration: int, network: Path) -> None:
    checkpoint = run.iteration_dir(iteration, create=True) / "candidate.safetensors"
    checkpoint.write_bytes(network.read_bytes())
    run.promote(iteration, checkpoint)


def _challenge(lichess: FakeLichess, generator: random.Random) -> None:
    if generator.random() < 0.1:
        odd = generator.choice(("atomic", "chess960", "somethingNew"))
        lichess.challenge(_opponent(generator), variant=odd)
    elif generator.random() < 0.1:
        lichess.challenge(_opponent(generator), time_control=generator.choice(ODD_CLOCKS))
    else:
        lichess.challenge(_opponent(generator), initial_s=INITIAL_S)


def _opponent(generator: random.Random) -> Opponent:
    number = generator.randrange(10**6)
    behaviour = Behaviour(
        think_s=generator.uniform(0.0, 0.05),
        starts=generator.random() > 0.03,
        aborts=generator.random() < 0.03,
        resigns_at=generator.choice((20, 30, 40, 60, 100)),
        offers_draw_at=generator.choice((None, 10, 25)),
        asks_takeback_at=generator.choice((None, 6)),
        leaves_at=generator.choice((None, None, None, 14)),
        returns=generator.random() < 0.5,
        says=("!eval",) if generator.random() < 0.3 else (),
    )
    return Opponent(f"player{number}", random_moves(number), behaviour=behaviour)


def run(
    num_games: int,
    networks: tuple[Path, Path],
    folder: Path,
    hot_swap: str = "between_moves",
    seed: int = 1,
) -> Marathon:
    return asyncio.run(run_marathon(num_games, networks, folder, hot_swap, seed))
