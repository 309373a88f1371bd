import pickle

import pytest

from ragstone.judges import LLMJudge
from ragstone.providers import OpenAI


def test_traced_judge_pickles_as_the_judge_it_wraps() -> None:
    pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed")
    from ragstone.telemetry._instruments import Instruments  # noqa: PLC0415  (needs it)
    from ragstone.telemetry._traced_judge import TracedJudge  # noqa: PLC0415  (likewise)

    judge = LLMJudge(provider=OpenAI(api_key="sk-loopback"))
    travelled = pickle.loads(pickle.dumps(TracedJudge(judge, Instruments())))  # noqa: S301  (just made)
    assert travelled == judge
