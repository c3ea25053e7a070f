"""An exception, a wish, a case of its own and a rule about others of the kind are no plain yes or no."""

from __future__ import annotations

from pathlib import Path

import pytest
from verdict_of import assert_first

PAPERS = {
    "rules.txt": "Ferry company rules, 3 March 2026\n\n"
    '"Sailing day" means any day in the timetable other than public holidays and days of gale warning.\n'
    "Bicycles are carried free of charge, except tandem bicycles.\n"
    "Dogs are not admitted to the saloon, apart from guide dogs.\n"
    "Luggage is insured save for jewellery.\n"
    "Hang-gliders are not accepted while the forward deck is wet.\n"
    "Theft, violence or smoking in the hold may lead to dismissal without notice.\n"
    "Nobody is dismissed for a first late arrival.\n"
    "Cabin heaters are not switched on during the summer season.\n",
    "letter.txt": "5 May 2026\nFrom the crews' association to the Operations Manager.\n\n"
    "We ask that the winter shifts be shortened to eight hours. We also propose that the mess allowance be doubled.\n"
    "The association would like the night boat to be cancelled in November.\n"
    "Note that approvals of refits above 40,000 are yours and not mine.\n",
    "reply.txt": "19 May 2026\nFrom the Operations Manager to the crews' association.\n\n"
    "The mess allowance was doubled on 1 May. The refit of the Merle was approved at 31,000.\n",
}


@pytest.mark.parametrize(
    ("question", "begins", "word"),
    [
        ("Are tandem bicycles carried free of charge?", "No. ", "except tandem"),
        ("Are bicycles carried free of charge?", "Yes. ", "except tandem"),
        ("Are guide dogs admitted to the saloon?", "Yes. ", "apart from guide dogs"),
        ("Are dogs admitted to the saloon?", "No. ", "apart from guide dogs"),
        ("Is jewellery insured?", "No. ", "save for jewellery"),
        ("Is a public holiday a sailing day?", "No. ", "other than public holidays"),
        ("Are hang-gliders accepted?", "", "while the forward deck is wet"),
        ("Are cabin heaters switched on?", "", "during the summer"),
        ("Can I be dismissed for a first late arrival?", "No. ", "Nobody"),
        ("Will the winter shifts be shortened?", "", "We ask"),
        ("Will the night boat be cancelled in November?", "", "would like"),
        ("Was the mess allowance doubled?", "Yes. ", "on 1 May"),
        ("Has the refit of the Merle been approved?", "Yes. ", "31,000"),
    ],
)
def test_what_only_stands_in_a_sentence_is_not_asserted(tmp_path: Path, question: str, begins: str, word: str) -> None:
    assert_first(tmp_path, PAPERS, question, begins, word)


def test_a_working_day_is_in_no_state(tmp_path: Path) -> None:
    papers = {
        "contract.txt": '"Working day" means Monday to Friday, other than public holidays and the day of the fair.'
    }
    assert_first(tmp_path, papers, "Is a public holiday a working day?", "No. ", "other than")


def test_the_works_of_a_contract_are_in_no_state(tmp_path: Path) -> None:
    papers = {"contract.txt": 'In this contract "the Works" means the pier; it does not include the kiosk on the quay.'}
    assert_first(tmp_path, papers, 'Does "the Works" include the kiosk?', "No. ", "does not include the kiosk")
