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
        ("Tollgate opens\n\nBergen, 3 May 2021. Tollgate AS today opened the bridge of 2019.", "2021-05-03"),
        (
            "Study report TG-4\n\nDate of report: 27 March 2021. Sponsor: Tollgate. First visit: 3 May 2019.",
            "2021-03-27",
        ),
        (
            "Opening hours\n\nPublished on 1 March 2021; last updated 22 July 2021\n\nThe bath opened on 3 May.",
            "2021-07-22",
        ),
        (
            "Protocol TG-4\n\nVersion 3.0, 18 June 2021. Sponsor: Tollgate.\nIt replaces version 2.0 of 1 May 2020.",
            "2021-06-18",
        ),
        ("# Appraisal – DRAFT v0.3 (10 January 2021)\n\nNot for circulation.", "2021-01-10"),
        ("Minutes of the Works Committee\n\nHeld on Tuesday 9 March 2021 at 18:30 in the Oak Room.", "2021-03-09"),
        ("Talk with the harbour master, taken down at the quay, conducted by A. Berg on 4 June 2021", "2021-06-04"),
        ("Protokoll\n\nOrt und Zeit: Haus am Kai, Kiel, 27. März 2021, 10:00 bis 14:00 Uhr.", "2021-03-27"),
        ("Anweisung\n\nStand: 15. November 2021. Verantwortlich: B. Holm", "2021-11-15"),
        ("Contrat\n\nEntre Voiles SA et Marin SARL, Nantes. Signé le 12 septembre 2021.", "2021-09-12"),
        ("Report on the fire of 3 May 2021\n\nThe hall burnt.", None),
        ("On Tuesday, 3 May 2021, the board met.", None),
        ("", None),
    ],
)
def test_the_day_of_a_paper_is_that_of_its_letterhead(text: str, day: str | None) -> None:
    found = letterhead_day(text)
    assert (found.date().isoformat() if found else None) == day
