"""Candidates for tuning a judge. Each one changes the threshold, the examples of decisions, or the rules.

    threshold      the metric's threshold, fitted to the plain judge's scores
    n examples     up to n disagreements of judge and labels, the worst first, one of each group
    rules          one to five lines, written by a language model from annotators' notes on disagreements

A candidate is made only from the given cases; in cross-validation, never from those on which it is measured.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ragstone.audit.tuning.labelled import LabelledRun, Places
from ragstone.prompts.base.guidance import PLAIN_GUIDANCE, Guidance

EXAMPLES = (2, 4, 8)
"""Numbers of examples to try."""

PLAIN = "plain judge"
THRESHOLD = "threshold"
RULES = "rules"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change to the judge.

    Attributes:
        name: name of the change.
        guidance: examples or rules for the judge; empty for the plain judge.
        fits_threshold: whether the threshold is fitted to the plain judge's scores instead.
    """

    name: str
    guidance: Guidance = PLAIN_GUIDANCE
    fits_threshold: bool = False


RuleWriter = Callable[[Sequence[str]], tuple[str, ...]]
"""Writes rules from descriptions of disagreements with their notes; empty where it cannot."""


@dataclass(frozen=True, slots=True)
class CandidateMaker:
    """Makes the candidates from labelled cases.

    Attributes:
        run: the labelled cases.
        with_examples: whether the judge reads examples; the embedded judge does not.
        write_rules: None where no rules are to be written.
    """

    run: LabelledRun
    with_examples: bool = True
    write_rules: RuleWriter | None = None

    def names(self) -> tuple[str, ...]:
        """Return the names of all candidates, the simplest first."""
        examples = [f"{count} examples" for count in EXAMPLES] if self.with_examples else []
        return (PLAIN, THRESHOLD, *examples, *([RULES] if self.with_examples and self.write_rules else []))

    def make(self, name: str, places: Places) -> Candidate | None:
        """Return the candidate with this name, made from the cases at `places`; None if the cases do not allow one."""
        if name in (PLAIN, THRESHOLD):
            return Candidate(name, fits_threshold=name == THRESHOLD)
        wrong = self.run.disagreements(places)
        if name == RULES:
            return self._rules_candidate(wrong)
        examples = tuple(self.run.example(place) for place in wrong[: int(name.partition(" ")[0])])
        return Candidate(name, Guidance(examples=examples)) if examples else None

    def _rules_candidate(self, wrong: Sequence[int]) -> Candidate | None:
        descriptions = [self._description(place) for place in wrong if self.run.note(place)]
        rules = self.write_rules(descriptions) if self.write_rules and descriptions else ()
        return Candidate(RULES, Guidance(rules=rules)) if rules else None

    def _description(self, place: int) -> str:
        example = self.run.example(place)
        judged = "pass" if example.decision == "fail" else "fail"
        texts = "\n".join(
            f"{label}: {text if isinstance(text, str) else ' / '.join(text)}" for label, text in example.texts
        )
        reason = f"\nthe judge's reason: {self.run.reasons[place]}" if self.run.reasons[place] else ""
        return f"people: {example.decision}, because: {example.note}\njudge: {judged}{reason}\n{texts}"
