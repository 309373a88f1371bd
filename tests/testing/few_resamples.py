"""A fixture for tests of what is shown of agreement: how exactly its intervals are known does not matter there."""

from functools import partial

import pytest

RESAMPLES = 100
"""Of 1,000: the bootstrap of a dozen figures is nearly all that such a report costs."""


@pytest.fixture
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reports on agreement draw a tenth of their resamples."""
    from ragstone.findings.agreement import disagreements, model  # noqa: PLC0415  (imports numpy)

    for module, name in (
        (model, "agree_on_labels"),
        (model, "agree_on_grades"),
        (disagreements, "agree_on_pairs"),
    ):
        monkeypatch.setattr(module, name, partial(getattr(module, name), resamples=RESAMPLES))
    monkeypatch.setattr(model, "_RESAMPLES", RESAMPLES)
