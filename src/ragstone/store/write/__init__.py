"""Writing a run: recorder, writer, rows, aggregates, heartbeat."""
