"""Sentences that several prompts share: the language to write in, today's date, how to reply."""

from __future__ import annotations

from datetime import date

_NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian",
    "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese",
    "zh": "Chinese",
}  # fmt: skip


def write_in(language: str) -> str:
    """Return the sentence that fixes the language of an answer; quotes keep theirs."""
    code = language.lower().split("-")[0]
    name = _NAMES.get(code)
    told = f"Write in {name} ({code})" if name else "Write in the language of the question"
    return f"{told}, headings and fixed words included; quotes stay in the language of their source."


def today_is(today: date) -> str:
    """Return the sentence that dates a prompt."""
    return f"Today is {today.isoformat()}."
