"""A figure that is looked up says of what year it is, where its row has a year of its own."""

from __future__ import annotations

import pytest
from citewell.reasoners.tables.asking import read_ask
from citewell.reasoners.tables.lookups import look_up
from exports import tables_of

FINES = """year,cases,fines_gbp
2022,14,6820
2023,19,9145
"""
DOSES = """reaction,20 mg (N=91),40 mg (N=89)
Cough,14,27
Fever,2,6
"""
FILES = {"fines.csv": FINES, "doses.csv": DOSES}


@pytest.mark.parametrize(
    ("question", "said"),
    [("How much were the fines in 2023?", "In 2023, fines were GBP 9145."), ("cases 2022", "In 2022, cases were 14.")],
)
def test_a_figure_says_its_year(question, said):
    found = look_up(read_ask(question), tables_of(FILES))
    assert found is not None
    assert found.text == said


def test_a_column_of_another_number_is_not_the_one_asked_for():
    assert look_up(read_ask("How many patients on 60 mg had fever?"), tables_of(FILES)) is None
