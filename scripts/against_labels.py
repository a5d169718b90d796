"""Measures networks against labels of another engine: how often they prefer its move, how far values are off.

A yardstick that needs no games and tells networks apart within seconds; nothing is trained. Labels come from
`milton teach --labels FILE`. Losses are those of training with the labels as targets.

Usage: python scripts/against_labels.py LABELS NET [NET ...]
"""

import argparse
from pathlib import Path

import numpy as np

from milton.config import Settings
from milton.replay import Window, WindowSize
from milton.training import learner_from_checkpoint


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", type=Path)
    parser.add_argument("networks", nargs="+", type=Path)
    parser.add_argument("--positions", type=int, default=60_000, help="how many of the first labels count")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    window = Window(WindowSize(positions=2**62), holdout_fraction=0.0)
    window.update([(1, options.labels)])
    columns = window.columns()
    indices = np.arange(min(options.positions, columns.num_positions))
    print(f"{len(indices):,} labels of {options.labels}")
    for path in options.networks:
        losses = learner_from_checkpoint(path, Settings.profile("chess-cpu"), threads=1).measure(
            columns, indices, 1.0
        )
        print(
            f"{path}: the teacher's move {losses.policy_agreement:.1%}, policy {losses.policy_loss:.3f}, "
            f"value {losses.value_loss:.3f}, squared value error {losses.value_error:.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
