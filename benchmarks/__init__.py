"""Benchmarks of ragstone, and comparisons with other tools."""
