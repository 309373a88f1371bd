"""What mending is worth, measured with a toy RAG whose faults are planted: the gain is known exactly."""

from pathlib import Path

import pytest
from benchmarks.causes.perfect_judge import PerfectJudge
from tests.oracle.toy_rag import ToyRag, numbered_cases

from ragstone import TestCase, evaluate, explain
from ragstone.errors import BadOption
from ragstone.findings.diagnosis import Diagnosis
from ragstone.oracle import measure_worth

PER_SWITCH = 8
BEFORE_GENERATOR = {
    "gold passages dropped": "not_found",
    "one gold passage dropped": "partly_missed",
    "gold passages ranked low": "ranked_low",
    "gold passages cut": "cut",
    "nothing retrieved": "nothing_retrieved",
}
OF_GENERATOR = {
    "value swapped": "misread",
    "refusal": "refused_wrongly",
    "invention": "invented",
    "omission": "ignored",
}


@pytest.fixture(scope="module")
def cases() -> list[TestCase]:
    return numbered_cases(PER_SWITCH)


@pytest.fixture(scope="module")
def found(cases: list[TestCase]) -> Diagnosis:
    return explain(evaluate(cases, preset="diagnosis", judge=PerfectJudge()))


def ids(cases: list[TestCase], switch: str, numbers: range) -> set[str]:
    """Return the ids of some test cases with a fault."""
    mine = [case.id for case in cases if case.tags[0] == switch]
    return {mine[number] for number in numbers}


def test_the_gain_is_the_one_that_was_planted(cases: list[TestCase], found: Diagnosis) -> None:
    """Of 8 cases a fault: of the cut ones 2 are misread when handed over, of the dropped ones 3 recover by chance."""
    misread = ids(cases, "gold passages cut", range(2))
    recovers = ids(cases, "gold passages dropped", range(3))
    rag = ToyRag(cases, misread=misread, recovers=recovers)
    measured = measure_worth(found, rag, judge=PerfectJudge(), app_calls=400).measured
    assert measured is not None
    total = len(cases)
    passing = PER_SWITCH / total
    planted = dict.fromkeys([*BEFORE_GENERATOR.values(), *OF_GENERATOR.values()], PER_SWITCH)
    planted |= {"cut": PER_SWITCH - 2, "not_found": PER_SWITCH - 3}
    gains = {gain.cause.name: gain for gain in measured.gains}
    assert planted.keys() <= gains.keys()
    for name, count in planted.items():
        gain = gains[name]
        assert (gain.cases, gain.measured) == (PER_SWITCH, PER_SWITCH)
        assert gain.gain.value == pytest.approx(count / total), name
        assert gain.worth == pytest.approx(passing + count / total), name
        interval = gain.gain.interval
        assert interval is not None
        assert interval.low <= count / total <= interval.high
        assert interval.high <= PER_SWITCH / total + 1e-9
    assert gains["cut"].rates.real == 0
    assert gains["cut"].rates.passages == pytest.approx(6 / 8)
    assert gains["not_found"].rates.real == pytest.approx(3 / 8)
    assert gains["misread"].rates.passages == 0  # the passages are not what a generator's fault lacks
    assert gains["misread"].rates.answers == 1


def test_the_assumed_worth_stands_beside_the_measured_one(cases: list[TestCase], found: Diagnosis) -> None:
    """The assumption takes the generator's rate over all causes; this application reads what it is handed well."""
    whole = measure_worth(found, ToyRag(cases), judge=PerfectJudge(), app_calls=400)
    measured = whole.measured
    assert measured is not None
    assumed = {share.cause.name: share for share in found.shares}
    for gain in measured.gains:
        assert gain.worth <= assumed[gain.cause.name].worth_most + 1e-9
    cut = next(gain for gain in measured.gains if gain.cause.name == "cut")
    assert cut.worth > assumed["cut"].worth
    for told in (whole.to_markdown(), whole.to_html()):
        assert "If mended, measured" in told
        assert "tests.oracle.toy" in told
    assert "If mended, measured" not in found.to_markdown()


def test_the_gap_is_split_between_retriever_and_generator(cases: list[TestCase], found: Diagnosis) -> None:
    """Retrieval faults alone: all of the gap is the retriever's."""
    chosen = [case for case in cases if case.tags[0] in {"sound", "gold passages cut", "nothing retrieved"}]
    alone = explain(evaluate(chosen, preset="diagnosis", judge=PerfectJudge()))
    measured = measure_worth(alone, ToyRag(chosen), judge=PerfectJudge()).measured
    assert measured is not None
    assert measured.rates is not None
    assert (measured.rates.real, measured.rates.passages, measured.rates.both) == (0, 1, 1)
    whole = (measured.retriever.value or 0) + (measured.generator.value or 0)
    assert whole == pytest.approx(measured.rates.both - measured.rates.real)
    assert measured.retriever.value == pytest.approx(1)
    chosen = [case for case in cases if case.tags[0] in {"sound", "value swapped", "refusal"}]
    alone = explain(evaluate(chosen, preset="diagnosis", judge=PerfectJudge()))
    measured = measure_worth(alone, ToyRag(chosen), judge=PerfectJudge()).measured
    assert measured is not None
    assert measured.generator.value == pytest.approx(1)
    assert measured.retriever.value == pytest.approx(0)
    assert found.measured is None


def test_calls_are_bounded_and_only_failures_are_asked_about(cases: list[TestCase], found: Diagnosis) -> None:
    rag = ToyRag(cases)
    measured = measure_worth(found, rag, judge=PerfectJudge(), app_calls=21).measured
    assert measured is not None
    assert len(rag.questions) == measured.called == 20
    assert measured.measured == 10
    asked = {question for question, _ in rag.questions}
    failed = {case.case.input for case in found.missed}
    assert asked <= failed
    assert sorted(handed for _, handed in rag.questions) == [False] * 10 + [True] * 10
    again = ToyRag(cases)
    measure_worth(found, again, judge=PerfectJudge(), app_calls=21)
    assert {question for question, _ in again.questions} == asked  # the same draw


def test_answers_come_from_the_cache_the_second_time(
    cases: list[TestCase], found: Diagnosis, tmp_path: Path
) -> None:
    first = measure_worth(
        found, ToyRag(cases), judge=PerfectJudge(), app_calls=20, cache=tmp_path / "c.db"
    ).measured
    rag = ToyRag(cases)
    second = measure_worth(found, rag, judge=PerfectJudge(), app_calls=20, cache=tmp_path / "c.db").measured
    assert first is not None
    assert second is not None
    assert (first.called, first.cached, second.called, second.cached) == (20, 0, 0, 20)
    assert rag.questions == []
    assert second.gains == first.gains


def test_cases_without_context_are_left_out(cases: list[TestCase]) -> None:
    some = [case for case in cases if case.tags[0] in {"sound", "gold passages cut"}]
    hidden = ids(some, "gold passages cut", range(3))
    blind = [case.model_copy(update={"context": None}) if case.id in hidden else case for case in some]
    diagnosis = explain(evaluate(blind, preset="diagnosis", judge=PerfectJudge()))
    measured = measure_worth(diagnosis, ToyRag(blind), judge=PerfectJudge()).measured
    assert measured is not None
    assert measured.measurable + measured.left_out == len(diagnosis.missed)
    assert measured.left_out == 3
    none = [case.model_copy(update={"context": None}) for case in some]
    diagnosis = explain(evaluate(none, preset="diagnosis", judge=PerfectJudge()))
    with pytest.raises(BadOption, match="give test cases expected_output and context"):
        measure_worth(diagnosis, ToyRag(none), judge=PerfectJudge())
    sound = explain(evaluate(some[:1], preset="diagnosis", judge=PerfectJudge()))
    with pytest.raises(BadOption, match="nothing to measure"):
        measure_worth(sound, ToyRag(some), judge=PerfectJudge())


def test_an_application_that_never_answers_is_given_up(found: Diagnosis) -> None:
    calls: list[str] = []

    def broken(question: str, contexts: list[str] | None = None) -> str:
        del contexts
        calls.append(question)
        raise RuntimeError("no index")

    measured = measure_worth(found, broken, judge=PerfectJudge(), app_concurrency=1).measured
    assert measured is not None
    assert len(calls) == 5
    assert (measured.measured, measured.rates, measured.gains) == (0, None, ())
    assert measured.errors == (("application: RuntimeError: no index", 5),)


def test_failed_calls_are_counted_but_not_scored(cases: list[TestCase], found: Diagnosis) -> None:
    rag = ToyRag(cases)
    bad = {case.case.input for case in found.of_cause("cut")[:3]}

    async def answer(question: str, contexts: list[str] | None = None) -> dict[str, object]:
        if question in bad:
            raise ConnectionError("refused")
        return rag(question, contexts)

    measured = measure_worth(found, answer, judge=PerfectJudge(), app_calls=400).measured
    assert measured is not None
    cut = next(gain for gain in measured.gains if gain.cause.name == "cut")
    assert (cut.cases, cut.measured, cut.rates.passages) == (PER_SWITCH, PER_SWITCH - 3, 1)
    assert measured.errors == (("application: ConnectionError: refused", 3),)
