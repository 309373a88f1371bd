"""The exceptions, as a tree: errors of the caller, of a judge, of a store.

RagstoneError
├── UsageError            the caller's request cannot run; no judge was called
│   ├── UnknownName       no metric, judge, preset … of that name
│   ├── BadOption         an option has a value that makes no sense
│   ├── MissingField      a metric needs a field that a test case does not have
│   ├── MissingExtra      an optional dependency is not installed
│   ├── BadDataset        a dataset, or one row of it, cannot be read
│   ├── NotInStore        no run, test case or baseline of that name is in the store
│   └── RunInUse          another process writes to the run
├── NotApplicable         the test case contains nothing for the metric to measure; becomes a skipped result
├── ApplicationError      the application failed, or its answer cannot be read; becomes `Result.error`
├── InvalidScore          a metric returned a number that is not a score; becomes `Result.error`
├── JudgeError            the judge gave no verdict; becomes `Result.error`, never a score
│   ├── CannotJudge       this judge is not able to answer this kind of prompt
│   ├── UnreadableAnswer  the answer breaks its contract, also when asked again
│   ├── NotCached         nothing may be sent, and the cache does not contain the answer
│   ├── ProviderError     the model's server refused or failed
│   │   ├── AccessRefused the key is missing, wrong or not allowed (401, 403)
│   │   └── JudgeDown     the server answers nobody any more
│   └── TimedOut          no answer within the time allowed
├── RunStopped            a run cannot go on now; it stops, keeps its results, and can be resumed
│   ├── BudgetExceeded    the run's budget is spent
│   └── BatchUnavailable  a batch that was submitted, and is paid for, cannot be fetched now
├── WorkerLost            a worker process of a run is gone
└── StoreError            a run could not be written or read

Every message has three parts: the problem (with the value), the place, and the correction.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_PASSWORD = re.compile(r"(:/{1,2}[^\s:/@'\"]*):[^\s'\"]*@")


def without_passwords(text: str) -> str:
    """Return the text with `***` in place of the passwords of addresses, such as `postgresql://me:secret@host/runs`."""
    return _PASSWORD.sub(r"\1:***@", text) if "@" in text else text


class RagstoneError(Exception):
    """Base of every error that ragstone raises on purpose. Its message shows no password of an address."""

    def __str__(self) -> str:
        """Return the message."""
        return without_passwords(super().__str__())


class UsageError(RagstoneError):
    """The caller's request cannot run. On the command line: exit code 2."""


_MAX_SUGGESTIONS = 3
_MAX_LISTED = 12
"""Most names that a message lists beside its suggestions."""


class UnknownName(UsageError):  # noqa: N818  (reads as what happened)
    """There is no such metric, judge, provider, preset or report."""

    def __init__(self, kind: str, name: str, known: Iterable[str], why: str = "") -> None:
        """Build the message: there is no `kind` named `name`, `why`, and a suggestion from the `known` names."""
        names = sorted(known)
        close = get_close_matches(name.lower(), names, n=_MAX_SUGGESTIONS, cutoff=0.5)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        hint += f" Similar names: {', '.join(map(repr, close[1:]))}." if close[1:] else ""
        because = f": {why}" if why else "."
        listed = (
            f" Known: {_listed(name, names)}." if names and (len(names) <= _MAX_LISTED or not close) else ""
        )
        super().__init__(f"There is no {kind} named {name!r}{because}{hint}{listed}")
        self.name = name


def _listed(name: str, names: list[str]) -> str:
    """Return the names, or, of many, the nearest and how many others there are."""
    if len(names) <= _MAX_LISTED:
        return ", ".join(names)
    nearest = get_close_matches(name.lower(), names, n=_MAX_SUGGESTIONS, cutoff=0.0)
    return f"{', '.join(nearest)} and {len(names) - len(nearest)} others"


class BadOption(UsageError):  # noqa: N818
    """An option has a value that makes no sense."""


class MissingField(UsageError):  # noqa: N818
    """A metric needs a field that a test case does not have."""

    def __init__(self, metric: str, case: str, fields: Iterable[str], hint: str = "") -> None:
        """Name the metric, the test case (or test cases), the fields, and a hint at a misnamed column."""
        self.fields = tuple(fields)
        missing = " and ".join(repr(field) for field in self.fields)
        super().__init__(
            f"{metric} needs {missing}: not given by {case}. Fill in {missing}, or leave the metric out.{hint}"
        )


class MissingExtra(UsageError):  # noqa: N818
    """An optional dependency is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        """Build the message from what needs the extra and the command that installs it."""
        super().__init__(f"{what} needs an optional dependency: pip install 'ragstone[{extra}]'")


class BadDataset(UsageError):  # noqa: N818
    """A dataset, or one row of it, cannot be read."""


class NotInStore(UsageError):  # noqa: N818
    """There is no such run, test case or baseline in the store."""


class RunInUse(UsageError):  # noqa: N818
    """Another process writes to the run that is to be resumed."""


class NotApplicable(RagstoneError):  # noqa: N818
    """The test case contains nothing for the metric to measure: a share of zero items is not defined.

    A run counts it as skipped, with this message as the reason; never as 0.
    """


class ApplicationError(RagstoneError):
    """A call of the user's application failed, or returned nothing that can be judged."""


class InvalidScore(RagstoneError):  # noqa: N818
    """A metric returned a number that is not a score: not finite, not in [0, 1], or no number at all."""


class JudgeError(RagstoneError):
    """The judge gave no verdict.

    Attributes:
        spent: the `Usage` of the unsuccessful calls; None without calls.
        cost: their price in US dollars; None if unknown.
    """

    spent: object = None
    cost: float | None = None


class CannotJudge(JudgeError):  # noqa: N818
    """This judge is not able to answer this kind of prompt."""


class UnreadableAnswer(JudgeError):  # noqa: N818
    """The answer breaks its contract, also when asked again."""


class NotCached(JudgeError):  # noqa: N818
    """Nothing may be sent, and the cache does not contain the answer."""


class ProviderError(JudgeError):
    """The model's server refused or failed.

    Attributes:
        status: HTTP status; None without a response.
        retry_after: seconds to wait, if the server gave them.
        partial: the beginning of an answer that was cut off at its token limit; None if none was.
        server: the server program, if its response shows it and ragstone makes use of it: `llama.cpp`.
    """

    partial: str | None = None
    server: str = ""

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        """Keep the status and the pause beside the message."""
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class AccessRefused(ProviderError):  # noqa: N818
    """The key is missing, wrong or not allowed (401, 403): asking again cannot help."""


class JudgeDown(ProviderError):  # noqa: N818
    """The server answers nobody any more: a run stops, keeps its results, and can be resumed."""


class TimedOut(JudgeError):  # noqa: N818
    """No answer within the time allowed."""


class RunStopped(RagstoneError):  # noqa: N818
    """A run cannot go on now: it stops, keeps its results, and can be resumed."""


class BudgetExceeded(RunStopped):
    """The budget of a run is spent."""


class BatchUnavailable(RunStopped):
    """A batch that was submitted, and is paid for, cannot be fetched now."""


class WorkerLost(RagstoneError):  # noqa: N818
    """A worker process of a run is gone. Its work goes to another; this error is reported if that fails too."""


class StoreError(RagstoneError):
    """A run could not be written or read."""


def describe(error: BaseException) -> str:
    """Return `Type: message` in one line, the way `Result.error` holds it."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
