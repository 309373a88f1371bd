"""DeepEval and Ragas on the same cases and the same server, each in an environment of its own."""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.cases import cases
from benchmarks.launch import Launched, launched
from benchmarks.measure import Setting, Taken, take, write_rows
from benchmarks.sections import NotHere
from benchmarks.sections.latency import LATENCY
from benchmarks.table import Row

TITLE = "Beside others, the same metrics on the same cases"
_SUITE, _TOKENS = 1 / 8, 0.45
_FEW = 60
"""Test cases where each call takes 200 ms: Ragas needs half a second for each."""


class Peer(NamedTuple):
    """A tool to compare with.

    Attributes:
        name: the name of its package, its folder and its module here.
        metrics: our equivalent metrics; empty for the preset `rag`.
        in_flight: its best number of calls in flight; None for that of the setting.
    """

    name: str
    metrics: tuple[str, ...] = ()
    in_flight: int | None = None


_WITHOUT_HALLUCINATION = (
    "contextual_precision",
    "contextual_recall",
    "contextual_relevancy",
    "answer_relevancy",
    "faithfulness",
)
PEERS = (Peer("deepeval"), Peer("ragas", _WITHOUT_HALLUCINATION, 16))


def rows(setting: Setting) -> Iterator[Row]:
    here = [peer for peer in PEERS if python_of(peer, setting).exists()]
    if not here:
        raise NotHere(
            f"no peers in {setting.peers}: build them with benchmarks/peers/build.sh {setting.peers}"
        )
    data = [case.model_dump(exclude_defaults=True) for case in cases(setting.cases)]
    with tempfile.TemporaryDirectory() as folder, launched() as judge:
        whole, few = write_rows(folder, "cases", data), write_rows(folder, "few", data[:_FEW])
        for peer in here:
            name = f"{peer.name} {version(peer, setting)}"
            judge.configure(latency_ms=0)
            yield from _at_once(name, peer, *_both(peer, setting, judge, whole))
            judge.configure(latency_ms=LATENCY * 1000)
            ours, theirs = _both(peer, setting, judge, few)
            yield _seconds(f"wall, {len(data[:_FEW])} cases, 200 ms a call", ours.wall, name, theirs.wall)


def _at_once(name: str, peer: Peer, ours: Taken, theirs: Taken) -> Iterator[Row]:
    count = len(theirs.scores)
    yield _seconds(f"wall, {count} cases, answered at once", ours.wall, name, theirs.wall, _SUITE)
    yield _seconds("client CPU", ours.cpu, name, theirs.cpu)
    yield _seconds("CPU until it is imported", ours.imported, name, theirs.imported)
    yield _number("calls a case", ours.calls / count, name, theirs.calls / count)
    sent, others = (taken.seen["prompt_tokens"] / count for taken in (ours, theirs))
    yield _number("prompt tokens a case", sent, name, others, _TOKENS if peer.name == "deepeval" else None)


def _both(peer: Peer, setting: Setting, judge: Launched, path: Path) -> tuple[Taken, Taken]:
    """Run ragstone, the peer, and ragstone again: the slower of both counts."""

    def ours() -> Taken:
        module = "benchmarks.clients.ragstone"
        return take(module, judge, path, in_flight=setting.in_flight, metrics=peer.metrics)

    before = ours()
    theirs = take(
        f"benchmarks.peers.{peer.name}",
        judge,
        path,
        in_flight=peer.in_flight or setting.in_flight,
        python=python_of(peer, setting),
    )
    return max(before, ours(), key=lambda taken: taken.wall), theirs


def _seconds(what: str, mine: float, name: str, other: float, most: float | None = None) -> Row:
    return _held(Row(what, f"{mine:.2f} s", f"{name}: {other:.2f} s", mine / other), most)


def _number(what: str, mine: float, name: str, other: float, most: float | None = None) -> Row:
    return _held(Row(what, f"{mine:,.1f}", f"{name}: {other:,.1f}", mine / other), most)


def _held(row: Row, most: float | None) -> Row:
    if most is None or row.ratio is None:
        return row
    return Row(row.what, row.ours, row.beside, row.ratio, f"ratio <= {most:.3g}", row.ratio <= most)


def python_of(peer: Peer, setting: Setting) -> Path:
    """Return the interpreter of a peer's environment."""
    return setting.peers / peer.name / "bin" / "python"


def version(peer: Peer, setting: Setting) -> str:
    """Return the version installed in the peer's environment."""
    code = f"import importlib.metadata as m, json; print(json.dumps(m.version({peer.name!r})))"
    command: Sequence[str] = (str(python_of(peer, setting)), "-c", code)
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
