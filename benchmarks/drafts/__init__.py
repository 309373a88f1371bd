"""Benchmark of drafting in a synthetic world whose facts are known: `python -m benchmarks.drafts`."""
