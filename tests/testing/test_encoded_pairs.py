"""The recorded answers of the embedded judge's encoder are what it says."""

from pathlib import Path

import pytest
from tests.testing import encoded_pairs

from ragstone.judges.local.model.encoder import encoder

READ_AGAIN = 20


def test_the_table_is_of_the_packaged_weights() -> None:
    assert encoded_pairs.table().weights == encoded_pairs.packaged_weights(), "write it anew: make pairs"


def test_some_pairs_are_read_as_they_were_recorded() -> None:
    recorded = encoded_pairs.table()
    for task, *texts in recorded.sample[::3][:READ_AGAIN]:
        found = encoder().read(task, *texts).tolist()  # type: ignore[arg-type]  (a task)
        expected = recorded.outputs[encoded_pairs._key((task, *texts))]
        assert found == pytest.approx(expected, abs=1e-3), "write the table anew: make pairs"


def test_what_is_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs: dict[tuple[str, ...], tuple[float, ...]] = {
        ("support", "", f"text {n}", "\ud800 passage"): (0.5, -1.25, float(n)) for n in range(9)
    }
    pairs["relevance", "q", "text", "passage"] = (2.0,)
    monkeypatch.setattr(encoded_pairs, "TABLE", tmp_path / "pairs.npz")
    encoded_pairs.write(pairs.items(), encoded_pairs.TABLE)
    written = encoded_pairs.table.__wrapped__()
    assert dict(written.outputs) == {encoded_pairs._key(pair): outputs for pair, outputs in pairs.items()}
    assert set(written.sample) == set(pairs)


def test_a_recorded_pair_is_not_read_but_where_it_is_asked_anew(tmp_path: Path) -> None:
    asked: list[tuple[str, ...]] = []

    def read(*pair: str) -> tuple[float, ...]:
        asked.append(pair)
        return (1.0,)

    pair = encoded_pairs.table().sample[0]
    read_pair = encoded_pairs._shared(read, tmp_path)
    recorded = encoded_pairs.table().outputs[encoded_pairs._key(pair)]
    assert (read_pair(*pair), asked) == (recorded, [])
    with encoded_pairs.asked_anew():
        assert (read_pair(*pair), asked) == ((1.0,), [pair])
    assert read_pair(*pair) == recorded
