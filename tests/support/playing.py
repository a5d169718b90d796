"""Networks with random weights as checkpoints for play, and positions with known ends."""

from pathlib import Path

from small_nets import SMALL_NETS, lively_net
from torch import nn

from milton.nets import Provenance
from milton.nets.checkpoint import save_checkpoint
from milton.nets.registry import build_net

MATES_IN_1 = {
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1": "a1a8",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4": "h5f7",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2": "d8h4",
    "6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1": "g5f7",
}
MATES_IN_2 = {
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1": "a1a6",  # Morphy; a quiet move into zugzwang
    "5r1k/6pp/7N/3Q4/8/8/8/6K1 w - - 0 1": "d5g8",
    "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1": "d5f6",
}
CHECKMATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


def write_playable(path: Path, name: str) -> Path:
    """A small network of `small_nets` with strong and senseless opinions, written for play."""
    return _write(path, name, lively_net(SMALL_NETS[name]))


def write_untrained(path: Path, name: str) -> Path:
    """The same with the random weights that learning starts from."""
    return _write(path, name, build_net(SMALL_NETS[name], seed=3))


def _write(path: Path, name: str, net: nn.Module) -> Path:
    save_checkpoint(path, SMALL_NETS[name], net.state_dict(), Provenance(run="test"), for_play=True)
    return path
