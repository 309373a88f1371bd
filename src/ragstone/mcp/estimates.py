"""Runs in two steps: an estimate within the bounds gives an id, and a run starts only with such an id."""

from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import Any, Self

from ragstone.api import estimate as estimate_run
from ragstone.config import Settings
from ragstone.dashboard.services.catalogue import offered_arguments
from ragstone.dashboard.services.run_manager import RunManager
from ragstone.datasets.load import DEMO
from ragstone.errors import BadOption
from ragstone.mcp.results import EstimateAnswer
from ragstone.mcp.texts import MarkedName
from ragstone.options import Limits
from ragstone.runner import RunEstimate

_MAX_KEPT = 100  # estimates that can be started; the oldest are forgotten


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder below which a client may name files, wherever links lead."""

    path: Path

    @classmethod
    def at(cls, path: Path) -> Self:
        """Return the folder.

        Raises:
            BadOption: there is none.
        """
        if not path.is_dir():
            raise BadOption(f"--folder {path} is not a folder: name the folder that holds your datasets")
        return cls(path.resolve())

    def file(self, name: str) -> Path:
        """Return the file of that name.

        Raises:
            BadOption: there is none, or it is not below the folder.
        """
        path = self.path / name
        try:
            path = path.resolve()
            found = path.is_relative_to(self.path) and path.is_file()
        except (OSError, ValueError):  # too long, NUL, a circle of links
            found = False
        if not found:
            raise BadOption(f"There is no file {name[:200]!r} below {self.path}: name a file in that folder")
        return path


@dataclass(frozen=True, slots=True)
class _Estimated:
    """A run that may start: its dataset as it was estimated, and the arguments of `evaluate`."""

    data: str
    version: tuple[int, int]
    arguments: dict[str, Any]


class Estimates:
    """The runs that were estimated and may start. It may be used from any thread."""

    def __init__(self, settings: Settings, folder: Folder, run_manager: RunManager) -> None:
        self._settings = settings
        self._folder = folder
        self._run_manager = run_manager
        self._lock = Lock()
        self._kept: dict[str, _Estimated] = {}

    def estimate(self, dataset: str, choice: dict[str, Any]) -> EstimateAnswer:
        """Return what a run over a file below the folder, or `demo`, would take; nothing is sent.

        The choice has `metrics`, `preset`, `judge`, `limit` and `name`, each as the client wrote it.

        Raises:
            UsageError: there is no such file, metric or judge, or the dataset cannot be measured.
        """
        data = DEMO if dataset == DEMO else str(self._folder.file(dataset))
        version, chosen = _version(data), self._arguments(choice)
        most = self._settings.agent_max_cases
        limit = choice["limit"] or most + 1  # one more case than allowed shows that there are too many
        unstored: dict[str, Any] = {**chosen, "store": False, "limit": min(limit, most + 1)}
        found = estimate_run(data, **unstored)
        refused = self._refusal(found, free=chosen["judge"].works_offline)
        bounded = {**chosen, "limit": min(limit, most)}
        key = None if refused else self._keep(_Estimated(data, version, bounded))
        figures = ("cases", "judge", "calls", "input_tokens", "output_tokens", "cost")
        return EstimateAnswer.model_validate(
            {
                **{name: getattr(found, name) for name in figures},
                "estimate": key,
                "refused": refused,
                "max_cases": most,
                "max_cost": self._settings.agent_max_cost,
            }
        )

    def start(self, key: str) -> MarkedName:
        """Start an estimated run, and return its id.

        Raises:
            UsageError: nothing was estimated under that id, the file has changed, or the run cannot start.
        """
        with self._lock:
            chosen = self._kept.pop(key, None)
        if chosen is None:
            raise BadOption(
                f"No estimate {key[:40]!r} is open: call `estimate`, and pass on the id that it returns"
            )
        if chosen.data != DEMO:
            self._folder.file(chosen.data)  # it may be a link by now, or gone
        if _version(chosen.data) != chosen.version:
            raise BadOption(f"{chosen.data} has changed since it was estimated: call `estimate` again")
        return MarkedName.of(self._run_manager.start(chosen.data, **chosen.arguments))

    def _arguments(self, choice: dict[str, Any]) -> dict[str, Any]:
        settings = self._settings
        chosen = offered_arguments(settings, choice["judge"], choice["metrics"], choice["preset"])
        if not chosen["judge"].works_offline:
            budget = min(settings.max_cost or settings.agent_max_cost, settings.agent_max_cost)
            chosen["limits"] = Limits(rpm=settings.rpm, tpm=settings.tpm, max_cost=budget)
        return {**chosen, "name": choice["name"], "engine": None}  # a budget does not hold for batches

    def _refusal(self, found: RunEstimate, *, free: bool) -> str | None:
        """Return which bound a run exceeds, or that it has no test case; None for neither."""
        cases, cost = self._settings.agent_max_cases, self._settings.agent_max_cost
        if not found.cases:
            return f"no test case could be read, of {found.rejected:,} rows of the dataset"
        if found.cases > cases:
            return f"more than {cases:,} cases (agent_max_cases): give limit={cases} or less"
        if free:
            return None
        if found.cost is None:
            return "no price is known for this judge, so agent_max_cost cannot be kept: its price belongs in [prices]"
        if found.cost.most > cost:
            return f"up to ${found.cost.most:,.2f}, above the bound of ${cost:,.2f} (agent_max_cost)"
        return None

    def _keep(self, estimated: _Estimated) -> str:
        key = token_hex(6)
        with self._lock:
            self._kept[key] = estimated
            for old in [*self._kept][:-_MAX_KEPT]:
                del self._kept[old]
        return key


def _version(data: str) -> tuple[int, int]:
    if data == DEMO:
        return 0, 0
    stat = Path(data).stat()
    return stat.st_size, stat.st_mtime_ns
