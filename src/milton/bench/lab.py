"""How fast the lab's foundations are: games stepped together, and search by random playouts."""

from collections.abc import Iterator

from milton.bench.measurement import Measurement, best_seconds
from milton.games import GAME_NAMES, Position
from milton.lab.mcts import PlayoutSearch, PlayoutSettings

NUM_REPEATS = 3
NUM_GAMES = 256
# Simulations a second of pure Monte Carlo search on chess in OpenSpiel, on one core, to compare with.
OPENSPIEL_SIMULATIONS_PER_S = 495.0


def measure_environments(quick: bool) -> Iterator[Measurement]:
    """Random steps of a vector of games, observations and legal actions included, one core."""
    from milton.games.environments import make_vec  # needs the extra `lab`

    num_steps = 20 if quick else 400
    for game in GAME_NAMES:
        envs = make_vec(game, NUM_GAMES)
        envs.reset(seed=0)

        def step() -> None:
            for _ in range(num_steps):
                envs.step(envs.sample_actions())  # noqa: B023  (called before the loop goes on)

        seconds = best_seconds(step, NUM_REPEATS)
        how = f"{NUM_GAMES} games, {num_steps} random steps each, best of {NUM_REPEATS}"
        yield Measurement(f"{game} environment", NUM_GAMES * num_steps / seconds, "steps/s", how)


def measure_playout_search(quick: bool) -> Iterator[Measurement]:
    """Pure Monte Carlo search from the start position of chess, one core."""
    settings = PlayoutSettings(simulations=200 if quick else 5_000)
    search = PlayoutSearch("chess", settings)
    position = Position.start("chess")

    def choose() -> None:
        search.begin_game(1)
        search.choose(position)

    speed = settings.simulations / best_seconds(choose, NUM_REPEATS)
    how = f"start position, {settings.simulations} random games of at most {settings.playout_moves} moves"
    yield Measurement("chess playout search", speed, "simulations/s", f"{how}, best of {NUM_REPEATS}")
    yield Measurement(
        "the same / OpenSpiel's 495", speed / OPENSPIEL_SIMULATIONS_PER_S, "times", "the line above"
    )
