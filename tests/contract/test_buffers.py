"""Buffers that do not fit are refused: never converted, never overrun."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from milton.errors import ArgumentError
from milton.games import CoreGame, GameSpec

N = 3
Call = Callable[..., None]


@pytest.fixture(
    params=[
        "encode_planes",
        "encode_features",
        "encode_contexts",
        "encode_legal",
        "moves_to_actions",
        "transform_packed",
    ]
)
def call(
    request: pytest.FixtureRequest, core: CoreGame, spec: GameSpec, packed: NDArray[np.uint8]
) -> tuple[Call, dict[str, NDArray[Any]]]:
    """A batch function of the core with arguments that it accepts."""
    encoder, shape = next(iter(spec.planes.items()))
    view = next(iter(spec.sparse_encoders.values()))
    rows = packed[:N].copy()
    arguments: dict[str, dict[str, NDArray[Any]]] = {
        "encode_planes": {"packed": rows, "out": np.zeros((N, *shape), np.float32)},
        "encode_features": {"packed": rows, "out": np.zeros((N, view.max_active), np.int32)},
        "encode_contexts": {
            "packed": rows,
            "out": np.zeros((N, spec.max_moves, spec.contexts_per_move), np.int32),
        },
        "encode_legal": {
            "packed": rows,
            "out_actions": np.zeros((N, spec.max_moves), np.int32),
            "out_parts": np.zeros((N, spec.max_moves, 2), np.int32),
        },
        "moves_to_actions": {
            "packed": rows,
            "moves": np.full((N, 2), 0xFFFF, np.uint16),
            "out": np.zeros((N, 2), np.int32),
        },
        "transform_packed": {"packed": rows, "symmetry": np.zeros(N, np.uint8), "out": np.zeros_like(rows)},
    }
    name = str(request.param)
    if name == "encode_contexts" and not spec.contexts_per_move:
        pytest.skip(f"moves of {spec.name} have no contexts")
    function: Call = getattr(core, name)
    if name in ("encode_planes", "encode_features"):
        named = encoder if name == "encode_planes" else view.name
        return lambda **buffers: function(named, **buffers), arguments[name]
    return function, arguments[name]


def test_fitting_buffers_are_accepted(call: tuple[Call, dict[str, NDArray[Any]]]) -> None:
    function, buffers = call
    function(**buffers)
    function(**{name: buffer[:0] for name, buffer in buffers.items()})


def test_other_dtypes_are_refused(call: tuple[Call, dict[str, NDArray[Any]]]) -> None:
    function, buffers = call
    for name, buffer in buffers.items():
        for dtype in (np.int64, np.float64, np.int8, np.bool_):
            with pytest.raises(TypeError):
                function(**{**buffers, name: buffer.astype(dtype)})


def test_other_shapes_are_refused_with_both_shapes(call: tuple[Call, dict[str, NDArray[Any]]]) -> None:
    function, buffers = call
    for name, buffer in buffers.items():
        for axis in range(buffer.ndim):
            longer = np.concatenate([buffer, buffer], axis=axis)
            with pytest.raises(ArgumentError, match=r"expected shape \(.*\), got \("):
                function(**{**buffers, name: longer})


def test_other_dimensions_are_refused(call: tuple[Call, dict[str, NDArray[Any]]]) -> None:
    function, buffers = call
    for name, buffer in buffers.items():
        for other in (buffer[None], buffer[0]):
            with pytest.raises(TypeError):
                function(**{**buffers, name: other})


def test_strided_buffers_are_refused(call: tuple[Call, dict[str, NDArray[Any]]]) -> None:
    function, buffers = call
    for name, buffer in buffers.items():
        strided = np.repeat(buffer, 2, axis=0)[::2]
        assert not strided.flags.c_contiguous
        with pytest.raises(TypeError):
            function(**{**buffers, name: strided})


def test_read_only_buffers_are_good_for_reading_only(call: tuple[Call, dict[str, NDArray[Any]]]) -> None:
    function, buffers = call
    for name, buffer in buffers.items():
        frozen = buffer.copy()
        frozen.flags.writeable = False
        if name.startswith("out"):
            with pytest.raises(TypeError):
                function(**{**buffers, name: frozen})
        else:
            function(**{**buffers, name: frozen})
