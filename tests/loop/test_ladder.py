"""The ladder: which champions stay as opponents, and a promotion by luck that it takes back."""

from pathlib import Path

import pytest
from rich.console import Console
from short_loop import tiny_settings

from milton.loop import LiveStatus, PlainView, init_run
from milton.loop.context import Context
from milton.loop.ladder_stage import ladder_stage
from milton.nets import Provenance, read_checkpoint_info
from milton.nets.checkpoint import save_checkpoint
from milton.nets.registry import build_net
from milton.play.network import shipped_champion
from milton.rating import kept_champions
from milton.rundir import LADDER_KIND, LADDER_MATCH_KIND, ChampionRecord


def test_every_kth_champion_stays_and_the_first_is_among_them() -> None:
    champions = [ChampionRecord(n, f"iter_{n:04d}/candidate.safetensors", "0" * 64) for n in range(7)]
    assert [record.iteration for record in kept_champions(champions, 3)] == [0, 3, 6]
    assert kept_champions(champions, 0) == ()
    assert champions[4].short_name == "iter_0004 00000000"


@pytest.mark.parametrize("may_roll_back", [True, False])
def test_a_champion_that_clearly_loses_is_replaced_by_its_predecessor_if_settings_say_so(
    may_roll_back: bool, tmp_path: Path
) -> None:
    strong = shipped_champion("santorini")
    assert strong is not None
    found = read_checkpoint_info(strong).description
    settings = tiny_settings(
        **{
            "loop.game": "santorini",
            "network.hidden": found.sizes.hidden,  # type: ignore[union-attr]  # it is a sparse network
            "network.encoder": found.encoder,
            "arena.rollback": may_roll_back,
            "arena.ladder_games": 16,
            "arena.max_plies": 60,
        }
    )
    with init_run(tmp_path / "run", settings, strong) as run:
        weak = run.iteration_dir(1, create=True) / "candidate.safetensors"
        save_checkpoint(weak, found, build_net(found, seed=1).state_dict(), Provenance(), for_play=True)
        first = run.champion()
        run.promote(1, weak)
        status, console = LiveStatus(), Console(quiet=True)
        context = Context(run, settings, status, PlainView(status, console))
        ladder_stage(context, 1)
        context.close()
        alarms = [event.kind for event in run.database.events() if event.level == "alarm"]
        assert alarms == (["rollback"] if may_roll_back else [])
        assert (run.champion() == first) == may_roll_back
        (match,), (rating,) = run.database.ratings(LADDER_MATCH_KIND), run.database.ratings(LADDER_KIND)
        assert match.player == rating.player == f"iter_0001 {match.player.split()[1]}"
        assert match.opponent == first.short_name
        assert rating.elo < 0.0


def test_a_damaged_rung_is_no_opponent_and_never_champion_again(tmp_path: Path) -> None:
    with init_run(tmp_path / "run", tiny_settings(**{"arena.rollback": True})) as run:
        first = run.champion_checkpoint()
        second = run.iteration_dir(1, create=True) / "candidate.safetensors"
        second.write_bytes(first.read_bytes() + b"another one")
        promoted = run.promote(1, second)
        content = bytearray(first.read_bytes())
        content[-1] ^= 0x40  # the exponent of a weight
        first.write_bytes(content)
        status = LiveStatus()
        context = Context(run, run.settings(), status, PlainView(status, Console(quiet=True)))
        ladder_stage(context, 1)
        context.close()
        assert run.champion() == promoted
        assert run.database.ratings(LADDER_MATCH_KIND) == ()
        (told,) = [event.message for event in run.database.events() if event.kind == "ladder"]
        assert "iter_0000" in told
        assert "SHA-256" in told
