"""Which network plays, changing it between moves, and dense networks."""

from pathlib import Path

import pytest
from patience import PATIENCE_S
from playing import MATES_IN_1, write_playable, write_untrained
from small_nets import SMALL_NETS, write_net

from milton.config import Settings
from milton.errors import ArgumentError, CheckpointError
from milton.games import Position
from milton.play import ChampionFollower, Engine, Limits, Network, find_checkpoint, find_network
from milton.play import network as network_module
from milton.rundir import RunDir

START = Position.start("chess")
DENSE = ("tower-chess", "tower-chess-wdl", "attack-chess", "mlp-chess")


@pytest.fixture
def run(tmp_path, chess_net):
    with RunDir.create(tmp_path / "run", Settings()) as run:
        checkpoint = run.iteration_dir(1, create=True) / "candidate.safetensors"
        checkpoint.write_bytes(chess_net.read_bytes())
        run.promote(1, checkpoint)
        yield run


def test_a_named_file_comes_before_the_run_and_the_run_before_what_was_shipped(
    run, chess_net, tmp_path, monkeypatch
):
    shipped = tmp_path / "champions"
    shipped.mkdir()
    monkeypatch.setattr(network_module, "SHIPPED_CHAMPIONS", shipped)
    assert find_checkpoint("chess") is None
    assert find_network("chess").name == "uniform"
    (shipped / "chess.safetensors").write_bytes(chess_net.read_bytes())
    assert find_checkpoint("chess") == shipped / "chess.safetensors"
    assert find_checkpoint("chess", run=run.path) == run.candidate_path(1)
    assert find_checkpoint("chess", chess_net, run.path) == chess_net


def test_what_was_shipped_beside_the_champion_is_found_by_its_short_name(chess_net, tmp_path, monkeypatch):
    monkeypatch.setattr(network_module, "SHIPPED_CHAMPIONS", tmp_path)
    (tmp_path / "chess-taught.safetensors").write_bytes(chess_net.read_bytes())
    assert find_checkpoint("chess", Path("taught")) == tmp_path / "chess-taught.safetensors"
    assert find_checkpoint("santorini", Path("taught")) == Path("taught")
    monkeypatch.chdir(tmp_path)
    Path("taught").write_bytes(b"a file of one's own comes first")
    assert find_checkpoint("chess", Path("taught")) == Path("taught")


def test_a_network_for_another_game_is_refused(chess_net, engine):
    with pytest.raises(CheckpointError, match="santorini"):
        Network.load(chess_net, "santorini")
    with pytest.raises(ArgumentError, match="santorini"):
        engine.swap(Network.uniform("santorini"))


def test_a_new_champion_takes_over_between_moves(run, tmp_path):
    follower = ChampionFollower(run.path)
    first = follower.new_champion("chess")
    assert first is not None
    engine = Engine(first, memory_mb=16)
    before = engine.choose(START, Limits(nodes=200))
    assert not follower.update(engine)

    stronger = write_net(
        run.iteration_dir(2, create=True) / "candidate.safetensors", SMALL_NETS["sparse-chess"]
    )
    assert stronger.read_bytes() != run.candidate_path(1).read_bytes()
    run.promote(2, stronger)
    assert follower.update(engine)
    assert engine.network.sha256 != first.sha256
    after = engine.choose(START.play(before.move), Limits(nodes=200))
    assert after.num_nodes == after.analysis.visits  # nothing of the old network's opinion is left


def test_engines_share_a_network(chess_net):
    network = Network.load(chess_net)
    choices = [Engine(network, memory_mb=8).choose(START, Limits(nodes=300)) for _ in range(2)]
    assert choices[0].candidates == choices[1].candidates


@pytest.mark.parametrize("name", DENSE)
def test_dense_networks_search_in_batches(name, tmp_path):
    network = Network.load(write_net(tmp_path / "net.safetensors", SMALL_NETS[name]), device="cpu")
    engine = Engine(network, memory_mb=16)
    choice = engine.choose(START, Limits(nodes=100), num_lines=2)
    assert choice.num_nodes == 100
    START.play_all(choice.pv)
    only = engine.choose(START, Limits(nodes=40, searchmoves=("a2a3", "b2b3")))
    assert sorted(entry.move for entry in only.candidates) == ["a2a3", "b2b3"]


@pytest.mark.parametrize("name", DENSE)
def test_dense_networks_prove_mates(name, tmp_path):
    engine = Engine(Network.load(write_untrained(tmp_path / "net.safetensors", name)), memory_mb=16)
    fen, move = next(iter(MATES_IN_1.items()))
    mate = engine.choose(Position.from_fen(fen), Limits(nodes=3_000))
    assert (mate.move, mate.mate_in) == (move, 1)


def test_a_dense_search_is_stopped_and_goes_on_with_its_tree(tmp_path):
    network = Network.load(write_net(tmp_path / "net.safetensors", SMALL_NETS["tower-chess"]), device="cpu")
    engine = Engine(network, memory_mb=16)
    running = engine.start(START, Limits(infinite=True))
    running.stop()
    assert running.result(PATIENCE_S).move in START.legal_moves()
    first = engine.choose(START, Limits(nodes=64))
    assert engine.choose(START, Limits(nodes=64)).analysis.visits >= first.analysis.visits + 64


def test_other_games_load_their_networks(tmp_path):
    for name in ("sparse-santorini", "sparse-connect-four"):
        path = write_playable(tmp_path / f"{name}.safetensors", name)
        engine = Engine.open(path, SMALL_NETS[name].game, memory_mb=8)
        assert engine.choose(Position.start(engine.game), Limits(nodes=50)).move
