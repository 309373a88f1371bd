"""Cases made from word lists: each set is about one thing that the judge must tell apart.

Every generator yields (statement, passages, answers that would be wrong), seeded, so that a failure can be repeated.
"""

import random
from collections.abc import Callable, Iterator

Case = tuple[str, tuple[str, ...], frozenset[str]]
Generator = Callable[[random.Random], Case]

THINGS = (
    "parcel",
    "invoice",
    "ferry",
    "lorry",
    "shipment",
    "train",
    "visitor",
    "request",
    "tram",
    "delivery",
)
UNITS = ("minutes", "hours", "days", "weeks", "metres", "pages")
PLACES = (
    "Ardmore",
    "Brenwick",
    "Calder",
    "Dunmere",
    "Eastholt",
    "Farrow",
    "Glenby",
    "Harrow",
    "Inverley",
    "Jarrow",
)
FIRST = ("Marta", "Oskar", "Helena", "Tobias", "Ingrid", "Caspar", "Livia", "Anton", "Berta", "Conrad")
LAST = ("Quist", "Varga", "Lindhal", "Moreno", "Petrosh", "Ashdown", "Keller", "Novik", "Tamm", "Rasky")
TRADES = ("architect", "surveyor", "engineer", "sculptor", "painter", "gardener")
WORKS = ("library", "bridge", "theatre", "lighthouse", "market hall", "chapel")
DAMAGE = ("fire", "hail", "frost", "lightning", "burst pipes", "falling trees")
GOODS = ("furniture", "bicycles", "carpets", "garden sheds", "windows", "instruments")

WRONG_IF_CONTRADICTED = frozenset({"no"})
WRONG_IF_SUPPORTED = frozenset({"yes"})


def cases(generator: Generator, count: int = 40, seed: int = 5) -> Iterator[Case]:
    """Yield so many cases of one kind."""
    rng = random.Random(seed)
    for _ in range(count):
        yield generator(rng)


def inside_a_rule(rng: random.Random) -> Case:
    """A number that a rule's bound covers is no other number."""
    thing, unit, bound = rng.choice(THINGS), rng.choice(UNITS), rng.randrange(20, 80, 5)
    more = bound + rng.randrange(3, 40)
    rule = rng.choice([
        f"A {thing} that is {bound} {unit} late or more is free of charge.",
        f"A {thing} that is at least {bound} {unit} late is free of charge.",
        f"A {thing} that is more than {bound} {unit} late is free of charge.",
        f"A {thing} with a delay of {bound} {unit} or longer is free of charge.",
    ])  # fmt: skip
    return f"A {thing} that is {more} {unit} late is free of charge.", (rule,), WRONG_IF_CONTRADICTED


def outside_a_rule(rng: random.Random) -> Case:
    """A number below a rule's lowest is not supported by it."""
    thing, unit, bound = rng.choice(THINGS), rng.choice(UNITS), rng.randrange(30, 80, 5)
    less = bound - rng.randrange(3, 25)
    rule = f"A {thing} that is at least {bound} {unit} late is free of charge."
    return f"A {thing} that is at least {less} {unit} late is free of charge.", (rule,), WRONG_IF_SUPPORTED


def bounded_not_denied(rng: random.Random) -> Case:
    """ "Do not take more than" forbids nothing but the excess."""
    unit, count = rng.choice(("tablets", "spoons", "capsules", "drops")), rng.randrange(2, 9)
    hours = rng.choice((6, 12, 24))
    passage = f"Take the {unit} with water. Do not take more than {count} {unit} in {hours} hours."
    said = rng.choice([
        f"Take no more than {count} {unit} in {hours} hours.",
        f"Take at most {count} {unit} in {hours} hours.",
        f"Take up to {count} {unit} in {hours} hours.",
    ])  # fmt: skip
    return said, (passage,), WRONG_IF_CONTRADICTED


def denied_next_door(rng: random.Random) -> Case:
    """What a neighbouring sentence denies of something else is not denied of this."""
    good = rng.choice(GOODS)
    covered, other = rng.sample(DAMAGE, 2)
    place = rng.choice(PLACES)
    passage = (
        f"The {place} policy pays for damage to your {good} by {covered}. The excess is {rng.randrange(50, 400, 50)} "
        f"euros. Damage by {other} is not insured."
    )
    return f"Damage to your {good} by {covered} is insured.", (passage,), WRONG_IF_CONTRADICTED


def denied_here(rng: random.Random) -> Case:
    """What the sentence about this very thing denies is denied."""
    good, other = rng.sample(GOODS, 2)
    covered = rng.choice(DAMAGE)
    passage = f"Damage to your {good} by {covered} is not insured. Damage to your {other} is insured."
    return f"Damage to your {good} by {covered} is insured.", (passage,), WRONG_IF_SUPPORTED


def half_a_name(rng: random.Random) -> Case:
    """A name half of which occurs elsewhere is not the name in its place."""
    work, trade = rng.choice(WORKS), rng.choice(TRADES)
    (first, other), (last, another) = rng.sample(FIRST, 2), rng.sample(LAST, 2)
    year, place = rng.randrange(1700, 1950), rng.choice(PLACES)
    passages = (
        f"The new {work} of {place} was built in {year} to a design by {other} {another}, the {trade} of the court.",
        f"It is faced with stone from the {last} quarries. The money came from a tax on salt.",
    )
    said = f"The new {work}, built in {year}, was designed by the court {trade} {first} {last}."
    return said, passages, WRONG_IF_SUPPORTED


def number_said_elsewhere(rng: random.Random) -> Case:
    """Another number in a sentence that says nearly as much as the closest one is seen as well."""
    thing, small, place = rng.choice(THINGS), rng.randrange(2, 9), rng.choice(PLACES)
    colours = "`red`, `green` and `blue`"
    passage = (
        f"Labels in {place}. Every {thing} has one of exactly {small} labels: {colours} are the best known. "
        f"A {thing} with a `red` or `green` label may only leave by the `blue` gate."
    )
    said = f"There are {small + rng.randrange(1, 4)} labels for a {thing} in {place}: {colours} may only be read."
    return said, (passage,), WRONG_IF_SUPPORTED


def wrong(answers: list[str], expected: list[Case]) -> float:
    """Return the share of answers that are among the wrong ones."""
    return sum(answer in case[2] for answer, case in zip(answers, expected, strict=True)) / len(expected)
