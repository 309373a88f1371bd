"""Time of the metrics on ids: 1,000 queries of 100 passages each, through `evaluate`.

python -m benchmarks.retrieval
"""

import random
from time import perf_counter

from ragstone import TestCase, evaluate

QUERIES, PASSAGES = 1000, 100


def cases() -> list[TestCase]:
    """Return seeded test cases."""
    seeded = random.Random(7)
    ids = [f"d{number}" for number in range(3 * PASSAGES)]
    return [
        TestCase.model_validate(
            {
                "input": f"query {number}",
                "retrieved_ids": seeded.sample(ids, PASSAGES),
                "relevant_ids": {id_: seeded.randint(1, 3) for id_ in seeded.sample(ids, 8)},
            }
        )
        for number in range(QUERIES)
    ]


def main() -> None:
    """Measure and print."""
    made = cases()
    evaluate(made[:1], ["ndcg@10"], judge="local", progress=False)
    for spec in ("ndcg@10", "recall@100", "average_precision", "mrr"):
        start = perf_counter()
        report = evaluate(made, [spec], judge="local", progress=False)
        seconds = perf_counter() - start
        (summary,) = report.summary().values()
        print(f"{spec:20} {seconds:6.2f} s   mean {summary.mean:.4f}   n {summary.n}")


if __name__ == "__main__":
    main()
