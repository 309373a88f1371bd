"""View models: pure functions from results to what a template shows."""
