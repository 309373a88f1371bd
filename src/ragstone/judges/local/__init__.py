"""The embedded judge."""
