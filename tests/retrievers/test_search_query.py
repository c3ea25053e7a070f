"""Queries cut to a provider's limit."""

from __future__ import annotations

import pytest
from citewell.retrievers.search_query import fit_query, sites_of

LONG = (
    "Background: our two mills buy paper, ink and glue from many places, " * 8
    + 'so please find the longest drying time of ink K4 site:example.org -forum "ink K4"'
)


def test_a_long_query_keeps_its_operators_and_what_it_asks():
    fitted = fit_query(LONG)
    assert len(LONG) > 400 >= len(fitted)
    for part in ("site:example.org", "-forum", '"ink K4"', "longest drying time"):
        assert part in fitted


@pytest.mark.parametrize("limit", [10, 25, 60, 120, 399])
def test_no_limit_is_passed_and_no_operator_is_cut(limit):
    fitted = fit_query(LONG, limit)
    assert 0 < len(fitted) <= limit
    assert "site:" not in fitted or "site:example.org" in fitted


def test_distinct_words_give_way_from_the_front():
    words = [f"word{number}" for number in range(100)]
    fitted = fit_query(" ".join(words) + " -forum")
    assert fitted.split()[-2:] == ["word99", "-forum"]
    assert "word0 " not in fitted


def test_a_single_endless_word_is_cut():
    assert fit_query("x" * 1000) == "x" * 400


@pytest.mark.parametrize("query", ["", "???", " \n\t", "—…", "' '"])
def test_a_query_without_words_asks_nothing(query):
    assert fit_query(query) == ""


@pytest.mark.parametrize("query", ["the of and", "What's the users' ' policy?", "`rm -rf`", "合同的终止期限是多久？"])
def test_a_short_query_stays_as_it_is(query):
    assert fit_query(query) == query


def test_control_characters_become_spaces():
    assert fit_query("one\x00two\r\nthree") == "one two three"


def test_site_operators_name_their_domains():
    assert sites_of('pump site:Example.org site:b.test/docs -site:c.test "site: x"') == ("example.org", "b.test")
