"""The one analyser: what counts as a word."""

from __future__ import annotations

import pytest
from citewell.text.words import MAX_TERM_CHARS, STOP_WORDS, analyse, content_words, stem
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("order 4821", "Order #4821."),
        ("4120", "4,120 pallets"),
        ("1234567", "1.234.567"),
        ("2345.67", "2.345,67"),
        ("1250000", "1\u202f250\u202f000"),
        ("10k", "Form 10-K"),
        ("2022", "FY2022"),
        ("covid19", "COVID-19"),
        ("users", "the user's"),
        ("cafe", "Café"),
        ("eau", "l'eau"),
        ("finance", "ﬁnance"),
        ("istanbul", "İSTANBUL"),
        ("strasse", "Straße"),
        ("30", "٣٠"),
        ("договор", "договора"),
        ("期限", "合同的终止期限为三十天"),
    ],
)
def test_a_query_meets_the_way_texts_write_it(asked, written):
    assert set(analyse(asked)) & set(analyse(written))


def test_words_of_one_stem_are_one_term():
    assert analyse("connected connections") == ["connect", "connect"]


def test_stop_words_and_punctuation_give_no_term():
    assert analyse("the of and") == analyse("???") == analyse("") == []
    assert content_words("What is the policy?") == ["policy"]
    assert {"the", "what"} <= STOP_WORDS


def test_a_date_is_found_whole_and_in_its_parts():
    assert analyse("31.12.2022") == ["31.12.2022", "31", "12", "2022"]


def test_a_chinese_clause_gives_bigrams_that_another_topic_does_not_share():
    assert "终止" in analyse("合同的终止期限是多久？")
    assert not set(analyse("火星有几颗卫星？")) & set(analyse("合同的终止期限为三十天，须书面通知对方。"))


def test_a_german_text_is_stemmed_in_german_and_met_by_a_short_query():
    text = analyse("Die Umsätze der Häuser sind nicht gestiegen")
    assert "haus" in text
    assert set(analyse("Umsätze")) <= set(text)


def test_a_french_question_drops_its_function_words():
    assert content_words("Quel est le délai de résiliation du contrat ?") == ["delai", "resiliation", "contrat"]


def test_a_very_long_word_is_bounded_and_still_equal_to_itself_alone():
    long = "x" * 50_000
    assert analyse(long) == analyse(long)
    assert len(analyse(long)[0]) == MAX_TERM_CHARS
    assert analyse(long) != analyse(long + "y")


def test_a_single_word_has_the_stem_it_has_in_a_text():
    assert [stem("Pallets")] == analyse("Pallets")


@given(st.text(max_size=200))
def test_any_text_gives_bounded_terms_without_spaces_and_always_the_same(text):
    terms = analyse(text)
    assert terms == analyse(text)
    assert all(term and len(term) <= MAX_TERM_CHARS and not any(char.isspace() for char in term) for term in terms)
