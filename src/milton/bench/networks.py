"""Networks to measure with: fixed pseudo-random weights, the same on every machine. Torch-free."""

import numpy as np

from milton._core import SparseNet
from milton.games import GameSpec, core_game
from milton.nets.from_settings import default_encoder
from milton.nets.sizes import SparseSizes
from milton.nets.sparse_grid import snap_to_grid, sparse_shapes

SEED = 7


def fixed_sparse_net(game: str, hidden: int, encoder: str | None = None) -> SparseNet:
    """A network with opinions (a uniform policy would make trees unlike those of play).

    `encoder` defaults to the one that reads the least.
    """
    spec = GameSpec.of(game)
    random = np.random.default_rng(SEED)
    encoder = encoder or default_encoder("sparse", game)
    shapes = sparse_shapes(spec, encoder, SparseSizes(hidden=hidden))
    spread = {"policy.weight": 0.2, "value2.weight": 0.3}
    tensors = {
        name: (random.standard_normal(shape) * spread.get(name, 0.08)).astype(np.float32)
        for name, shape in shapes.items()
    }
    snapped = snap_to_grid(tensors, spec.sparse_encoder(encoder).groups)
    arrays = {name.replace(".", "_"): np.ascontiguousarray(array) for name, array in snapped.items()}
    return core_game(game).sparse_net(**arrays)
