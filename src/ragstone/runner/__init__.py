"""Execute a run: in this process, or on several workers."""

from ragstone.runner.engines import get_engine
from ragstone.runner.estimate import RunEstimate, estimate
from ragstone.runner.execute import execute

__all__ = ["RunEstimate", "estimate", "execute", "get_engine"]
