from functools import cache
from pathlib import Path

import pytest
from benchmarks.__main__ import main
from benchmarks.cases import cases
from benchmarks.measure import Setting
from benchmarks.sections.peers import rows as peer_rows
from benchmarks.sections.prefix import recorded, shared
from benchmarks.table import Row
from tests.testing.for_each import for_each

from benchmarks.sections import SECTIONS, NotHere, command, section

TINY = Setting(cases=2, rounds=1, repeats=1, in_flight=4, large=1000)


@cache
def measured(name: str) -> tuple[Row, ...]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            command, "available", lambda: False
        )  # PostgreSQL costs as much as the rest of the section
        return tuple(section(name).rows(TINY))


@for_each("name", SECTIONS)
def test_every_section_has_a_title_and_rows(name: str) -> None:
    assert section(name).TITLE
    assert callable(section(name).rows)


@for_each("name", ["startup", "throughput", "command", "latency", "prompts", "store", "comparison", "replay"])
def test_every_section_measures_ratio_and_target(name: str) -> None:
    rows = measured(name)
    assert len(rows) >= 3
    assert all(row.ratio is not None and row.ratio >= 0 for row in rows)
    assert all((row.met is None) == (not row.target) for row in rows)


def test_a_run_stays_within_its_calls_in_flight() -> None:
    _, in_flight, connections = measured("latency")
    assert (in_flight.ours, in_flight.ratio, connections.ours) == ("4", 1.0, "4")


def test_prompts_section_counts_nine_calls_per_case() -> None:
    calls, sent, *_ = measured("prompts")
    assert calls.ours == "9.0"
    assert calls.met is sent.met is True


def test_the_prompts_of_a_case_stay_short() -> None:
    """By characters / 4; the review of the case is a quarter of it."""
    data = cases(12)
    sent = sum(len(request.system) + len(request.user) for request in recorded(data))
    assert sent / 4 / len(data) <= 4_950


def test_shared_prefixes_count_whole_blocks_above_minimum_length() -> None:
    texts = ["a" * 4000, "a" * 4000 + "b" * 600, "c" * 4000]
    assert shared(texts, block=16, first=16) == (992, 0, 3150)
    assert shared(texts, block=128, first=1024) == (0, 0, 3150)
    assert shared(["a" * 6000] * 2, block=128, first=1024) == (1408, 0, 3000)


def test_prefix_section_cache_shares_per_vendor() -> None:
    kept = {row.what: row.ours for row in measured("prefix")}
    assert set(kept) >= {"OpenAI", "vLLM, llama.cpp", "OpenAI, passages x 10"}
    assert int(kept["vLLM, llama.cpp"].rstrip("%")) > 20
    assert kept["Anthropic, passages marked, passages x 10"] == "0%"
    assert int(kept["Anthropic, schema in words, passages x 10"].rstrip("%")) > 60
    tokens = {
        row.what: int(row.beside.split(": ")[1].split(";")[0].replace(",", "")) for row in measured("prefix")
    }
    assert int(kept["Anthropic, all tools"].rstrip("%")) > 30
    assert tokens["Anthropic, all tools"] > 2 * tokens["Anthropic, passages marked"]


def test_replay_makes_no_calls_and_gives_same_results() -> None:
    _, calls, lines = measured("replay")
    assert calls.met is lines.met is True


def test_missing_peers_raise_with_build_instructions(tmp_path: Path) -> None:
    with pytest.raises(NotHere, match=r"build\.sh"):
        list(peer_rows(Setting(peers=tmp_path)))


def test_the_command_prints_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["prefix", "--markdown", "--check", "--cases", "2", "--in-flight", "4"])
    printed = capsys.readouterr()
    assert code == 0
    assert printed.out.startswith("| what | ragstone |")
    assert "2 test cases, 4 calls in flight" in printed.out
    assert "measuring prefix" in printed.err


def test_an_unknown_section_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["startop"])
    assert stopped.value.code == 2
    assert "'startop'" in capsys.readouterr().err
