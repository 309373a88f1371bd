"""View models of a report, independent of any output format and shared by all renderers."""
