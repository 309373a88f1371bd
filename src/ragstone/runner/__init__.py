"""Who executes a run."""

from ragstone.runner.execute import execute

__all__ = ["execute"]
