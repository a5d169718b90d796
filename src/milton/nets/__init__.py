"""Network families in PyTorch, their checkpoint files and ONNX export. Knows no search and no training.

Importing this package does not import torch: reading a checkpoint into numpy arrays must stay cheap for
doors that never train. The modules that do need torch are `sparse`, `tower`, `attack`, `mlp`, `checkpoint`,
`training_state`, `export` and `verify`.
"""

from milton.nets.description import NetDescription, Provenance, all_teachers
from milton.nets.files import CheckpointArrays, CheckpointInfo, read_checkpoint_info, read_checkpoint_numpy
from milton.nets.sizes import FAMILY_NAMES, AttackSizes, MlpSizes, NetSizes, SparseSizes, TowerSizes

__all__ = [
    "FAMILY_NAMES",
    "AttackSizes",
    "CheckpointArrays",
    "CheckpointInfo",
    "MlpSizes",
    "NetDescription",
    "NetSizes",
    "Provenance",
    "SparseSizes",
    "TowerSizes",
    "all_teachers",
    "read_checkpoint_info",
    "read_checkpoint_numpy",
]
