"""Reports on the tuning of a judge."""
