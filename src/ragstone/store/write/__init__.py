"""Writing: the recorder of a run, its writer thread, aggregates, lease and batch log."""
