"""Settings. Precedence: flags, environment variables, the project's file, the user's own file, defaults.

The command and the pytest plug-in read them. `ragstone.evaluate` does not: a call in Python depends only on its
arguments, not on the current folder; `evaluate(data, **arguments(read_settings().settings))` reads them explicitly. The
source of every value is kept; pydantic-settings is not used because it merges sources without recording them.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from pkgutil import iter_modules
from typing import Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, ValidationError

from ragstone.config.addresses import refuse_untrusted_addresses
from ragstone.config.files import Layer, find_files, user_file
from ragstone.errors import BadOption, UnknownName, without_passwords
from ragstone.options import (
    Combination,
    DetailLevel,
    EngineOptions,
    Limits,
    MissingFields,
    Pace,
    PassingScore,
    Storage,
)

PREFIX = "RAGSTONE_"
_NON_SETTING_VARIABLES = frozenset({"RAGSTONE_CONFIG", "RAGSTONE_TRACEBACK"})
_USERS_OWN = frozenset(
    {"trusted_hosts", "trust", "ray_send_keys", "agent_max_cases", "agent_max_cost", "apps"}
)
"""Settings about trust, which a project's file cannot set: a coding agent may write to that file."""
_SECRET_WORDS = ("key", "token", "secret", "password", "authorization", "headers")
ScoreField = Annotated[float, Field(ge=0, le=1)]


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, str) else value


def _split(value: object) -> object:
    return tuple(part.strip() for part in value.split(",")) if isinstance(value, str) else value


Specs = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]


class NamedJudge(BaseModel):
    """A judge with a name of the project's own.

    Attributes:
        judge: its spec, such as `openai:gpt-4o`.
        base_url: address of the server.
        api_key: its key; preferably stored in the variable that `api_key_env` names.
        api_key_env: environment variable that holds the key.
        headers: additional headers of each request.
        options: additional parameters of each request, such as `{seed = 7}`.
        temperature: sampling temperature.
        attempts: maximum number of requests for one usable answer.
    """

    _project_file: str = PrivateAttr(default="")

    model_config = ConfigDict(frozen=True, extra="forbid")

    judge: str
    base_url: str | None = None
    api_key: str | None = Field(default=None, repr=False)
    api_key_env: str | None = None
    headers: dict[str, str] = Field(default_factory=dict[str, str], repr=False)
    options: dict[str, Any] = Field(default_factory=dict[str, Any])
    temperature: float | None = Field(default=None, ge=0)
    attempts: int | None = Field(default=None, ge=1)

    @property
    def project_file(self) -> str:
        """The project's file that defines the judge; empty if the user's own file, a variable or Python defines it."""
        return self._project_file

    def defined_in(self, project_file: str) -> None:
        """Remember that a project's file defines the judge: keys are sent to trusted hosts only."""
        self._project_file = project_file


class ModelPrice(BaseModel):
    """US dollars for a million tokens of a model.

    Attributes:
        input: tokens sent and not found in the prefix cache.
        output: tokens received.
        cached: tokens sent and found in the provider's prefix cache. Default: the price of `input`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)


class Settings(Pace, Limits, MissingFields, PassingScore, Storage, EngineOptions, Combination, DetailLevel):
    """What holds where a command says nothing else.

    Attributes:
        judge: spec or name of the judge.
        metrics: specs of the metrics. If empty, the metrics of `preset` are used.
        preset: a group of metrics.
        judges: judges with names of your own.
        presets: groups of metrics with names of your own.
        apps: applications that the page may ask, by name: module:function, a URL or a command. Read only from the
            variable and the user's own file.
        thresholds: the score that passes, by metric name.
        prices: prices of models. They take precedence over the packaged prices.
        trusted_hosts: hosts to which keys and runs may be sent although a project's file names them. Read only from the
            variable and the user's own file.
        trust: import the modules that a project's file or a stored run names: true, or the folders of the projects
            whose modules are trusted. Read only from the variable and the user's own file; the flag is --trust.
        agent_max_cases: most test cases of a run that a client of `ragstone mcp` starts. Read only from the variable
            and the user's own file.
        agent_max_cost: most US dollars that such a run may cost. Read only from the variable and the user's own file.
    """

    _judge_file: str = PrivateAttr(default="")

    judge: str = "local"
    metrics: Specs = ()
    preset: str | None = None
    judges: dict[str, NamedJudge] = Field(default_factory=dict[str, NamedJudge])
    presets: dict[str, Specs] = Field(default_factory=dict[str, Specs])
    apps: dict[str, str] = Field(default_factory=dict[str, str])
    thresholds: dict[str, ScoreField] = Field(default_factory=dict[str, ScoreField])
    prices: dict[str, ModelPrice] = Field(default_factory=dict[str, ModelPrice])
    trusted_hosts: Annotated[tuple[str, ...], BeforeValidator(_split)] = ()
    trust: bool | Annotated[tuple[str, ...], BeforeValidator(_split)] = False
    agent_max_cases: int = Field(default=500, ge=1)
    agent_max_cost: float = Field(default=1.0, gt=0)

    @property
    def judge_file(self) -> str:
        """The project's file that chooses the judge; empty where the user, a variable, a flag or Python does."""
        return self._judge_file

    def chosen_in(self, project_file: str) -> None:
        """Record that a project's file selects the judge, so that keys are sent to trusted hosts only."""
        self._judge_file = project_file


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings and their sources.

    Attributes:
        settings: the values.
        sources: the source of each setting: `default`, the file, `RAGSTONE_…` or the flag.
        ignored: messages on files that were ignored, with the reason.
        project_folder: the folder of the project's file; None where there is none.
    """

    settings: Settings
    sources: Mapping[str, str]
    ignored: tuple[str, ...] = ()
    project_folder: Path | None = None

    @property
    def trusted_folder(self) -> Path | None:
        """The project's folder if the user trusts its modules."""
        folder, trust = self.project_folder, self.settings.trust
        if folder is None or trust is False:
            return None
        roots = (folder,) if trust is True else (Path(root).expanduser().resolve() for root in trust)
        return folder if any(folder.is_relative_to(root) for root in roots) else None


def read_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    start: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Configuration:
    """Return the settings that apply in a folder.

    Args:
        flags: settings from the command line; a value of None means not given.
        start: folder where the search for `ragstone.toml` or a `pyproject.toml` with `[tool.ragstone]` begins; it goes
            upwards to the root of the repository. The current folder if None. `RAGSTONE_CONFIG` names another file.
        environment: environment variables; those of the process if None. `RAGSTONE_JUDGE` sets `judge`; lists and
            tables are written as JSON. A variable of one command, as RAGSTONE_RUN_LIMIT, is no setting.

    Raises:
        UsageError: a key or variable is unknown (the message suggests the nearest one), a value is out of bounds, or a
            file cannot be read. The message names the source. A project's file names a host, as its store or its Ray
            cluster, that the user does not trust.
    """
    variables = os.environ if environment is None else environment
    layers, ignored = find_files(start or Path.cwd(), variables)
    values: dict[str, Any] = {}
    sources = dict.fromkeys(Settings.model_fields, "default")
    project_files: dict[str, str] = {}
    judge_file, project_folder = "", None
    for source, layer_values, project in (*layers, *_from_environment(variables), *_from_flags(flags or {})):
        _check(layer_values, source)
        project_folder = project or project_folder
        for name in _USERS_OWN.intersection(layer_values if project else ()):
            raise BadOption(
                f"{source}: {name} cannot be set by a project's file: write it in {user_file()} or in "
                f"{PREFIX}{name.upper()}."
            )
        values.update(layer_values)
        sources.update(dict.fromkeys(layer_values, source))
        if "judge" in layer_values:
            judge_file = source if project else ""
        if "judges" in layer_values:
            project_files = dict.fromkeys(layer_values["judges"], source if project else "")
    settings = Settings.model_validate(values)
    settings.chosen_in(judge_file)
    of_project = {source for source, _, project in layers if project}
    addresses = {name: value for name, value in values.items() if sources[name] in of_project}
    refuse_untrusted_addresses(addresses, sources, settings.trusted_hosts)
    for name, judge in settings.judges.items():
        judge.defined_in(project_files.get(name, ""))
    return Configuration(settings, sources, tuple(ignored), project_folder)


def masked_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings as plain values with secrets masked."""
    return _masked(settings.model_dump(mode="json", exclude_defaults=False))


def _from_environment(variables: Mapping[str, str]) -> list[Layer]:
    layers: list[Layer] = []
    for variable, text in variables.items():
        if not variable.startswith(PREFIX) or variable in _NON_SETTING_VARIABLES or not text.strip():
            continue
        key = variable.removeprefix(PREFIX).lower()
        if key not in Settings.model_fields:
            # Others are not ours, or are an option of one command.
            if get_close_matches(key, Settings.model_fields) and not _is_of_a_command(key):
                raise _unknown("setting", key, Settings.model_fields, variable)
            continue
        layers.append(Layer(variable, {key: _read(text)}))
    return layers


def _is_of_a_command(key: str) -> bool:
    """Return whether a key begins with the name of a command, as that of RAGSTONE_RUN_LIMIT does."""
    commands = iter_modules([str(Path(__file__).parents[1] / "cli")])
    return key.startswith(tuple(f"{module.name}_" for module in commands if not module.name.startswith("_")))


def _read(text: str) -> object:
    """Return the value of the text if it is JSON, else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _from_flags(flags: Mapping[str, Any]) -> list[Layer]:
    given = {name: value for name, value in flags.items() if value is not None and value != ()}
    return [Layer(f"--{name.replace('_', '-')}", {name: value}) for name, value in given.items()]


def _check(values: Mapping[str, Any], source: str) -> None:
    """Validate the values of one source, so that an error message names the source and the key."""
    try:
        Settings.model_validate(dict(values))
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            path = [str(part) for part in problem["loc"]]
            if problem["type"] == "extra_forbidden":
                raise _unknown("setting", path[-1], _siblings(path), source) from None
            value: object = "…" if _is_secret(path[-1]) else problem["input"]
            message = problem["msg"][:1].lower() + problem["msg"][1:]
            raise BadOption(f"{source}: {'.'.join(path)} is {value!r}: {message}.") from None


def _siblings(path: list[str]) -> Mapping[str, Any]:
    """Return the valid keys at the position of an unknown key."""
    inside: dict[str, type[BaseModel]] = {"judges": NamedJudge, "prices": ModelPrice}
    return (inside.get(path[0], Settings) if len(path) > 1 else Settings).model_fields


def _unknown(kind: str, name: str, known: Any, source: str) -> BadOption:  # noqa: ANN401  (names)
    return BadOption(f"{source}: {UnknownName(kind, name, known)}")


def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in _SECRET_WORDS) and not name.endswith("_env")


def _masked(value: Any, *, secret: bool = False) -> Any:  # noqa: ANN401  (JSON)
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        return {key: _masked(item, secret=secret or _is_secret(key)) for key, item in table.items()}
    if not isinstance(value, str):
        return value
    return "***" if secret and value else without_passwords(value)
