"""Fixed sentences of an answer and its report by language, found by their English wording."""

from __future__ import annotations

import re
from functools import cache

SENTENCES: dict[str, dict[str, str]] = {
    "The question names nothing to look for.": {
        "de": "Die Frage nennt nichts, wonach sich suchen ließe.",
        "fr": "La question ne nomme rien à chercher.",
        "es": "La pregunta no nombra nada que buscar.",
        "it": "La domanda non nomina nulla da cercare.",
        "ja": "質問に探すべきものが示されていません。",
        "zh": "问题没有指明要查找的内容。",
    },
    "A second hop: names found in the first round may complete the answer.": {
        "de": "Ein zweiter Schritt: Namen aus der ersten Runde können die Antwort ergänzen.",
        "fr": "Second pas : des noms trouvés au premier tour peuvent compléter la réponse.",
        "es": "Segundo paso: los nombres hallados en la primera ronda pueden completar la respuesta.",
        "it": "Secondo passo: i nomi trovati al primo giro possono completare la risposta.",
        "ja": "二段目：一巡目で見つかった名前が答えを補うかもしれません。",
        "zh": "第二步：第一轮找到的名称可能补全答案。",
    },
    "Nothing was found.": {
        "de": "Es wurde nichts gefunden.",
        "fr": "Rien n'a été trouvé.",
        "es": "No se encontró nada.",
        "it": "Non è stato trovato nulla.",
        "ja": "何も見つかりませんでした。",
        "zh": "没有找到任何内容。",
    },
    "No passage bears on the question; missing: {words}.": {
        "de": "Keine Stelle betrifft die Frage; es fehlt: {words}.",
        "fr": "Aucun passage ne concerne la question ; il manque : {words}.",
        "es": "Ningún pasaje se refiere a la pregunta; falta: {words}.",
        "it": "Nessun passaggio riguarda la domanda; manca: {words}.",
        "ja": "質問に関わる箇所がありません。ない語：{words}。",
        "zh": "没有段落与问题有关；缺少：{words}。",
    },
    "No passage bears on the question.": {
        "de": "Keine Stelle betrifft die Frage.",
        "fr": "Aucun passage ne concerne la question.",
        "es": "Ningún pasaje se refiere a la pregunta.",
        "it": "Nessun passaggio riguarda la domanda.",
        "ja": "質問に関わる箇所がありません。",
        "zh": "没有段落与问题有关。",
    },
    "No sentence that was found answers the question.": {
        "de": "Kein gefundener Satz beantwortet die Frage.",
        "fr": "Aucune phrase trouvée ne répond à la question.",
        "es": "Ninguna frase encontrada responde a la pregunta.",
        "it": "Nessuna frase trovata risponde alla domanda.",
        "ja": "見つかった文に答えはありません。",
        "zh": "找到的句子都没有回答问题。",
    },
    "No sentence that passed the checks answers it.": {
        "de": "Kein Satz, der die Prüfung bestand, beantwortet sie.",
        "fr": "Aucune phrase qui a passé les vérifications n'y répond.",
        "es": "Ninguna frase que pasó las comprobaciones la responde.",
        "it": "Nessuna frase che ha superato i controlli risponde.",
        "ja": "検査を通った文に答えはありません。",
        "zh": "通过检查的句子都没有回答它。",
    },
    "no passage supports it: {why}": {
        "de": "keine Stelle belegt es: {why}",
        "fr": "aucun passage ne l'appuie : {why}",
        "es": "ningún pasaje lo respalda: {why}",
        "it": "nessun passaggio lo sostiene: {why}",
        "ja": "裏付ける箇所がありません：{why}",
        "zh": "没有段落支持它：{why}",
    },
    "Not read: {what}.": {
        "de": "Nicht gelesen: {what}.",
        "fr": "Non lu : {what}.",
        "es": "No leído: {what}.",
        "it": "Non letto: {what}.",
        "ja": "読めなかったもの：{what}。",
        "zh": "未读取：{what}。",
    },
    "Nothing is computed over {what}: not all of its records were kept as table rows{why}.": {
        "de": "Über {what} wird nichts berechnet: Nicht alle Datensätze wurden als Tabellenzeilen behalten{why}.",
        "fr": "Rien n'est calculé sur {what} : tous ses enregistrements n'ont pas été gardés comme lignes{why}.",
        "es": "No se calcula nada sobre {what}: no todos sus registros se guardaron como filas{why}.",
        "it": "Nulla è calcolato su {what}: non tutti i suoi record sono stati tenuti come righe{why}.",
        "ja": "{what}からは計算しません。すべての記録が表の行として残されてはいません{why}。",
        "zh": "不对{what}作计算：并非所有记录都保留为表格行{why}。",
    },
    "the answer has {have} distinct citations, {wanted} are asked for": {
        "de": "die Antwort hat {have} verschiedene Belege, verlangt sind {wanted}",
        "fr": "la réponse a {have} citations distinctes, {wanted} sont demandées",
        "es": "la respuesta tiene {have} citas distintas, se piden {wanted}",
        "it": "la risposta ha {have} citazioni distinte, ne sono chieste {wanted}",
        "ja": "答えの引用は{have}件で、求められているのは{wanted}件です",
        "zh": "答案有{have}处不同引用，要求{wanted}处",
    },
    "the summary has {have} distinct citations, {wanted} are asked for": {
        "de": "die Zusammenfassung hat {have} verschiedene Belege, verlangt sind {wanted}",
        "fr": "le résumé a {have} citations distinctes, {wanted} sont demandées",
        "es": "el resumen tiene {have} citas distintas, se piden {wanted}",
        "it": "il sommario ha {have} citazioni distinte, ne sono chieste {wanted}",
        "ja": "要約の引用は{have}件で、求められているのは{wanted}件です",
        "zh": "摘要有{have}处不同引用，要求{wanted}处",
    },
    "a structured export outranks a narrative source": {
        "de": "ein strukturierter Export geht einer erzählenden Quelle vor",
        "fr": "un export structuré prime sur une source narrative",
        "es": "una exportación estructurada prevalece sobre una fuente narrativa",
        "it": "un'esportazione strutturata prevale su una fonte narrativa",
        "ja": "構造化された書き出しは文章の資料に優先します",
        "zh": "结构化导出优先于叙述性资料",
    },
    "a structured export outranks a narrative": {
        "de": "ein strukturierter Export geht einer erzählenden Quelle vor",
        "fr": "un export structuré prime sur un récit",
        "es": "una exportación estructurada prevalece sobre un relato",
        "it": "un'esportazione strutturata prevale su un testo",
        "ja": "構造化された書き出しは文章に優先します",
        "zh": "结构化导出优先于叙述",
    },
    "a structured export outranks a narrative; the narrative's amount is their sum without conversion": {
        "de": "ein strukturierter Export geht einer erzählenden Quelle vor; deren Betrag ist die Summe ohne Umrechnung",
        "fr": "un export structuré prime sur un récit ; le montant du récit est leur somme sans conversion",
        "es": "una exportación estructurada prevalece sobre un relato; el importe del relato es su suma sin conversión",
        "it": "un'esportazione strutturata prevale su un testo; l'importo del testo è la loro somma senza conversione",
        "ja": "構造化された書き出しは文章に優先します。文章の額は換算せずに足したものです",
        "zh": "结构化导出优先于叙述；叙述中的金额是未经换算的总和",
    },
    "the export says that the older figure was replaced": {
        "de": "der Export sagt, dass die ältere Zahl ersetzt wurde",
        "fr": "l'export dit que l'ancien chiffre a été remplacé",
        "es": "la exportación dice que la cifra anterior fue reemplazada",
        "it": "l'esportazione dice che la cifra precedente è stata sostituita",
        "ja": "古い数値は置き換えられたと書き出しにあります",
        "zh": "导出表明旧数字已被替换",
    },
    "the exports, added up by parent account, outrank a narrative by legal entity": {
        "de": "die Exporte, nach Muttergesellschaft summiert, gehen einer Darstellung nach Einzelgesellschaften vor",
        "fr": "les exports, additionnés par compte parent, priment sur un récit par entité",
        "es": "las exportaciones, sumadas por cuenta matriz, prevalecen sobre un relato por entidad",
        "it": "le esportazioni, sommate per conto capogruppo, prevalgono su un testo per entità",
        "ja": "親会社ごとに合算した書き出しは、法人別の文章に優先します",
        "zh": "按母公司汇总的导出优先于按法人实体的叙述",
    },
    "the statement of {when} says it corrects the older figure {value}": {
        "de": "die Aussage vom {when} sagt, dass sie die ältere Zahl {value} berichtigt",
        "fr": "l'énoncé du {when} dit corriger l'ancien chiffre {value}",
        "es": "la declaración de {when} dice corregir la cifra anterior {value}",
        "it": "l'affermazione del {when} dice di correggere la cifra precedente {value}",
        "ja": "{when}の記述は以前の{value}を訂正すると述べています",
        "zh": "{when}的陈述说明它更正了旧数字{value}",
    },
    "the statement says it corrects the older figure {value}": {
        "de": "die Aussage sagt, dass sie die ältere Zahl {value} berichtigt",
        "fr": "l'énoncé dit corriger l'ancien chiffre {value}",
        "es": "la declaración dice corregir la cifra anterior {value}",
        "it": "l'affermazione dice di correggere la cifra precedente {value}",
        "ja": "記述は以前の{value}を訂正すると述べています",
        "zh": "陈述说明它更正了旧数字{value}",
    },
    "stated later ({later} against {earlier}); it does not say why it differs": {
        "de": "später gesagt ({later} gegenüber {earlier}); warum es abweicht, steht nicht dort",
        "fr": "dit plus tard ({later} contre {earlier}) ; pourquoi cela diffère n'est pas dit",
        "es": "dicho más tarde ({later} frente a {earlier}); no dice por qué difiere",
        "it": "detto più tardi ({later} contro {earlier}); non dice perché differisce",
        "ja": "後に述べられたもの（{later}、他方は{earlier}）。違う理由は書かれていません",
        "zh": "较晚的说法（{later}，另一为{earlier}）；未说明为何不同",
    },
    "the sources have equal rank and nothing tells which is right": {
        "de": "die Quellen sind gleichrangig, und nichts sagt, welche recht hat",
        "fr": "les sources ont le même rang et rien ne dit laquelle a raison",
        "es": "las fuentes tienen el mismo rango y nada dice cuál es correcta",
        "it": "le fonti hanno pari rango e nulla dice quale sia giusta",
        "ja": "資料の順位は同じで、どちらが正しいか分かりません",
        "zh": "各资料等级相同，无从判断哪个正确",
    },
    "the other figure is {kind}, as its source says": {
        "de": "die andere Zahl ist laut ihrer Quelle {kind}",
        "fr": "l'autre chiffre est {kind}, selon sa source",
        "es": "la otra cifra es {kind}, según su fuente",
        "it": "l'altra cifra è {kind}, secondo la sua fonte",
        "ja": "他方の数値は資料によれば{kind}です",
        "zh": "据其资料，另一数字为{kind}",
    },
    "the figures are defined differently: {names}": {
        "de": "die Zahlen sind verschieden definiert: {names}",
        "fr": "les chiffres sont définis différemment : {names}",
        "es": "las cifras se definen de otro modo: {names}",
        "it": "le cifre sono definite diversamente: {names}",
        "ja": "数値の定義が異なります：{names}",
        "zh": "数字的定义不同：{names}",
    },
    "asked for and not delivered: {what}": {
        "de": "verlangt und nicht geliefert: {what}",
        "fr": "demandé et non fourni : {what}",
        "es": "pedido y no entregado: {what}",
        "it": "chiesto e non consegnato: {what}",
        "ja": "求められたが届いていません：{what}",
        "zh": "已索取但未提供：{what}",
    },
    "Sum of {what}: {rest}": {
        "de": "Summe von {what}: {rest}",
        "fr": "Somme de {what} : {rest}",
        "es": "Suma de {what}: {rest}",
        "it": "Somma di {what}: {rest}",
        "ja": "{what}の合計：{rest}",
        "zh": "{what}总和：{rest}",
    },
    "By {by}, the largest sum of {what} is that of {rest}": {
        "de": "Nach {by} ist die größte Summe von {what} die von {rest}",
        "fr": "Par {by}, la plus grande somme de {what} est celle de {rest}",
        "es": "Por {by}, la mayor suma de {what} es la de {rest}",
        "it": "Per {by}, la maggiore somma di {what} è quella di {rest}",
        "ja": "{by}別で{what}の合計が最大なのは{rest}",
        "zh": "按{by}，{what}总和最大的是{rest}",
    },
    "By {by}, the smallest sum of {what} is that of {rest}": {
        "de": "Nach {by} ist die kleinste Summe von {what} die von {rest}",
        "fr": "Par {by}, la plus petite somme de {what} est celle de {rest}",
        "es": "Por {by}, la menor suma de {what} es la de {rest}",
        "it": "Per {by}, la minore somma di {what} è quella di {rest}",
        "ja": "{by}別で{what}の合計が最小なのは{rest}",
        "zh": "按{by}，{what}总和最小的是{rest}",
    },
    "{what} changed between {first} and {last}: {rest}": {
        "de": "{what}, Veränderung zwischen {first} und {last}: {rest}",
        "fr": "{what}, évolution entre {first} et {last} : {rest}",
        "es": "{what}, cambio entre {first} y {last}: {rest}",
        "it": "{what}, variazione tra {first} e {last}: {rest}",
        "ja": "{what}の{first}から{last}までの変化：{rest}",
        "zh": "{what}从{first}到{last}的变化：{rest}",
    },
}


def said_in(text: str, language: str) -> str:
    """Return a fixed English sentence in a language, what stands in its places unchanged; any other text as it is."""
    if language == "en":
        return text
    for pattern, said in _patterns():
        match = pattern.fullmatch(text)
        if match is not None and language in said:
            return said[language].format(**match.groupdict())
    return text


@cache
def _patterns() -> list[tuple[re.Pattern[str], dict[str, str]]]:
    """Return a pattern for each sentence, those with most fixed words first."""

    def fixed(sentence: str) -> int:
        return len(re.sub(r"\{\w+\}", "", sentence))

    return [
        (re.compile(_pattern_of(sentence), re.DOTALL), said)
        for sentence, said in sorted(SENTENCES.items(), key=lambda each: -fixed(each[0]))
    ]


def _pattern_of(sentence: str) -> str:
    pieces = re.split(r"\{(\w+)\}", sentence)
    return "".join(rf"(?P<{piece}>.*?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
