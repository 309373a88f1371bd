"""The answer cache: one SQLite file for any number of processes."""
