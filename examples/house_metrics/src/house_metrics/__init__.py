"""Metrics, a judge, a provider, an embedder, a dataset and a report of a house's own."""
