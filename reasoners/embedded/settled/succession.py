"""Words that say that somebody leaves a post, and that another one follows."""

from __future__ import annotations

import regex

LEAVES = regex.compile(
    r"\b(?:resign\p{L}*|leav(?:e|es|ing)|left|step(?:s|ped)? down|stood down|retir\p{L}+|former(?:ly)?|outgoing|"
    r"previous|succeeds|was succeeded|dismissed|zurückgetreten|trat .{0,40}zurück|ausgeschieden|Ausscheiden|scheidet|"
    r"ehemalige[rn]?|früherer?|démissionn\p{L}+|quitt\p{L}+|anciene?)\b",
    regex.IGNORECASE,
)
SUCCEEDS = regex.compile(
    r"\b(?:succeeds|succeeded|replaces|replaced|follows|followed|took over from|takes over from) "
    r"(?:him|her|them|\p{Lu})|"
    r"\b(?:was|were|has been|is) (?:elected|appointed|named|chosen) (?:in (?:his|her) place|(?:his|her) successor|"
    r"to succeed)|"
    r"\b(?:his|her|the) successor\b|\bin (?:his|her) place\b|\bnachfolge(?:r|rin)?\b|\bfolgte? (?:ihm|ihr)\b|"
    r"\bsuccède\b|\bremplacée? par\b|\bsuccesseure?\b",
    regex.IGNORECASE,
)
