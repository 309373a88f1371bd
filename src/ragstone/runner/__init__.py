"""Who executes a run."""

from ragstone.runner.engines import get_engine
from ragstone.runner.estimate import Estimate, estimate
from ragstone.runner.execute import execute

__all__ = ["Estimate", "estimate", "execute", "get_engine"]
