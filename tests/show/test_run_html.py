import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

from tests.findings.sample import HOSTILE, POLICY, case, claims, fixed_report, report_of, result
from tests.testing.for_each import for_each

from ragstone.findings import Report
from ragstone.findings.printable import printable
from ragstone.show.run_html import fragment, render

VOID = {"meta", "br"}


class Skeleton(HTMLParser):
    """Elements with the names of their attributes, in order; values and texts aside."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.append(f"<{tag} {' '.join(name for name, _ in attrs)}>")
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@for_each("rendering", [render, fragment])
def test_hostile_text_adds_no_element_and_no_attribute(rendering: Callable[[Report], str]) -> None:
    hostile, plain = Skeleton(rendering(report_of(HOSTILE))), Skeleton(rendering(report_of("plain words")))
    assert hostile.parts == plain.parts


def test_hostile_text_is_shown_as_it_is() -> None:
    assert printable(HOSTILE) in Skeleton(render(report_of(HOSTILE))).texts


@for_each("report", [fixed_report(), report_of(HOSTILE)])
def test_page_has_no_external_resources_and_one_script(report: Report) -> None:
    page = render(report)
    skeleton = Skeleton(page)
    names = {name for name, _ in skeleton.attributes}
    assert not names & {"src", "href", "srcset", "action", "formaction", "background", "style", "xlink:href"}
    assert not [name for name in names if name.startswith("on")]
    assert page.count("<script>") == page.count("</script>") == 1
    assert page.count("<style>") == 1
    assert "url(" not in page.split("</style>")[0]
    assert "@import" not in page.split("</style>")[0]


def test_the_policy_allows_exactly_the_style_and_script_of_the_page() -> None:
    page = render(fixed_report())
    policy = next(
        value
        for name, value in Skeleton(page).attributes
        if name == "content" and "default-src" in str(value)
    )
    for tag in ("style", "script"):
        text = page.split(f"<{tag}>")[1].split(f"</{tag}>")[0]
        assert f"{tag}-src 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in str(policy)
    assert str(policy).startswith("default-src 'none'")


def test_page_has_no_control_or_bidi_characters() -> None:
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe]",
        render(report_of(HOSTILE)),
    )


def test_claims_and_evidence_are_highlighted() -> None:
    item = case(1)
    report = replace(fixed_report(), cases=[item], results=[[result(item, 0.3, metadata=claims())]])
    page = render(report)
    assert re.search(
        r'<mark class="contradicted"[^>]*>You can work from home five days a week\.</mark>', page
    )
    assert re.search(r'<mark class="unmentioned"[^>]*>The company pays a bicycle\.</mark>', page)
    assert re.search(r'<mark class="lit contradicted"[^>]*>up to 3 days per week</mark>', page)
    assert POLICY[2] in page


def test_every_case_is_listed_worst_first() -> None:
    ids = [value for name, value in Skeleton(render(fixed_report())).attributes if name == "id"]
    assert ids[:2] == ["case-3", "case-4"]
    assert len(ids) == 12


def test_long_run_states_the_number_of_cases_not_shown() -> None:
    items = [case(number) for number in range(1003)]
    report = replace(fixed_report(), cases=items, results=[[result(item, 1.0)] for item in items])
    assert "3 other cases not shown" in render(report)


def test_a_notebook_shows_figures_and_worst_cases_without_a_script() -> None:
    shown = fixed_report()._repr_html_()
    assert "<script" not in shown
    assert "Faithfulness" in shown
    assert shown.count("<details") == 2


def test_empty_run_is_rendered_as_html() -> None:
    assert "Nothing was measured" in render(replace(fixed_report(), cases=[], results=[]))
