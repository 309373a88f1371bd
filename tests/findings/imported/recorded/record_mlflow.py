"""Record traces with assessments of MLflow: `python record_mlflow.py FILE`, with mlflow-skinny and pandas; offline."""
# pyright: reportMissingImports=false

import os
import sys
import tempfile
from pathlib import Path

os.environ["MLFLOW_ENABLE_ASYNC_TRACE_LOGGING"] = "false"
os.environ["MLFLOW_ALLOW_FILE_STORE"] = os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"

import mlflow
from mlflow.entities import AssessmentSource

CASES = (
    ("What is the capital of France?", "The capital is Paris.", "Paris", True, 0.98),
    ("What is 2 + 2?", "It is 5.", "4", False, 0.0),
)


@mlflow.trace(name="answer")
def answer(question: str) -> str:
    return next(said for asked, said, *_ in CASES if asked == question)


def main() -> None:
    judge = AssessmentSource(source_type="LLM_JUDGE", source_id="openai:/gpt-4o")
    code = AssessmentSource(source_type="CODE", source_id="similarity")
    person = AssessmentSource(source_type="HUMAN", source_id="ada")
    with tempfile.TemporaryDirectory() as folder:
        mlflow.set_tracking_uri(Path(folder).as_uri())
        mlflow.set_experiment("capitals")
        for question, _, expected, correct, similarity in CASES:
            answer(question)
            trace = mlflow.get_last_active_trace_id()
            why = "It says so." if correct else "It says 5."
            verdict = "yes" if correct else "no"
            mlflow.log_feedback(
                trace_id=trace, name="correctness", value=verdict, rationale=why, source=judge
            )
            mlflow.log_feedback(trace_id=trace, name="similarity", value=similarity, source=code)
            mlflow.log_feedback(trace_id=trace, name="right", value=correct, source=person)
            mlflow.log_expectation(trace_id=trace, name="expected_response", value=expected, source=person)
        found = mlflow.search_traces(order_by=["timestamp_ms ASC"])
    columns = [name for name in found.columns if name not in ("trace", "spans", "trace_metadata", "tags")]
    found[columns].to_json(sys.argv[1], orient="records", indent=1, default_handler=str)


main()
