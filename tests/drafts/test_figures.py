from pathlib import Path

import pytest
from tests.drafts.documents import folder_of

from ragstone.drafts import draft
from ragstone.drafts.figures import figures_path, read_figures
from ragstone.errors import BadDataset

LONELY = "# Ships\n\nSeven sailors sing on Sunday, whatever the weather may be on the wide western waters."


def test_figures_are_written_beside_the_set_and_read_back(tmp_path: Path) -> None:
    found = draft(folder_of(tmp_path), size=8)
    found.save(tmp_path / "out.jsonl")
    assert read_figures(tmp_path / "out.jsonl") == found.figures
    assert figures_path(tmp_path / "out.jsonl").name == "out.figures.json"
    assert read_figures(tmp_path / "absent.jsonl") is None
    figures_path(tmp_path / "out.jsonl").write_text('{"corpus": "x"}')
    with pytest.raises(BadDataset, match="draft the set again"):
        read_figures(tmp_path / "out.jsonl")


def test_coverage_counts_documents_topics_and_near_passages(tmp_path: Path) -> None:
    folder_of(tmp_path)
    folder_of(tmp_path, ships=LONELY)
    found = draft(tmp_path, size=8)
    lines = {line.name: line for line in found.coverage.documents}
    assert (lines["ships.md"].passages, lines["ships.md"].questions, lines["ships.md"].near) == (1, 0, 0)
    assert lines["lamps.md"].questions > 0
    for group in (found.coverage.documents, found.coverage.topics):
        assert sum(line.near for line in group) / 5 == pytest.approx(found.coverage.near)
        assert all(0 <= line.near <= line.passages for line in group)
    answerable = sum(case.metadata["answerable"] for case in found.cases)
    assert sum(found.coverage.bm25_ranks.values()) == answerable
    assert found.written_by == "rules"
