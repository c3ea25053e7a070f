"""German questions over German papers: compounds, verbs in two parts, leave."""

from __future__ import annotations

import pytest
from verdict_of import assert_first

HOUSE = """# Hausordnung der Wohnanlage Lindenhof

Stand: 1. März 2025. Herausgegeben von der Verwaltung Krämer & Sohn.

## 1 Haustiere

Hunde sind nur mit schriftlicher Zustimmung der Verwaltung gestattet. Das Halten von Reptilien ist nicht erlaubt.

## 2 Grillen

Auf den Balkonen ist das Grillen mit Holzkohle verboten. Elektrogrills dürfen bis 21 Uhr benutzt werden.

## 3 Wasserschaden

Haupthahn schließen, Hausmeister unter 0711 4432 rufen, dann die Verwaltung benachrichtigen.
"""
MEETING = """# Protokoll der Eigentümerversammlung vom 14. Mai 2025

Anwesend: Renate Kolb (Vorsitzende), Ulf Dietz, Mechthild Arens (Kassenprüferin). Für die Verwaltung: Peter Krämer
(Vorsitzender der Geschäftsführung). Entschuldigt: Jonas Wirth.

## TOP 1 Jahresabrechnung

Die Heizkosten stiegen von 41.200 Euro auf 48.900 Euro. Die Versammlung nahm die Abrechnung mit 31 gegen 4 Stimmen an.

## TOP 2 Aufzug

Die Verwaltung schlug vor, den Aufzug im Haus B auszutauschen. Die Versammlung lehnte den Austausch ab. Die Firma
Schindel bot eine Reparatur für 17.300 Euro an.

Die nächste Versammlung findet am 20. November 2025 im Gemeindesaal statt.
"""
PAPERS = {"haus.md": HOUSE, "protokoll.md": MEETING}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Darf ich auf dem Balkon grillen?", "Holzkohle verboten"),
        ("Darf ich einen Hund halten?", "Hunde sind nur mit"),
        ("Was ist bei einem Wasserschaden zu tun?", "Haupthahn schließen"),
        ("Wurde der Austausch des Aufzugs abgelehnt?", "lehnte den Austausch ab"),
        ("Hat die Versammlung die Abrechnung angenommen?", "31 gegen 4"),
        ("Wer hat eine Reparatur angeboten?", "Schindel"),
        ("Wann findet die nächste Versammlung statt?", "20. November 2025"),
        ("Wie hoch waren die Heizungskosten?", "48.900"),
        ("Wer ist Vorsitzende der Eigentümerversammlung?", "Renate Kolb: Vorsitzende."),
        ("Wer ist Kassenprüferin?", "Mechthild Arens: Kassenprüferin."),
    ],
)
def test_a_german_question_is_answered_in_the_words_of_its_paper(tmp_path, question, word):
    assert_first(tmp_path, PAPERS, question, "", word)
