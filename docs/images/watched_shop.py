"""A shop's support that is watched, for the pictures of the page Watch: its traces are made up, what is judged is judged.

A week of traces is received and judged by the embedded judge; a release on the last day answers worse, and users begin to ask
about jobs. Then the times of receipt are moved back over the week, since nobody waits a week for a picture.
"""

import asyncio
import json
import random
import time
from hashlib import blake2b
from pathlib import Path

from sqlalchemy import update

from ragstone.store.queue.feedback import Feedback, put_feedback
from ragstone.store.schema.tables import TRACES, WATCH_RESULTS
from ragstone.traces import Span
from ragstone.watch.checks import make_checks
from ragstone.watch.plan import WatchPlan
from ragstone.watch.worker import TraceWorker, work

DAY = 86_400.0
BEFORE, TODAY = 180, 80
KIND = "openinference.span.kind"
TOPICS = {
    "refund": (
        ("jacket", "lamp", "blender", "tent", "keyboard"),
        ("When is the refund of a {thing} paid?", "Is a refund possible for a {thing} after {number} days?"),
        ("The refund of the {thing} is paid within {number} days.", "A {thing} must be returned unused."),
    ),
    "delivery": (
        ("parcel", "sofa", "fridge", "pallet", "wardrobe"),
        ("How long does delivery of a {thing} take?", "When does the courier bring the {thing}?"),
        (
            "Delivery of a {thing} takes {number} working days.",
            "The courier calls before he brings a {thing}.",
        ),
    ),
    "warranty": (
        ("battery", "screen", "hinge", "motor", "pump"),
        ("How long is the {thing} under warranty?", "Does the warranty cover a broken {thing}?"),
        (
            "The warranty covers the {thing} for {number} months.",
            "A broken {thing} is repaired in our workshop.",
        ),
    ),
    "jobs": (
        ("warehouse", "design", "kitchen", "finance", "sales"),
        ("Are there jobs in the {thing} team?", "How do I apply for a job in {thing}?"),
        ("Apply for jobs in {thing} until the {number}th.", "Trainees in {thing} begin in September."),
    ),
}
USUAL = ("refund", "delivery", "warranty")


def asked(chance, *, worse, jobs):
    """Return a question, its answer, and three passages: the third one is not about it."""
    topic = "jobs" if jobs and chance.random() < 0.35 else chance.choice(USUAL)
    things, questions, facts = TOPICS[topic]
    fill = {"thing": chance.choice(things), "number": chance.randrange(3, 28)}
    passages = [fact.format(**fill) for fact in facts]
    things, _, facts_of_other = TOPICS[next(one for one in USUAL if one != topic)]
    other = facts_of_other[1].format(thing=chance.choice(things))
    answer = " ".join(passages[: chance.choice((1, 2))])
    wrong = chance.random() < (0.45 if worse else 0.06)
    if wrong:
        answer = answer.replace(str(fill["number"]), str(fill["number"] + 11))
    return chance.choice(questions).format(**fill), answer, [*passages, other], wrong


def trace_id(number):
    """Return the id of a trace, as random as those of a real application look."""
    return blake2b(f"{number}".encode(), digest_size=16).hexdigest()


def trace(number, question, answer, passages, release):
    """Return the spans of one answer: a search, and a model whose prompt holds two of the three passages."""
    whole, begin = trace_id(number), int((1_700_000_000 + number) * 1e9)
    documents = {
        f"retrieval.documents.{at}.document.{key}": value
        for at, text in enumerate(passages)
        for key, value in (("id", f"faq#{at + 1}"), ("content", text))
    }
    prompt = "Answer from these passages.\n\n" + "\n\n".join(passages[:2])
    said = {
        "llm.model_name": "small-1",
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.content": prompt,
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.content": question,
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": answer,
    }
    root = {KIND: "CHAIN", "input.value": question, "output.value": answer}
    search = {KIND: "RETRIEVER", "input.value": question, **documents}
    listed = (
        ("answer a customer", None, 0, 940, root),
        ("search", 1, 20, 190, search),
        ("chat", 1, 200, 920, {KIND: "LLM", **said}),
    )
    return [
        Span(
            whole,
            f"{place:016x}",
            None if parent is None else f"{parent:016x}",
            name,
            begin + first * 1_000_000,
            begin + last * 1_000_000,
            None,
            attributes,
            resource={"service.version": release},
        )
        for place, (name, parent, first, last, attributes) in enumerate(listed, 1)
    ]


def plan_in(folder):
    """Return what is watched, with its labelled cases and its test set in a folder."""
    chance = random.Random(5)
    labelled = (asked(chance, worse=True, jobs=False) for _ in range(60))
    rows = [
        {"input": question, "actual_output": answer, "retrieval_context": passages, "label": not wrong}
        for question, answer, passages, wrong in labelled
    ]
    known = [{"input": asked(chance, worse=False, jobs=False)[0]} for _ in range(40)]
    for name, lines in (("anchor.jsonl", rows), ("faq-set.jsonl", known)):
        (Path(folder) / name).write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return WatchPlan.model_validate(
        {
            "name": "support",
            "metrics": ["faithfulness(threshold=0.9)", "answer_relevancy"],
            "unit": {"settle": 0},
            "judge": {"people": 0.1},
            "alarm": [{"metric": "faithfulness", "below": 0.85, "run_length": 2000}],
            "anchor": {"file": str(Path(folder) / "anchor.jsonl"), "metric": "faithfulness"},
            "drift": {"test_set": str(Path(folder) / "faq-set.jsonl")},
        }
    )


def watch_shop(queue, folder):
    """Receive a week of traces, judge them, and move them back over the week."""
    chance, plan = random.Random(18), plan_in(folder)
    for number in range(1, BEFORE + TODAY + 1):
        late = number > BEFORE
        question, answer, passages, wrong = asked(chance, worse=late, jobs=late)
        queue.put(trace(number, question, answer, passages, "1.5" if late else "1.4"))
        if number > BEFORE and chance.random() < 0.3:
            thumb = "down" if wrong else "up"
            said = "That is not what the label says." if wrong else ""
            put_feedback(queue.engine, Feedback("user_feedback", trace_id(number), thumb=thumb, comment=said))
    asyncio.run(work(TraceWorker(queue, plan), stop=None))
    move_back(queue.engine)
    assert asyncio.run(make_checks(queue, plan)) == []


def move_back(engine):
    """Spread what was received now over a week: the last eighty traces over the last day."""
    now = time.time()
    with engine.begin() as connection:
        for number in range(1, BEFORE + TODAY + 1):
            late = number - BEFORE
            age = DAY * (1 - late / TODAY) * 0.98 if late > 0 else DAY * (1 + 6 * (1 - number / BEFORE))
            mine = trace_id(number)
            shift = update(WATCH_RESULTS).where(WATCH_RESULTS.c.trace_id == mine)
            connection.execute(shift.values(received=now - age))
            times = {"first_received": now - age, "last_received": now - age}
            connection.execute(update(TRACES).where(TRACES.c.trace_id == mine).values(**times))
