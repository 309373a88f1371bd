"""The application that answers the questions of a run."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragstone.api.options import EvaluateOptions, StoreOption
from ragstone.datasets.mapping import parse_columns
from ragstone.errors import BadOption
from ragstone.options import ApplicationCalls
from ragstone.run import Plan

if TYPE_CHECKING:
    from ragstone.applications import Application
    from ragstone.traces.span import Record


def open_application(options: EvaluateOptions, resumed: Plan | None) -> "Application | None":
    """Return the application that answers the questions; None if the dataset has the answers."""
    if options.app is None:
        if resumed is not None and resumed.app is not None:
            raise BadOption(
                f"the answers of the run come from the application {resumed.app!r}: give it again with --app (app=…)"
            )
        for name in ("app_map", "app_repeats", "app_rpm", "app_settings", "app_traces"):
            if getattr(options, name) != ApplicationCalls.model_fields[name].default:
                raise BadOption(
                    f"{name} has an effect only with app (--app), which names the application: give app too"
                )
        return None
    from ragstone.applications import Application, parse_settings  # noqa: PLC0415  (few runs have one)
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
        began = f"with the application {resumed.app!r}"
        began = "with the answers of its dataset" if resumed.app is None else began
        raise BadOption(f"app={application.name!r}: the run was started {began}: resume it the same way")
    return application


class StoreSpans:
    """Reads the spans of a call from the traces that a store has received; see `SpanSource`."""

    patience = 10.0

    def __init__(self, store: StoreOption) -> None:
        """Read from `store`, which is opened unless it is open."""
        from ragstone.store import Store, open_store  # noqa: PLC0415  (few runs read spans)

        if store is None or store is False:
            raise BadOption(
                "app_traces reads the spans of the application from the store into which `ragstone serve --otlp` "
                "receives them, and this run has no store: give --store (store=…)"
            )
        self._traces = (store if isinstance(store, Store) else open_store(store)).traces

    def expect(self, trace_id: str) -> None:
        """Do nothing: the receiver takes every trace."""

    def forget(self, trace_id: str) -> None:
        """Do nothing, likewise."""

    async def records(self, trace_id: str) -> "Sequence[Record]":
        """Return the records of a trace that have been received."""
        return await asyncio.to_thread(self._traces.records, trace_id)
