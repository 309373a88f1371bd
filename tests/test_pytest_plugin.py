"""The plug-in, installed in a project of a user's own: whole pytest runs as processes."""

import json
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every
from tests.testing.project import SCRIPTED, Project

CASE = """
from ragstone import TestCase
from ragstone.testing import *

CASE = TestCase(input="Q?", actual_output="Paris is the capital of France.", expected_output="Paris",
                retrieval_context=["Paris is the capital city of France."], name="capital")
"""


def write_cases(
    project: Project, count: int, name: str = "cases.jsonl", context: str = "Passage {}."
) -> None:
    rows = (
        {
            "name": f"case-{number}",
            "input": f"Question {number}?",
            "actual_output": f"Answer {number}.",
            "retrieval_context": [context.format(number)],
        }
        for number in range(count)
    )
    project.write(name, "".join(f"{json.dumps(row)}\n" for row in rows))


def totals(run: subprocess.CompletedProcess[str]) -> str:
    return run.stdout.rstrip().splitlines()[-1].strip("= ").rpartition(" in ")[0]


def test_unused_plugin_prints_nothing_and_imports_little(project: Project) -> None:
    project.write("test_own.py", "def test_own(): assert 1 + 1 == 2\n")
    with_it, without = project.run_anew("-v"), project.run_anew("-v", "-p", "no:ragstone")
    said = [
        [line for line in run.stdout.splitlines() if " in " not in line and not line.startswith("plugins:")]
        for run in (with_it, without)
    ]
    assert said[0] == said[1]
    assert with_it.stderr == without.stderr == ""
    project.write(
        "test_own.py",
        "import sys\ndef test_own():\n"
        "    loaded = {name for name in sys.modules if name.startswith('ragstone')}\n"
        "    own = {'ragstone', 'ragstone.lazy', 'ragstone.pytest_plugin', 'ragstone.testing'}\n"
        "    own |= {'ragstone.vendor_telemetry'}\n"
        "    assert loaded == own | {'ragstone.testing.session_state'}\n"
        "    assert not {'pydantic', 'numpy', 'aiohttp', 'anyio.from_thread'} & set(sys.modules)\n",
    )
    run = project.run_anew("-p", "no:anyio")
    assert run.returncode == 0, run.stdout


def test_plugin_registers_options_markers_and_fixtures(project: Project) -> None:
    told = project.run("--help").stdout
    assert "--judge=SPEC" in told
    assert "ragstone_judge" in told
    told = project.run("--markers").stdout
    assert "@pytest.mark.llm_evaluation" in told
    assert "@pytest.mark.ragstone_dataset(data" in told
    told = project.run("--fixtures").stdout
    assert "judge [session scope]" in told
    assert "evaluate --" in told
    assert "ask --" in told


def test_failure_shows_documented_message_without_ragstone_frames(
    project: Project,
    lines: Callable[[str], str],
) -> None:
    project.write("conftest.py", SCRIPTED)
    project.write(
        "test_own.py",
        CASE + "def test_lies(judge):\n"
        "    assert_passes(CASE.model_copy(update={'actual_output': 'LIES'}), 'faithfulness')\n",
    )
    run = project.run()
    assert run.returncode == 1
    assert totals(run) == "1 failed"
    assert "src/ragstone" not in run.stdout
    assert lines(run.stdout).startswith(
        "AssertionError: Metric evaluation failed unexpectedly.\n"
        "\n"
        "Metric:    Faithfulness\n"
        "Score:     0.4 (40.0%)\n"
        "Threshold: 0.5 (50.0%)\n"
        "Status:    FAIL (expected PASS)\n"
        "Reason:    2 of 5 claims are supported."
    )


def test_measurement_error_is_reported_as_an_error(
    project: Project,
    lines: Callable[[str], str],
) -> None:
    project.write(
        "test_own.py",
        CASE + "BARE = TestCase(input='Q', actual_output='A')\n"
        "def test_passes(): assert_passes(BARE, 'faithfulness')\n"
        "def test_fails(): assert_fails(BARE, 'faithfulness')\n"
        "def test_skips(): assert_passes(BARE, 'faithfulness', on_missing='skip')\n"
        "def test_wrong(): assert_passes(CASE, 'exact_match')\n",
    )
    run = project.run()
    assert totals(run) == "1 failed, 1 skipped, 2 errors"
    assert run.returncode == 1
    assert "Missing required parameters: retrieval_context" in lines(run.stdout)


def test_measurement_error_is_an_error_in_the_junit_file_and_names_no_module(
    project: Project, tmp_path: Path
) -> None:
    project.write(
        "test_own.py",
        CASE + "BARE = TestCase(input='Q', actual_output='A')\n"
        "def test_bare(): assert_passes(BARE, 'faithfulness')\n"
        "def test_wrong(): assert_passes(CASE, 'exact_match')\n",
    )
    run = project.run("--junitxml=junit.xml")
    assert "ERROR test_own.py::test_bare - NotMeasured: Metric evaluation fai" in run.stdout
    assert "ragstone.testing" not in run.stdout
    suite = ET.parse(tmp_path / "junit.xml").getroot()[0]  # noqa: S314  (ours)
    assert (suite.get("errors"), suite.get("failures")) == ("1", "1")
    found = {case.get("name"): case[-1] for case in suite.iter("testcase")}
    assert {name: node.tag for name, node in found.items()} == {"test_bare": "error", "test_wrong": "failure"}
    assert found["test_bare"].get("message", "").startswith("NotMeasured: Metric evaluation failed")


def test_llm_evaluation_marker_selects_and_deselects(project: Project) -> None:
    project.write(
        "test_own.py",
        CASE
        + "import pytest\n@pytest.mark.llm_evaluation\ndef test_asks(): assert_passes(CASE, 'faithfulness')\n"
        "def test_own(): pass\n",
    )
    assert totals(project.run("-m", "not llm_evaluation")) == "1 passed, 1 deselected"
    assert totals(project.run("-m", "llm_evaluation")) == "1 passed, 1 deselected"


def test_judge_option_precedes_ini_and_local_judge(project: Project) -> None:
    project.write(
        "mine.py",
        "from ragstone.judges import LocalJudge\n"
        "class First(LocalJudge):\n    name = 'first'\nclass Second(LocalJudge):\n    name = 'second'\n",
    )
    project.write(
        "test_own.py", CASE + "def test_own(): print('by', assert_passes(CASE, 'faithfulness').judge)\n"
    )
    assert "by local" in project.run("-s").stdout
    assert "by first" in project.run("-s", "-o", "ragstone_judge=mine:First", PYTHONSAFEPATH="").stdout
    assert "by second" in project.run("-s", "-o", "ragstone_judge=mine:First", "--judge=mine:Second").stdout
    unknown = project.run("--judge=locall")
    assert "There is no judge named 'locall'. Did you mean 'local'?" in unknown.stdout


def test_dataset_marker_makes_one_test_per_case(project: Project) -> None:
    write_cases(project, 3, "data/cases.jsonl")
    project.write("data/bad.jsonl", '{"input": "Long\\nquestion?", "actual_output": "A."}\n{broken\n')
    project.write(
        "tests/test_own.py",
        CASE + "import pytest\n"
        "@pytest.mark.ragstone_dataset('../data/cases.jsonl')\ndef test_beside(case): assert case.name\n"
        "@pytest.mark.ragstone_dataset('data/cases.jsonl', limit=2)\ndef test_from_root(case): assert case.name\n"
        "@pytest.mark.ragstone_dataset('data/bad.jsonl', argname='row')\ndef test_bad(row): assert row.input\n",
    )
    run = project.run("-v")
    assert "test_beside[case-2] PASSED" in run.stdout
    assert run.stdout.count("test_from_root[") == 2
    assert "test_bad[Long question?] PASSED" in run.stdout
    assert "line 2" in run.stdout
    assert totals(run) == "6 passed, 1 error"


def test_id_of_a_row_is_the_id_of_its_test(project: Project) -> None:
    rows = [{"id": "hours/1", "name": "first"}, {"name": "second"}, {}]
    lines = [json.dumps({"input": f"Question {n}?", **row}) for n, row in enumerate(rows)]
    project.write("cases.jsonl", "\n".join(lines))
    project.write(
        "test_own.py",
        "import pytest\n@pytest.mark.ragstone_dataset('cases.jsonl')\ndef test_row(case): pass\n",
    )
    run = project.run("-v")
    for name in ("hours/1", "second", "Question 2?"):
        assert f"test_row[{name}] PASSED" in run.stdout


@pytest.mark.parametrize(
    ("marker", "signature", "said"),
    [
        ("'none.jsonl'", "case", "none.jsonl"),
        ("'cases.jsonl'", "row", "takes no argument 'case'"),
        ("'cases.jsonl', nane=1", "case", "write @pytest.mark.ragstone_dataset('cases.jsonl'"),
    ],
)
def test_invalid_dataset_marker_fails_collection(
    project: Project,
    marker: str,
    signature: str,
    said: str,
) -> None:
    write_cases(project, 1)
    project.write(
        "test_own.py",
        f"import pytest\n@pytest.mark.ragstone_dataset({marker})\ndef test_own({signature}): pass\n",
    )
    run = project.run()
    assert run.returncode == 2
    assert said in run.stdout
    assert "Traceback" not in run.stdout


@pytest.fixture
def judged_by(openai_server: OpenAIServer) -> dict[str, str]:
    openai_server.script = Script(claims=["C."], truths=["T."], verdicts=every("yes"))
    return {"OPENAI_BASE_URL": openai_server.base_url, "OPENAI_API_KEY": "sk-loopback"}


DATASET_TEST = """
import pytest
from ragstone.testing import assert_passes

@pytest.mark.ragstone_dataset("cases.jsonl")
def test_faithful(case): assert_passes(case, "faithfulness(evidence='context')")
"""


@pytest.mark.parametrize("processes", [[], ["-n", "2"]], ids=["alone", "xdist"])
def test_cases_of_a_dataset_test_are_measured_concurrently(
    project: Project,
    openai_server: OpenAIServer,
    judged_by: dict[str, str],
    processes: list[str],
) -> None:
    write_cases(project, 60)
    project.write("test_own.py", DATASET_TEST)
    openai_server.together = 12
    run = project.run("--judge=openai", *processes, **judged_by)
    assert totals(run) == "60 passed", run.stdout
    assert len(openai_server.requests) == 120  # two questions a case, none twice, whoever runs its test
    (row,) = [line.split() for line in run.stdout.splitlines() if line.startswith("faithfulness")]
    assert row[1:8] == ["60", "60", "0", "0", "0", "0", "1.00"]  # n, the five statuses, the mean
    assert "judged by openai:gpt-4o-mini" in run.stdout


def test_concurrency_option_limits_calls_for_selected_tests_only(
    project: Project,
    openai_server: OpenAIServer,
    judged_by: dict[str, str],
) -> None:
    write_cases(project, 30)
    project.write("test_own.py", DATASET_TEST)
    openai_server.together = 3
    run = project.run("--judge=openai", "--ragstone-concurrency=3", "-k", "case-1", **judged_by)
    assert totals(run) == "11 passed, 19 deselected"
    assert len(openai_server.requests) == 22
    assert openai_server.traffic.peak_in_flight == 3


def test_exitfirst_stops_further_judge_calls(
    project: Project,
    openai_server: OpenAIServer,
    judged_by: dict[str, str],
) -> None:
    write_cases(project, 200)
    project.write("test_own.py", DATASET_TEST)
    openai_server.most_answers = 20
    openai_server.script.say(verdicts=every("no"))
    run = project.run("-x", "--judge=openai", "--ragstone-concurrency=4", **judged_by)
    assert totals(run) == "1 failed"
    assert len(openai_server.requests) <= 20 + 4


def test_case_built_in_the_test_is_measured_separately(
    project: Project,
    openai_server: OpenAIServer,
    judged_by: dict[str, str],
) -> None:
    write_cases(project, 5)
    project.write(
        "test_own.py",
        "import pytest\nfrom ragstone.testing import assert_passes\n"
        "@pytest.mark.ragstone_dataset('cases.jsonl')\n"
        "def test_rag(case):\n"
        "    answered = case.model_copy(update={'actual_output': f'Mine to {case.input}'})\n"
        "    assert_passes(answered, \"faithfulness(evidence='context')\")\n",
    )
    run = project.run("--judge=openai", **judged_by)
    assert totals(run) == "5 passed"
    assert len(openai_server.requests) == 10
    assert all("Mine to" in request.text or "C." in request.text for request in openai_server.requests)


@pytest.mark.parametrize("scope", ["session", "function"])
def test_own_judge_fixture_is_asked_ahead_when_it_stays_equal(
    project: Project,
    openai_server: OpenAIServer,
    judged_by: dict[str, str],
    scope: str,
) -> None:
    write_cases(project, 20)
    project.write(
        "conftest.py",
        "import pytest\nfrom ragstone.judges import LLMJudge\nfrom ragstone.providers import OpenAI\n"
        f"@pytest.fixture(scope='{scope}', autouse=True)\n"
        "def judge(): return LLMJudge(provider=OpenAI(model='mine'))\n",
    )
    project.write("test_own.py", DATASET_TEST)
    openai_server.latency = 0.2  # the first test's calls are made alone, so nothing can wait for more of them
    run = project.run(**judged_by)
    assert totals(run) == "20 passed"
    assert "judged by openai:mine" in run.stdout
    assert openai_server.traffic.peak_in_flight > 8
    assert len(openai_server.requests) == 40


def test_a_scripted_judge_is_never_asked_ahead(project: Project) -> None:
    write_cases(project, 3)
    project.write("conftest.py", SCRIPTED.replace("@pytest.fixture", "@pytest.fixture(scope='session')"))
    project.write(
        "test_own.py",
        "import pytest\nfrom ragstone.testing import assert_passes\n"
        "@pytest.mark.ragstone_dataset('cases.jsonl')\n"
        "def test_own(case, judge):\n"
        "    before = len(judge.prompts)\n"
        "    assert_passes(case, 'faithfulness')\n"
        "    assert len(judge.prompts) == before + 2\n",
    )
    run = project.run()
    assert totals(run) == "3 passed", run.stdout


def test_parametrised_tests_and_evaluate_fixture_run_concurrently(
    project: Project,
    openai_server: OpenAIServer,
    judged_by: dict[str, str],
) -> None:
    project.write(
        "test_own.py",
        "import pytest\nfrom ragstone import TestCase\nfrom ragstone.testing import assert_passes\n"
        "CASES = [TestCase(input=f'{n}?', actual_output=f'{n}.', retrieval_context=[f'{n}']) for n in range(20)]\n"
        "@pytest.mark.parametrize('case', CASES)\n"
        "@pytest.mark.parametrize('threshold', [0.5, 0.9])\n"
        "def test_own(case, threshold): assert_passes(case, 'faithfulness', threshold=threshold)\n"
        "def test_all(evaluate):\n"
        "    report = evaluate(CASES, ['faithfulness'])\n"
        "    assert report.summary()['Faithfulness'].pass_rate == 1\n",
    )
    openai_server.together = 9
    run = project.run("--judge=openai", **judged_by)
    assert totals(run) == "41 passed", run.stdout
    assert "faithfulness                 40" in run.stdout  # 20 of the parametrised test, 20 of `evaluate`


def test_assertions_work_in_anyio_and_asyncio_tests(project: Project) -> None:
    pytest.importorskip("pytest_asyncio")
    project.write("conftest.py", SCRIPTED)
    project.write(
        "test_own.py",
        CASE + "import pytest\n"
        "@pytest.mark.anyio\n@pytest.mark.parametrize('anyio_backend', ['asyncio'])\n"
        "async def test_anyio(anyio_backend, judge): assert assert_passes(CASE, 'faithfulness').judge == 'scripted'\n"
        "@pytest.mark.asyncio\nasync def test_asyncio(judge, evaluate):\n"
        "    assert assert_passes(CASE, 'faithfulness').judge == 'scripted'\n"
        "    assert evaluate([CASE], 'faithfulness').exit_code == 0\n",
    )
    run = project.run("-o", "addopts=", "-o", "asyncio_default_fixture_loop_scope=function")
    assert totals(run) == "2 passed", run.stdout
    assert "faithfulness  3" in run.stdout


def test_junit_properties(project: Project, tmp_path: Path) -> None:
    project.write(
        "test_own.py", CASE + "def test_own(): assert_passes(CASE, 'faithfulness(threshold=0.8)')\n"
    )
    project.run("--junitxml=junit.xml", "-o", "junit_family=xunit1")
    found = {
        item.get("name"): item.get("value")
        for item in ET.parse(tmp_path / "junit.xml").getroot().iter("property")  # noqa: S314  (ours)
    }
    assert found["ragstone.faithfulness(threshold=0.8).score"] == "1"
    assert found["ragstone.faithfulness(threshold=0.8).status"] == "passed"
    assert found["ragstone.faithfulness(threshold=0.8).judge"] == "local"


def test_the_summary_counts_errors_beside_the_mean(project: Project) -> None:
    project.write("conftest.py", SCRIPTED)
    project.write(
        "test_own.py",
        CASE + "import pytest\n"
        "@pytest.mark.parametrize('n', range(12))\n"
        "def test_own(n): assert_passes(CASE, 'exact_match', case_sensitive=False, threshold=0)\n"
        "def test_broken(judge):\n    judge.clear()\n    assert_passes(CASE, 'faithfulness')\n"
        "def test_lies(judge):\n"
        "    assert_fails(CASE.model_copy(update={'actual_output': 'LIES'}), 'faithfulness', threshold=1)\n",
    )
    run = project.run()
    assert totals(run) == "13 passed, 1 error", run.stdout
    assert "faithfulness " in run.stdout
    rows = {
        line.split()[0]: line.split()[1:] for line in run.stdout.splitlines() if "faithfulness" in line[:12]
    }
    assert rows["faithfulness(threshold=1)"][:4] == ["1", "0", "1", "0"]


def test_ctrl_c_during_a_judge_call_exits_with_2(
    project: Project,
    openai_server: OpenAIServer,
    judged_by: dict[str, str],
) -> None:
    project.write(
        "test_own.py",
        CASE + "import os, signal, threading\n"
        "def test_own():\n"
        "    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    assert_passes(CASE, 'faithfulness')\n",
    )
    openai_server.latency = 60
    run = project.run("--judge=openai", **judged_by)
    assert run.returncode == 2
    assert "KeyboardInterrupt" in run.stdout


def test_cached_answers_replay_offline_without_a_key(
    project: Project, openai_server: OpenAIServer, judged_by: dict[str, str]
) -> None:
    write_cases(project, 5)
    project.write("test_own.py", DATASET_TEST)
    recording = ("--judge=openai", "--ragstone-cache=answers.sqlite3")
    assert totals(project.run(*recording, **judged_by)) == "5 passed"
    assert len(openai_server.requests) == 10
    again = project.run(
        *recording, "--ragstone-offline", OPENAI_BASE_URL=openai_server.base_url, OPENAI_API_KEY=""
    )
    assert totals(again) == "5 passed", again.stdout
    write_cases(project, 6)
    more = project.run(*recording, "--ragstone-offline", **judged_by)
    assert totals(more) == "5 passed, 1 error"
    assert "NotCached" in more.stdout
    assert len(openai_server.requests) == 10
    project.write("test_own.py", DATASET_TEST.replace("context')\")", "context')\", repeats=2)"))
    repeated = project.run(*recording, "--ragstone-offline", "-k", "case-1", **judged_by)
    assert "repeats needs new answers" in repeated.stdout


def test_store_option_keeps_results_and_settings_file_applies(project: Project) -> None:
    from ragstone.store import open_store  # noqa: PLC0415  (a database is opened by this test alone)

    write_cases(project, 12, context="Answer {}.")
    project.write("test_own.py", DATASET_TEST + "def test_one(case=None): pass\n")
    project.write("ragstone.toml", "threshold = 0.25\n[thresholds]\nfaithfulness = 0.125\n")
    run = project.run("--ragstone-store=runs.sqlite3", "--junitxml=junit.xml", "-o", "junit_family=xunit1")
    assert totals(run) == "13 passed", run.stdout
    store = open_store(project.path / "runs.sqlite3")
    (stored,) = store.runs()
    assert stored.run.plan.name == "test_own.py::test_faithful"
    assert len(store.results(stored)) == 12
    store.close()
    assert "(threshold=0.125" in (project.path / "junit.xml").read_text()
    project.write("ragstone.toml", "treshold = 0.25\n")
    wrong = project.run("-k", "case-1")
    assert "Did you mean 'threshold'?" in wrong.stdout


def test_application_is_asked_once_for_each_question_and_ahead_of_the_tests(project: Project) -> None:
    """Each test asks and measures its own case; the application sees all of them at the same time."""
    project.write("questions.jsonl", "".join(f'{{"input": "Question {n}?"}}\n' for n in range(6)))
    project.write(
        "my_app.py",
        "from pathlib import Path\n"
        "def answer(question):\n"
        "    with Path('asked').open('a') as log: log.write(question + '\\n')\n"
        "    if '5' in question: raise LookupError('no index')\n"
        "    return {'answer': f'Answer to {question}', 'contexts': ['A passage.']}\n",
    )
    project.write(
        "test_app.py",
        "import pytest\n"
        "from pathlib import Path\n"
        "from ragstone.testing import *\n"
        "@pytest.mark.ragstone_dataset('questions.jsonl')\n"
        "def test_exact(case, ask):\n"
        "    found = ask(case)\n"
        "    assert ask(case) is found\n"
        "    assert_passes(found, 'length(budget_words=20)')\n"
        "    assert len(Path('asked').read_text().splitlines()) == 6\n"
        "def test_one_question(ask):\n"
        "    assert ask('Why?').actual_output == 'Answer to Why?'\n",
    )
    run = project.run("--ragstone-app", "my_app:answer")
    assert totals(run) == "6 passed, 1 error", run.stdout
    assert "NotMeasured" in run.stdout
    assert "LookupError: no index" in run.stdout
    assert sorted((project.path / "asked").read_text().split("\n"))[1:] == [
        *(f"Question {n}?" for n in range(6)),
        "Why?",
    ]
    assert "the fixture 'ask' has no application: give --ragstone-app" in project.run().stdout
