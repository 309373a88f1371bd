"""The differential run against other tools; the tools themselves only where `benchmarks/peers/build.sh` put them."""

import os
import tempfile
from pathlib import Path

import pytest
from benchmarks.peers import ours
from benchmarks.peers.cases import cases
from benchmarks.peers.differential import REASONS, main, our_score, reason_of

ROOT = Path(os.environ.get("RAGSTONE_PEERS", Path(tempfile.gettempdir()) / "ragstone-peers"))


def test_cases_are_at_least_300_unique_and_deterministic() -> None:
    assert len(cases()) >= 300
    assert cases() == cases()
    assert len({case["id"] for case in cases()}) == len(cases())


def test_our_score_is_defined_for_every_case() -> None:
    known = {f"{case['peer']}.{case['metric']}" for case in cases()}
    assert all(hasattr(ours, name.replace(".", "_")) for name in known)
    assert set(REASONS) <= known
    for case in cases():
        mine = our_score(case)
        assert mine in {"UnreadableAnswer", "NotApplicable"} or 0 <= float(mine) <= 1


def test_reason_of_unexplained_difference_is_none() -> None:
    case = next(case for case in cases() if case["metric"] == "contextual_recall")
    assert reason_of(case, 0.5, 0.75) is None


@pytest.mark.slow
@pytest.mark.skipif(
    not (ROOT / "ragas").exists(), reason="the peers are not installed: benchmarks/peers/build.sh"
)
def test_every_difference_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["differential", str(ROOT)])
    assert main() == 0
