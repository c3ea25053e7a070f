"""What a passage says in other words against a claim refuses it, and what it says for it does not."""

from __future__ import annotations

import pytest
from citewell.reasoners.support.check import check_support

AGAINST = [
    ("Dogs are allowed on the terrace.", "Dogs are forbidden on the terrace after ten.", "opposite"),
    ("The council approved the budget.", "The council rejected the budget on Monday.", "opposite"),
    ("The sale was completed in June.", "The sale was called off in June.", "opposite"),
    ("The bid was accepted by the board.", "The bid was turned down by the board.", "opposite"),
    ("Tarn bought Holm in 2024.", "A planned takeover of Holm by Tarn was abandoned in 2024.", "opposite"),
    ("Rauchen ist erlaubt.", "Rauchen ist verboten.", "opposite"),
    ("La marge a augmenté de 3 points.", "La marge a reculé de 3 points.", "opposite"),
    (
        "The lender may ask for a deposit of 2 months.",
        "The borrower may ask for a deposit of 2 months. The lender may ask for a deposit of 5 months.",
        "opposite",
    ),
    ("Volvo was chosen for the fleet.", "They chose Scania instead of Volvo for the fleet.", "negation"),
    ("The piano came on 3 May 2031.", "The piano will come on 9 June 2031 instead of 3 May 2031.", "negation"),
    ("Kelm is closing its mill.", "Kelm denies reports that it is closing its mill.", "negation"),
    ("Kelm signed a contract with Oslo.", "Talks with Oslo ended and no contract was signed by Kelm.", "negation"),
    ("Sales were EUR 410 million.", "The company expects sales of EUR 410 million for 2031.", "hedge"),
    (
        "Heat above 30 °C harms the seals.",
        "We suspect, but did not test, that heat above 30 °C harms the seals.",
        "hedge",
    ),
    (
        "Ada Brandt becomes treasurer on 1 May 2031.",
        "The members chose Jan Holm as treasurer from 1 May 2031. He follows Ada Brandt.",
        "name",
    ),
    ("The yield rose to 7.4 t/ha.", "The yield was 7.4 t/ha, after 8.1 t/ha a year before.", "direction"),
]

FOR = [
    ("Dogs are not allowed on the terrace.", "Dogs are forbidden on the terrace."),
    ("The takeover of Holm was abandoned.", "A planned takeover of Holm by Tarn was abandoned in 2024."),
    ("Scania was chosen for the fleet.", "They chose Scania instead of Volvo for the fleet."),
    (
        "The piano will come on 9 June 2031 instead of 3 May 2031.",
        "The piano will come on 9 June 2031 instead of 3 May 2031.",
    ),
    ("Kelm denies that it is closing its mill.", "Kelm denies reports that it is closing its mill."),
    ("The company expects sales of EUR 410 million.", "The company expects sales of EUR 410 million for 2031."),
    (
        "Ada Brandt was treasurer until 30 April 2031.",
        "Ada Brandt was treasurer for nine years. She stays until 30 April 2031, said Jan Holm.",
    ),
    ("The yield fell to 7.4 t/ha.", "The yield was 7.4 t/ha, after 8.1 t/ha a year before."),
    (
        "The lender may ask for a deposit of 5 months.",
        "The borrower may ask for a deposit of 2 months. The lender may ask for a deposit of 5 months.",
    ),
]


@pytest.mark.parametrize(("claim", "passage", "kind"), AGAINST)
def test_a_claim_is_refused_where_the_passage_says_otherwise(claim, passage, kind):
    verdict = check_support(claim, [passage])
    assert verdict.support == "unsupported"
    assert any(reason.startswith(f"{kind}:") for reason in verdict.reasons)


@pytest.mark.parametrize(("claim", "passage"), FOR)
def test_a_claim_that_the_passage_carries_is_not_refused(claim, passage):
    assert check_support(claim, [passage]).support == "supported"
