"""Tell the language of a text from its script and its small words."""

from __future__ import annotations

from collections import Counter

import regex

_SCRIPTS = {
    "Han": regex.compile(r"\p{Han}"),
    "Kana": regex.compile(r"[\p{Hiragana}\p{Katakana}]"),
    "Hangul": regex.compile(r"\p{Hangul}"),
    "Cyrillic": regex.compile(r"\p{Cyrillic}"),
    "Greek": regex.compile(r"\p{Greek}"),
    "Arabic": regex.compile(r"\p{Arabic}"),
    "Hebrew": regex.compile(r"\p{Hebrew}"),
    "Devanagari": regex.compile(r"\p{Devanagari}"),
    "Bengali": regex.compile(r"\p{Bengali}"),
    "Tamil": regex.compile(r"\p{Tamil}"),
    "Telugu": regex.compile(r"\p{Telugu}"),
    "Thai": regex.compile(r"\p{Thai}"),
    "Armenian": regex.compile(r"\p{Armenian}"),
    "Georgian": regex.compile(r"\p{Georgian}"),
    "Latin": regex.compile(r"\p{Latin}"),
}
_OF_SCRIPT = {
    "Hangul": "ko",
    "Greek": "el",
    "Hebrew": "he",
    "Devanagari": "hi",
    "Bengali": "bn",
    "Tamil": "ta",
    "Telugu": "te",
    "Thai": "th",
    "Armenian": "hy",
    "Georgian": "ka",
}
_SMALL_WORDS: dict[str, str] = {
    "en": "the of and to in is that for was with as on are by be from this at or an which have has not it were how what who when where why does did do much many i my we our you your they may can could after before any been",  # noqa: E501
    "de": "der die das und ist in den von zu mit sich des auf für nicht ein eine dem es an als auch war wie wer was wann wo warum welche wird im zum zur bei nach sind wurde hat haben ich wir sie darf dürfen kann können muss müssen soll oder aus bis über vor durch gibt beim einen einem einer eines kein keine",  # noqa: E501
    "fr": "le la les de des et est un une du en que qui dans pour pas sur au aux ce cette par plus avec il elle sont été quel quelle combien où pourquoi comment ont était",  # noqa: E501
    "es": "el la los las de y que en un una es por con para del se no su al lo como más fue son qué cuál cuánto cuándo dónde quién ha han era está",  # noqa: E501
    "it": "il lo la i gli le di e che è un una per in con del della non si da al dei sono come più quale quanto quando dove chi perché ha nel nella alla era",  # noqa: E501
    "pt": "o a os as de e que em um uma é para com não por do da no na se dos das como mais foi são qual quanto quando onde quem ao à pelo pela era está",  # noqa: E501
    "nl": "de het een en van in is dat op te zijn met voor niet aan er die was ook als bij naar hoe wie wat waar wanneer waarom welke door werd heeft hebben",  # noqa: E501
    "sv": "och att det som en ett är av på för med inte den till var har de om vad hur när vem varför från vid kan också sig",  # noqa: E501
    "da": "og at det som en et er af på for med ikke den til var har de om hvad hvordan hvornår hvem hvorfor fra ved kan også sig blev",  # noqa: E501
    "no": "og å at det som en et er av på for med ikke den til var har de om hva hvordan når hvem hvorfor fra ved kan også seg ble",  # noqa: E501
    "fi": "ja on ei se että oli ovat myös kun niin kuin mutta hän joka mitä miten kuka missä milloin tai ole sen tämä",
    "pl": "i w na z do nie się jest to że o jak od po co za dla przez był była są ile kiedy gdzie kto dlaczego oraz który która",  # noqa: E501
    "cs": "a v na je se že to z do s o by pro jako ale byl byla jsou kolik kdy kde kdo proč co nebo který která při",
    "tr": "ve bir bu için ile de da ne olarak daha çok en gibi kadar olan var mı mi kaç nasıl neden nerede kim ise",
    "hu": "a az és hogy nem is egy ez volt van meg csak mint ki mi mikor hol miért hogyan mennyi vagy már el",
    "ro": "și de la în a cu nu pe este că un o din pentru care mai sau cât când unde cine ce cum sunt fost au",
    "id": "yang dan di dengan untuk dari pada ini itu adalah tidak ke dalam oleh akan berapa bagaimana kapan siapa mengapa apa",  # noqa: E501
    "vi": "và của là có trong được cho không một các người này với những khi đã bao nhiêu tại sao như thế nào ở",
}
_VOTES = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}
_LANGUAGES_BY_SMALL_WORD: dict[str, tuple[str, ...]] = {
    word: tuple(language for language, small in _VOTES.items() if word in small)
    for word in frozenset().union(*_VOTES.values())
}
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*")
_LETTERS: dict[str, str] = {
    "de": "ßäöü",
    "fr": "çœêèàùûîâ",
    "es": "ñ¿¡",
    "pt": "ãõ",
    "pl": "łąęśźżćń",
    "cs": "řěůčžš",
    "tr": "ğışİ",
    "hu": "őű",
    "ro": "țșăţş",
    "sv": "å",
    "da": "æø",
    "no": "æø",
    "vi": "ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệ",
}
_SAMPLE = 4_000


def detect(text: str, *, default: str = "en") -> str:
    """Return the ISO 639-1 code of a text's language; `default` where nothing tells.

    The script decides where one language owns it; in Latin and Cyrillic script the small words vote, then typical
    letters.  Deterministic; reads the first 4,000 characters.
    """
    sample = text[:_SAMPLE]
    name = script(sample)
    if name in ("Han", "Kana"):
        return "ja" if _SCRIPTS["Kana"].search(sample) else "zh"
    if name == "Cyrillic":
        return "uk" if regex.search("[іїєґІЇЄҐ]", sample) else "ru"
    if name == "Arabic":
        return "fa" if regex.search("[پچژگ]", sample) else "ar"
    if name != "Latin":
        return _OF_SCRIPT.get(name, default)
    scores = dict.fromkeys(_VOTES, 0.0)
    for word, count in Counter(word.casefold() for word in _WORD.findall(sample)).items():
        for language in _LANGUAGES_BY_SMALL_WORD.get(word, ()):
            scores[language] += count
    if not sample.isascii():
        folded = sample.casefold()
        for language, letters in _LETTERS.items():
            scores[language] += 0.5 * sum(min(3, folded.count(letter)) for letter in letters)
    best = max(scores.values())
    if best <= 0:
        return default
    if scores.get(default, 0.0) == best:
        return default
    return next(language for language in scores if scores[language] == best)


def script(text: str) -> str:
    """Return the script most letters are in, `Latin` where there are none; Kana counts where any stands beside Han."""
    if text.isascii():
        return "Latin"
    counts = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS.items()}
    # One Han character carries about as much as a Latin word of four letters.
    weighted = {name: count * (3 if name in ("Han", "Kana", "Hangul") else 1) for name, count in counts.items()}
    best = max(weighted.values())
    return next(name for name in weighted if weighted[name] == best) if best else "Latin"
