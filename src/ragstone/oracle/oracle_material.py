"""What an oracle would have handed to the application: the passages that hold the answer, and the answer."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from ragstone.case import TestCase
from ragstone.reports.diagnosis.causes import CauseName
from ragstone.reports.diagnosis.documents import relevant_names

_TEXTS = ("text", "content", "page_content")


class OracleMaterial(NamedTuple):
    """What an oracle knows of one test case.

    Attributes:
        passages: those that hold the answer.
        answer: the expected output.
    """

    passages: tuple[str, ...]
    answer: str


class MeasurableFailure(NamedTuple):
    """A test case that failed, and what an oracle knows of it.

    Attributes:
        place: its place in the run, from 0.
        case: the test case.
        cause: its cause.
        oracle: what an oracle knows.
        group: its cluster; None where it stands alone.
    """

    place: int
    case: TestCase
    cause: CauseName
    oracle: OracleMaterial
    group: Hashable = None


class AnsweredFailure(NamedTuple):
    """A failure about which the application was asked.

    Attributes:
        failure: the failure.
        real: what it answered, from what it retrieved.
        served: what it answered from the oracle's passages.
    """

    failure: MeasurableFailure
    real: TestCase
    served: TestCase


def oracle_material(case: TestCase) -> OracleMaterial | None:
    """Return what an oracle knows of a test case.

    None where there is no expected output, or no passage that is known to hold it. The passages are the test case's own
    `context`; else those of its retrieval, or of its deeper ranking (`metadata.retrieved_deep`), whose ids are among
    `relevant_ids`.
    """
    answer = case.get("expected_output")
    passages = tuple(text for text in case.context or () if text.strip()) or tuple(_by_id(case))
    return OracleMaterial(passages, answer) if passages and isinstance(answer, str) else None


def _by_id(case: TestCase) -> Iterable[str]:
    wanted = set(relevant_names(case))
    texts = dict(zip(case.retrieved_ids or (), case.retrieval_context or (), strict=False))
    deep = case.metadata.get("retrieved_deep")
    for item in cast("Sequence[object]", deep) if isinstance(deep, list | tuple) else ():
        if isinstance(item, Mapping):
            fields = cast("Mapping[str, Any]", item)
            text = next((fields[name] for name in _TEXTS if isinstance(fields.get(name), str)), "")
            texts.setdefault(str(fields.get("id", "")), text)
    return (text for name, text in texts.items() if name in wanted and text.strip())
