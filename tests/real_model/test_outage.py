"""A server that is killed in mid-run and started again loses nothing."""

import threading
import time

from benchmarks.llama import LlamaServer
from tests.real_model.test_openai_wire import CASES, judge, results

from ragstone import TestCase, evaluate


def test_a_restart_in_mid_run_loses_nothing() -> None:
    cases = [
        TestCase(
            input=f"Question {number}?", actual_output=f"{number} lamps.", context=CASES[0].retrieval_context
        )
        for number in range(6)
    ]
    with LlamaServer() as server:
        seen: list[object] = []

        def interrupt() -> None:
            while len(seen) < 7:
                time.sleep(0.05)
            server.kill()
            time.sleep(3)
            server.launch()  # and answers 503 until its model is loaded

        thread = threading.Thread(target=interrupt)
        thread.start()
        report = evaluate(
            cases, ["hallucination"], judge=judge(server), timeout=60, concurrency=4, listeners=[seen.append]
        )
        thread.join()
    assert [result.error for result in results(report) if result.error is not None] == []
    assert len(results(report)) == len(cases)
