"""A letter, a release or minutes are of the day that their first lines give, never of one that they only name."""

from __future__ import annotations

import pytest
from citewell.retrievers.parsers.letterhead import letterhead_day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Holm Revision P/S\nManagement letter\nOdense, 24 April 2021\n\n1. Opinion", "2021-04-24"),
        ("# Lorvik – Minutes\n\nMeeting no. 2/2021, 12 March 2021, 09:00–12:40, head office\n", "2021-03-12"),
        ("# Town Council\n\nTuesday 24 June 2021, 19:00, town hall\n\nThe minutes of 3 May 2021 stand.", "2021-06-24"),
        ("AMENDMENT No. 2 to the Supply Agreement of 10 January 2019\ndated 15 May 2021\n\nA. The price", "2021-05-15"),
        ("Lorvik, le 3 mars 2021\n\nChère Anna,", "2021-03-03"),
        ("Rules of the hall, valid from 2 January 2021\n\n1. Rates", None),
        ("Adopted 6 February 2021, in force from 1 August 2021. Version 1.", None),
        ("We met on 3 May 2021 and agreed on the fee.", None),
        ("Bergen, 3 May 2021\nBergen, 4 May 2021", None),
        ("", None),
    ],
)
def test_the_day_of_a_paper_is_that_of_its_letterhead(text: str, day: str | None) -> None:
    found = letterhead_day(text)
    assert (found.date().isoformat() if found else None) == day
