"""What stands behind a name says who somebody is only where it reads like a role."""

from __future__ import annotations

from pathlib import Path

import pytest
from citewell.reasoners.embedded.asked.names import is_person_like
from verdict_of import assert_first

PAPERS = {
    "minutes.txt": "Circulation: Steering Group, Port Engineer, Head of Dredging, Ann Mowbray, Peter Quill.\n\n"
    "Minutes of the harbour board, 4 May 2026.\n"
    "A dispute is referred to the umpire, Ms Freda Holm, who decides within ten days.\n"
    "The board confirmed Ragna Toft as Port Engineer from 1 June 2026.\n"
    "Write to the Warehouse Manager, who will sign the slip.\n"
    "Otto Venn, the dredging contractor's agent, asked for more time. Ulla Brandt, Bergen, sent apologies.\n"
}


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Who is Port Engineer?", "The board confirmed Ragna Toft as Port Engineer"),
        ("Who is Warehouse Manager?", "Write to the Warehouse Manager"),
        ("Who is the umpire?", "Ms Freda Holm"),
        ("Who is Ulla Brandt?", "Ulla Brandt, Bergen, sent apologies"),
        ("Who is Otto Venn?", "Otto Venn, the dredging contractor's agent"),
    ],
)
def test_a_clause_a_place_or_the_next_of_a_list_is_no_role(tmp_path: Path, question: str, word: str) -> None:
    assert_first(tmp_path, PAPERS, question, "", word)


def test_a_post_is_no_person() -> None:
    assert not is_person_like("Site Agent")
    assert not is_person_like("Port Engineer")
    assert is_person_like("Ragna Toft")
