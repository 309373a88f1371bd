"""JSON correctness: is the actual output JSON of the right shape? No judge.

    score = 1 where the output is JSON and, with a schema, fits it; else 0

The reason says where it does not fit. NaN and Infinity are no JSON (RFC 8259), and neither is JSON in a code fence.
Source: DeepEval, JSON correctness.
"""

import json
import re
from typing import NoReturn

from pydantic import BaseModel, ValidationError

from ragstone.case import TestCase, describe_invalid
from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, Score
from ragstone.plugins import find

_FENCE = re.compile(r"\s*```\w*[ \t]*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


def _reject_constant(name: str) -> NoReturn:
    """Reject NaN, Infinity and -Infinity, which Python reads."""
    raise ValueError(f"{name} is no JSON number")


class JsonCorrectness(Metric):
    """Is the actual output JSON of the right shape? No judge call.

    Attributes:
        expected_schema: a pydantic model, or its location as `package.module:Model`; if None, any JSON
            passes.
    """

    needs = ("actual_output",)

    threshold: float = 1.0
    expected_schema: str | type[BaseModel] | None = None

    def __post_init__(self) -> None:
        """Replace a model class by its import path, so that the spec can name it; reject a class that has none."""
        super().__post_init__()
        model = self.expected_schema
        if isinstance(model, type):
            object.__setattr__(self, "expected_schema", f"{model.__module__}:{model.__qualname__}")
            if "<locals>" in model.__qualname__:
                raise BadOption(
                    f"{self.title}: {model.__qualname__} is defined inside a function, so it cannot be imported: "
                    "define it at module level"
                )

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Read the output."""
        return self.score(case.text("actual_output"))

    def score(self, actual: str) -> Score:
        """Score a text. Pure."""
        problem = self._problem(actual)
        reason = f"The actual output does not fit: {problem}" if problem else "The actual output fits."
        return Score(
            0.0 if problem else 1.0, reason, {"problem": problem, "expected_schema": self.expected_schema}
        )

    def _problem(self, actual: str) -> str | None:
        if fence := _FENCE.match(actual):
            inner = self._problem(fence[1])
            return f"it is in a code fence, {inner or 'and fits without it'}"
        try:
            json.loads(actual, parse_constant=_reject_constant)
            if self.expected_schema is not None:
                self._model().model_validate_json(actual)
        except ValidationError as error:
            return describe_invalid(error)
        except (ValueError, RecursionError) as error:
            return f"it is not JSON ({error})"
        return None

    def _model(self) -> type[BaseModel]:
        model: object = find("schema", str(self.expected_schema), {})
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            raise BadOption(f"{self.title}: {self.expected_schema!r} is not a pydantic model")
        return model
