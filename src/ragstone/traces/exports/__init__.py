"""Files that tracing tools write, as spans: one tool a file, each with `fits(value)` and `records(value)`."""
