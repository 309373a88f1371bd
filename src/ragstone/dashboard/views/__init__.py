"""View models: functions from results to the values of a template."""
