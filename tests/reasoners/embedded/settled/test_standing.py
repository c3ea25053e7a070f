"""A retracted paper settles nothing and its notice stands beside it; a replaced one gives way to what replaces it."""

from __future__ import annotations

import citewell
import pytest
from citewell.reasoners.embedded.asked.question import read_question
from citewell.reasoners.embedded.found.effective import effective_from
from citewell.reasoners.embedded.found.papers import Papers
from citewell.reasoners.embedded.settled.confirming import is_of_another
from citewell.reasoners.embedded.settled.standing import standing_of
from citewell.reasoners.support.outcomes import outcome_asked
from passages import passage_of

FALLEN = passage_of(
    "moss_2017.md",
    "# RETRACTED: Cold brine cures beet blight in all fields\n\nMoss K, Tarn O. J Root Sci 2017; 3: 4-9.\n\n"
    "**Notice (4 May 2019).** This article has been retracted at the request of the editors.\n\n"
    "**Conclusion.** Cold brine cures beet blight in most fields.",
)
SOUND = passage_of(
    "arden_2018.md",
    "# Warm brine against beet blight\n\nArden P. J Root Sci 2018; 4: 1-7.\n\n"
    "**Results.** Yield rose by 3 % with warm brine. The study by Velez 2015 was withdrawn in 2016.",
)
VELEZ = passage_of("velez.md", "# Salt and beet\n\nVelez R. Root Letters 2015.\n\nSalt doubles the yield of beet.")
OLD = passage_of(
    "bike_rules_2021.md",
    "# Harbour Club - Rules on bicycles\n\nAdopted 3 March 2021.\n\n1. Bicycles may be taken into the boat hall.\n"
    "2. Helmets are lent at the desk.",
)
NEW = passage_of(
    "bike_rules_2024.md",
    "# Harbour Club - Rules on bicycles and scooters\n\nAdopted 9 April 2024, in force from 1 June 2024. "
    "These rules replace the rules of 3 March 2021. This version supersedes them.\n\n"
    "1. Bicycles and scooters are not taken into the boat hall.\n2. Tyres are cleaned at the gate.",
)
TARIFF = passage_of(
    "water_tariff.txt",
    "WATER TARIFF of Ostby of 2 May 2021, in force from 1 July 2021\n\n"
    "1. A second meter is free of charge.\n2. A litre costs EUR 0.02.",
)
CHANGE = passage_of(
    "water_tariff_amendment.txt",
    "FIRST AMENDMENT of 4 May 2023 to the Water Tariff of 2 May 2021, in force from 1 July 2023\n\n"
    "1. A second meter costs EUR 15 a year.",
)
LETTER = passage_of(
    "camp.md",
    "# Camp of the rowing school\n\nThe outing of group 4 to the lighthouse has been cancelled because of the ferry. "
    "The outing of group 7 to the mill takes place on 8 May.",
)


def fallen(question: str, *passages):
    standing = standing_of(read_question(question), passages)
    return set(standing.retracted), set(standing.replaced)


def test_a_paper_is_retracted_by_its_own_notice_or_by_what_another_says_of_it():
    assert fallen("Does brine cure blight?", FALLEN, SOUND, VELEZ) == ({"moss_2017.md", "velez.md"}, set())
    assert fallen("Why was Moss 2017 retracted?", FALLEN, SOUND) == (set(), set())


def test_a_paper_is_replaced_by_one_that_names_its_day_from_the_day_that_this_came_into_force():
    assert Papers([OLD, NEW]).changes("bike_rules_2024.md", "bike_rules_2021.md")
    assert fallen("May bicycles be taken into the boat hall?", OLD, NEW)[1] == {"bike_rules_2021.md"}
    assert fallen("Were bicycles allowed in the boat hall in May 2023?", OLD, NEW)[1] == {"bike_rules_2024.md"}
    assert fallen("What did the previous rules say about bicycles?", OLD, NEW)[1] == set()


def test_the_day_from_which_something_holds_is_read_behind_its_words():
    assert str(effective_from("With effect from 1 September 2024 the price is EUR 4.")) == "2024-09-01"
    assert str(effective_from("in force from 1 June 2024")) == "2024-06-01"
    assert effective_from("The agreement of 9 May 2021 ends.") is None


def test_a_thing_of_another_number_is_another_thing():
    assert is_of_another("Is the outing of group 4 cancelled?", "The outing of group 7 takes place.")
    assert not is_of_another("Is the outing of group 4 cancelled?", "The outing of group 4 is off.")
    assert not is_of_another("Did the pump run for 6 weeks?", "The pump ran for 4 weeks.")


def test_what_is_cancelled_does_not_take_place():
    outcome = outcome_asked("Is the outing taking place?")
    assert outcome.said_in("The outing has been cancelled.", frozenset()) == (False, True)
    assert outcome.said_in("The outing was called off.", frozenset()) == (False, True)
    assert outcome.said_in("The outing takes place on 8 May.", frozenset()) == (True, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "opening", "papers"),
    [
        ("Does cold brine cure beet blight?", "This article has been retracted", (FALLEN, SOUND)),
        ("Are bicycles allowed in the boat hall?", "No. Bicycles and scooters are not taken", (OLD, NEW)),
        ("Is a second meter free of charge?", "No. FIRST AMENDMENT", (TARIFF, CHANGE)),
        ("Is the outing of group 4 taking place?", "No. ", (LETTER,)),
        ("Is the outing of group 7 taking place?", "Yes. ", (LETTER,)),
    ],
)
def test_what_holds_leads(tmp_path, question, opening, papers):
    for passage in papers:
        (tmp_path / passage.chunk.uri).write_text(passage.chunk.text)
    lead = citewell.research(question, docs=[tmp_path], engine="embedded").answer.executive_summary[0].text
    assert lead.startswith(opening)
