"""The files of a new metric: a working module, a passing test, and a page that explains the score."""

from string import Template

_METRIC = Template('''\
"""$title: say in one sentence what the score measures.

score = statements that hold / all statements

Source: name the paper or the page that defines it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone import TestCase, Verdict
from ragstone.judges import MetricContext
from ragstone.metrics import Metric, Score
from ragstone.prompts import Decisions, ExtractStatements, Prompt


@dataclass(frozen=True, kw_only=True)
class Judge$title(Prompt[Decisions]):
    """Ask for yes or no on each statement. Fields are evidence: they are always fenced."""

    answer = Decisions
    instruction = """\\
Decide for each statement whether it is … in view of the input.
yes: it is.
no: it is not; say why."""

    input: str
    statements: tuple[str, ...]

    def check(self, answer: Decisions) -> str | None:
        """Require one verdict for each statement; otherwise the judge is asked again with this message."""
        found, wanted = len(answer.verdicts), len(self.statements)
        return None if found == wanted else f"There are {found} verdicts on {wanted} statements."


class $title(Metric):
    """Is the actual output …? Two judge calls."""

    needs = ("input", "actual_output")
    prompts = (ExtractStatements, Judge$title)

    threshold: float = 0.5

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Split the output into statements, then ask for a verdict on each."""
        found = await ctx.ask(ExtractStatements(text=case.text("actual_output")))
        if not found.statements:
            return self.score(())
        prompt = Judge$title(input=case.text("input"), statements=found.statements)
        return self.score((await ctx.ask(prompt)).on(found.statements))

    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts. Pure, so that it is tested without a judge."""
        hold = sum(verdict.verdict == "yes" for verdict in verdicts)
        value = hold / len(verdicts) if verdicts else 1.0
        metadata = {"verdicts": [verdict.as_dict() for verdict in verdicts]}
        return Score(value, f"{hold} of {len(verdicts)} statements hold.", metadata)
''')

_TEST = Template("""\
from $name import Judge$title, $title

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.prompts import ExtractStatements
from ragstone.testing import assert_fails, assert_passes

CASE = TestCase(input="What is AI?", actual_output="It is a field of study. It is a fruit.")


def judge_saying(*words: str) -> ScriptedJudge:
    verdicts = [{"reason": None if word == "yes" else "It does not hold.", "verdict": word} for word in words]
    return (
        ScriptedJudge()
        .respond(ExtractStatements, {"statements": [f"Statement {number}." for number in range(len(words))]})
        .respond(Judge$title, {"verdicts": verdicts})
    )


def test_the_score_is_the_share_that_holds() -> None:
    result = assert_passes(CASE, $title, judge=judge_saying("yes", "no"))
    assert (result.score, result.reason) == (0.5, "1 of 2 statements hold.")


def test_too_few_fail() -> None:
    assert_fails(CASE, $title, judge=judge_saying("yes", "no"), threshold=0.6)


def test_an_output_that_states_nothing_passes() -> None:
    assert $title().score(()).value == 1.0
""")

_PAGE = Template("""\
# $title

Say in one sentence what the score measures, and which component a low score points to.

    score = $formula

Needs $fields. Passes at or above `threshold` (0.5).

```sh
ragstone run answers.jsonl -m $name:$title
```

To find the metric by name, add this to the `pyproject.toml` of its package:

```toml
[project.entry-points."ragstone.metrics"]
$name = "$name:$title"
```

Source: name the paper or the page that defines it.
""")


_METRIC_WITHOUT_JUDGE = Template("""\
\"\"\"$title: say in one sentence what the score measures.

score = sentences of at most `most_words` words / all sentences

Source: name the paper or the page that defines it.
\"\"\"

import re

from ragstone import TestCase
from ragstone.judges import MetricContext
from ragstone.metrics import Metric, Score


class $title(Metric):
    \"\"\"Is the actual output …? No judge is asked.

    Attributes:
        most_words: a sentence with more words does not hold.
    \"\"\"

    needs = ("actual_output",)

    threshold: float = 0.5
    most_words: int = 20

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        \"\"\"Split the output into sentences.\"\"\"
        del ctx  # nothing is asked
        return self.score([part for part in re.split(r"(?<=[.!?])\\s+", case.text("actual_output")) if part])

    def score(self, sentences: list[str]) -> Score:
        \"\"\"Score the sentences. Pure.\"\"\"
        hold = sum(len(sentence.split()) <= self.most_words for sentence in sentences)
        value = hold / len(sentences) if sentences else 1.0
        return Score(value, f"{hold} of {len(sentences)} sentences hold.")
""")

_TEST_WITHOUT_JUDGE = Template("""\
from $name import $title

from ragstone import TestCase
from ragstone.testing import assert_fails, assert_passes

CASE = TestCase(input="What is AI?", actual_output="It is a field of study. It is not a fruit, whatever they say.")


def test_the_score_is_the_share_that_holds() -> None:
    result = assert_passes(CASE, $title, most_words=6)
    assert (result.score, result.reason) == (0.5, "1 of 2 sentences hold.")


def test_too_few_fail() -> None:
    assert_fails(CASE, $title, most_words=6, threshold=0.6)


def test_an_output_without_a_sentence_passes() -> None:
    assert $title().score([]).value == 1.0
""")

_JUDGED = {
    "formula": "statements that hold / all statements",
    "fields": "`input` and `actual_output`. Two judge calls",
}
_COMPUTED = {
    "formula": "sentences of at most `most_words` words / all sentences",
    "fields": "`actual_output`. No judge is asked",
}


def metric_files(name: str, *, judged: bool = True) -> dict[str, str]:
    """Return the files of a new metric, by name; `name` is that of a module, such as `kind_tone`."""
    title = "".join(part.capitalize() for part in name.split("_"))
    words = {"name": name, "title": title, **(_JUDGED if judged else _COMPUTED)}
    module, test = (_METRIC, _TEST) if judged else (_METRIC_WITHOUT_JUDGE, _TEST_WITHOUT_JUDGE)
    files = {f"{name}.py": module, f"test_{name}.py": test, f"{name}.md": _PAGE}
    return {file: template.substitute(words) for file, template in files.items()}
