from hypothesis import given
from hypothesis import strategies as st

from ragstone.show.render.markup import Markup, element, fragment


def test_texts_are_escaped_and_elements_are_not() -> None:
    assert (
        element("p", "<b> & 'x'", element("b", "bold")) == "<p>&lt;b&gt; &amp; &#x27;x&#x27;<b>bold</b></p>"
    )


def test_attributes_are_escaped_and_named_as_in_html() -> None:
    made = element("p", class_="a", aria_label='"><script>', title=None, x=1)
    assert made == '<p class="a" aria-label="&quot;&gt;&lt;script&gt;" x="1"></p>'


def test_an_element_without_content_is_not_closed() -> None:
    assert element("br") == "<br>"


@given(st.text())
def test_any_text_adds_no_element(text: str) -> None:
    inside = element("p", text, title=text)
    assert inside.count("<") == inside.count(">") == 2


def test_markup_joined_to_plain_text_is_escaped() -> None:
    joined = fragment("<i>" + Markup("<b></b>"))
    assert "<" not in joined
