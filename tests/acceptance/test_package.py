"""The package as it is released: built, installed where nothing else is, and started without a network."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Sequence
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def call(
    command: Sequence[str | Path], folder: Path, *, path: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command as somebody would who knows nothing of this checkout."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "PYTEST", "RAGSTONE"))
    }
    if path is not None:
        environment["PYTHONPATH"] = path
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wheel and sdist, the wheel built from the sdist as an index would have it."""
    folder = tmp_path_factory.mktemp("dist")
    built = call([sys.executable, "-m", "build", "--outdir", folder, ROOT], folder)
    assert built.returncode == 0, built.stdout[-4000:] + built.stderr[-4000:]
    return folder


@pytest.fixture(scope="module")
def bare(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment that holds the wheel and what it says it depends on, as it is installed here."""
    folder = tmp_path_factory.mktemp("bare")
    assert call([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], folder).returncode == 0
    (wheel,) = dist.glob("*.whl")
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python]
    installed = call([*pip, "install", "--quiet", "--no-compile", "--no-deps", "--no-index", wheel], folder)
    assert installed.returncode == 0, installed.stderr[-4000:]
    (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (metadata,) = packages.glob("*.dist-info")
    for needed in required(PathDistribution(metadata)).values():
        for name in {file.parts[0] for file in needed.files or () if ".." not in file.parts}:
            if not (packages / name).exists():
                (packages / name).symlink_to(Path(str(needed.locate_file(name))))
    return python.parent


def required(package: Distribution, extras: Iterable[str] = ("",)) -> dict[str, Distribution]:
    """Return what a distribution requires, and what that requires, by name."""
    found: dict[str, Distribution] = {}
    wanted = [(Requirement(line), extras) for line in package.requires or ()]
    while wanted:
        requirement, asked = wanted.pop()
        marker = requirement.marker
        if (marker and not any(marker.evaluate({"extra": extra}) for extra in asked)) or (
            requirement.name in found and not requirement.extras
        ):
            continue
        found[requirement.name] = distribution(requirement.name)
        extras = requirement.extras or ("",)
        wanted += [(Requirement(line), extras) for line in found[requirement.name].requires or ()]
    return found


def test_the_wheel_holds_the_package_and_nothing_else(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"ragstone"}
    for needed in (
        "py.typed",
        "datasets/data/demo.jsonl",
        "judges/local/weights.npz",
        "show/render/page.css",
    ):
        assert f"ragstone/{needed}" in names
    assert {Path(name).name for name in names if "/licenses/" in name} == {"LICENSE", "NOTICE"}


def test_installed_wheel_judges_without_network(bare: Path, tmp_path: Path) -> None:
    rows = [
        {
            "input": "When was the bridge opened?",
            "actual_output": f"It was opened in {year}.",
            "retrieval_context": ["The bridge was opened in 1931."],
        }
        for year in (1931, 1950)
    ]
    (tmp_path / "two.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    isolated = ["unshare", "--net", "--map-root-user"]
    if shutil.which("unshare") is None or call([*isolated, "true"], tmp_path).returncode:
        pytest.skip("no network namespace may be made here: a run WITHOUT A NETWORK IS NOT SHOWN")
    run = [bare / "ragstone", "run", "two.jsonl", "-m", "faithfulness", "--output", "found.json"]
    done = call([*isolated, *run], tmp_path)
    assert done.returncode == 1, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert [case["results"][0]["score"] for case in found["cases"]] == [1.0, 0.0]


def test_installed_wheel_includes_demo_dataset(bare: Path, tmp_path: Path) -> None:
    done = call([bare / "ragstone", "run", "demo", "-m", "answer_correctness", "--estimate"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "35" in done.stdout


def test_installed_wheel_has_py_typed_and_pytest_plugin(bare: Path, tmp_path: Path) -> None:
    look = (
        "import ragstone, importlib.metadata as m, importlib.resources as r;"
        "print(r.files(ragstone).joinpath('py.typed').is_file(), m.version('ragstone') == ragstone.__version__,"
        "      'ragstone.pytest_plugin' in [p.value for p in m.entry_points(group='pytest11')])"
    )
    told = call([bare / "python", "-c", look], tmp_path)
    assert told.stdout.split() == ["True"] * 3, told.stderr


def test_tests_run_from_the_unpacked_sdist(dist: Path, tmp_path: Path) -> None:
    (archive,) = dist.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path], check=True)
    (folder,) = tmp_path.iterdir()
    pytest_there = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    path = os.pathsep.join((str(folder / "src"), str(folder)))
    for name in ("docs", "examples", "benchmarks", "training", "CITATION.cff", "CONTRIBUTING.md", "Makefile"):
        assert (folder / name).exists(), name
    some = ["tests/test_case.py", "tests/laws/test_security.py"]  # the second looks whether others are there
    done = call([*pytest_there, *some], folder, path=path)
    assert done.returncode == 0, done.stdout[-4000:]
