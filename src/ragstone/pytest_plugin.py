"""The pytest plug-in: fixtures, options, markers, a test per case of a dataset, and a summary. No output unless used.

Every pytest run of every project that has ragstone installed imports this file: it imports next to
nothing, and prints nothing before a test has measured something.
"""

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.junitxml import xml_key  # what holds the JUnit file; pytest has no hook for its errors

from ragstone.testing.session_state import SESSION_STATE, CurrentTest, SessionState
from ragstone.vendor_telemetry import disable_vendor_telemetry

if TYPE_CHECKING:
    from ragstone.case import TestCase
    from ragstone.findings import Report
    from ragstone.judges import Judge
    from ragstone.testing.session_evaluator import SessionEvaluator

DATASET = "ragstone_dataset"
_MARKERS = (
    "llm_evaluation: calls a judge; deselect such tests with -m 'not llm_evaluation'",
    f"{DATASET}(data, *, argname='case', limit=None): run the test once for each test case of a dataset",
)
_RECORDS_ATTRIBUTE = "ragstone"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the command line and of the ini file."""
    group = parser.getgroup("ragstone", "ragstone: judge the answers of RAG and LLM systems")
    group.addoption(
        "--judge",
        metavar="SPEC",
        help="Judge: local (the default), openai[:MODEL], anthropic[:MODEL], ollama[:MODEL], module:Class.",
    )
    group.addoption(
        "--ragstone-concurrency",
        type=int,
        metavar="N",
        help="Maximum number of concurrent judge calls, in each process.",
    )
    group.addoption(
        "--ragstone-cache",
        nargs="?",
        const=True,
        metavar="FILE",
        help="Cache the judge's answers in FILE; without FILE, in the user's cache folder.",
    )
    group.addoption(
        "--ragstone-offline",
        action="store_true",
        help="Answer from the cache only: nothing is sent, and an answer that is not in the cache is an error.",
    )
    group.addoption(
        "--ragstone-store",
        nargs="?",
        const=True,
        metavar="URL",
        help="Store the results as runs named after their tests; without URL, in the user's data folder.",
    )
    group.addoption(
        "--ragstone-app",
        metavar="APP",
        help="Application that the fixture 'ask' asks: MODULE:FUNCTION, a URL, or a command.",
    )
    group.addoption("--ragstone-timeout", type=float, metavar="SECONDS", help="Timeout of one judge call.")
    parser.addini("ragstone_judge", "Judge to use if --judge is not given.")
    parser.addini("ragstone_app", "Application to ask if --ragstone-app is not given.")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers and an empty session."""
    disable_vendor_telemetry()
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)
    session = Session(config)
    config.pluginmanager.register(session, "ragstone-session")
    token = SESSION_STATE.set(session.state)
    config.add_cleanup(partial(_reset_state, token))


def _reset_state(token: Any) -> None:  # noqa: ANN401  (contextvars' own)
    # The context is not the one in which pytest was configured: the value is not visible there.
    try:
        SESSION_STATE.reset(token)
    except ValueError:
        SESSION_STATE.set(None)


class Session:
    """State shared by the tests of one process, and the hooks around them."""

    def __init__(self, config: pytest.Config) -> None:
        """Keep the options; nothing is opened yet."""
        self._config = config
        self._evaluator: SessionEvaluator | None = None
        self.state = SessionState(self.evaluator)

    def evaluator(self) -> "SessionEvaluator":
        """Return the evaluator of this session, created on first use."""
        if self._evaluator is None:
            from ragstone.config import read_settings  # noqa: PLC0415  (only tests that measure pay for it)
            from ragstone.testing.session_evaluator import SessionEvaluator  # noqa: PLC0415  (likewise)

            self._evaluator = SessionEvaluator(
                read_settings(_flags(self._config), start=self._config.rootpath).settings
            )
        return self._evaluator

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Make the current test known to its assertions, and store their records."""
        before = self.state.current
        self.state.current = current = CurrentTest(
            name=item.nodeid.partition("[")[0],
            judge=(getattr(item, "funcargs", None) or dict[str, Any]()).get("judge"),
            upcoming_cases=partial(_upcoming_cases, item),
        )
        try:
            return (yield)
        finally:
            self.state.current = before
            if current.records:
                from ragstone.testing.records import properties  # noqa: PLC0415  (only tests that measure pay for it)

                item.stash[RECORDS] = current.records
                item.user_properties.extend(properties(current.records))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the measurements to the report, and mark a test whose answer could not be measured."""
        report = yield
        if call.when == "call":
            if item.stash.get(RECORDS, None):
                setattr(report, _RECORDS_ATTRIBUTE, item.stash[RECORDS])
            if call.excinfo is not None:
                if call.excinfo.typename == "NotMeasured":
                    report.ragstone_error = True  # pyright: ignore[reportAttributeAccessIssue]  (reports carry what plug-ins add)
                if call.excinfo.type.__module__.partition(".")[0] == "ragstone":
                    _remove_module_path(report, f"{call.excinfo.type.__module__}.")
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, None, None]:
        """Write an answer that could not be measured as an error in the JUnit file too."""
        yield
        xml: Any = self._config.stash.get(xml_key, None)
        if xml is None or not getattr(report, "ragstone_error", False):
            return
        for node in xml.node_reporter(report).nodes:
            if node.tag == "failure":
                node.tag = "error"
                xml.stats["failure"] -= 1
                xml.stats["error"] += 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Report an answer that could not be measured as an error, not a failure."""
        if getattr(report, "ragstone_error", False) and report.failed:
            return "error", "E", "ERROR"
        return None

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Print a table of the measurements, if there are any."""
        reports = [report for reports in terminalreporter.stats.values() for report in reports]
        records = [entry for report in reports for entry in getattr(report, _RECORDS_ATTRIBUTE, ())]
        if records:
            from ragstone.testing.records import table  # noqa: PLC0415  (only tests that measured pay for it)

            terminalreporter.section("ragstone")
            for line in table(records):
                terminalreporter.write_line(line)

    def pytest_sessionfinish(self) -> None:
        """Close the evaluator, and end measurements in progress."""
        if self._evaluator is not None:
            self._evaluator.__exit__(None, None, None)
            self._evaluator = None


RECORDS = pytest.StashKey[list[dict[str, Any]]]()


def _remove_module_path(report: pytest.TestReport, path: str) -> None:
    """Remove the path of the module from the name of the exception, where the report and the summary show it."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        crash.message = crash.message.removeprefix(path)
    for entry in getattr(getattr(report.longrepr, "reprtraceback", None), "reprentries", ()):
        lines = getattr(entry, "lines", ())
        entry.lines = [line.replace(path, "", 1) if line.startswith("E ") else line for line in lines]


def _flags(config: pytest.Config) -> dict[str, Any]:
    """Return the options from the command line, or from pytest's ini file, by the names of the settings."""
    return {
        "judge": config.getoption("--judge") or config.getini("ragstone_judge") or None,
        "concurrency": config.getoption("--ragstone-concurrency"),
        "timeout": config.getoption("--ragstone-timeout"),
        "cache": config.getoption("--ragstone-cache"),
        "store": config.getoption("--ragstone-store"),
        "offline": config.getoption("--ragstone-offline") or None,
    }


def _upcoming_cases(item: pytest.Item, case: object, metrics: Any) -> list[Any]:  # noqa: ANN401  (metrics, unimported)
    from ragstone.testing.parametrize import upcoming_cases  # noqa: PLC0415  (only tests that measure pay for it)

    return upcoming_cases(item, case, metrics)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that is marked with a dataset once for each of its test cases."""
    for marker in metafunc.definition.iter_markers(DATASET):
        from ragstone.testing.parametrize import parametrize_from_dataset  # noqa: PLC0415  (only tests with a dataset pay for it)

        parametrize_from_dataset(metafunc, marker)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Report a row that could not be read as the error that it is, with file and line."""
    params = getattr(getattr(item, "callspec", None), "params", None)
    if params and item.get_closest_marker(DATASET):
        from ragstone.testing.parametrize import refuse_bad_rows  # noqa: PLC0415  (likewise)

        refuse_bad_rows(params.values())


@pytest.fixture(scope="session")
def judge(request: pytest.FixtureRequest) -> "Judge":
    """The judge of `--judge`, of the ini option `ragstone_judge`, or of the configuration; else the embedded one.

    Override it in a `conftest.py` to hand in a judge of your own: the assertions follow.
    """
    return _session(request).evaluator().judges.default


@pytest.fixture(scope="session")
def ragstone_app(request: pytest.FixtureRequest) -> Any:  # noqa: ANN401  (a name; a project's own may be any function)
    """The application of `--ragstone-app`, or of the ini option `ragstone_app`.

    Override it in a `conftest.py` to hand in a function or an object of your own.
    """
    named = request.config.getoption("--ragstone-app") or request.config.getini("ragstone_app")
    if not named:
        raise pytest.UsageError(
            "the fixture 'ask' has no application: give --ragstone-app MODULE:FUNCTION, set ragstone_app in the ini "
            "file, or override the fixture 'ragstone_app'"
        )
    return named


@pytest.fixture
def ask(request: pytest.FixtureRequest, ragstone_app: Any) -> "Callable[[Any], TestCase]":  # noqa: ANN401  (see there)
    """Ask the application a question, a test case or a conversation; return the test case with its answer.

    Each question is asked once in a session, and those of later tests with the same dataset are asked ahead.
    """
    session = _session(request)

    def asked(case: Any) -> "TestCase":  # noqa: ANN401  (a text, a mapping or a test case)
        from ragstone.case import TestCase  # noqa: PLC0415  (only tests that ask pay for it)

        case = TestCase.read({"input": case} if isinstance(case, str) else case, "ask")
        upcoming = partial(session.state.current.upcoming_cases, case, ())
        return session.evaluator().ask(ragstone_app, case, upcoming)

    return asked


@pytest.fixture
def evaluate(request: pytest.FixtureRequest) -> "Callable[..., Report]":
    """`ragstone.evaluate` by the judge of the session, with its results in the summary."""
    session = _session(request)

    def run(data: object, metrics: Any = (), **options: Any) -> "Report":  # noqa: ANN401  (those of `ragstone.evaluate`)
        from ragstone.testing.records import record  # noqa: PLC0415  (only tests that measure pay for it)

        current, evaluator = session.state.current, session.evaluator()
        resolved = evaluator.judges.resolve(options.pop("judge", current.judge), current)
        report = evaluator.evaluate(data, metrics, judge=resolved.judge, **options)
        current.records.extend(record(result) for _, result in report.flat())
        return report

    return run


def _session(request: pytest.FixtureRequest) -> Session:
    session = request.config.pluginmanager.get_plugin("ragstone-session")
    if not isinstance(session, Session):
        raise pytest.UsageError("ragstone's plug-in is not configured: do not disable 'ragstone-session'")
    return session
