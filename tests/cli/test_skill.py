import re

from tests.cli.command import invoke

from ragstone.cli import COMMANDS


def test_skill_is_printed_without_the_comments_of_its_tests() -> None:
    done = invoke("skill")
    assert done.exit_code == 0
    assert done.stdout.startswith("---\nname: ragstone\ndescription: ")
    assert "<!--" not in done.stdout
    assert done.stdout.count("```") == 2 * done.stdout.count("```sh") + 2 * done.stdout.count("```jsonl")


def test_skill_names_only_commands_that_exist() -> None:
    named = set(re.findall(r"`?ragstone ([a-z]+)", invoke("skill").stdout)) - {"measures"}
    assert named <= COMMANDS.keys()
    assert {
        "run",
        "compare",
        "show",
        "explain",
        "runs",
        "metrics",
        "judges",
        "exam",
        "agree",
        "gate",
        "draft",
    } <= named
