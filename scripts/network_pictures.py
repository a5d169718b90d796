"""Draws every network family as SVG, from the code of its networks. Knows nothing about training or play.

`python scripts/network_pictures.py` writes docs/images/network-FAMILY.svg; a test compares them.
"""

import sys
from html import escape
from pathlib import Path

from network_graph import BLOCKS, Box, graph_of

from milton.nets import NetDescription
from milton.nets.presets import preset
from milton.nets.registry import build_net
from milton.nets.signature import signature_of
from milton.nets.sizes import SparseSizes

IMAGES = Path(__file__).parents[1] / "docs/images"
LINE, PAD, GAP_X, GAP_Y, CHARACTER = 17, 8, 24, 26, 7.2  # pixels
LONGEST_LINE = 820
STYLE = """text { font: 13px system-ui, sans-serif; text-anchor: middle }
.title { font-size: 16px; font-weight: 600 } .part { font-weight: 600 } .title, .part { text-anchor: start }
rect { rx: 6; stroke-width: 1.2 } path { fill: none; stroke-width: 1.3 }
.ground { fill: #ffffff; stroke: none } text { fill: #1f2328 }
path { stroke: #59636e } .arrow { fill: #59636e; stroke: none }
.step { fill: #f6f8fa; stroke: #8c959f } .input { fill: #ddf0e8; stroke: #008060 }
.output { fill: #dceefb; stroke: #0072b2 }
@media (prefers-color-scheme: dark) { .ground { fill: #0d1117 } text { fill: #e6edf3 }
path { stroke: #9198a1 } .arrow { fill: #9198a1 }
.step { fill: #161b22; stroke: #6e7681 } .input { fill: #12382c; stroke: #3fd0a4 }
.output { fill: #10304a; stroke: #56b4e9 } }"""


def pictured() -> dict[str, tuple[str, NetDescription]]:
    """Of each family the network that stands for it in the picture."""
    relations = NetDescription("sparse", "chess", "sparse-relations", SparseSizes(hidden=512))
    return {
        "sparse": ("sparse: chess, sparse-relations, 512 hidden units", relations),
        "tower": ("tower: the reference chess network", preset("chess-tower")),
        "attack": ("attack: the attack-map network of chess", preset("chess-attack")),
        "mlp": ("mlp: chess", preset("chess-mlp")),
    }


def picture_of(title: str, description: NetDescription) -> str:
    net = build_net(description, seed=0)
    boxes = graph_of(net, signature_of(description).outputs, _inputs(description))
    parts = [("", boxes)]
    for parent, drawn in parts:  # grows while blocks hold blocks
        for box in drawn:
            if box.module is None:
                continue
            name = BLOCKS[type(box.module)] + (f" of a {parent}" if parent else "")
            if all(name != known for known, _ in parts):
                parts.append((name, graph_of(box.module, ("out",))))
    return _svg(f"{title} ({sum(p.numel() for p in net.parameters()):,} parameters)", parts)


def _inputs(description: NetDescription) -> dict[str, list[str]]:
    spec = description.spec
    if not description.is_sparse:
        return {"planes": [" × ".join(map(str, description.plane_shape()))]}
    view = spec.sparse_encoder(description.encoder)
    return {
        "features": [f"at most {view.max_active} of {view.num_features:,}"],
        "parts": [f"2 of {spec.num_policy_parts:,}", "for each legal move"],
        "contexts": [f"{spec.contexts_per_move} of {view.num_contexts:,}", "for each legal move"],
    }


def _svg(title: str, parts: list[tuple[str, list[Box]]]) -> str:
    """The network, and beside and below it its blocks."""
    body = [f'<text class="title" x="{GAP_X}" y="28">{escape(title)}</text>']
    x, y, right, bottom = float(GAP_X), 40.0, len(title) * CHARACTER * 1.3 + GAP_X, 0.0
    for name, boxes in parts:
        elements, width, height = _drawing(boxes)
        width = max(width, len(name) * CHARACTER)
        if x + width > LONGEST_LINE and x > GAP_X:
            x, y = float(GAP_X), bottom
        body.append(f'<text class="part" x="{x:.0f}" y="{y + 18:.0f}">{escape(name)}</text>')
        body.append(f'<g transform="translate({x:.0f} {y + 30:.0f})">{elements}</g>')
        x += width + 2 * GAP_X
        right, bottom = max(right, x), max(bottom, y + 30 + height + GAP_Y)
    size = f'width="{right:.0f}" height="{bottom:.0f}"'
    box = f'viewBox="0 0 {right:.0f} {bottom:.0f}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} {size} role="img">',
            f"<title>{escape(title)}</title><style>\n{STYLE}\n</style>",
            f'<rect class="ground" {size}/>',
            *body,
            "</svg>\n",
        ]
    )


def _drawing(boxes: list[Box]) -> tuple[str, float, float]:
    """Elements, width and height."""
    row = _rows_of(boxes)
    rows = [[box for box in boxes if row[id(box)] == number] for number in range(max(row.values()) + 1)]
    centre, top, width, height = _places(rows)
    edges: list[str] = []
    for box in boxes:
        for source in box.inputs:
            x1, y1 = centre[id(source)], top[id(source)] + _height(source)
            x2, y2 = centre[id(box)], top[id(box)]
            if row[id(box)] == row[id(source)] + 1 or not _blocked(rows, row, centre, source, box):
                middle = (y1 + y2) / 2
                curve = f"C{x1:.0f},{middle:.0f} {x2:.0f},{middle:.0f} {x2:.0f},{y2 - 6:.0f}"
            else:  # past other boxes, outside them
                width += 16
                x1, x2 = x1 + _width(source) / 4, x2 + _width(box) / 4
                down = f"C{x1:.0f},{y1 + 18:.0f} {width:.0f},{y1:.0f} {width:.0f},{y1 + 34:.0f}"
                back = f"C{width:.0f},{y2:.0f} {x2:.0f},{y2 - 22:.0f} {x2:.0f},{y2 - 6:.0f}"
                curve = f"{down} L{width:.0f},{y2 - 34:.0f} {back}"
            edges.append(f'<path d="M{x1:.0f},{y1:.0f} {curve}"/>')
            edges.append(f'<path class="arrow" d="M{x2 - 4:.0f},{y2 - 7:.0f} h8 l-4,7 z"/>')
    drawn = [_box(box, centre[id(box)], top[id(box)]) for box in boxes]
    return "\n".join([*edges, *drawn]), width + 4, height


def _rows_of(boxes: list[Box]) -> dict[int, int]:
    """A box stands right below the lowest of its inputs, an input right above its first use."""
    row: dict[int, int] = {}
    for box in boxes:
        row[id(box)] = max((row[id(source)] + 1 for source in box.inputs), default=0)
    for box in boxes:
        uses = [row[id(other)] for other in boxes if any(source is box for source in other.inputs)]
        if box.kind == "input" and uses:
            row[id(box)] = min(uses) - 1
    return row


def _places(rows: list[list[Box]]) -> tuple[dict[int, float], dict[int, float], float, float]:
    """Centre and top of every box; rows are centred, boxes of a row in the order of their inputs."""
    widths = [sum(map(_width, row)) + GAP_X * (len(row) - 1) for row in rows]
    width = max(widths)
    centre: dict[int, float] = {}
    top: dict[int, float] = {}
    y = 0.0
    for row, row_width in zip(rows, widths, strict=True):
        x = (width - row_width) / 2
        for box in sorted(row, key=lambda box: _mean([centre[id(source)] for source in box.inputs])):
            centre[id(box)], top[id(box)] = x + _width(box) / 2, y
            x += _width(box) + GAP_X
        y += max(map(_height, row)) + GAP_Y
    return centre, top, width, y - GAP_Y


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else float("inf")


def _blocked(
    rows: list[list[Box]], row: dict[int, int], centre: dict[int, float], source: Box, target: Box
) -> bool:
    """Whether a box stands between the two."""
    low, high = sorted((centre[id(source)], centre[id(target)]))
    between = [box for boxes in rows[row[id(source)] + 1 : row[id(target)]] for box in boxes]
    return any(
        low - _width(box) / 2 - PAD < centre[id(box)] < high + _width(box) / 2 + PAD for box in between
    )


def _width(box: Box) -> float:
    return max(len(line) for line in box.lines) * CHARACTER + 2 * PAD


def _height(box: Box) -> float:
    return len(box.lines) * LINE + PAD


def _box(box: Box, centre: float, top: float) -> str:
    width = _width(box)
    lines = [
        f'<text x="{centre:.0f}" y="{top + PAD / 2 + LINE * (number + 0.78):.0f}">{escape(line)}</text>'
        for number, line in enumerate(box.lines)
    ]
    rectangle = (
        f'<rect class="{box.kind}" x="{centre - width / 2:.0f}" y="{top:.0f}" '
        f'width="{width:.0f}" height="{_height(box):.0f}"/>'
    )
    return "\n".join([rectangle, *lines])


def main(folder: Path = IMAGES) -> None:
    for family, (title, description) in pictured().items():
        (folder / f"network-{family}.svg").write_text(picture_of(title, description))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
