"""Linear maps of the encoder in whole numbers: the same results whichever library multiplies.

Weights are integers of seven bits with a scale for each output; inputs are rounded to eight bits, row by row (Dettmers
et al., arXiv:2208.07339, section 2.1). Every partial sum of such a product is a whole number below 2**24, which 32-bit
floats hold exactly: the order of the additions does not matter, and numpy finds the same sums as the integer
instructions that onnxruntime uses, where it is installed (`ragstone[fast]`) and can be kept from sending anything.
"""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.four_bits import MOST, unpacked
from ragstone.vendor_telemetry import disable_vendor_telemetry

_LOG = logging.getLogger("ragstone.judges")
MOST_INPUT, MOST_WEIGHT = 127, 64
"""The largest integers of inputs and weights.

With 64, the sum of two products fits the 16 bits in which processors without dot products of bytes add them up.
"""
_VERSION = re.compile(r"^__version__ = ['\"](\d+)\.(\d+)", re.MULTILINE)
_NEWEST_TRACED = (1, 32)
"""The newest onnxruntime whose connections and files were traced (`tests/judges/local/test_connections.py`)."""
_EXACT = 2**24 // (MOST_INPUT * MOST_WEIGHT)
"""Inputs whose products a 32-bit float adds up exactly."""

Vectors = NDArray[np.float32]
Product = Callable[[Vectors], Vectors]
"""Multiplies rows of whole numbers from -127 to 127, shape (rows, inputs), by fixed weights: (rows, outputs)."""


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """Rows times weights plus an offset.

    Attributes:
        product: multiplies by the integers of the weights.
        scales: of each output, shape (outputs,).
        bias: of each output, shape (outputs,).
    """

    product: Product
    scales: Vectors
    bias: Vectors

    def __call__(self, rows: Vectors) -> Vectors:
        """Return the outputs for rows of inputs, shape (rows, outputs)."""
        largest = np.maximum(rows.max(axis=1, keepdims=True), -rows.min(axis=1, keepdims=True))
        steps = np.maximum(largest, np.float32(1e-9)) / np.float32(MOST_INPUT)
        whole = rows / steps
        outputs = self.product(np.rint(whole, out=whole))
        outputs *= steps * self.scales
        outputs += self.bias
        return outputs


def linear(halves: NDArray[np.uint8], scales: NDArray[np.float16], bias: Vectors) -> Linear:
    """Return the map whose weights are kept in four bits, shapes (outputs, inputs / 2) and (outputs, groups)."""
    wide = scales.astype(np.float32)
    steps = np.maximum(wide.max(axis=1), np.float32(1e-9)) * np.float32(MOST / MOST_WEIGHT)
    whole = np.rint(unpacked(halves, wide / steps[:, None])).clip(-MOST_WEIGHT, MOST_WEIGHT)
    return Linear(product(np.ascontiguousarray(whole.astype(np.int8).T)), steps, bias)


def product(weights: NDArray[np.int8]) -> Product:
    """Return what multiplies by weights that are whole numbers from -64 to 64, shape (inputs, outputs)."""
    return by_bytes(weights) if accelerated() else by_floats(weights)


@cache
def accelerated() -> bool:
    """Whether the extra `fast` is installed, and sends nothing; why it is not used is said once."""
    spec = find_spec("onnxruntime")
    if spec is None or find_spec("onnx") is None:
        return False
    problem = telemetry_problem(Path(spec.origin or ""))
    if problem:
        _LOG.warning("The embedded judge computes without onnxruntime: %s.", problem)
    return not problem


def telemetry_problem(package: Path) -> str:
    """Return why onnxruntime may send events to its maker from this process; empty where it cannot.

    Args:
        package: its file `__init__.py`, which is read, not executed.
    """
    if not disable_vendor_telemetry():
        return (
            "the program imported it before, with its telemetry on. Set ORT_DISABLE_TELEMETRY=1 in the environment of "
            "the program"
        )
    found = _VERSION.search(package.read_text("utf-8"))
    version = found.group(1, 2) if found else ("0", "0")
    if found and tuple(map(int, version)) <= _NEWEST_TRACED:
        return ""
    newest = ".".join(map(str, _NEWEST_TRACED))
    return f"only versions up to {newest} are known to send nothing. Install ragstone[fast]"


def by_floats(whole: NDArray[np.int8]) -> Product:
    """Return a product in 32-bit floats, in parts whose sums are exact."""
    weights = whole.astype(np.float32)
    parts = [slice(at, at + _EXACT) for at in range(0, len(weights), _EXACT)]
    if len(parts) == 1:
        return lambda rows: rows @ weights

    def multiply(rows: Vectors) -> Vectors:
        sums = sum((rows[:, part] @ weights[part]).astype(np.int32) for part in parts)
        return np.asarray(sums, np.float32)

    return multiply


def by_bytes(weights: NDArray[np.int8]) -> Product:
    """Return a product by onnxruntime's instructions for bytes, on one thread (ONNX operator MatMulInteger)."""
    onnx: Any = import_module("onnx")  # optional, and without types
    runtime: Any = import_module("onnxruntime")
    runtime.disable_telemetry_events()  # its older builds for Windows ignore the variable
    helper, kinds = onnx.helper, onnx.TensorProto
    inputs, outputs = weights.shape
    zero = np.array(MOST_INPUT + 1, np.uint8)
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["rows", "weights", "zero"], ["sums"])],
        "product",
        [helper.make_tensor_value_info("rows", kinds.UINT8, ["count", inputs])],
        [helper.make_tensor_value_info("sums", kinds.INT32, ["count", outputs])],
        [
            onnx.numpy_helper.from_array(weights, "weights"),
            onnx.numpy_helper.from_array(zero, "zero"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])

    def multiply(rows: Vectors) -> Vectors:
        shifted = np.add(rows, zero, out=np.empty(rows.shape, np.uint8), casting="unsafe")
        (sums,) = session.run(["sums"], {"rows": shifted})
        return np.asarray(sums, np.float32)

    return multiply
