"""The decision and its bands, fitted on rows that are made up."""

import random

import pytest

pytest.importorskip("scipy", reason="fitting needs the dependency group training")

from training.readings import HELD, Reading

from ragstone.judges.local.model.decision import StatementScores
from training import bands, decision


def _row(name: str, rng: random.Random, *, short: bool) -> Reading:
    label = rng.randrange(3)
    sign = (-1, -1, 1)[label]
    supported, contradicted = rng.gauss(3 * sign, 1.5), rng.gauss(3 * (1 if label == 0 else -1), 1.5)
    scores = StatementScores(supported, contradicted, -contradicted, supported, -contradicted)
    return Reading(
        name=name,
        writer="w19" if name == HELD else "",
        kind="made",
        group=str(rng.random()),
        label=label,
        short=short,
        lacks_number=rng.random() < 0.1,
        scores=scores,
    )


@pytest.fixture(scope="module")
def rows() -> list[Reading]:
    rng = random.Random(2)
    names = ("begin", "taxinli", "fever_symmetric", HELD)
    return [_row(name, rng, short=short) for name in names for short in (True, False) for _ in range(80)]


def test_lines_have_the_required_signs(rows: list[Reading]) -> None:
    lines = decision.fit(rows)
    assert set(lines) == {
        f"line.{size}_{kind}" for size in ("short", "long") for kind in ("support", "contradiction")
    }
    for name, line in lines.items():
        signs = decision.SIGNS[name.partition("_")[2]]
        assert all(slope * sign >= 0 for slope, sign in zip(line[1:], signs, strict=True))


def test_verdicts_are_right_within_the_bands(rows: list[Reading], monkeypatch: pytest.MonkeyPatch) -> None:
    decided = [one for one in bands.judged(rows) if one.verdict != "undecided"]
    assert len(decided) > len(rows) / 2
    assert sum(one.is_right for one in decided) > 0.9 * len(decided)
    assert not any(one.verdict == "yes" and one.row.lacks_number for one in decided if not one.row.short)
    monkeypatch.setattr(bands, "load", lambda: rows)
    text = list(bands.lines())
    assert text[0].startswith("begin                  short    80 rows: decided ")
