import asyncio
from collections.abc import Sequence

from tests.testing.for_each import for_each

from ragstone.providers.http.failures import AttemptFailure, FailureKind
from ragstone.providers.http.retry import Overload, Retry, RetryHooks, with_retries
from ragstone.providers.http.server_state import ServerState

BUSY = AttemptFailure(FailureKind.LIMITED, "busy", status=429)
LATE = AttemptFailure(FailureKind.LATE, "late")
QUICK = Retry(base=0.001, cap=0.002)


def attempt_all(
    outcomes: Sequence[str | AttemptFailure], retry: Retry = QUICK, *, known: bool = True
) -> tuple[str | AttemptFailure, int, list[Overload]]:
    """What comes of these outcomes (the last repeated), after how many attempts, and what the hook was told."""
    told: list[Overload] = []
    made = 0

    async def attempt() -> str | AttemptFailure:
        nonlocal made
        made += 1
        return outcomes[min(made, len(outcomes)) - 1]

    async def main() -> str | AttemptFailure:
        server = ServerState()
        server.reached = known
        return await with_retries(attempt, retry, RetryHooks(told.append, None, "openai", "m"), server)

    end = asyncio.run(main())
    return end, made, told


def test_success_after_faults() -> None:
    end, made, told = attempt_all([BUSY, AttemptFailure(FailureKind.BROKEN, "reset"), "answer"])
    assert (end, made) == ("answer", 3)
    assert [(one.provider, one.model, one.status) for one in told] == [("openai", "m", 429)]


@for_each(
    "failure, known, attempts",
    [
        (BUSY, True, 12),
        (AttemptFailure(FailureKind.ANSWERED, "unavailable", status=503), True, 6),
        (AttemptFailure(FailureKind.BROKEN, "reset"), True, 6),
        (AttemptFailure(FailureKind.ANSWERED, "error", status=500), True, 6),
        (LATE, True, 2),
        (AttemptFailure(FailureKind.UNREACHED, "was never there"), False, 2),
        (AttemptFailure(FailureKind.ANSWERED, "no", again=False, status=400), True, 1),
    ],
)
def test_attempts_depend_on_the_failure(failure: AttemptFailure, known: bool, attempts: int) -> None:  # noqa: FBT001
    end, made, _ = attempt_all([failure], known=known)
    assert made == attempts
    assert isinstance(end, AttemptFailure)
    assert (f"({attempts} attempts" in end.message) == (attempts > 1)


def test_each_kind_of_fault_counts_on_its_own() -> None:
    end, made, _ = attempt_all(
        [*[BUSY] * 11, LATE, *[AttemptFailure(FailureKind.BROKEN, "reset")] * 5, "answer"]
    )
    assert (end, made) == ("answer", 18)
    end, made, _ = attempt_all([BUSY, BUSY, LATE, BUSY, LATE])
    assert made == 5
    assert isinstance(end, AttemptFailure)
    assert end.message.startswith("late (5 attempts")


def test_overload_hook_is_called_only_for_overload() -> None:
    _, _, told = attempt_all(
        [AttemptFailure(FailureKind.ANSWERED, "e", status=status) for status in (500, 429, 503, 529, 502)]
    )
    assert [one.status for one in told] == [429, 503, 529]


def test_overload_hook_receives_pause_and_retry_after() -> None:
    _, _, told = attempt_all(
        [AttemptFailure(FailureKind.ANSWERED, "e", status=429, retry_after=0.01), "answer"]
    )
    assert told[0].retry_after == 0.01
    assert 0.01 <= told[0].pause <= 0.011


def test_retry_after_beyond_patience_is_not_waited_for() -> None:
    patient = Retry(patience=60)
    end, made, told = attempt_all(
        [AttemptFailure(FailureKind.ANSWERED, "busy", status=429, retry_after=3600.0)], patient
    )
    assert made == 1
    assert isinstance(end, AttemptFailure)
    assert "asks to wait 3600 s" in end.message
    assert not told


def test_pauses_have_full_jitter_under_a_doubling_bound() -> None:
    retry = Retry(base=1, cap=5)
    for failed, bound in enumerate((1, 2, 4, 5, 5), 1):
        drawn = [retry.pause(failed, None) for _ in range(400)]
        assert 0 <= min(drawn) < bound * 0.1
        assert bound * 0.9 < max(drawn) <= bound


def test_no_pause_is_shorter_than_the_server_asks() -> None:
    assert min(Retry().pause(1, 2.0) for _ in range(200)) >= 2.0
    assert len({Retry().pause(1, 2.0) for _ in range(50)}) > 40, "a crowd must not come back all at once"


@for_each("kind", [FailureKind.UNREACHED, FailureKind.LOADING])
def test_reached_server_is_retried_until_patience_ends(kind: FailureKind) -> None:
    gone = AttemptFailure(kind, "gone")
    end, made, _ = attempt_all([*[gone] * 40, "answer"])
    assert (end, made) == ("answer", 41)
    end, made, _ = attempt_all([gone], Retry(base=0.01, cap=0.01, patience=0.1))
    assert isinstance(end, AttemptFailure)
    assert made > 2


def test_while_a_server_is_down_one_caller_probes_for_all() -> None:
    down, asked = True, 0
    under_way = most = 0
    all_asked = asyncio.Event()

    async def attempt() -> str | AttemptFailure:
        nonlocal asked, under_way, most
        asked, under_way = asked + 1, under_way + 1
        if asked <= 50:  # the first calls of all callers come back together
            if asked == 50:
                all_asked.set()
            await all_asked.wait()
        else:
            most = max(most, under_way)
            await asyncio.sleep(0.001)
        under_way -= 1
        return AttemptFailure(FailureKind.UNREACHED, "gone") if down else "answer"

    async def recover() -> None:
        nonlocal down
        while asked < 80:  # noqa: ASYNC110  (the probes themselves are what is waited for)
            await asyncio.sleep(0.001)
        assert most == 1
        down = False

    async def main() -> list[str | AttemptFailure | None]:
        server = ServerState()
        server.reached = True
        calls = [with_retries(attempt, QUICK, RetryHooks(), server) for _ in range(50)]
        _, *answers = await asyncio.gather(recover(), *calls)
        return answers

    assert asyncio.run(main()) == ["answer"] * 50


def test_a_probe_that_is_cancelled_lets_another_caller_probe() -> None:
    down = True

    async def attempt() -> str | AttemptFailure:
        return AttemptFailure(FailureKind.UNREACHED, "gone") if down else "answer"

    async def main() -> str | AttemptFailure:
        nonlocal down
        server = ServerState()
        server.reached = True
        hook = RetryHooks()
        first = asyncio.create_task(with_retries(attempt, Retry(base=60), hook, server))
        await asyncio.sleep(0.01)
        second = asyncio.create_task(with_retries(attempt, QUICK, hook, server))
        await asyncio.sleep(0.01)
        first.cancel()
        down = False
        return await second

    assert asyncio.run(main()) == "answer"
