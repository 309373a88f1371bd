"""Who executes a run."""

from ragstone.runner.engines import EngineName, get_engine
from ragstone.runner.estimate import Estimate, estimate
from ragstone.runner.execute import execute

__all__ = ["EngineName", "Estimate", "estimate", "execute", "get_engine"]
