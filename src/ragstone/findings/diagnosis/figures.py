"""The figures of a diagnosis in words, the same in every rendering."""

from ragstone.findings.diagnosis.model import CaseDiagnosis, CauseShare, Diagnosis
from ragstone.findings.diagnosis.similar import SimilarFailures
from ragstone.findings.diagnosis.worth import BY_PASSAGES, CauseGain, MeasuredWorth
from ragstone.findings.numbers import count, percent
from ragstone.findings.view.refusals import interval_text
from ragstone.stats.estimate import Estimate
from ragstone.stats.failure_clusters import FailureCluster
from ragstone.stats.slices import Slice, SliceSearch


def worth_text(share: CauseShare) -> str:
    """Return the estimated and the highest possible pass rate if the cause were mended; nothing where it is 100 %."""
    if round(share.worth, 2) == round(share.worth_most, 2):
        if round(share.worth_most, 2) == 1:
            return ""
        return f"at most {percent(share.worth_most)} pass"
    return f"about {percent(share.worth)}, at most {percent(share.worth_most)} pass"


def worth_assumption(diagnosis: Diagnosis) -> str:
    """Return the assumption behind the pass rate after mending."""
    of = " of the decided cases" if diagnosis.decided < len(diagnosis.cases) else ""
    text = f"Now {percent(diagnosis.passed_of_decided)}{of} pass. If mended: one cause at a time, the others unchanged"
    if diagnosis.generator_rate is None:
        return f"{text}."
    return (
        f"{text}; with retrieval mended, the system passes as often as where retrieval worked "
        f"({percent(diagnosis.generator_rate)}). That is an assumption, not a measurement."
    )


def checks_sentence(diagnosis: Diagnosis) -> str | None:
    """Return how many causes people checked and how many they agreed with; None where they checked none."""
    checks = diagnosis.checked
    if checks is None:
        return None
    text = (
        "The shares are corrected by people's checks, so the judge's mistakes are not in them. They checked "
        f"{count(checks.checked, 'case')} and agreed with the judge in {checks.agreed}"
    )
    if checks.unchecked:
        return f"{text}. For {', '.join(checks.unchecked)} no case was checked: these shares are the judge's."
    return f"{text}."


def share_text(share: CauseShare) -> str:
    """Return the share of a cause with its interval, corrected by human checks if there are any."""
    return f"{percent(share.share.value or 0.0)} ({interval_text(share.share)})"


def judged_text(share: CauseShare) -> str:
    """Return the share of a cause by the judge alone, which is `share_text` without checks."""
    return percent((share.judged or share.share).value or 0.0)


def passed_text(diagnosis: Diagnosis) -> str:
    """Return the share of test cases that passed, with its interval, and the judge's share if it was corrected."""
    text = f"{percent(diagnosis.passed.value or 0.0)} passed ({interval_text(diagnosis.passed)})"
    if diagnosis.judged_passed is not None:
        text = f"{text}, by the judge alone {percent(diagnosis.judged_passed.value or 0.0)}"
    rest = ((diagnosis.undecided, "undecided"), (diagnosis.skipped, "skipped"))
    return " · ".join((text, *(f"{count(number, 'case')} {word}" for number, word in rest if number)))


def cause_columns(diagnosis: Diagnosis) -> tuple[str, ...]:
    """Return the names of the columns of the causes; `by the judge` only where people's checks corrected it."""
    corrected = ("by the judge",) if diagnosis.checked else ()
    share = "corrected share" if diagnosis.checked else "share"
    return "cause", "whose", "cases", f"{share} of all cases (95 %, all together)", *corrected, "if mended"


def cause_row(diagnosis: Diagnosis, share: CauseShare) -> tuple[str, ...]:
    """Return the cells of a cause, for `cause_columns`."""
    corrected = (judged_text(share),) if diagnosis.checked else ()
    counted = (share.cause.name, share.cause.owner, str(share.count))
    return (*counted, share_text(share), *corrected, worth_text(share))


def slice_name(found: Slice) -> str:
    """Return the labels that the test cases of a slice have in common."""
    return " and ".join(" ".join(label) for label in found.labels)


def slice_text(found: Slice) -> str:
    """Return how often a slice misses, and how much more often than the rest."""
    return (
        f"{found.missed} of {found.n} missed ({percent(found.missed / found.n)}), elsewhere "
        f"{percent(found.rest_missed / found.rest_n)}: {_difference(found)}"
    )


def _difference(found: Slice | FailureCluster) -> str:
    low, high = (round(100 * end) for end in (found.interval.low, found.interval.high))
    return f"{100 * found.difference:+.0f} points ({low} to {high})"


def slices_sentence(search: SliceSearch | None) -> str:
    """Return the number of slices that were tried and the result of the search."""
    if search is None:
        return "Slices are not searched for when test cases are grouped."
    if not search.tried:
        return "No slice has enough test cases to be tested."
    if not search.found:
        return f"No slice stands out ({search.tried} tried)."
    return (
        f"{search.tried} slices tried; at most {percent(search.rate)} of those shown are expected to be chance "
        "(Benjamini-Hochberg)."
    )


def similar_name(found: SimilarFailures) -> str:
    """Return the words by which a group of similar misses is named."""
    return ", ".join(found.words) or "no distinctive words"


def similar_text(found: SimilarFailures) -> str:
    """Return a group's share of the misses, its miss rate, and its most frequent cause."""
    cluster = found.cluster
    missed, n = len(cluster.missed), len(cluster.members)
    share = interval_text(Estimate(missed / cluster.failures, cluster.share))
    cause, cause_count = next(iter(found.causes.items()))
    return (
        f"{missed} of {count(cluster.failures, 'miss', 'misses')} ({percent(missed / cluster.failures)}, {share}). "
        f"Of the {n} similar cases {percent(missed / n)} missed, elsewhere "
        f"{percent(cluster.rest_missed / cluster.rest_n)}: "
        f"{_difference(cluster)}. {'All' if cause_count == missed else f'{cause_count}'} {cause}."
    )


def similar_examples(diagnosis: Diagnosis, found: SimilarFailures, most: int) -> list[CaseDiagnosis]:
    """Return the most typical misses of a group, one for each question."""
    by_question: dict[str, CaseDiagnosis] = {}
    for place in found.cluster.missed:
        by_question.setdefault(diagnosis.cases[place].case.input, diagnosis.cases[place])
    return list(by_question.values())[:most]


def similar_sentence(diagnosis: Diagnosis) -> str:
    """Return the number of groups that were tried and the result of the search."""
    search = diagnosis.similar
    if search is None:
        return "Similar misses are not searched for when test cases are grouped."
    if not search.tried:
        few = "There are too few misses or passed cases"
        return f"{few} to distinguish a group of similar misses from chance."
    drawn_text = "" if search.drawn == len(diagnosis.cases) else f" of {search.drawn} cases drawn at random"
    tried_text = f"{count(search.tried, 'group')} of similar questions and answers{drawn_text} tried"
    if not search.found:
        return f"No group of misses stands out ({tried_text})."
    return (
        f"{tried_text}. If misses are unrelated to the texts, at most {percent(search.rate)} of runs show a group. "
        "A group is named by the words that distinguish its misses from passed cases."
    )


HEADER = ("cause", "oracle's", "measured", "these pass", "gain, points (95 %)", "run passes", "assumed")
"""The columns of the table; `oracle's` names the part that replaced the application's own."""


def measured_rows(diagnosis: Diagnosis) -> list[tuple[str, ...]]:
    """Return a row for each cause that was measured; the columns are those of `HEADER`."""
    assumed = {share.cause.name: share for share in diagnosis.shares}
    gains = diagnosis.measured.gains if diagnosis.measured else ()
    return [_gain_row(gain, assumed[gain.cause.name].worth) for gain in gains]


def measured_sentences(found: MeasuredWorth) -> list[str]:
    """Return sentences on the measured misses, the four pass rates, the parts of the gap, and unmeasured misses."""
    cached = f", {found.cached} answers from the cache" if found.cached else ""
    extent = (
        f"{found.measured} of {count(found.measurable, 'miss', 'misses')} measured with {found.application} ("
        f"{count(found.called, 'call')}{cached}). Test cases that passed are not measured again."
    )
    texts = [extent]
    rates = found.rates
    if rates is not None:
        told = (
            f"Of these, {percent(rates.real)} pass when they are asked again, {percent(rates.passages)} with the "
            f"oracle's passages, {percent(rates.answers)} with its answers, {percent(rates.both)} with both: the "
            "highest rate that the judge allows."
        )
        gap = (
            f"Of the gap between the first and the last, in points, {points_text(found.retriever)} are the "
            f"retriever's and {points_text(found.generator)} the generator's (Shapley)."
        )
        texts += [told, gap]
    if found.left_out:
        texts.append(
            f"{count(found.left_out, 'miss', 'misses')} left out: no expected output, or no passage known to "
            "contain it."
        )
    texts += [f"Not measured: {text} ({times} times)." for text, times in found.errors]
    return texts


def points_text(found: Estimate) -> str:
    """Return a difference of pass rates in percentage points, with its interval."""
    if found.value is None or found.interval is None:
        return "unknown"
    return f"{_points(found.value)} ({_points(found.interval.low)} to {_points(found.interval.high)})"


def _gain_row(gain: CauseGain, assumed: float) -> tuple[str, ...]:
    by_passages = gain.cause.owner in BY_PASSAGES
    after = gain.rates.passages if by_passages else gain.rates.answers
    return (
        gain.cause.name,
        "passages" if by_passages else "answers",
        f"{gain.measured} of {gain.cases}",
        f"{percent(gain.rates.real)} to {percent(after)}",
        points_text(gain.gain),
        percent(gain.worth),
        percent(assumed),
    )


def _points(value: float) -> str:
    return f"{100 * value:+.0f}" if round(100 * value) else "0"
