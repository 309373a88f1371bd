from tests.cli.command import invoke
from tests.testing.for_each import for_each

from ragstone.cli import COMMANDS


@for_each("written, meant", [("rnu", "run"), ("metric", "metrics"), ("dmo", "demo")])
def test_a_misspelt_command_is_guessed(written: str, meant: str) -> None:
    done = invoke(written)
    assert done.exit_code == 2
    assert f"Did you mean '{meant}'?" in done.stderr


def test_unknown_command_gets_the_list_of_commands() -> None:
    assert f"Commands: {', '.join(COMMANDS)}." in invoke("xyzzy").stderr


def test_a_misspelt_option_is_guessed() -> None:
    done = invoke("run", "x.jsonl", "--metrc", "faithfulness")
    assert done.exit_code == 2
    assert "--metric" in done.stderr
