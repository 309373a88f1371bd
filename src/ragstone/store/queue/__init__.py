"""The queue of traces: received, claimed, judged, kept for a while. In SQLite and PostgreSQL alike."""
