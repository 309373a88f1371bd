"""The test cases of a run whose questions an application answers: the questions, then the answers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ragstone.api._rows import DatasetRows
from ragstone.api.options import EvaluateOptions
from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.datasets import BadRow
from ragstone.datasets.mapping import parse_columns
from ragstone.errors import BadOption
from ragstone.metrics.base.selection import MetricSelection
from ragstone.run import Plan
from ragstone.runner.answering import question_rows

if TYPE_CHECKING:
    from ragstone.applications import Application

_EXPECTED: Mapping[str, Any] = {
    "actual_output": "answer",
    "retrieval_context": ("passage",),
    "retrieved_ids": ("id",),
    "tools_called": (),
}
"""Stand-ins for the fields that an application may return, to check the metrics before it is asked."""


class DatasetQuestions:
    """The questions of a dataset, each as often as it is asked; an answer in the dataset is replaced by a stand-in."""

    def __init__(self, rows: DatasetRows, repeats: int) -> None:
        self._rows = rows
        self._repeats = repeats

    def __iter__(self) -> Iterator[TestCase | BadRow]:
        return question_rows(self._rows, self._repeats)

    def cases(self) -> Iterator[TestCase]:
        """Yield each question once, with stand-ins for what the application will return."""
        from ragstone.applications.conversation import expected_turns  # noqa: PLC0415  (few runs have an application)

        for case in self._rows.cases():
            yield case.model_copy(update={**_EXPECTED, "turns": expected_turns(case, _EXPECTED)})

    @property
    def total(self) -> int | None:
        """How often the application is asked; None for a large dataset, which would have to be read to its end."""
        rows = self._rows.rows
        return None if rows is None else self._repeats * sum(isinstance(row, TestCase) for row in rows)


class AnsweredRows:
    """The answered test cases of a run, in input order, as rows that are measured."""

    def __init__(self, read: Callable[[], Iterable[TestCase]], total: int | None) -> None:
        """Read the test cases with `read`, each time anew; `total` is their number, if it is known."""
        self._read = read
        self._total = total

    def __iter__(self) -> Iterator[TestCase]:
        return iter(self._read())

    def cases(self) -> Iterator[TestCase]:
        """Yield the test cases that have an answer: those tell which metrics can be measured."""
        return (case for case in self._read() if APPLICATION_ERROR not in case.metadata)

    def count(self, choice: MetricSelection) -> int | None:
        """Return the number of expected results; None if it is not known."""
        return None if self._total is None else self._total * len(choice.metrics)


def open_application(options: EvaluateOptions, resumed: Plan | None) -> "Application | None":
    """Return the application that answers the questions; None if the dataset has the answers.

    Raises:
        BadOption: there is no such application, or a run is resumed without its application.
    """
    if options.app is None:
        if resumed is not None and resumed.app is not None:
            raise BadOption(
                f"the answers of the run come from the application {resumed.app!r}: give it again with --app (app=…)"
            )
        for name, unused in (
            ("app_map", ()),
            ("app_repeats", 1),
            ("app_rpm", None),
            ("app_settings", ()),
            ("app_traces", False),
        ):
            if getattr(options, name) != unused:
                raise BadOption(
                    f"{name} has an effect only with app (--app), which names the application: give app too"
                )
        return None
    from ragstone.api._store_spans import StoreSpans  # noqa: PLC0415  (few runs have one)
    from ragstone.applications import Application, parse_settings  # noqa: PLC0415  (likewise)
    from ragstone.applications.spans import SdkSpans  # noqa: PLC0415  (likewise)

    paths = parse_columns(options.app_map)
    texts = options.app_settings if resumed is None else options.app_settings or resumed.app_settings
    settings = parse_settings(texts)
    application = Application(
        options.app, timeout=options.app_timeout, paths=paths, settings=settings, rpm=options.app_rpm
    )
    if options.app_traces:
        application.spans = SdkSpans() if application.in_process else StoreSpans(options.store)
    if resumed is not None and settings != parse_settings(resumed.app_settings):
        begun = ", ".join(resumed.app_settings) or "none"
        raise BadOption(
            f"app_settings={texts!r}: the run was started with other settings ({begun}): leave them out, or start a "
            "new run"
        )
    if resumed is not None and resumed.app != application.name:
        began = (
            "with the answers of its dataset"
            if resumed.app is None
            else f"with the application {resumed.app!r}"
        )
        raise BadOption(f"app={application.name!r}: the run was started {began}: resume it the same way")
    return application
