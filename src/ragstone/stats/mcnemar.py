"""Did more cases start to fail than to pass? Only the cases that changed sides can tell.

McNemar (1947, Psychometrika 12): if both runs are equally good, a case that changed is as likely to have
changed for the better as for the worse, so the number that got better is binomial(changed, 1/2).
"""

from typing import Literal


def mcnemar_p_value(better: int, worse: int, method: Literal["exact", "mid_p"] = "exact") -> float:
    """Return the two-sided p-value for `better` cases that now pass against `worse` that now fail.

    `exact` never exceeds its error level; `mid_p` counts the observed outcome half (Fagerland, Lydersen and
    Laake 2013, BMC Med. Res. Methodol. 13:91), which makes it less cautious and in practice still within the
    level.

    Raises:
        ValueError: A count is negative.
    """
    if better < 0 or worse < 0:
        raise ValueError(f"better is {better} and worse is {worse}; give counts of cases, 0 or more")
    changed, fewer = better + worse, min(better, worse)
    # Whole numbers of any size: no rounding before the one division at the end.
    term, tail = 1, 1
    for k in range(1, fewer + 1):
        term = term * (changed - k + 1) // k
        tail += term
    doubled = 2 * tail if method == "exact" else 2 * tail - term
    return min(1.0, doubled / 2**changed)
