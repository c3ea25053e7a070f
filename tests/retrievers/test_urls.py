"""URL lists: what is cut, what is joined, and what must stay apart."""

from __future__ import annotations

import pytest
from citewell.retrievers.urls import clean_urls, find_urls, normal_form, tidy, trim_url
from hypothesis import given
from hypothesis import strategies as st


def test_spellings_of_one_page_are_one_source_and_different_pages_stay_apart():
    listed = [
        "https://wiki.test/Set_(mathematics)",
        "https://wiki.test/Set_(mathematics)#History",
        "https://wiki.test/Set_(mathematics)/?utm_source=nl&utm_medium=mail",
        "http://WIKI.test:80/Set_(mathematics)",
        "https://shop.test/item?id=1",
        "https://shop.test/item?id=2",
        "https://shop.test/a%20b",
        "https://shop.test/a b",
        "file photo (1).png",
    ]
    assert clean_urls(listed) == [
        "https://wiki.test/Set_(mathematics)",
        "https://shop.test/item?id=1",
        "https://shop.test/item?id=2",
        "https://shop.test/a%20b",
        "file photo (1).png",
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://a.test/x).", "https://a.test/x"),
        ("https://a.test/x,", "https://a.test/x"),
        ("https://a.test/x]\"'", "https://a.test/x"),
        ("https://a.test/Set_(mathematics)", "https://a.test/Set_(mathematics)"),
        ("https://a.test/Set_(mathematics)).", "https://a.test/Set_(mathematics)"),
        ("https://a.test/q?x=[1]", "https://a.test/q?x=[1]"),
    ],
)
def test_trailing_punctuation_goes_but_a_bracket_opened_inside_stays(written, meant):
    assert trim_url(written) == meant


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.test/Page", "https://a.test/page"),
        ("https://a.test/?a=1&b=2", "https://a.test/?b=2&a=1"),
        ("https://a.test/x%2Fy", "https://a.test/x/y"),
        ("https://a.test:8443/", "https://a.test/"),
        ("http://a.test:8080/", "https://a.test:8080/"),
        ("https://www.a.test/", "https://a.test/"),
        ("https://a.test/#!/one", "https://a.test/#!/two"),
    ],
)
def test_pages_that_may_differ_are_not_joined(one, other):
    assert normal_form(one) != normal_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.test", "https://a.test/"),
        ("https://a.test/%7euser", "https://a.test/~user"),
        ("https://a.test/b/../c/./d", "https://a.test/c/d"),
        ("https://bücher.test/ä", "https://xn--bcher-kva.test/%c3%a4"),
        ("https://a.test./x", "https://a.test/x"),
        ("https://a.test/x?utm_source=z", "https://a.test/x"),
    ],
)
def test_spellings_of_one_page_have_one_normal_form(one, other):
    assert normal_form(one) == normal_form(other)


def test_tidying_twice_changes_nothing():
    for url in ("https://a.test/a b?q=x y#z", "https://ä.test/%c3%a4/../b", "http://[::1]:80/x", "https://a.test/100%"):
        assert tidy(tidy(url)) == tidy(url)


def test_a_malformed_url_is_listed_and_not_fatal():
    assert clean_urls(["http://[::1", "https://a.test:port/"]) == ["http://[::1", "https://a.test:port/"]


def test_urls_are_found_in_prose_and_markdown():
    text = (
        "See https://example.com/a_(b), [the study](https://doi.org/10.0000/made.up). Or www.x.test/y; doi:10.1000/182."
    )
    assert find_urls(text) == [
        "https://example.com/a_(b)",
        "https://doi.org/10.0000/made.up",
        "www.x.test/y",
        "doi:10.1000/182",
    ]


urls = st.builds(
    "{}://{}{}{}{}{}".format,
    st.sampled_from(("http", "https", "HTTP")),
    st.sampled_from(("a.test", "A.Test", "a.test:80", "b.test:443", "b.test:8080", "[::1]", "bücher.test")),
    st.text("/ab%2().,~;", max_size=12).map(lambda path: "/" + path if path else ""),
    st.sampled_from(("", "?", "?a=1", "?utm_source=x&a=1", "?b=2&a=1&fbclid=q")),
    st.sampled_from(("", "#", "#part")),
    st.text(").,]\"'>", max_size=4),
)


@given(urls)
def test_the_normal_form_of_a_normal_form_is_itself(url):
    for kept in clean_urls([url]):
        assert normal_form(normal_form(kept)) == normal_form(kept)


@given(st.lists(urls, max_size=6))
def test_cleaned_urls_are_tidy_and_none_stands_twice(listed):
    cleaned = clean_urls(listed)
    assert [tidy(url) for url in cleaned] == cleaned
    assert len({normal_form(url) for url in cleaned}) == len(cleaned)
