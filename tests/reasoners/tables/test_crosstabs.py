"""In a table of names by names the row and the column that a question names meet in one cell, and in no other."""

from __future__ import annotations

import pytest
from exports import told

MUSEUMS = """museum,2021,2022,2023
Maritime Museum,41200,55300,61250
Textile House,18900,17650,16020
Mint Tower,7700,12400,19950
Observatory,30150,29800,33500
"""
REACTIONS = """# Trial AQ-12

## Adverse reactions by arm

| Reaction | Vehicle (N=120) | 5 mg (N=118) | 10 mg (N=121) |
|---|---|---|---|
| Dry skin | 14 | 31 | 47 |
| Itching | 22 | 25 | 30 |
| Severe rash | 1 | 2 | 6 |
| Improved skin score (%) | 21.5 | 48.0 | 61.2 |

All reactions are counted once a participant.
"""
ACCOUNTS = """# Accounts of Seebad Ferries

| EUR thousand | 2021 | 2022 | 2023 |
|---|---|---|---|
| Ticket revenue | 8410 | 9120 | 10230 |
| Fuel costs | 2100 | 3350 | 2980 |
| Operating profit | 905 | 410 | 1240 |
"""
FILES = {"visitors_by_museum.csv": MUSEUMS, "reactions.md": REACTIONS, "accounts.md": ACCOUNTS}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many participants had dry skin on 10 mg?", "Dry skin, 10 mg (N=121): 47."),
        ("How many people on 5mg had itching?", "Itching, 5 mg (N=118): 25."),
        ("What percentage of participants had severe rash on 10 mg?", "6 / 121 = 5.0%"),
        ("In which arm was itching most common?", "highest for 10 mg: 30"),
        ("Which reaction was the most frequent on vehicle?", "highest for Itching: 22, before Dry skin with 14"),
        ("How many participants had severe rash in total?", "1 + 2 + 6 = 9"),
        ("Was dry skin more common on 10 mg than on vehicle?", "Yes. Dry skin: 47 (10 mg (N=121)), 14"),
        ("What was the improved skin score on 10 mg?", "Improved skin score (%), 10 mg (N=121): 61.2%."),
    ],
)
def test_an_event_and_a_group_meet_in_a_cell(question, answer):
    assert any(answer in each for each in told(FILES, question)), told(FILES, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which museum had the most visitors in 2022?", "for 2022, visitors are highest for Maritime Museum: 55,300"),
        ("How many visitors did the Mint Tower have in 2022?", "Visitors of Mint Tower, 2022: 12,400."),
        ("How many visitors were there in total in 2023?", "61,250 + 16,020 + 19,950 + 33,500 = 130,720"),
        ("In which year did the Observatory have the most visitors?", "highest for 2023: 33,500"),
        ("What share of visitors went to the Textile House in 2023?", "16,020 / 130,720 = 12.3%"),
        ("How did visitors to the Maritime Museum develop?", "2021: 41,200, 2022: 55,300, 2023: 61,250"),
        ("Did visitors of the Observatory fall from 2021 to 2022?", "Yes. Visitors of Observatory fell from 30,150"),
        ("Which museum saw the largest rise in visitors from 2022 to 2023?", "that of Mint Tower: 19,950 - 12,400"),
        ("Which museum lost the most visitors from 2021 to 2023?", "Textile House: 16,020 - 18,900 = -2,880"),
        ("Which museum's visitors grew fastest between 2021 and 2023?", "(19,950 - 7,700) / 7,700 = 159.1%"),
        ("What was ticket revenue in 2022?", "Ticket revenue, 2022: 9,120 EUR thousand."),
        ("By how much did operating profit fall from 2021 to 2022?", "410 - 905 = -495"),
        ("How did operating profit change from 2022?", "1,240 - 410 = 830"),
        ("By how much did operating profit fall in 2022?", "410 - 905 = -495"),
    ],
)
def test_columns_of_years_are_times_of_one_figure(question, answer):
    assert any(answer in each for each in told(FILES, question)), told(FILES, question)


@pytest.mark.parametrize(
    "question",
    [
        "How many participants had dry skin on 20 mg?",
        "How many participants had nausea on 10 mg?",
        "What was the total in 2023?",
        "How many visitors were there in total in 2019?",
        "Which cost was the highest in 2023?",
        "Within what time must a severe rash be reported?",
        "Why is a severe rash a reaction?",
        "Why did visitors to the Textile House fall?",
        "How many participants had dry skin in week 52?",
    ],
)
def test_a_cell_that_the_table_lacks_is_not_told(question):
    assert told(FILES, question) == []
