"""The words of a request that name nothing to look for: `Summarise …`, `What does she say about …`."""

from __future__ import annotations

import regex

_POLITE = r"(?:(?:please|kindly|(?:can|could|would|will) you(?: please)?|i (?:want|need|would like) (?:you )?to)\s+)?"
_SHORT = r"(?:very )?(?:brief |short |quick |concise |general |rough )?"
_ACCOUNT = r"(?:overview|summary|outline|account|rundown|recap|synopsis|idea|picture|briefing)"
_PATTERNS = (
    # `Summarise the safety results`, `Give me an overview of …`
    rf"^\W*{_POLITE}(?:(?:briefly )?(?:summari[sz]e|sum up|recap|outline|sketch|describe|explain)\b(?: for (?:me|us))?|"
    r"brief (?:me|us) on|fill (?:me|us) in on|catch (?:me|us) up on|walk (?:me|us) through|take (?:me|us) through|"
    r"tell (?:me|us) (?:more |all |everything |something )?(?:about|of)|"
    rf"(?:give|write|show|provide)(?: (?:me|us))? (?:an?|the) {_SHORT}{_ACCOUNT} (?:of|on|about)|"
    rf"what (?:do|can) (?:we|you) (?:know|say|tell (?:me|us)) about)",
    rf"^\W*{_SHORT}{_ACCOUNT} (?:of|on)\b",
    # `What does the auditor say about the stock`: who says it stays, and what of.
    r"(?<=^\W*(?:what|how) (?:does|do|did|has|have|had|would) [^?]{2,80} )"
    r"(?:say|said|state|stated|write|written|mention|mentioned|comment|report|think)"
    r"(?= (?:(?:much|anything|exactly) )?(?:about|on|of|regarding|concerning|in|under|as to)\b|\s*\??$)",
    r"(?<=^\W*what (?:is|was|has been) )(?:said|written|stated|mentioned|known|reported)"
    r"(?= (?:about|on|of|regarding|concerning|in)\b)",
    # `On what grounds may …`, `under which circumstances`, `the grounds for termination`
    r"\b(?:on|for|under|in|upon|from|by) (?:what|which) (?:grounds?|reasons?|circumstances|conditions|basis|terms)\b",
    r"(?<=\b(?:what|which) (?:is|are|were|was) (?:the |its )?)(?:possible |main )?(?:grounds|circumstances|reasons)"
    r"(?= (?:for|of|on|in|under|why)\b)",
    r"^\W*what if\b",
    # Whoever advises somebody to do something says what they should do.
    r"(?<=^\W*what (?:does|do|did|has|have|would) [^?]{2,60} )(?:advise|recommend|suggest|urge|tell)"
    r"(?= [^?]{2,60} to do\b)|"
    r"(?<=\b(?:advise|recommend|suggest|urge|tell) [^?]{2,60} )to do\b",
)  # fmt: skip
_ACCOUNTS = tuple(regex.compile(pattern, regex.IGNORECASE) for pattern in _PATTERNS[:2])
_REQUESTS = tuple(regex.compile(pattern, regex.IGNORECASE) for pattern in _PATTERNS)


def without_request(text: str) -> str:
    """Return an English question without the words that only ask for an account of the rest."""
    for pattern in _REQUESTS:
        text = pattern.sub(" ", text)
    return text


def asks_account(text: str) -> bool:
    """Whether an English question asks for an account of something as a whole: `Summarise …`, `an overview of …`."""
    return any(pattern.search(text) for pattern in _ACCOUNTS)
