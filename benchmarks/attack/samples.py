"""Valid documents, whose fields are mutated."""

import json
from functools import cache
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[2] / "tests"

CHUNKS: list[Any] = [
    {
        "id": f"faq-{n}",
        "text": f"The price of lamp {n} is {n} euros.",
        "document": "faq.md",
        "headings": ["Shop", "Lamps"],
        "start": n * 40,
    }
    for n in range(8)
]
HTML = b"""<!doctype html><html lang="en"><head><title>Lamps &amp; more</title><style>p { color: red
}</style></head><body> <nav><a href="/">Home</a></nav><main><h1 id="lamps">Lamps</h1><p>The price of <b>Zenith
3</b> is 490 euros. It was launched in 2014.</p><h2>Add a lamp</h2><pre><code>lamps add
NAME</code></pre><table><thead><tr><th>option</th><th colspan="2">means</th>
</tr></thead><tbody><tr><td>--watt</td><td>power</td><td>40</td></tr><tr><td>--name</td><td
rowspan="3">name</td><td></td></tr> </tbody></table><ul><li>Each lamp has a switch.<ul><li>It is
red.</li></ul></li></ul><dl><dt>voucher</dt><dd>a number</dd></dl> <!-- a comment --><script>if (a < b) {
alert("x") }</script><details><summary>More</summary><p>Ann Lee &#8212; &lt;1911&gt;.</p>
</details></main></body></html>"""
ROWS: list[Any] = [
    {"id": f"c{n}", "input": f"When does hall {n} open?", "actual_output": f"At {n}:00.",
     "expected_output": f"At {n}:00.", "retrieval_context": [f"Hall {n} opens at {n}:00."], "tags": ["halls"],
     "metadata": {"document": "halls.md"}}
    for n in range(1, 7)
]  # fmt: skip
REPORT: Any = {
    "run": {
        "id": "20260101T000000-aaaaaa",
        "plan": {"metrics": ["faithfulness", "exact_match"], "judge": "local", "name": "faq", "tags": ["nightly"]},
        "started": "2026-01-01T00:00:00Z",
        "notes": ["ContextualRecall is left out."],
    },
    "cases": [
        {
            "case": row,
            "results": [
                {
                    "metric": metric, "spec": spec, "score": score, "low": low, "high": score, "success": score > 0.5,
                    "threshold": 0.5, "reason": "2 of 3 claims are supported.", "case_id": row["id"], "judge": "local",
                    "metadata": {
                        "repeats": [{"score": score, "status": "passed"}, {"score": 1.0, "error": None}],
                        "claims": ["Hall 1 opens at 1:00."],
                        "verdicts": [{"statement": "Hall 1 opens at 1:00.", "verdict": "yes",
                                      "reason": "it says so", "passage": 1, "span": [0, 20], "probability": 0.9}],
                    },
                    "usage": {"calls": 6, "input_tokens": 9}, "evaluation_cost": 0.01, "latency_ms": 33.5,
                }
                for metric, spec, score, low in (
                    ("Faithfulness", "faithfulness", 0.25 * (number % 5), 0.0 if number == 2 else 0.25 * (number % 5)),
                    ("ExactMatch", "exact_match", float(number % 2), float(number % 2)),
                )
            ],
        }
        for number, row in enumerate(ROWS)
    ],
    "rejected": ["line 9: no JSON"],
    "complete": True,
    "seconds": 1.5,
}  # fmt: skip


@cache
def documents(path: Path) -> list[Any]:
    """Return the document of a JSON file, or those of a file of JSON lines."""
    text = path.read_text("utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return [json.loads(text)]
