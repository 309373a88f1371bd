"""Exports of tracing tools, read as spans. Each tool has a module with `fits(value)` and `records(value)`."""
