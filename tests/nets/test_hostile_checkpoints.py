"""Files that are damaged or meant to harm: each is refused with a CheckpointError that says what is wrong."""

import json
import pickle
import struct
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_nets import SMALL_NETS, write_net

from milton.errors import CheckpointError
from milton.nets import read_checkpoint_info
from milton.nets.checkpoint import load_checkpoint
from milton.nets.safetensors_file import MAX_FILE_BYTES, MAX_HEADER_BYTES

Header = dict[str, Any]
DESCRIPTION = SMALL_NETS["sparse-connect-four"]


@pytest.fixture
def path(net_path: Path) -> Path:
    return write_net(net_path, DESCRIPTION)


def split(path: Path) -> tuple[Header, bytes]:
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def join(path: Path, header: Header | str, data: bytes) -> None:
    text = header if isinstance(header, str) else json.dumps(header)
    path.write_bytes(struct.pack("<Q", len(text.encode())) + text.encode() + data)


def refused(path: Path, match: str) -> None:
    with pytest.raises(CheckpointError, match=match) as caught:
        load_checkpoint(path)
    assert str(path) in str(caught.value)


def test_every_truncation_is_refused(path: Path) -> None:
    content = path.read_bytes()
    (header_bytes,) = struct.unpack("<Q", content[:8])
    lengths = [*range(64), *range(64, 8 + header_bytes, 37), *range(8 + header_bytes - 2, len(content), 997)]
    for length in [*lengths, len(content) - 1]:
        path.write_bytes(content[:length])
        refused(path, "expected|not a safetensors file")


def test_trailing_bytes_are_refused(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")
    refused(path, "bytes of tensors")


@pytest.mark.parametrize("length", [0, 1, MAX_HEADER_BYTES + 1, 1 << 40, (1 << 64) - 1])
def test_an_impossible_header_length_is_refused(path: Path, length: int) -> None:
    content = path.read_bytes()
    path.write_bytes(struct.pack("<Q", length) + content[8:] + bytes(2 * MAX_HEADER_BYTES))
    refused(path, "expected a header of")


def test_a_huge_file_is_refused_without_reading_it(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(MAX_FILE_BYTES + 1)  # sparse: takes no room on the disk
    refused(path, f"to {MAX_FILE_BYTES} bytes")


def test_nothing_is_allocated_for_a_large_file_of_other_sizes(path: Path) -> None:
    header, _ = split(path)
    num_bytes = 512 << 20
    header["features.weight"] = {"dtype": "U8", "shape": [num_bytes], "data_offsets": [0, num_bytes]}
    join(path, {key: header[key] for key in ("__metadata__", "features.weight")}, b"")
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size + num_bytes)
    tracemalloc.start()
    refused(path, r"tensor 'features.weight': expected F32\[420, 32\], got U8")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 << 20


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a" + bytes(200),
        pickle.dumps({"features.weight": [1.0] * 100}),
        b"PK\x03\x04" + bytes(400),
        bytes(4096),
        b"\xff" * 4096,
        b"not a network\n" * 50,
    ],
)
def test_files_of_other_formats_are_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refused(path, "expected|not a safetensors file")


def test_no_pickle_is_ever_run(path: Path, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"

    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (trap,)

    path.write_bytes(pickle.dumps(Trap()))
    refused(path, "not a safetensors file")
    assert not trap.exists()


@pytest.mark.parametrize(
    "text",
    ["[]", "nul", '{"a":', '{"a": 1, "a": 2}', "[" * 100_000, '{"n": ' + "9" * 10_000 + "}", '"\udcff"'],
    ids=["list", "word", "cut", "twice", "deep", "long number", "surrogate"],
)
def test_a_header_that_is_no_sound_json_object_is_refused(path: Path, text: str) -> None:
    content = text.encode(errors="surrogateescape")
    path.write_bytes(struct.pack("<Q", len(content)) + content + bytes(64))
    refused(path, "header|expected dtype")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data_offsets": [0, 4]}, "expected 128 bytes for F32"),
        ({"data_offsets": [-64, 0]}, "two rising data_offsets"),
        ({"data_offsets": [128, 64]}, "two rising data_offsets"),
        ({"data_offsets": [1 << 62, (1 << 62) + 64]}, "two rising data_offsets"),
        ({"data_offsets": "0"}, "two rising data_offsets"),
        ({"shape": [1 << 40, 1 << 40]}, "expected a shape"),
        ({"shape": [-4, -4]}, "expected a shape"),
        ({"shape": [16.0]}, "expected a shape"),
        ({"shape": [True] * 4}, "expected a shape"),
        ({"shape": [1] * 9}, "expected a shape"),
        ({"shape": [4, 8]}, r"expected F32\[32\], got F32\[4, 8\]"),
        ({"dtype": "I64", "shape": [16]}, r"expected F32\[32\], got I64\[16\]"),
        ({"dtype": "F16", "shape": [32]}, "expected a dtype of"),
        ({"dtype": ["F32"]}, "expected a dtype of"),
        ({"extra": 1}, "expected dtype, shape and data_offsets"),
    ],
)
def test_a_false_tensor_entry_is_refused_by_name(path: Path, change: Header, message: str) -> None:
    header, data = split(path)
    header["features.bias"].update(change)
    join(path, header, data)
    refused(path, f"tensor 'features.bias': .*{message}")


def test_overlapping_tensors_are_refused_by_name(path: Path) -> None:
    header, data = split(path)
    header["value2.bias"]["data_offsets"] = [0, 12]
    join(path, header, data)
    refused(path, r"tensor '\S+' overlaps the one before")


def test_a_gap_between_tensors_is_refused(path: Path) -> None:
    header, data = split(path)
    first = min((name for name in header if name != "__metadata__"), key=lambda n: header[n]["data_offsets"])
    begin, end = header[first]["data_offsets"]
    for name, entry in header.items():
        if name not in ("__metadata__", first):
            entry["data_offsets"] = [offset + 4 for offset in entry["data_offsets"]]
    join(path, header, data[begin:end] + bytes(4) + data[end:])
    refused(path, "leaves a gap")


def test_a_missing_or_additional_tensor_is_refused_by_name(path: Path) -> None:
    header, data = split(path)
    header["value3.bias"] = header.pop("value2.bias")
    join(path, header, data)
    refused(path, r"tensor 'value2.bias': expected F32\[3\], which is missing")
    header["value2.bias"] = {**header["value3.bias"], "data_offsets": [len(data), len(data) + 12]}
    join(path, header, data + bytes(12))
    refused(path, "tensor 'value3.bias' does not belong")


@pytest.mark.parametrize("poison", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused_by_tensor(path: Path, poison: float) -> None:
    header, data = split(path)
    begin = header["policy.weight"]["data_offsets"][0]
    join(path, header, data[:begin] + struct.pack("<f", poison) + data[begin + 4 :])
    refused(path, "tensor 'policy.weight': expected finite")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("milton_format", "2", "milton_format = '1', got '2'"),
        ("kind", "training_state", "kind = 'checkpoint'"),
        ("family", "transformer", "'transformer'"),
        ("family", "mlp", "'sparse'"),
        ("game", "chess", r"tensor 'features.weight': expected F32\[3084, 32\]"),
        ("game", "go", "'go'"),
        ("encoder", "planes3", "'planes3'"),
        ("sizes", '{"hidden": 64}', r"expected F32\[420, 64\], got F32\[420, 32\]"),
        ("sizes", '{"hidden": 1000000000}', "sizes.hidden"),
        ("sizes", '{"hidden": "32"}', "sizes.hidden"),
        ("sizes", '{"hidden": 32, "depth": 2}', "sizes.depth"),
        ("sizes", "__import__('os')", "metadata sizes"),
        ("provenance", '{"iteration": -1}', "provenance.iteration"),
        ("provenance", '{"elo": NaN}', "provenance"),
        ("provenance", "", "provenance"),
        ("on_grid", "perhaps", "on_grid"),
        ("storage", "int8", "storage = 'int16'"),
        ("storage", "int16", "on the grid"),
    ],
)
def test_metadata_that_does_not_fit_is_refused_by_key(path: Path, key: str, value: str, message: str) -> None:
    header, data = split(path)
    header["__metadata__"][key] = value
    join(path, header, data)
    refused(path, message)


def test_nothing_that_a_terminal_would_obey_is_read(path: Path) -> None:
    header, data = split(path)
    header["__metadata__"]["provenance"] = json.dumps({"run": "a\x1b]0;b\x07", "teacher": "c\u202ed"})
    join(path, header, data)
    found = read_checkpoint_info(path).provenance
    assert (found.run, found.teacher) == ("a?]0;b?", "c?d")


@pytest.mark.parametrize("key", ["milton_format", "kind", "family", "game", "encoder", "sizes", "provenance"])
def test_missing_metadata_is_refused_by_key(path: Path, key: str) -> None:
    header, data = split(path)
    del header["__metadata__"][key]
    join(path, header, data)
    refused(path, f"metadata '{key}', which is missing")


@pytest.mark.parametrize("metadata", [None, [], {"family": 1}, "sparse"])
def test_metadata_of_another_type_is_refused(path: Path, metadata: object) -> None:
    header, data = split(path)
    header["__metadata__"] = metadata
    join(path, header, data)
    refused(path, "metadata of strings")


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    refused(tmp_path, "regular file")
    refused(tmp_path / "absent.safetensors", "cannot be read")
    with pytest.raises(CheckpointError, match="cannot be read"):
        read_checkpoint_info(tmp_path / "a\0b")


def test_random_damage_to_the_header_never_gets_through_as_another_error(path: Path) -> None:
    content = path.read_bytes()
    (header_bytes,) = struct.unpack("<Q", content[:8])
    rng = np.random.default_rng(1)
    for _ in range(300):
        damaged = bytearray(content)
        for position in rng.integers(0, 8 + header_bytes, size=3):
            damaged[int(position)] = int(rng.integers(256))
        path.write_bytes(damaged)
        with suppress(CheckpointError):  # a damaged provenance may still be sound
            load_checkpoint(path)


@pytest.mark.parametrize("before", [" ", "\t", "\n", "\ufeff"])
def test_a_header_that_does_not_begin_with_a_brace_is_refused(path: Path, before: str) -> None:
    header, data = split(path)
    join(path, before + json.dumps(header), data)
    refused(path, r"begins with \{")
