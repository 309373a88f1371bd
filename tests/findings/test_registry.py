from pathlib import Path

import pytest
from tests.findings.sample import HOSTILE, fixed_report, report_of

from ragstone.errors import BadOption
from ragstone.findings.registry import FORMATS, check_output, write


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_writes_any_report(suffix: str, tmp_path: Path) -> None:
    for name, report in (("fixed", fixed_report()), ("hostile", report_of(HOSTILE))):
        target = tmp_path / f"{name}{suffix}"
        check_output(target)
        write(report, target)
        assert target.stat().st_size > 100


def test_every_format_is_a_file_named_after_it() -> None:
    folder = Path(__file__).parents[2] / "src" / "ragstone" / "show" / "formats"
    members = {path.stem for path in folder.glob("*.py")} - {"__init__", "atomic", "columns", "registry"}
    assert {f"formats.{name}" for name in members} == {*FORMATS.values()} - {"run_html"}


@pytest.mark.parametrize("path", ["report.pdf", "report", "report.jsn"])
def test_an_unknown_suffix_names_the_known_ones(path: str, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"\.csv, \.html, \.json, \.jsonl, \.md, \.parquet, \.xml"):
        check_output(tmp_path / path)


def test_suffix_is_case_insensitive(tmp_path: Path) -> None:
    write(fixed_report(), tmp_path / "REPORT.MD")
    assert (tmp_path / "REPORT.MD").read_text().startswith("## ")


def test_missing_output_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="there is no folder"):
        check_output(tmp_path / "nowhere" / "report.md")


def test_folder_as_output_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").mkdir()
    with pytest.raises(BadOption, match="is a folder"):
        check_output(tmp_path / "a.md")
