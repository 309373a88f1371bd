"""ragstone against a real language model: `python -m benchmarks.real_model`."""
