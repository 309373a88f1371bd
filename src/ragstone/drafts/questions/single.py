"""Questions that one passage answers: one for each fact that can be asked for in words that fit one thing only."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.questions.wording import ask_fact

_TABULAR = frozenset({"cell", "verb_cell"})

FactKey = tuple[tuple[str, ...], tuple[str, ...]]


def ask_single(
    corpus: Sequence[DraftPassage], languages: Sequence[str], facts: Sequence[Fact]
) -> Iterator[DraftCandidate]:
    """Yield a question for each fact. Where several documents say different things of one name, it names the title."""
    values: defaultdict[FactKey, set[str]] = defaultdict(set)
    titles: defaultdict[FactKey, set[str]] = defaultdict(set)
    for fact in facts:
        values[key_of_fact(fact)].add(fact.value.casefold())
        titles[key_of_fact(fact)].add(title_of(corpus[fact.passage]))
    for fact in facts:
        key = key_of_fact(fact)
        several = len(values[key]) > 1
        if several and (len(titles[key]) == 1 or fact.form in ("action", "definition")):
            continue  # no words would tell them apart
        scope = title_of(corpus[fact.passage]) if several else ""
        if several and not scope:
            continue
        language = languages[fact.passage]
        question = ask_fact(fact, language, scope)
        if question:
            yield DraftCandidate(
                "table" if fact.form in _TABULAR else "single",
                question,
                fact.value[:1].upper() + fact.value[1:]
                if fact.form in ("definition", "action")
                else fact.value,
                (EvidenceSpan(fact.passage, *fact.span),),
                language,
                f"rules:{fact.form}",
                (fact,),
            )


def key_of_fact(fact: Fact) -> FactKey:
    """Return subject and attribute as stems: equal for two facts that answer one question."""
    return fact.subject_key, fact.attribute_key


def title_of(passage: DraftPassage) -> str:
    """Return the title of the document of a passage; empty where it has none."""
    return passage.headings[0].strip("`") if passage.headings else ""
