"""French questions over French papers: leave, what to do in a case, whose words."""

from __future__ import annotations

import pytest
from verdict_of import assert_first

RULES = """# Règlement intérieur de la résidence Les Tilleuls

Version du 2 avril 2025. Présidente du conseil syndical : Mme Odile Garnier.

## 1 Animaux

Les chiens sont admis s'ils sont tenus en laisse. Les serpents sont interdits.

## 2 En cas d'incendie

- Fermer les portes et les fenêtres.
- Appeler le 18.
- Descendre par l'escalier, jamais par l'ascenseur.
"""
TALK = """Entretien avec Paul Renaud, gardien de la résidence Les Tilleuls, mai 2025. Propos recueillis par Lise Morel.

MOREL: Quel est le plus grand problème ?
RENAUD: Les poubelles. On les sort trop tôt et les renards viennent.

MOREL: Que feriez-vous pour le jardin ?
RENAUD: Planter une haie. Et fermer le portail la nuit.
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Les serpents sont-ils autorisés ?", "interdits"),
        ("Peut-on avoir un chien ?", "tenus en laisse"),
        ("Que faire en cas d'incendie ?", "Fermer les portes"),
        ("Que conseille le gardien pour le jardin ?", "RENAUD: Planter une haie."),
        ("Qui est la présidente du conseil syndical ?", "Odile Garnier"),
    ],
)
def test_a_french_question_is_answered_in_the_words_of_its_paper(tmp_path, question, word):
    assert_first(tmp_path, {"reglement.md": RULES, "entretien.txt": TALK}, question, "", word)
