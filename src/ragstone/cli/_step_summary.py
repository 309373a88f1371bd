"""The job summary of GitHub Actions: a command appends its report to it as Markdown, unless it is quiet.

The runner names a file in `GITHUB_STEP_SUMMARY`; every step appends to it. The summary is optional: if it cannot be
written, a message is printed and the exit code does not change. GitHub drops a summary of more than one mebibyte
completely, so a report that would exceed the limit is left out.
"""

import os
from pathlib import Path

from ragstone.cli._exit_codes import print_message
from ragstone.findings.registry import Renderable

_SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
_MAX_SUMMARY_BYTES = 1_048_576


def append_step_summary(found: Renderable) -> None:
    """Append the report, as Markdown, to the summary of the step, if there is one."""
    path = os.environ.get(_SUMMARY_VARIABLE, "")
    if not path:
        return
    addition = f"{found.to_markdown()}\n".encode()
    try:
        with Path(path).open("ab") as file:
            if file.tell() + len(addition) > _MAX_SUMMARY_BYTES:
                print_message(f"the step summary is full ({_SUMMARY_VARIABLE}): this report was not added.")
            else:
                file.write(addition)
    except OSError as error:
        print_message(
            f"the step summary could not be written ({_SUMMARY_VARIABLE}): {error.strerror or error}"
        )
