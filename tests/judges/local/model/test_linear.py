"""Linear maps in whole numbers: near the weights that were kept, and the same bits by both libraries."""

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from tests.testing.for_each import for_each

from ragstone.judges.local.model import encoder as encoders
from ragstone.judges.local.model import linear as module
from ragstone.judges.local.model.four_bits import packed, rounded, unpacked

PAIRS = (
    encoders.TextPair(
        "", "The pool is closed on Mondays.", "The pool opens at 7 a.m. from Tuesday to Sunday."
    ),
    encoders.TextPair("", "Who wrote Hamlet?", "Shakespeare."),
)


def test_a_map_is_near_the_product_with_the_kept_weights() -> None:
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(192, 128)).astype(np.float32)
    bias = rng.normal(size=192).astype(np.float32)
    rows = rng.normal(size=(5, 128)).astype(np.float32) * [[0.01], [1], [3], [50], [0]]
    whole, scales = rounded(weights)
    found = module.linear(packed(whole), scales, bias)(rows.astype(np.float32))
    wanted = rows @ unpacked(packed(whole), scales).T + bias
    size = np.abs(wanted - bias).max(axis=1, keepdims=True)
    assert (np.abs(found - wanted) <= 0.02 * size + 1e-6).all()


def test_numpy_and_onnxruntime_products_are_identical() -> None:
    rng = np.random.default_rng(2)
    weights = rng.integers(-64, 65, (3072, 40)).astype(np.int8)
    by_floats, by_bytes = module.by_floats(weights), module.by_bytes(weights)
    for rows in (rng.integers(-127, 128, (7, 3072)), np.full((1, 3072), 127), np.full((2, 3072), -127)):
        assert by_floats(rows.astype(np.float32)).tolist() == by_bytes(rows.astype(np.float32)).tolist()


@for_each("inputs", [64, 768, 3072])
def test_the_largest_sums_are_exact(inputs: int) -> None:
    rows = np.full((1, inputs), module.MOST_INPUT, np.float32)
    rows[0, 0] -= 1  # an odd sum, which a float above 2**24 could not hold
    weights = np.full((inputs, 3), module.MOST_WEIGHT, np.int8)
    weights[0, 0] -= 1
    wanted = (rows.astype(np.int64) @ weights.astype(np.int64)).astype(np.float32)
    for made in (module.by_floats, module.by_bytes):
        assert made(weights)(rows).tolist() == wanted.tolist()


def test_encoder_outputs_are_identical_with_both_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[list[list[float]]] = []
    for accelerated in (True, False):
        monkeypatch.setattr(module, "accelerated", lambda accelerated=accelerated: accelerated)
        network = encoders.encoder.__wrapped__()
        found.append([outputs.tolist() for outputs in network.read("support", PAIRS)])
    assert found[0] == found[1]


@pytest.fixture
def accelerated(monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Return the check, in a process that has not imported onnxruntime."""
    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    return module.accelerated.__wrapped__


@pytest.mark.parametrize("before", [None, "0", "1"])
def test_the_telemetry_of_onnxruntime_is_off_before_its_import(
    accelerated: Callable[[], bool], monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    if before is not None:
        monkeypatch.setenv("ORT_DISABLE_TELEMETRY", before)
    assert accelerated()
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"


def test_onnxruntime_that_the_program_imported_with_its_telemetry_is_not_used(
    accelerated: Callable[[], bool], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    package = ModuleType("onnxruntime")
    package.__spec__ = importlib.util.find_spec("onnxruntime")
    monkeypatch.setitem(sys.modules, "onnxruntime", package)
    assert not accelerated()
    assert "ORT_DISABLE_TELEMETRY" not in os.environ
    assert "Set ORT_DISABLE_TELEMETRY=1 in the environment" in caplog.text
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "1")
    assert accelerated()


@pytest.mark.parametrize(
    ("version", "used"), [("1.32.9", True), ("1.33.0", False), ("2.0", False), ("x", False)]
)
def test_an_onnxruntime_that_was_not_traced_is_not_used(
    tmp_path: Path,
    accelerated: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
    version: str,
    *,
    used: bool,
) -> None:
    (tmp_path / "onnxruntime").mkdir()
    (tmp_path / "onnxruntime" / "__init__.py").write_text(
        f'__version__ = "{version}"\nraise SystemExit("imported")\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert accelerated() == used


def test_without_onnxruntime_products_are_not_accelerated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        module, "find_spec", lambda name: None if name == "onnxruntime" else importlib.util.find_spec(name)
    )
    assert not module.accelerated.__wrapped__()
