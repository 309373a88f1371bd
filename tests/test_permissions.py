"""A command in somebody else's checkout: what the files there may not make it do, and what the user may."""

import json
import sys
from pathlib import Path

import pytest

from ragstone.errors import UsageError
from ragstone.permissions import Permissions, allow_host, allow_import, restricted
from ragstone.plugins import find
from tests.cli.command import RIGHT, forked, real, rows

RAN = "print('RAN ' + __name__)\n"
METRIC = """
from ragstone.metrics import Metric, Score

class Tone(Metric):
    needs = ("actual_output",)
    async def assess(self, case, ctx):
        return Score(1.0, "kind")
"""
JUDGE = """
class Judge:
    name = "theirs"
    async def ask(self, prompt):
        raise ValueError(prompt)
"""


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    names = {"HOME": "home", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache"}
    return {name: str(tmp_path / folder) for name, folder in names.items()}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout with modules of its own that tell when they are imported, and some that shadow others'."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / ".git").mkdir()
    for name in (
        "sniffio",
        "org",
        "msvcrt",
        "nt",
        "onnxruntime",
        "pickle",
        "asyncio",
        "random",
        "rich",
        "ray",
    ):
        (folder / f"{name}.py").write_text(RAN)
    (folder / "theirs.py").write_text(RAN + METRIC + JUDGE)
    rows(folder, RIGHT)
    return folder


def own_file(home: dict[str, str], text: str) -> None:
    folder = Path(home["XDG_CONFIG_HOME"]) / "ragstone"
    folder.mkdir(parents=True)
    (folder / "ragstone.toml").write_text(text)


@pytest.mark.parametrize(
    "arguments",
    [["runs"], ["config"], ["metrics"], ["run", "cases.jsonl", "-m", "exact_match", "--no-store"]],
    ids=" ".join,
)
def test_no_module_of_the_current_folder_is_imported(
    checkout: Path, home: dict[str, str], arguments: list[str]
) -> None:
    done = real(*arguments, cwd=checkout, **home)
    assert done.returncode in {0, 1, 2}, done.stderr
    assert "RAN" not in done.stdout + done.stderr


PROJECTS = {
    "judge": 'judge = "theirs:Judge"',
    "metrics": 'metrics = ["theirs:Tone"]',
    "schema": "metrics = ['json_correctness(expected_schema=\"theirs:Tone\")']",
    "preset": 'preset = "ours"\n[presets]\nours = ["theirs:Tone"]',
    "thresholds": '[thresholds]\n"theirs:Tone" = 0.5',
    "named judge": 'judge = "ours"\n[judges.ours]\njudge = "theirs:Judge"',
}


@pytest.mark.parametrize("project", PROJECTS.values(), ids=PROJECTS)
def test_a_project_imports_nothing_without_permission(
    checkout: Path, home: dict[str, str], project: str
) -> None:
    (checkout / "ragstone.toml").write_text(project + "\n")
    done = forked("run", "cases.jsonl", "--no-store", cwd=checkout, **home)
    assert "RAN" not in done.stdout + done.stderr
    if "schema" not in project:
        assert done.returncode == 2
        assert "is code that you did not name" in done.stderr
        assert "--trust" in done.stderr


@pytest.mark.parametrize("project", [PROJECTS["metrics"], PROJECTS["preset"], PROJECTS["thresholds"]])
@pytest.mark.parametrize("by", ["flag", "own file", "own list", "variable"])
def test_a_trusted_project_imports_its_modules(
    checkout: Path, home: dict[str, str], project: str, by: str
) -> None:
    (checkout / "ragstone.toml").write_text(project + "\n")
    deeper = checkout / "deeper"
    deeper.mkdir()
    flags = ["--trust"] if by == "flag" else []
    if by.startswith("own"):
        own_file(home, "trust = true\n" if by == "own file" else f"trust = [{str(checkout.parent)!r}]\n")
    variables = home | ({"RAGSTONE_TRUST": "true"} if by == "variable" else {})
    done = forked("run", "../cases.jsonl", "--no-store", *flags, cwd=deeper, **variables)
    assert "RAN theirs" in done.stdout, done.stderr
    assert done.returncode in {0, 1, 3}, done.stderr


def test_trust_in_other_folders_is_no_trust_here(checkout: Path, home: dict[str, str]) -> None:
    (checkout / "ragstone.toml").write_text(PROJECTS["metrics"])
    own_file(home, f"trust = [{str(checkout / 'other')!r}]\n")
    assert forked("run", "cases.jsonl", "--no-store", cwd=checkout, **home).returncode == 2


def test_a_project_cannot_trust_itself(checkout: Path, home: dict[str, str]) -> None:
    for setting in ("trust = true", "ray_send_keys = true"):
        (checkout / "ragstone.toml").write_text(setting + "\n" + PROJECTS["metrics"])
        done = forked("run", "cases.jsonl", "--no-store", cwd=checkout, **home)
        assert done.returncode == 2
        assert "cannot be set by a project's file" in done.stderr


def test_a_module_that_the_user_types_is_found_in_the_current_folder(
    checkout: Path, home: dict[str, str]
) -> None:
    done = forked("run", "cases.jsonl", "-m", "theirs:Tone", "--no-store", cwd=checkout, **home)
    assert done.returncode == 0, done.stderr
    assert "RAN theirs" in done.stdout


def test_a_module_in_the_users_variable_is_not_searched_for_in_the_current_folder(
    checkout: Path, home: dict[str, str]
) -> None:
    done = forked("run", "cases.jsonl", "--no-store", cwd=checkout, **home, RAGSTONE_JUDGE="theirs:Judge")
    assert done.returncode == 2
    assert "RAN" not in done.stdout
    assert "No module named 'theirs'" in done.stderr  # not "write theirs:Class"


def test_commands_that_measure_nothing_import_nothing_even_of_a_trusted_project(
    checkout: Path, home: dict[str, str]
) -> None:
    own_file(home, "trust = true\n")
    done = forked(
        "run", "cases.jsonl", "-m", "exact_match", "--no-store", "-o", "r.json", cwd=checkout, **home
    )
    assert done.returncode == 0, done.stderr
    for project in PROJECTS.values():
        (checkout / "ragstone.toml").write_text(project + "\n")
        for command in (
            ["gate", "r.json", "--results", "--update"],
            ["compare", "r.json", "r.json"],
            ["runs"],
            ["config"],
        ):
            done = forked(*command, cwd=checkout, **home)
            assert "RAN" not in done.stdout + done.stderr, (command, project)
            assert done.returncode in {0, 1, 3} or "No run is stored" in done.stderr, done.stderr


def test_a_resumed_run_imports_its_metrics_only_with_permission(checkout: Path, home: dict[str, str]) -> None:
    first = forked(
        "run", "cases.jsonl", "-m", "theirs:Tone", "--store", "s.sqlite3", "-q", cwd=checkout, **home
    )
    assert first.returncode == 0, first.stderr
    resume = ["run", "cases.jsonl", "--resume", "last", "--retry-failed", "--store", "s.sqlite3"]
    done = forked(*resume, cwd=checkout, **home)
    assert (done.returncode, "RAN" in done.stdout) == (2, False)
    (checkout / "ragstone.toml").write_text("")
    assert forked(*resume, "--trust", cwd=checkout, **home).returncode == 0


@pytest.mark.slow
def test_workers_of_ray_import_nothing_of_the_current_folder(tmp_path: Path, home: dict[str, str]) -> None:
    pytest.importorskip("ray")
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in ("pickle", "random", "ragstone", "pydantic", "anyio", "org"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / f'ran_{name}')!r}, 'w').close()\n")
    dataset = rows(tmp_path, RIGHT)
    command = [
        "run",
        dataset,
        "-m",
        "exact_match",
        "--engine",
        "ray",
        "--ray-workers",
        "1",
        "--no-store",
        "-q",
    ]
    done = real(*command, cwd=folder, **home)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("ran_*")) == []


def test_a_results_file_cannot_name_the_judge_that_explain_asks(checkout: Path, home: dict[str, str]) -> None:
    (checkout / "app.py").write_text("def answer(question):\n    return 'Paris'\n")
    done = forked(
        "run", "cases.jsonl", "-m", "exact_match", "--no-store", "-o", "r.json", cwd=checkout, **home
    )
    document = json.loads((checkout / "r.json").read_text())
    document["run"]["plan"]["judge"] = "theirs:Judge"
    (checkout / "r.json").write_text(json.dumps(document))
    done = forked("explain", "r.json", "--app", "app:answer", cwd=checkout, **home)
    assert "RAN" not in done.stdout
    assert "is code that you did not name" in done.stderr


def test_the_key_of_the_environment_goes_to_no_host_of_a_stored_spec(
    checkout: Path, home: dict[str, str]
) -> None:
    done = forked(
        "run", "cases.jsonl", "-m", "exact_match", "--no-store", "-o", "r.json", cwd=checkout, **home
    )
    assert done.returncode == 0, done.stderr
    document = json.loads((checkout / "r.json").read_text())
    document["run"]["plan"]["judge"] = "openai:m@http://evil.example/v1"
    (checkout / "r.json").write_text(json.dumps(document))
    (checkout / "app.py").write_text("def answer(question):\n    return 'Paris'\n")
    command = ["explain", "r.json", "--app", "app:answer"]
    done = forked(*command, cwd=checkout, **home, OPENAI_API_KEY="sk-mine-1234567")
    assert done.returncode == 2
    assert "names the host evil.example, and your key would be sent there" in done.stderr


def test_a_name_is_found_only_as_a_whole_word() -> None:
    permissions = Permissions(
        ("-m=my.tone:Tone(x=1)", "data-a:b"), tuple, tuple, tuple, lambda: Path("own.toml")
    )
    before = list(sys.path)
    with restricted(permissions):
        allow_import("metric", "my.tone:Tone")
        for name in ("tone:Tone", "my.tone:To", "a:b"):
            with pytest.raises(UsageError, match="you did not name"):
                allow_import("metric", name)
        with pytest.raises(UsageError, match="names the host evil"):
            allow_host("openai:m", "evil")
    assert sys.path == before
    allow_import("metric", "anything:At")
    allow_host("openai:m", "evil")


def test_plugins_and_built_ins_need_no_permission() -> None:
    with restricted(Permissions((), tuple, tuple, tuple, lambda: Path("own.toml"))):
        assert find("metric", "x", {"x": "json:loads"}) is json.loads
        with pytest.raises(
            UsageError, match=r"'json:loads' is code that you did not name.*trust = true in own\.toml"
        ):
            find("metric", "json:loads", {})
