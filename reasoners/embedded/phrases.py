"""The fixed words of an answer, in the language of the question; evidence is never translated."""

from __future__ import annotations

from typing import Literal

Key = Literal[
    "open_none", "open_weak", "open_no_sentence", "open_empty", "declined", "inference_first",
    "inference_last", "inference_more", "inference_less", "inference_equal", "inference_change_up",
    "inference_change_down", "inference_change_none", "quoted", "missing_words", "open_unranked", "nearest",
    "gap_period",
]  # fmt: skip

_PHRASES: dict[str, dict[Key, str]] = {
    "en": {
        "open_none": "Nothing was found.",
        "open_weak": "What was found does not bear on this question.",
        "open_no_sentence": "No passage that was found says this.",
        "open_empty": "The question names nothing to look for.",
        "declined": "The sources do not hold evidence for an answer.",
        "inference_first": "Inference: {winner} comes first ({a} for {left}, {b} for {right}).",
        "inference_last": "Inference: {winner} comes last ({a} for {left}, {b} for {right}).",
        "inference_more": "Inference: {winner} has the higher value ({a} for {left}, {b} for {right}).",
        "inference_less": "Inference: {winner} has the lower value ({a} for {left}, {b} for {right}).",
        "inference_equal": "Inference: both have the same value ({a} for {left}, {b} for {right}).",
        "inference_change_up": "Inference: {subject} rose from {a} ({first}) to {b} ({last}).",
        "inference_change_down": "Inference: {subject} fell from {a} ({first}) to {b} ({last}).",
        "inference_change_none": "Inference: {subject} stayed at {a} ({first}) and {b} ({last}).",
        "quoted": "The answer is quoted from the sources; no model rewrote it.",
        "missing_words": "No passage holds: {words}.",
        "open_unranked": "The rows found cannot be ranked: which column is meant is unclear, or they are of others.",
        "nearest": "Not {period}: the nearest that the sources tell of",
        "gap_period": "What was found is of other times than {period}.",
    },
    "de": {
        "open_none": "Es wurde nichts gefunden.",
        "open_weak": "Das Gefundene betrifft diese Frage nicht.",
        "open_no_sentence": "Keine gefundene Stelle sagt das.",
        "open_empty": "Die Frage nennt nichts, wonach sich suchen ließe.",
        "declined": "Die Quellen enthalten keinen Beleg für eine Antwort.",
        "inference_first": "Folgerung: {winner} kommt zuerst ({a} bei {left}, {b} bei {right}).",
        "inference_last": "Folgerung: {winner} kommt zuletzt ({a} bei {left}, {b} bei {right}).",
        "inference_more": "Folgerung: {winner} hat den höheren Wert ({a} bei {left}, {b} bei {right}).",
        "inference_less": "Folgerung: {winner} hat den niedrigeren Wert ({a} bei {left}, {b} bei {right}).",
        "inference_equal": "Folgerung: beide haben denselben Wert ({a} bei {left}, {b} bei {right}).",
        "inference_change_up": "Folgerung: {subject} stieg von {a} ({first}) auf {b} ({last}).",
        "inference_change_down": "Folgerung: {subject} fiel von {a} ({first}) auf {b} ({last}).",
        "inference_change_none": "Folgerung: {subject} blieb bei {a} ({first}) und {b} ({last}).",
        "quoted": "Die Antwort ist aus den Quellen zitiert; kein Modell hat sie umgeschrieben.",
        "missing_words": "In keiner Stelle steht: {words}.",
        "open_unranked": "Die Zeilen lassen sich nicht ordnen: Die Spalte ist unklar, oder sie betreffen anderes.",
        "nearest": "Nicht {period}: das Nächste, wovon die Quellen sprechen",
        "gap_period": "Das Gefundene betrifft andere Zeiten als {period}.",
    },
    "fr": {
        "open_none": "Rien n'a été trouvé.",
        "open_weak": "Ce qui a été trouvé ne concerne pas cette question.",
        "open_no_sentence": "Aucun passage trouvé ne le dit.",
        "open_empty": "La question ne nomme rien à chercher.",
        "declined": "Les sources ne contiennent aucun élément permettant de répondre.",
        "inference_first": "Déduction : {winner} vient en premier ({a} pour {left}, {b} pour {right}).",
        "inference_last": "Déduction : {winner} vient en dernier ({a} pour {left}, {b} pour {right}).",
        "inference_more": "Déduction : {winner} a la valeur la plus élevée ({a} pour {left}, {b} pour {right}).",
        "inference_less": "Déduction : {winner} a la valeur la plus basse ({a} pour {left}, {b} pour {right}).",
        "inference_equal": "Déduction : les deux ont la même valeur ({a} pour {left}, {b} pour {right}).",
        "inference_change_up": "Déduction : {subject} est passé de {a} ({first}) à {b} ({last}), en hausse.",
        "inference_change_down": "Déduction : {subject} est passé de {a} ({first}) à {b} ({last}), en baisse.",
        "inference_change_none": "Déduction : {subject} est resté à {a} ({first}) et {b} ({last}).",
        "quoted": "La réponse cite les sources mot à mot ; aucun modèle ne l'a reformulée.",
        "missing_words": "Aucun passage ne contient : {words}.",
        "open_unranked": "Lignes impossibles à classer : la colonne visée est incertaine, ou il s'agit d'autre chose.",
        "nearest": "Pas {period} : le plus proche dont parlent les sources",
        "gap_period": "Ce qui a été trouvé concerne d'autres périodes que {period}.",
    },
    "es": {
        "open_none": "No se encontró nada.",
        "open_weak": "Lo encontrado no se refiere a esta pregunta.",
        "open_no_sentence": "Ningún pasaje encontrado lo dice.",
        "open_empty": "La pregunta no nombra nada que buscar.",
        "declined": "Las fuentes no contienen pruebas para una respuesta.",
        "inference_first": "Deducción: {winner} es el primero ({a} para {left}, {b} para {right}).",
        "inference_last": "Deducción: {winner} es el último ({a} para {left}, {b} para {right}).",
        "inference_more": "Deducción: {winner} tiene el valor más alto ({a} para {left}, {b} para {right}).",
        "inference_less": "Deducción: {winner} tiene el valor más bajo ({a} para {left}, {b} para {right}).",
        "inference_equal": "Deducción: ambos tienen el mismo valor ({a} para {left}, {b} para {right}).",
        "inference_change_up": "Deducción: {subject} subió de {a} ({first}) a {b} ({last}).",
        "inference_change_down": "Deducción: {subject} bajó de {a} ({first}) a {b} ({last}).",
        "inference_change_none": "Deducción: {subject} se mantuvo en {a} ({first}) y {b} ({last}).",
        "quoted": "La respuesta cita las fuentes palabra por palabra; ningún modelo la reescribió.",
        "missing_words": "Ningún pasaje contiene: {words}.",
        "open_unranked": "Las filas no se pueden ordenar: no está claro qué columna se pide, o tratan de otra cosa.",
        "nearest": "No {period}: lo más cercano que dicen las fuentes",
        "gap_period": "Lo encontrado se refiere a otros períodos que {period}.",
    },
    "it": {
        "open_none": "Non è stato trovato nulla.",
        "open_weak": "Quanto trovato non riguarda questa domanda.",
        "open_no_sentence": "Nessun passaggio trovato lo dice.",
        "open_empty": "La domanda non nomina nulla da cercare.",
        "declined": "Le fonti non contengono prove per una risposta.",
        "inference_first": "Deduzione: {winner} viene prima ({a} per {left}, {b} per {right}).",
        "inference_last": "Deduzione: {winner} viene dopo ({a} per {left}, {b} per {right}).",
        "inference_more": "Deduzione: {winner} ha il valore più alto ({a} per {left}, {b} per {right}).",
        "inference_less": "Deduzione: {winner} ha il valore più basso ({a} per {left}, {b} per {right}).",
        "inference_equal": "Deduzione: entrambi hanno lo stesso valore ({a} per {left}, {b} per {right}).",
        "inference_change_up": "Deduzione: {subject} è salito da {a} ({first}) a {b} ({last}).",
        "inference_change_down": "Deduzione: {subject} è sceso da {a} ({first}) a {b} ({last}).",
        "inference_change_none": "Deduzione: {subject} è rimasto a {a} ({first}) e {b} ({last}).",
        "quoted": "La risposta cita le fonti parola per parola; nessun modello l'ha riscritta.",
        "missing_words": "Nessun passaggio contiene: {words}.",
        "open_unranked": "Le righe non si possono ordinare: non è chiaro quale colonna si intenda, o riguardano altro.",
        "nearest": "Non {period}: il più vicino di cui parlano le fonti",
        "gap_period": "Quanto trovato riguarda periodi diversi da {period}.",
    },
    "ja": {
        "open_none": "何も見つかりませんでした。",
        "open_weak": "見つかった内容はこの質問に関係しません。",
        "open_no_sentence": "見つかった箇所にこの答えはありません。",
        "open_empty": "質問に探すべきものが示されていません。",
        "declined": "資料には答えの根拠がありません。",
        "inference_first": "推論：{winner}が先です（{left}は{a}、{right}は{b}）。",
        "inference_last": "推論：{winner}が後です（{left}は{a}、{right}は{b}）。",
        "inference_more": "推論：{winner}の値が大きいです（{left}は{a}、{right}は{b}）。",
        "inference_less": "推論：{winner}の値が小さいです（{left}は{a}、{right}は{b}）。",
        "inference_equal": "推論：両方の値は同じです（{left}は{a}、{right}は{b}）。",
        "inference_change_up": "推論：{subject}は{a}（{first}）から{b}（{last}）に上がりました。",
        "inference_change_down": "推論：{subject}は{a}（{first}）から{b}（{last}）に下がりました。",
        "inference_change_none": "推論：{subject}は{a}（{first}）と{b}（{last}）で変わりません。",
        "quoted": "答えは資料からの引用です。モデルによる書き換えはありません。",
        "missing_words": "どの箇所にもない語：{words}。",
        "open_unranked": "見つかった行は順位を付けられません。どの列のことか明らかでないか、別のものの行です。",
        "nearest": "{period}ではなく、資料にある最も近い時期",
        "gap_period": "見つかった内容は{period}とは別の時期のものです。",
    },
    "zh": {
        "open_none": "没有找到任何内容。",
        "open_weak": "找到的内容与这个问题无关。",
        "open_no_sentence": "找到的段落没有说明这一点。",
        "open_empty": "问题没有指明要查找的内容。",
        "declined": "资料中没有可以作答的依据。",
        "inference_first": "推断：{winner}在先（{left}为{a}，{right}为{b}）。",
        "inference_last": "推断：{winner}在后（{left}为{a}，{right}为{b}）。",
        "inference_more": "推断：{winner}的数值更大（{left}为{a}，{right}为{b}）。",
        "inference_less": "推断：{winner}的数值更小（{left}为{a}，{right}为{b}）。",
        "inference_equal": "推断：两者数值相同（{left}为{a}，{right}为{b}）。",
        "inference_change_up": "推断：{subject}从{a}（{first}）升至{b}（{last}）。",
        "inference_change_down": "推断：{subject}从{a}（{first}）降至{b}（{last}）。",
        "inference_change_none": "推断：{subject}在{first}和{last}均为{a}和{b}，没有变化。",
        "quoted": "答案逐字引自资料，未经模型改写。",
        "missing_words": "没有段落含有：{words}。",
        "open_unranked": "找到的行无法排序：不清楚指的是哪一列，或者它们说的是别的事物。",
        "nearest": "并非{period}：资料中最接近的时期",
        "gap_period": "找到的内容不属于{period}。",
    },
}


def phrase(key: Key, language: str, **values: object) -> str:
    """Return a fixed phrase in a language, English where the language has none."""
    return _PHRASES.get(language, _PHRASES["en"])[key].format(**values)


def is_phrase(text: str, key: Key, language: str) -> bool:
    """Whether a text is a fixed phrase in a language, whatever stands in its places."""
    opening, _, rest = _PHRASES.get(language, _PHRASES["en"])[key].partition("{")
    return text.startswith(opening) and text.endswith(rest.rpartition("}")[2])


def languages() -> tuple[str, ...]:
    """Return the languages that have phrases."""
    return tuple(_PHRASES)
