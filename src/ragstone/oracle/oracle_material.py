"""The oracle's input for the application: the passages that contain the answer, and the answer."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from ragstone.case import TestCase
from ragstone.findings.diagnosis.causes import CauseName
from ragstone.findings.diagnosis.documents import relevant_names

_TEXT_FIELDS = ("text", "content", "page_content")


class OracleMaterial(NamedTuple):
    """The oracle's passages and answer for one test case."""

    passages: tuple[str, ...]  # the passages that contain the answer
    answer: str  # the expected output


class MeasurableFailure(NamedTuple):
    """A missed test case, with the oracle's passages and answer."""

    place: int  # its place in the run, from 0
    case: TestCase  # the test case
    cause: CauseName
    oracle: OracleMaterial  # the oracle's passages and answer
    group: Hashable = None  # its cluster; None without one


class AnsweredFailure(NamedTuple):
    """A failure with both answers of the application."""

    failure: MeasurableFailure
    real: TestCase  # its answer from the passages that it retrieved
    served: TestCase  # its answer from the oracle's passages


def oracle_material(case: TestCase) -> OracleMaterial | None:
    """Return the oracle's passages and answer for a test case.

    None without an expected output, or without a passage known to contain it. The passages are the test case's own
    `context`; else those of its retrieval, or of its deeper ranking (`metadata.retrieved_deep`), whose ids are among
    `relevant_ids`.
    """
    answer = case.get("expected_output")
    passages = tuple(text for text in case.context or () if text.strip()) or tuple(_passages_by_id(case))
    return OracleMaterial(passages, answer) if passages and isinstance(answer, str) else None


def _passages_by_id(case: TestCase) -> Iterable[str]:
    relevant = set(relevant_names(case))
    texts = dict(zip(case.retrieved_ids or (), case.retrieval_context or (), strict=False))
    ranking = case.metadata.get("retrieved_deep")
    for item in cast("Sequence[object]", ranking) if isinstance(ranking, list | tuple) else ():
        if isinstance(item, Mapping):
            fields = cast("Mapping[str, Any]", item)
            text = next((fields[name] for name in _TEXT_FIELDS if isinstance(fields.get(name), str)), "")
            texts.setdefault(str(fields.get("id", "")), text)
    return (text for name, text in texts.items() if name in relevant and text.strip())
