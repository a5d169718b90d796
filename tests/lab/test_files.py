"""Files that are damaged, forged or somebody else's are refused by name, and nothing half-made is left."""

from pathlib import Path

import numpy as np
import pytest
from small_methods import SMALL_METHODS, trained
from small_nets import SMALL_NETS, write_net

from milton.errors import CheckpointError
from milton.lab import Session, load_method, method_class
from milton.lab.files import FORMAT, LabFile, read_lab_file, write_lab_file
from milton.nets.safetensors_file import SafetensorsReader, write_file


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A trained file of each small method."""
    folder = tmp_path_factory.mktemp("lab")
    found = {name: folder / f"{name}.lab" for name in SMALL_METHODS}
    for name, path in found.items():
        trained(name, path)
    return found


@pytest.mark.parametrize("name", list(SMALL_METHODS))
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.99])
def test_a_truncated_file_is_refused(files: dict[str, Path], tmp_path: Path, name: str, share: float) -> None:
    content = files[name].read_bytes()
    damaged = tmp_path / "damaged.lab"
    damaged.write_bytes(content[: int(share * len(content))])
    with pytest.raises(CheckpointError, match=r"damaged\.lab"):
        load_method(damaged)


def test_a_file_of_another_method_is_refused_by_its_name(files: dict[str, Path]) -> None:
    with pytest.raises(CheckpointError, match="expected metadata method = 'evolution', got 'q-learning'"):
        method_class("evolution").load(files["q-learning"])


def test_a_checkpoint_is_not_a_file_of_the_lab(tmp_path: Path) -> None:
    network = write_net(tmp_path / "net.safetensors", SMALL_NETS["sparse-chess"])
    with pytest.raises(CheckpointError, match="expected a file of `milton lab train`"):
        load_method(network)


def change_metadata(source: Path, target: Path, **changes: str) -> Path:
    with SafetensorsReader(source) as reader:
        tensors, _ = reader.read_arrays()
        write_file(target, tensors, reader.header.metadata | changes)
    return target


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"version": "2"}, "version = '1', got '2'"),
        ({"method": "oracle"}, "made by 'oracle'"),
        ({"game": "go"}, "game to be one of"),
        ({"settings": '{"alpha": 7}'}, "alpha"),
        ({"settings": '{"spy": 1}'}, "spy"),
        ({"settings": "[1"}, "settings|JSON|delimiter"),
        ({"settings": "[" * 100_000}, "recursion"),
        ({"record": '{"seconds": NaN}'}, "record"),
        ({"record": '{"steps": -1}'}, "record.steps"),
        ({"format": "pickle"}, "another kind"),
    ],
)
def test_forged_metadata_is_refused(
    files: dict[str, Path], tmp_path: Path, changes: dict[str, str], problem: str
) -> None:
    forged = change_metadata(files["q-learning"], tmp_path / "forged.lab", **changes)
    with pytest.raises(CheckpointError, match=problem) as refused:
        load_method(forged)
    assert "forged.lab" in str(refused.value)


@pytest.mark.parametrize(
    ("name", "tensors", "problem"),
    [
        ("q-learning", {}, "'num_moves', which is missing"),
        ("q-learning", {"num_moves": np.array([3])}, "not a table"),
        ("q-learning", {"num_moves": np.array([-1, 2])}, "not a table"),
        ("q-learning", {"values": np.zeros(1, np.float32)}, "float64"),
        ("q-learning", {"states": np.array([200, 201], np.uint8)}, "ASCII"),
        ("q-learning", {"values": np.array([np.nan])}, "finite"),
        ("evolution", {"population": np.zeros((3, 8))}, r"float64\[4, 8\], got float64\[3, 8\]"),
        ("reinforce", {"model/layer1.weight": np.zeros((2, 2), np.float32)}, "layer1.weight"),
        ("reinforce", {"optimiser/exp_avg/value.bias": np.zeros(9, np.float32)}, "optimiser"),
        ("reinforce", {"optimiser/exp_avg/nobody": np.zeros(1, np.float32)}, "'nobody' fit no parameter"),
    ],
)
def test_forged_tensors_are_refused(
    files: dict[str, Path],
    tmp_path: Path,
    name: str,
    tensors: dict[str, np.ndarray],
    problem: str,
) -> None:
    content = read_lab_file(files[name])
    forged = {} if not tensors else content.tensors | tensors
    target = tmp_path / "forged.lab"
    metadata = {
        "format": FORMAT,
        "version": "1",
        "method": content.method,
        "game": content.game,
        "settings": content.settings,
        "record": content.record.model_dump_json(),
    }
    write_file(target, forged, metadata)
    with pytest.raises(CheckpointError, match=problem):
        load_method(target)


def test_a_missing_moment_is_refused_and_not_met_in_training(files: dict[str, Path], tmp_path: Path) -> None:
    content = read_lab_file(files["reinforce"])
    tensors = {name: array for name, array in content.tensors.items() if "exp_avg_sq/value" not in name}
    target = tmp_path / "forged.lab"
    write_lab_file(target, LabFile(content.method, content.game, content.settings, content.record, tensors))
    with pytest.raises(CheckpointError, match="fit no parameter"):
        load_method(target)


def test_without_stockfish_one_line_says_how_to_get_it_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from milton.errors import EngineError
    from milton.rating import catalog

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(catalog, "_EXTRA_FOLDERS", ())
    method = method_class("cloning")()
    with pytest.raises(EngineError, match="apt-get install stockfish"):
        method.train(Session(tmp_path / "out" / "m.lab", minutes=1.0))
    assert list(tmp_path.iterdir()) == []
