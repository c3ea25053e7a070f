"""The bundled model's graph as it is run: without guards against padding, and most of its products in whole numbers.

The file stores its weights as int8 and turns them to floats before each product.  Here the words of a text are rounded
to 8 bits too, so that the processor multiplies bytes: some 1.5 times as fast, with vectors whose cosine to the file's
own is 0.996 to 0.999 (dynamic quantisation, ONNX operators DynamicQuantizeLinear and MatMulInteger).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import GraphProto, NodeProto

# Here a few numbers are far larger than all others, and rounding to their scale would cost most of the precision.
_IN_FLOATS = re.compile(r"layer\.\d+\.(attention\.self\.value|output\.dense)\.bias$")
_FLOAT = 1


def runnable(model: bytes) -> bytes:
    """Return the model to run on one text at a time.

    Args:
        model: The bundled ONNX file.
    """
    import onnx

    read = onnx.load_from_string(model)
    for nodes in (_without_masks(read.graph), _in_whole_numbers(read.graph)):
        kept = list(nodes)
        del read.graph.node[:]
        read.graph.node.extend(kept)
    return bytes(read.SerializeToString())


def _without_masks(graph: GraphProto) -> Iterable[NodeProto]:
    """Yield the nodes without what hides padding, since a text alone has none: the results are the same bit for bit."""
    made_by = _makers(graph)
    stands_for: dict[str, str] = {}
    for node in graph.node:
        if node.op_type == "Softmax":
            mask = made_by[node.input[0]]
            stands_for[mask.output[0]] = mask.input[0]
        elif node.op_type == "Where" and made_by[node.input[0]].op_type == "IsNaN":
            stands_for[node.output[0]] = node.input[2]
    for node in graph.node:
        if node.output[0] not in stands_for and node.op_type != "IsNaN":
            node.input[:] = [stands_for.get(name, name) for name in node.input]
            yield node


def _in_whole_numbers(graph: GraphProto) -> Iterable[NodeProto]:
    """Yield the nodes with products by int8 weights taken between whole numbers; what is rounded is rounded once."""
    from onnx.helper import make_node

    weights = _stored_weights(graph)
    rounded: set[str] = set()
    for node in graph.node:
        product = node.output[0]
        if product not in weights:
            yield node
            continue
        whole, scale = weights[product]
        given = node.input[0]
        parts = [f"{given}_{part}" for part in ("bytes", "scale", "zero")]
        if given not in rounded:
            rounded.add(given)
            yield make_node("DynamicQuantizeLinear", [given], parts)
        yield make_node("MatMulInteger", [parts[0], whole, parts[2]], [f"{product}_whole"])
        yield make_node("Cast", [f"{product}_whole"], [f"{product}_float"], to=_FLOAT)
        yield make_node("Mul", [parts[1], scale], [f"{product}_scale"])
        yield make_node("Mul", [f"{product}_float", f"{product}_scale"], [product])


def _stored_weights(graph: GraphProto) -> dict[str, tuple[str, str]]:
    """Return the int8 weights and their scale by the product that they may be used in as they are stored."""
    made_by = _makers(graph)
    added_to = {node.input[0]: node.input[1] for node in graph.node if node.op_type == "Add"}
    stored: dict[str, tuple[str, str]] = {}
    for node in graph.node:
        if node.op_type != "MatMul" or _IN_FLOATS.search(added_to.get(node.output[0], "")):
            continue
        scaled = made_by.get(node.input[1])
        cast = made_by.get(scaled.input[0]) if scaled is not None and scaled.op_type == "Mul" else None
        if scaled is not None and cast is not None and cast.op_type == "Cast":
            stored[node.output[0]] = cast.input[0], scaled.input[1]
    return stored


def _makers(graph: GraphProto) -> dict[str, NodeProto]:
    return {name: node for node in graph.node for name in node.output}
