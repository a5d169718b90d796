"""Makes blocks for tests: of random numbers, or of games really played by the core."""

import numpy as np

from milton.games import core_game
from milton.replay import GameBlock, PositionFlag, offsets_of

REASONS = ("checkmate", "stalemate", "adjudicated")


def synthetic_block(
    num_games: int = 3, *, seed: int = 1, first_id: int = 1, with_wdl: bool = True, packed_bytes: int = 8
) -> GameBlock:
    """Consistent columns of random content; game lengths 1 to 12."""
    random = np.random.default_rng(seed)
    lengths = random.integers(1, 13, num_games)
    num_positions = int(lengths.sum())
    to_move = np.concatenate([np.arange(length) % 2 for length in lengths])
    flags = (to_move * PositionFlag.SECOND_TO_MOVE).astype(np.uint8)
    is_full = random.random(num_positions) < 0.4
    is_opening = ~is_full & (random.random(num_positions) < 0.2)
    flags[is_full] |= np.uint8(PositionFlag.FULL_SEARCH)
    flags[is_opening] |= np.uint8(PositionFlag.RANDOM_OPENING)
    visits = np.where(is_full, random.integers(1, 9, num_positions), 0)
    num_visits = int(visits.sum())
    return GameBlock(
        game="chess",
        packed=random.integers(0, 256, (num_positions, packed_bytes), dtype=np.uint8),
        game_offsets=offsets_of(lengths),
        visit_offsets=offsets_of(visits),
        visit_moves=random.integers(0, 4096, num_visits, dtype=np.uint16),
        visit_counts=random.integers(1, 200, num_visits, dtype=np.uint16),
        root_values_stm=random.integers(-32767, 32768, num_positions, dtype=np.int16),
        root_wdl=random.integers(0, 32768, (num_positions, 2), dtype=np.uint16) if with_wdl else None,
        played_moves=random.integers(0, 4096, num_positions, dtype=np.uint16),
        flags=flags,
        winners=random.integers(-1, 2, num_games, dtype=np.int8),
        end_reasons=random.integers(0, len(REASONS), num_games, dtype=np.uint8),
        game_ids=np.arange(first_id, first_id + num_games, dtype=np.uint64),
        seeds=random.integers(0, 2**63, num_games, dtype=np.uint64),
        network_indices=random.integers(0, 2, num_games, dtype=np.uint16),
        network_names=("iter_0000", "iter_0001 ☃"),
        end_reason_names=REASONS,
    )


def played_block(game: str, num_games: int, *, seed: int = 1, num_simulations: int = 200) -> GameBlock:
    """Random games of the core with visit counts like those of a search: a few moves get most of them."""
    random = np.random.default_rng(seed)
    packed, lengths, visits, moves, counts, wdl, played, flags = [], [], [], [], [], [], [], []
    winners: list[int] = []
    reasons: list[str] = []
    for _ in range(num_games):
        line, win = core_game(game).Line.start(), 0.4
        while line.outcome(True) is None and line.ply < 200:
            legal = line.legal_moves()
            policy = random.dirichlet(np.full(len(legal), 0.3))
            is_full = random.random() < 0.3
            found = (
                random.multinomial(num_simulations, policy) if is_full else np.zeros(len(legal), dtype=int)
            )
            visited = np.flatnonzero(found)
            win = float(np.clip(win + random.normal() * 0.05, 0.0, 0.7))
            packed.append(np.frombuffer(line.pack(), dtype=np.uint8))
            visits.append(len(visited))
            moves += [line.move_bits(legal[i]) for i in visited]
            counts += found[visited].tolist()
            wdl.append((win if line.side_to_move == 0 else 0.7 - win, 0.3))
            choice = legal[int(random.choice(len(legal), p=policy))]
            played.append(line.move_bits(choice))
            flags.append(line.side_to_move * PositionFlag.SECOND_TO_MOVE | is_full * PositionFlag.FULL_SEARCH)
            line = line.play(choice)
        lengths.append(line.ply)
        reason, winner = line.outcome(True) or ("adjudicated", -1)
        winners.append(winner)
        reasons.append(reason)
    names = tuple(sorted(set(reasons)))
    probabilities = np.array(wdl)
    return GameBlock(
        game=game,
        packed=np.stack(packed),
        game_offsets=offsets_of(np.array(lengths)),
        visit_offsets=offsets_of(np.array(visits)),
        visit_moves=np.array(moves, dtype=np.uint16),
        visit_counts=np.array(counts, dtype=np.uint16),
        root_values_stm=np.round((2 * probabilities[:, 0] - 0.7) * 32767).astype(np.int16),
        root_wdl=(probabilities * 65535).astype(np.uint16),
        played_moves=np.array(played, dtype=np.uint16),
        flags=np.array(flags, dtype=np.uint8),
        winners=np.array(winners, dtype=np.int8),
        end_reasons=np.array([names.index(reason) for reason in reasons], dtype=np.uint8),
        game_ids=np.arange(1, num_games + 1, dtype=np.uint64),
        seeds=random.integers(0, 2**63, num_games, dtype=np.uint64),
        network_indices=np.zeros(num_games, dtype=np.uint16),
        network_names=("random",),
        end_reason_names=names,
    )
