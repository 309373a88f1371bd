"""Questions to a shop's support and their answers, made from templates, each on one of eight topics."""

import random

from ragstone import TestCase

TOPICS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "refunds": (
        ("jacket", "lamp", "headphones", "blender", "tent", "keyboard"),
        (
            "How do I get my money back for a {thing}?",
            "When is the refund of a {thing} paid?",
            "Is a refund possible for a {thing} after {number} days?",
        ),
        (
            "The refund of the {thing} is paid within {number} days to the card that was charged.",
            "You get a full refund for the {thing} if it is returned unused.",
        ),
    ),
    "delivery": (
        ("parcel", "sofa", "fridge", "letter", "pallet", "wardrobe"),
        (
            "Where is my {thing}?",
            "How long does delivery of a {thing} take?",
            "Can the courier leave the {thing} with a neighbour?",
        ),
        (
            "Delivery of a {thing} takes {number} working days.",
            "The courier brings the {thing} between {number} and 18 o'clock.",
        ),
    ),
    "passwords": (
        ("account", "profile", "portal", "app", "dashboard", "mailbox"),
        (
            "I cannot log in to my {thing}.",
            "How do I reset the password of my {thing}?",
            "Why is my {thing} locked?",
        ),
        (
            "Reset the password of the {thing} by the link on the login page.",
            "The {thing} is locked after {number} wrong passwords.",
        ),
    ),
    "invoices": (
        ("January", "March", "June", "August", "October", "December"),
        (
            "Where do I find the invoice for {thing}?",
            "Can the invoice of {thing} show our tax number?",
            "Why is tax missing on the {thing} invoice?",
        ),
        (
            "The invoice of {thing} is under Billing, as a PDF.",
            "Invoices of {thing} show {number} per cent tax and your company's tax number.",
        ),
    ),
    "warranty": (
        ("battery", "screen", "hinge", "motor", "zip", "pump"),
        (
            "Does the warranty cover a broken {thing}?",
            "How long is the {thing} under warranty?",
            "Who repairs a broken {thing}?",
        ),
        (
            "The warranty covers the {thing} for {number} months.",
            "Send the broken {thing} to our workshop; repair is free under the warranty.",
        ),
    ),
    "subscription": (
        ("basic", "family", "student", "team", "annual", "premium"),
        (
            "How do I cancel the {thing} plan?",
            "What does the {thing} subscription cost?",
            "Can I change to the {thing} plan in the middle of the month?",
        ),
        (
            "The {thing} subscription costs {number} euros a month.",
            "You can cancel the {thing} plan until {number} days before it renews.",
        ),
    ),
    "careers": (
        ("warehouse", "design", "kitchen", "finance", "legal", "sales"),
        (
            "Are there jobs in the {thing} team?",
            "How do I apply for an internship in {thing}?",
            "What is the salary of a trainee in {thing}?",
        ),
        (
            "Apply for jobs in {thing} with a curriculum vitae until the {number}th.",
            "Trainees in {thing} earn {number} euros an hour.",
        ),
    ),
    "privacy": (
        ("address", "photo", "phone number", "birthday", "location", "history"),
        (
            "How do I delete my {thing}?",
            "Do you share my {thing} with advertisers?",
            "How long is my {thing} stored?",
        ),
        (
            "Your {thing} is stored for {number} months and is not shared with third parties.",
            "Ask for deletion of your {thing} under the data protection law.",
        ),
    ),
}
"""For each topic what it is about, questions and answers."""


def support_case(topic: str, rng: random.Random) -> TestCase:
    """Return one question on a topic with an answer of one or two sentences; its tag is the topic."""
    things, questions, answers = TOPICS[topic]
    thing = rng.choice(things)
    said = rng.sample(answers, rng.randrange(1, len(answers) + 1))
    fill = {"thing": thing, "number": rng.randrange(2, 30)}
    return TestCase(
        input=rng.choice(questions).format(**fill),
        actual_output=" ".join(sentence.format(**fill) for sentence in said),
        tags=(topic,),
    )
