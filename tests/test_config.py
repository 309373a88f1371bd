"""Flags before environment before file before defaults, each value with its source, what is wrong with its place."""

import os
import re
from pathlib import Path

import pytest

from ragstone.config import Settings, masked_settings, read_settings
from ragstone.errors import UsageError

FILE = """
judge = "strict"
concurrency = 4
threshold = 0.7
metrics = ["faithfulness"]

[judges.strict]
judge = "openai:gpt-4o"
api_key = "sk-hidden"
headers = { X-Team = "hidden too" }

[thresholds]
faithfulness = 0.9

[presets]
nightly = ["faithfulness", "answer_relevancy"]

[prices]
"my-model" = { input = 1.5, output = 3 }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ragstone.toml").write_text(FILE)
    return tmp_path


def test_read_settings_without_sources_gives_defaults(tmp_path: Path) -> None:
    configuration = read_settings(start=tmp_path, environment={})
    assert configuration.settings == Settings()
    assert set(configuration.sources.values()) == {"default"}
    with pytest.raises(ValueError, match="frozen"):
        configuration.settings.judge = "openai"  # pyright: ignore[reportAttributeAccessIssue]


def test_flags_precede_environment_file_and_defaults(folder: Path) -> None:
    environment = {
        "RAGSTONE_CONCURRENCY": "8",
        "RAGSTONE_TIMEOUT": "5",
        "RAGSTONE_TRACEBACK": "1",
        "RAGSTONE_LOGO": "y",
        "HOME": "/",
    }
    configuration = read_settings({"timeout": 9.0, "preset": None}, start=folder, environment=environment)
    settings, sources = configuration.settings, configuration.sources
    assert (settings.judge, sources["judge"]) == ("strict", str(folder / "ragstone.toml"))
    assert (settings.concurrency, sources["concurrency"]) == (8, "RAGSTONE_CONCURRENCY")
    assert (settings.timeout, sources["timeout"]) == (9.0, "--timeout")
    assert (settings.offline, sources["offline"]) == (False, "default")
    assert settings.thresholds == {"faithfulness": 0.9}
    assert settings.presets["nightly"] == ("faithfulness", "answer_relevancy")
    assert settings.prices["my-model"].cached is None


def test_nearest_file_is_read_with_ragstone_toml_before_pyproject(folder: Path) -> None:
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    assert read_settings(start=inner, environment={}).settings.concurrency == 4
    (folder / "a" / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert read_settings(start=inner, environment={}).settings.concurrency == 4
    (folder / "a" / "pyproject.toml").write_text("[tool.ragstone]\nconcurrency = 5\n")
    configuration = read_settings(start=inner, environment={})
    assert configuration.settings.concurrency == 5
    assert configuration.sources["concurrency"] == f"{folder / 'a' / 'pyproject.toml'} [tool.ragstone]"
    (folder / "a" / "ragstone.toml").write_text("concurrency = 6\n")
    assert read_settings(start=inner, environment={}).settings.concurrency == 6
    named = {"RAGSTONE_CONFIG": str(folder / "ragstone.toml")}
    assert read_settings(start=inner, environment=named).settings.concurrency == 4


@pytest.mark.parametrize(
    ("variable", "text", "value"),
    [
        ("metrics", '["faithfulness", "exact_match"]', ("faithfulness", "exact_match")),
        ("metrics", "faithfulness(threshold=0.8)", ("faithfulness(threshold=0.8)",)),
        ("cache", "true", True),
        ("cache", "answers.sqlite3", "answers.sqlite3"),
        ("thresholds", '{"faithfulness": 0.8}', {"faithfulness": 0.8}),
        ("judge", "ollama:llama3.2", "ollama:llama3.2"),
    ],
)
def test_environment_variables_are_parsed_by_type(
    tmp_path: Path, variable: str, text: str, value: object
) -> None:
    environment = {f"RAGSTONE_{variable.upper()}": text}
    assert getattr(read_settings(start=tmp_path, environment=environment).settings, variable) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("concurency = 3", "There is no setting named 'concurency'. Did you mean 'concurrency'?"),
        ("concurrency = 0", "concurrency is 0: input should be greater than or equal to 1."),
        ("threshold = 80", "threshold is 80: input should be less than or equal to 1."),
        (
            "[judges.a]\njudge = 'openai'\nbase_ulr = 'x'",
            "no setting named 'base_ulr'. Did you mean 'base_url'?",
        ),
        ("[judges.a]\nbase_url = 'x'", "judges.a.judge is"),
        ("[prices.m]\ninput = 1\noutput = -1", "prices.m.output is -1"),
        ("[thresholds]\nfaithfulness = 2", "thresholds.faithfulness is 2"),
        ("judge = ", "is not TOML"),
    ],
)
def test_invalid_setting_is_reported_with_its_file(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "ragstone.toml").write_text(text)
    with pytest.raises(UsageError) as caught:
        read_settings(start=tmp_path, environment={})
    assert said in str(caught.value)
    assert str(tmp_path / "ragstone.toml") in str(caught.value)


def test_unknown_variable_is_rejected_with_suggestion(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"RAGSTONE_JUGDE: .*'jugde'\. Did you mean 'judge'"):
        read_settings(start=tmp_path, environment={"RAGSTONE_JUGDE": "openai"})
    with pytest.raises(UsageError, match="RAGSTONE_CONCURRENCY: concurrency is 'many'"):
        read_settings(start=tmp_path, environment={"RAGSTONE_CONCURRENCY": "many"})
    with pytest.raises(UsageError, match="cannot be read"):
        read_settings(start=tmp_path, environment={"RAGSTONE_CONFIG": str(tmp_path / "none.toml")})


def test_no_secret_is_shown(folder: Path) -> None:
    settings = read_settings(start=folder, environment={}).settings
    written = str(masked_settings(settings)) + repr(settings)
    assert "hidden" not in written
    assert masked_settings(settings)["judges"]["strict"]["api_key"] == "***"
    (folder / "ragstone.toml").write_text("[judges.a]\njudge = 'openai'\napi_key = ['sk-hidden']\n")
    with pytest.raises(UsageError) as caught:
        read_settings(start=folder, environment={})
    assert "hidden" not in str(caught.value)


def test_invalid_pyproject_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool\n")
    assert read_settings(start=tmp_path, environment={}).settings == Settings()


@pytest.mark.parametrize("name", ["ragstone.toml", "pyproject.toml", "nightly.toml"])
def test_relative_paths_are_resolved_from_their_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = "[tool.ragstone]\n" if name == "pyproject.toml" else ""
    (tmp_path / name).write_text(f'{table}store = "runs.sqlite3"\ncache = "../answers.sqlite3"\n')
    below = tmp_path / "deep" / "below"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    environment = {"RAGSTONE_CONFIG": "../../nightly.toml"} if name == "nightly.toml" else {}
    settings = read_settings(environment=environment).settings
    assert settings.store == str(tmp_path / "runs.sqlite3")
    assert settings.cache is not None
    assert Path(str(settings.cache)).resolve() == tmp_path.parent / "answers.sqlite3"
    by_hand = read_settings({"store": "here.sqlite3"}, environment={**environment, "RAGSTONE_CACHE": "a.db"})
    assert (by_hand.settings.store, by_hand.settings.cache) == ("here.sqlite3", "a.db")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("true", True),
        ("false", False),
        ('"/var/runs.sqlite3"', "/var/runs.sqlite3"),
        ('"postgresql://me@host/runs"', "postgresql://me@host/runs"),
        ('"postgresql:///runs"', "postgresql:///runs"),
        ('"~/runs.sqlite3"', str(Path("~/runs.sqlite3").expanduser())),
    ],
)
def test_store_values_other_than_relative_paths_are_unchanged(
    written: str, read: object, tmp_path: Path
) -> None:
    (tmp_path / "ragstone.toml").write_text(f"store = {written}\n")
    trusting = {"RAGSTONE_TRUSTED_HOSTS": "host"}
    assert read_settings(start=tmp_path, environment=trusting).settings.store == read


@pytest.fixture(autouse=True)
def user_file_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    own = tmp_path / "own" / "ragstone.toml"
    monkeypatch.setattr("ragstone.config.files.user_file", lambda: own)
    return own


def test_project_file_precedes_the_user_file(folder: Path, user_file_path: Path) -> None:
    own = user_file_path
    own.parent.mkdir()
    own.write_text("concurrency = 2\nrpm = 30\n")
    configuration = read_settings(start=folder, environment={})
    assert (configuration.settings.concurrency, configuration.settings.rpm) == (4, 30)
    assert configuration.sources["rpm"] == str(own)


def test_a_file_above_the_root_of_the_repository_is_ignored(folder: Path) -> None:
    inside = folder / "repository" / "deep"
    inside.mkdir(parents=True)
    (folder / "repository" / ".git").mkdir()
    configuration = read_settings(start=inside, environment={})
    assert configuration.settings == Settings()
    (note,) = configuration.ignored
    assert note.startswith(
        f"{folder / 'ragstone.toml'} is ignored: it lies above the root of the repository."
    )
    assert note.endswith(f"RAGSTONE_CONFIG={folder / 'ragstone.toml'} to read it.")
    (folder / "repository" / "ragstone.toml").write_text("concurrency = 3\n")
    assert read_settings(start=inside, environment={}).settings.concurrency == 3


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners as POSIX has them")
def test_a_file_of_another_user_is_ignored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (inner / "ragstone.toml").symlink_to(folder / "ragstone.toml")
    owner = (folder / "ragstone.toml").stat().st_uid
    if owner == 0:
        os.chown(folder / "ragstone.toml", 12345, -1)
    else:
        monkeypatch.setattr("os.geteuid", lambda: owner + 1)
    for start in (folder, inner):
        configuration = read_settings(start=start, environment={})
        assert configuration.settings == Settings()
        assert "belongs to another user" in configuration.ignored[0]
    named = {"RAGSTONE_CONFIG": str(folder / "ragstone.toml")}
    assert read_settings(start=folder, environment=named).settings.concurrency == 4


def test_a_project_cannot_name_applications_for_the_page(tmp_path: Path) -> None:
    (tmp_path / "ragstone.toml").write_text('[apps]\nhelpdesk = "curl evil.example"\n')
    with pytest.raises(UsageError, match=r"apps cannot be set by a project's file"):
        read_settings(start=tmp_path, environment={})
    own = {"RAGSTONE_APPS": '{"helpdesk": "my_app:answer"}'}
    assert read_settings(start=tmp_path.parent, environment=own).settings.apps == {
        "helpdesk": "my_app:answer"
    }


def test_a_project_cannot_trust_its_own_hosts(tmp_path: Path) -> None:
    (tmp_path / "ragstone.toml").write_text('trusted_hosts = ["evil.example"]\n')
    with pytest.raises(UsageError, match=r"trusted_hosts cannot be set by a project's file"):
        read_settings(start=tmp_path, environment={})
    environment = {"RAGSTONE_TRUSTED_HOSTS": "a.example, b.example"}
    settings = read_settings(start=tmp_path.parent, environment=environment).settings
    assert settings.trusted_hosts == ("a.example", "b.example")


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("store = 'postgresql://me:pw@Evil.example:5432/runs'", "evil.example"),
        ("store = 'postgres://evil.example'", "evil.example"),
        ("store = 'postgresql+psycopg://good.example,evil.example/runs'", "evil.example"),
        ("store = 'postgresql:///runs?host=evil.example'", "evil.example"),
        ("store = 'postgresql://good.example/runs?hostaddr=10.0.0.9'", "10.0.0.9"),
        ("store = 'postgresql:///runs?host=/var/theirs'", "/var/theirs"),
        ("store = 'postgresql://[::1]/runs'", "::1"),
        ("store = '//evil.example/share/runs.sqlite3'", "evil.example"),
        ("store = 'sqlite:///\\\\evil.example\\share\\runs.sqlite3'", "evil.example"),
        ("cache = '//evil.example/share/cache.sqlite3'", "evil.example"),
        ("ray_address = 'evil.example:6379'", "evil.example"),
        ("ray_address = 'ray://evil.example:10001'", "evil.example"),
    ],
)
def test_untrusted_host_of_any_address_in_a_project_file_is_rejected(
    tmp_path: Path, written: str, host: str
) -> None:
    (tmp_path / "ragstone.toml").write_text(written + "\n")
    trusting = {"RAGSTONE_TRUSTED_HOSTS": "good.example"}
    with pytest.raises(
        UsageError, match=rf"ragstone\.toml names the host {re.escape(host)}, and .* would be sent there"
    ):
        read_settings(start=tmp_path, environment=trusting)
    trusting = {"RAGSTONE_TRUSTED_HOSTS": f"good.example,{host}"}
    assert read_settings(start=tmp_path, environment=trusting).settings
    name = written.partition(" ")[0]
    assert getattr(read_settings({name: "mine"}, start=tmp_path, environment={}).settings, name) == "mine"
    named = {"RAGSTONE_CONFIG": str(tmp_path / "ragstone.toml")}
    assert read_settings(start=tmp_path, environment=named).settings


@pytest.mark.parametrize(
    "written",
    [
        "store = 'postgresql://good.example:pw/@evil.example/runs'",
        "store = 'postgresql://good.example#@evil.example/runs'",
        "store = 'postgresql://good.example\\@evil.example/runs'",
        "store = 'postgresql://good.example/runs?service=theirs'",
        "store = 'postgresql:///runs?servicefile=theirs.conf'",
        "store = 'postgresql:///runs?passfile=theirs'",
        "store = 'postgresql:///host%3Devil.example'",
        "store = 'postgresql://good.example /runs'",
        "ray_address = 'theirs://good.example'",
        "ray_address = 'ray://good.example:1@evil.example:2'",
    ],
)
def test_an_address_of_no_plain_form_in_a_project_file_is_rejected(tmp_path: Path, written: str) -> None:
    (tmp_path / "ragstone.toml").write_text(written + "\n")
    with pytest.raises(UsageError, match="contains an address that is not read from a project's file"):
        read_settings(start=tmp_path, environment={"RAGSTONE_TRUSTED_HOSTS": "good.example,evil.example"})


@pytest.mark.parametrize(
    "written",
    [
        "store = 'runs.sqlite3'",
        "store = 'sqlite:///runs.sqlite3'",
        "store = true",
        "store = 'postgresql:///runs'",
        "ray_address = 'auto'",
    ],
)
def test_an_address_of_this_machine_in_a_project_file_needs_no_permission(
    tmp_path: Path, written: str
) -> None:
    (tmp_path / "ragstone.toml").write_text(written + "\n")
    assert read_settings(start=tmp_path, environment={}).settings


def test_passwords_of_addresses_are_masked_whatever_they_contain(tmp_path: Path) -> None:
    found = read_settings(
        {"store": "postgresql://me:a/b@c@host/runs"}, start=tmp_path, environment={}
    ).settings
    assert masked_settings(found)["store"] == "postgresql://me:***@host/runs"
