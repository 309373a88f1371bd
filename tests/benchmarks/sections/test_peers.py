from pathlib import Path

import pytest
from benchmarks.cases import cases
from benchmarks.launch import launched
from benchmarks.measure import Setting, take, write_rows
from benchmarks.sections.peers import PEERS, Peer, python_of, version

SETTING = Setting()


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_peer_scores_every_case_through_the_judge_server(peer: Peer, tmp_path: Path) -> None:
    python = python_of(peer, SETTING)
    if not python.exists():
        pytest.skip(f"{python} is absent: build it with benchmarks/peers/build.sh")
    rows = write_rows(tmp_path, "cases", [case.model_dump(exclude_defaults=True) for case in cases(2)])
    with launched() as judge:
        taken = take(f"benchmarks.peers.{peer.name}", judge, rows, in_flight=4, python=python)
    assert len(taken.scores) == 2
    assert all(0 <= score <= 1 for row in taken.scores for score in row)
    assert taken.seen["bad_requests"] == 0
    pins = Path("benchmarks/peers", f"{peer.name}.txt").read_text("utf-8")
    assert f"{peer.name}=={version(peer, SETTING)}" in pins
