"""The commands of a page run in one bash, each by itself, so that each one's exit code and output can be checked."""

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.docs._page import Block

_MARK = "\x1e"
_TIMEOUT = 280


@dataclass(frozen=True)
class Command:
    """One command: where it stands, what is expected of it.

    Attributes:
        code: the exit code expected.
        printed: the lines that a ```console block shows below it; None where nothing is shown.
    """

    place: str
    text: str
    code: int
    printed: tuple[str, ...] | None


def commands(block: Block) -> list[Command]:
    """Read the commands of a block.

    Raises:
        ValueError: The block says more or fewer exit codes than it has commands.
    """
    found = list(_console(block) if block.language == "console" else _script(block))
    said = [int(code) for code in block.notes.get("exit codes", "").split()]
    codes = said or [0] * len(found)
    if len(codes) != len(found):
        raise ValueError(f"{block.place}: {len(codes)} exit codes for {len(found)} commands")
    first = block.notes.get("first")
    before = [Command(f"before {block.place}", first, 0, None)] if first else []
    return before + [
        Command(f"{block.page.name}:{line}", text, code, printed)
        for (line, text, printed), code in zip(found, codes, strict=True)
    ]


Found = tuple[int, str, tuple[str, ...] | None]


def _script(block: Block) -> Iterator[Found]:
    """A command a line; a backslash or a pipe at the end of a line goes on in the next."""
    held: list[str] = []
    for number, line in enumerate(block.code.splitlines(), block.line):
        if not held and (not line.strip() or line.lstrip().startswith("#")):
            continue
        held.append(line)
        if not line.rstrip().endswith(("\\", "|")):
            yield number - len(held) + 1, "\n".join(held), None
            held = []


def _console(block: Block) -> Iterator[Found]:
    """`$ command`, and what it prints up to the next one."""
    parts = re.split(r"^\$ ", block.code, flags=re.MULTILINE)
    line = block.line + parts[0].count("\n")
    for part in parts[1:]:
        text, _, printed = part.partition("\n")
        yield line, text, tuple(filter(None, map(str.rstrip, printed.splitlines())))
        line += part.count("\n")


def run(todo: Sequence[Command], folder: Path, environment: Mapping[str, str]) -> list[str]:
    """Run commands one after another in a bash in `folder`; what went otherwise than expected, a text each."""
    script = "exec 2>&1\n" + "".join(f"{command.text}\nprintf '{_MARK}%d{_MARK}' $?\n" for command in todo)
    done = subprocess.run(
        ["bash", "--norc", "--noprofile"],
        input=script,
        cwd=folder,
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
    )
    pieces = done.stdout.split(_MARK)
    outcomes = list(zip(pieces[0::2], pieces[1::2], strict=False))
    if len(outcomes) < len(todo):
        return [f"{todo[len(outcomes)].place}: ended the shell: {done.stdout[-1500:]}"]
    return [
        problem
        for command, (output, code) in zip(todo, outcomes, strict=True)
        for problem in _problems(command, output, int(code))
    ]


def _problems(command: Command, output: str, code: int) -> Iterator[str]:
    if code != command.code:
        yield f"{command.place}: `{command.text}` exited with {code}, not {command.code}:\n{output[-1500:]}"
    elif command.printed is not None and not printed_as(command.printed, output):
        shown = "\n".join(command.printed)
        yield f"{command.place}: `{command.text}` printed\n{output}\nwhere the page shows\n{shown}"


def printed_as(shown: Sequence[str], output: str) -> bool:
    """Whether the output is what a page shows; `…` stands for anything, on a line of its own for any lines."""
    pattern = r"\A\s*" + "".join(
        r"(?:[^\n]*\n)*?" if line.strip() == "…" else _line(line) + r"[ \t]*\n\s*" for line in shown
    )
    return re.search(pattern + r"\s*\Z", _unbroken(output)) is not None


def _line(line: str) -> str:
    return r"[ \t]*" + r"[^\n]*".join(re.escape(part) for part in line.strip().split("…"))


def _unbroken(output: str) -> str:
    """Without the lines that a bar drew over themselves."""
    return "".join(f"{line.rsplit(chr(13), 1)[-1]}\n" for line in output.rstrip("\n").split("\n"))
