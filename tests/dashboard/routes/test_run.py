"""The page of a run: what it says of the judge."""

import httpx
from tests.dashboard.sample_runs import keep, policy_case, policy_results
from tests.dashboard.site import Site

from ragstone.judges.local.accuracy import everyday_accuracy


def test_a_run_by_the_embedded_judge_tells_how_accurate_that_is(site: Site) -> None:
    case = policy_case(0)
    local = keep(site.store, [case], [policy_results(case)], judge="local")
    other = keep(site.store, [case], [policy_results(case)])
    shown, silent = (httpx.get(f"{site.url}/runs/{run.run.id}").text for run in (local, other))
    assert everyday_accuracy().sentence() in shown
    assert "everyday claims" not in silent


def test_a_run_that_asked_no_judge_says_nothing_of_it(site: Site) -> None:
    case = policy_case(0)
    unasked = [result.model_copy(update={"usage": type(result.usage)()}) for result in policy_results(case)]
    run = keep(site.store, [case], [unasked], judge="local")
    assert "everyday claims" not in httpx.get(f"{site.url}/runs/{run.run.id}").text
