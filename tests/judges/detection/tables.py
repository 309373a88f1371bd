"""A detector that is a table, and the pairs that it knows."""

from collections.abc import Mapping, Sequence

from ragstone.judges import Detection

BRIDGE, YEAR, RAILWAY = "The bridge is 90 metres long.", "It was built in 1930.", "It carries a railway."
LENGTH_PASSAGE, HISTORY_PASSAGE = "The bridge has a length of ninety metres.", "The town has a long history."

SCORES: Mapping[tuple[str, str], float] = {
    (BRIDGE, LENGTH_PASSAGE): 0.95,
    (RAILWAY, LENGTH_PASSAGE): 0.55,
}
"""The probability of support by statement and passage; .04 for any other pair."""


class Table:
    """A detector with known probabilities; of contradiction too where `contradicted` is given."""

    name = "table"

    def __init__(
        self,
        scores: Mapping[tuple[str, str], float] = SCORES,
        contradicted: Mapping[tuple[str, str], float] | None = None,
        *,
        max_tokens: int | None = None,
        languages: Sequence[str] = (),
    ) -> None:
        self.scores, self.contradicted = scores, contradicted
        self.max_tokens, self.languages = max_tokens, languages
        self.calls: list[tuple[tuple[str, ...], tuple[str, ...], str]] = []

    def detect(self, statements: Sequence[str], passages: Sequence[str], question: str) -> list[Detection]:
        self.calls.append((tuple(statements), tuple(passages), question))
        return [self._detection(statement, passages) for statement in statements]

    def _detection(self, statement: str, passages: Sequence[str]) -> Detection:
        chances = [self.scores.get((statement, passage), 0.04) for passage in passages]
        against = self.contradicted
        contradicted = (
            None if against is None else max(against.get((statement, passage), 0.0) for passage in passages)
        )
        return Detection(max(chances), contradicted, chances.index(max(chances)) + 1)
