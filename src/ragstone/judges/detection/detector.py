"""The protocol of a detector, and what one may declare of itself."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Detection:
    """What a detector finds about one statement.

    Attributes:
        supported: probability that the passages support it, 0 to 1.
        contradicted: probability that they contradict it, 0 to 1; None from a detector that tells supported from not
            supported only.
        passage: number, from 1, of the passage that decides; None where the detector does not say.
    """

    supported: float
    contradicted: float | None = None
    passage: int | None = None


class Detector(Protocol):
    """An object that detects whether passages support statements: any object with this method.

    It may also have these attributes:

    - `name`: shown in reports; that of its class by default.
    - `languages`: English names of the languages that it was measured on, such as `("English",)`; all by default.
    - `max_tokens`: most tokens of statement and passages together; longer passages are read in windows. No limit by
      default.
    - `blind_spots`: what it is known not to notice, one sentence each, for the notes of the report.
    - `works_offline`: whether it needs no network; true by default.
    - `fingerprint`: text that names everything that decides its probabilities, for the cache; without it nothing is
      cached.
    """

    def detect(
        self, statements: Sequence[str], passages: Sequence[str], question: str, /
    ) -> Sequence[Detection] | Awaitable[Sequence[Detection]]:
        """Return one detection for each statement, in order; plain or async.

        Args:
            statements: what is judged; a terse answer is completed by its question already.
            passages: the evidence.
            question: the question that the statements answer; empty where there is none.
        """
        ...
