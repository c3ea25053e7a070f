"""Who rose or fell the most between two times, of rows that each have a year of their own."""

from __future__ import annotations

import pytest
from exports import told

FLEETS = """year,port,landings_tonnes,boats
2021,Ystad,310,12
2021,Skagen,905,40
2021,Lemvig,220,9
2022,Ystad,395,12
2022,Skagen,850,41
2022,Lemvig,260,11
"""
WARDS = """Ward,Patients 2023,Patients 2024
Surgery,410,455
Maternity,300,270
Eye clinic,95,120
Total,805,845
"""
FILES = {"fleets.csv": FLEETS, "hospital.csv": WARDS}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which port saw the largest increase in landings from 2021 to 2022?", "that of Ystad: 395 - 310 = 85, before"),
        ("In which port did landings fall the most between 2021 and 2022?", "that of Skagen: 850 - 905 = -55"),
        ("Which port had the biggest percentage rise in landings from 2021 to 2022?", "(395 - 310) / 310 = 27.4%"),
        ("Which ward's patients grew most from 2023 to 2024?", "that of Surgery: 455 - 410 = 45"),
        ("Which ward had the largest fall in patients from 2023 to 2024?", "that of Maternity: 270 - 300 = -30"),
        ("Which port had the largest fall in boats from 2021 to 2022?", "no fall in boats"),
    ],
)
def test_who_moved_the_most_is_told_with_both_figures(question, answer):
    assert any(answer in each for each in told(FILES, question)), told(FILES, question)
