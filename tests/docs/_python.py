"""The ```python blocks of a page run in one namespace; what each prints is compared with what the page shows."""

from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper

from tests.docs._page import Block
from tests.docs._shell import printed_as


def run(block: Block, namespace: dict[str, object]) -> str:
    """Run a block; return what is wrong with what it prints, or an empty text.

    A block that prints shows its output: in comments `# > …`, or in a ```text block right below. `…` stands for
    anything, on a line of its own for any lines.
    """
    padded = "\n" * (block.line - 1) + block.code
    written = BytesIO()
    with TextIOWrapper(written, encoding="utf-8", write_through=True) as stream:
        with redirect_stdout(stream):
            exec(compile(padded, str(block.page), "exec"), namespace)  # noqa: S102  (our own documentation)
        output = written.getvalue().decode()
    if printed_as(block.printed, output) if block.printed else not output.strip():
        return ""
    shown = "\n".join(block.printed) or "nothing"
    return f"{block.place}: printed\n{output}\nwhere the page shows\n{shown}"
