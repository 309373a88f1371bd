from typing import Any

import pytest

logs: Any = pytest.importorskip("opentelemetry._logs")

from ragstone.telemetry._instruments import Instruments  # noqa: E402  (needs what may not be installed)


class Logger:
    """As OpenTelemetry has it from 1.38 on."""

    def emit(self, record: object = None, *, event_name: str | None = None) -> None:
        raise NotImplementedError


class OldLogger:
    """As it was before."""

    def emit(self, record: object) -> None:
        raise NotImplementedError


class Provider:
    """A program's own: neither a stand-in nor a SDK's."""


@pytest.mark.parametrize("logger", [Logger(), OldLogger()])
def test_logger_without_event_name_is_not_used(logger: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "get_logger_provider", Provider)
    monkeypatch.setattr(logs, "get_logger", lambda *_: logger)
    assert Instruments().logger is (logger if isinstance(logger, Logger) else None)


def test_no_op_logger_provider_gives_no_logger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "get_logger_provider", logs.NoOpLoggerProvider)
    assert Instruments().logger is None
