"""A network as a small graph of labelled boxes, read from its own code by torch.fx. Knows no picture.

Operations without a label here (reshaping, casts, padding masks) are left out: what follows them is joined to
their first input. An activation is written into the box of its input.
"""

import operator
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import fx, nn

from milton.nets.attack import ConvBlock, FlatSqueezeExcite, InputBlock
from milton.nets.tower import DensePolicy, PlanesPolicy, ResidualBlock, SqueezeExcite, ValueHead

# Drawn as one box in the picture of a whole network, and in a picture of their own below it.
BLOCKS = {
    ResidualBlock: "residual block",
    InputBlock: "block of type 1",
    ConvBlock: "block of type 2",
    PlanesPolicy: "policy head",
    DensePolicy: "policy head",
    ValueHead: "value head",
    SqueezeExcite: "squeeze-excite",
    FlatSqueezeExcite: "squeeze-excite",
}
ACTIVATIONS: dict[Any, str] = {
    torch.relu: "ReLU",
    torch.tanh: "tanh",
    torch.sigmoid: "sigmoid",
    "clamp": "clamped to 0 … 1",
    "square": "squared",
}
OPERATIONS: dict[Any, str] = {
    F.embedding_bag: "sum of the active rows",
    F.linear: "product with the rows",
    operator.add: "+",
    operator.mul: "×",
    "gather": "sum of each legal move's rows",
    "mean": "mean over the board",
}


@dataclass(slots=True)
class Box:
    lines: list[str]
    inputs: list["Box"] = field(default_factory=list)
    kind: str = "step"  # or input, output
    module: nn.Module | None = None  # of a block that has a picture of its own


class _Tracer(fx.Tracer):
    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        is_block = type(m) in BLOCKS and module_qualified_name != ""
        is_conv_unit = isinstance(m, nn.Sequential) and isinstance(m[0], nn.Conv2d)
        return is_block or is_conv_unit or super().is_leaf_module(m, module_qualified_name)


def graph_of(
    net: nn.Module, outputs: tuple[str, ...], inputs: dict[str, list[str]] | None = None
) -> list[Box]:
    """Boxes in the order of their computation; `inputs` says what an input holds, `outputs` names results."""
    traced = _Tracer().trace(net.train())
    boxes: list[Box] = []
    made: dict[fx.Node, list[Box]] = {}  # what stands for a node: its box, or the boxes it is made of
    for node in traced.nodes:
        if node.op == "output":
            results = node.args[0] if isinstance(node.args[0], tuple) else (node.args[0],)
            for name, result in zip(outputs, results, strict=True):
                boxes.append(Box([name], made[result], kind="output"))
            continue
        sources = [box for argument in node.all_input_nodes for box in made[argument]]
        sources = list({id(box): box for box in sources}.values())
        lines = _label(net, node, inputs or {})
        activation = ACTIVATIONS.get(node.target)
        if activation and len(sources) == 1 and sources[0].kind == "step":
            sources[0].lines.append(activation)
        elif lines:
            kind = "input" if node.op == "placeholder" else "step"
            made[node] = [Box(lines, sources, kind, _block(net, node))]
            boxes += made[node]
            continue
        made[node] = made[node.all_input_nodes[0]] if node.all_input_nodes else []
    return _without_repeats(boxes)


def _block(net: nn.Module, node: fx.Node) -> nn.Module | None:
    module = net.get_submodule(str(node.target)) if node.op == "call_module" else None
    return module if type(module) in BLOCKS else None


def _label(net: nn.Module, node: fx.Node, inputs: dict[str, list[str]]) -> list[str]:
    if node.op == "placeholder":
        name = str(node.target)
        return [name, *inputs.get(name, [])]
    if node.op == "call_module":
        return _module_label(str(node.target), net.get_submodule(str(node.target)))
    label = OPERATIONS.get(node.target)
    if label is None:
        return []
    weights = [argument for argument in node.all_input_nodes if argument.op == "get_attr"]
    if node.target is operator.add and weights:
        return [f"+ {weights[0].target}"]
    shapes = [_shape_of(net, str(weight.target)) for weight in weights if "weight" in str(weight.target)]
    is_part = any(_takes_first_columns(argument) for argument in node.all_input_nodes)
    return [label, *shapes, *(["of the first units"] if is_part else [])]


def _takes_first_columns(node: fx.Node) -> bool:
    """Whether a node is x[:, :n]."""
    index = node.args[1] if node.target is operator.getitem else None
    last = index[-1] if isinstance(index, tuple) else None
    return isinstance(last, slice) and last.stop is not None


def _shape_of(net: nn.Module, name: str) -> str:
    return f"{name} [{', '.join(f'{size:,}' for size in net.get_parameter(name).shape)}]"


def _module_label(name: str, module: nn.Module) -> list[str]:
    if type(module) in BLOCKS:
        return [BLOCKS[type(module)]]
    match module:
        case nn.Linear():
            return [f"{name}: linear {module.in_features:,} → {module.out_features:,}"]
        case nn.Conv2d():
            return [f"{name}: {_convolution(module)}"]
        case nn.Sequential():
            unit = module[0]
            assert isinstance(unit, nn.Conv2d)
            return [f"{name}: {_convolution(unit)}", "batch norm"]
        case nn.BatchNorm1d() | nn.BatchNorm2d():
            return ["batch norm"]
        case _:
            return []


def _convolution(layer: nn.Conv2d) -> str:
    size = layer.kernel_size[0]
    return f"convolution {size}×{size}, {layer.in_channels} → {layer.out_channels}"


def _without_repeats(boxes: list[Box]) -> list[Box]:
    """Blocks of one kind in a row become one box with their number."""
    kept: list[Box] = []
    replaced: dict[int, Box] = {}
    count: dict[int, int] = {}
    for box in boxes:
        box.inputs = [replaced.get(id(source), source) for source in box.inputs]
        before = box.inputs[0] if len(box.inputs) == 1 else None
        if before is not None and box.module is not None and type(before.module) is type(box.module):
            replaced[id(box)] = before
            count[id(before)] = count.get(id(before), 1) + 1
            before.lines[0] = f"{count[id(before)]} × {BLOCKS[type(box.module)]}"
            continue
        kept.append(box)
    return kept
