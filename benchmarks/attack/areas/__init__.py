"""The areas under attack: each module yields attempts, as a name and a function that must end as expected."""

AREAS = {
    "metric_specs": 5_000,
    "texts": 2_000,
    "datasets": 5_000,
    "configuration": 4_000,
    "judge_replies": 6_000,
    "page": 3_000,
    "traces": 9_000,
    "receiver": 6_000,
    "documents": 6_000,
    "pdfs": 2_000,
    "results": 6_000,
    "baselines": 3_000,
    "journals": 4_000,
    "push_replies": 3_000,
    "guard_requests": 4_000,
    "commands": 1_200,
}
"""Number of inputs of each area, which is a module of this package with `attempts(folder, rng, count)`."""
