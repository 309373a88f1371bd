"""`ragstone config`: each setting with its value and source."""

import json
from collections.abc import Iterator
from pathlib import Path

from ragstone.cli._command import subcommand
from ragstone.cli._exit_codes import print_message
from ragstone.cli._options import Json
from ragstone.cli._output import print_document, print_json
from ragstone.config import Configuration, masked_settings, read_settings
from ragstone.show.document import Document, Row, StyledText, Table, TableColumn

_COLUMNS = (TableColumn("setting", style="strong"), TableColumn("value"), TableColumn("from"))


@subcommand("config")
def command(*, as_json: Json = False) -> None:
    """Show each setting, its value and where it comes from; secrets are masked.

    Order of precedence: flags, RAGSTONE_… variables, the project's ragstone.toml or [tool.ragstone] in pyproject.toml,
    the user's own ragstone.toml, defaults.
    """
    configuration = read_settings()
    for note in configuration.ignored:
        print_message(note)
    if as_json:
        values = masked_settings(configuration.settings)
        entries = {
            name: {"value": values[name], "from": source} for name, source in configuration.sources.items()
        }
        print_json(entries)
        return
    print_document(_document(configuration))


def _document(configuration: Configuration) -> Document:
    rows: list[Row] = []
    for name, value in masked_settings(configuration.settings).items():
        source = configuration.sources[name]
        unset = value is None or value in ([], {})
        text = value if isinstance(value, str) else json.dumps(value)
        told = StyledText("not set", "quiet") if unset else StyledText(text)
        rows.append(
            Row(
                (name, (told,), (StyledText(_relative_path(source), "quiet" if source == "default" else ""),))
            )
        )
    rows += [Row(row) for row in _hosts_and_keys(configuration)]
    return Document("", (), (), (Table(_COLUMNS, tuple(rows)),))


def _hosts_and_keys(configuration: Configuration) -> Iterator[tuple[str, str, str]]:
    """Yield, for each named judge, the base URL of its server and the environment variable of its key."""
    for name, judge in configuration.settings.judges.items():
        source = _relative_path(judge.project_file or configuration.sources["judges"])
        for option in ("base_url", "api_key_env"):
            value = getattr(judge, option)
            if value is not None:
                yield f"judges.{name}.{option}", value, source


def _relative_path(source: str) -> str:
    """Return the path of a file below the current folder as a relative path; others unchanged."""
    return source.removeprefix(f"{Path.cwd()}/")
