"""Metrics and a provider of a house's own."""
