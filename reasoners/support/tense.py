"""Words that tell what came from what is to come, in English, German, French and Spanish."""

from __future__ import annotations

import regex

TO_COME = regex.compile(
    r"\b(?:will|expects?|expected|forecasts?|guidance|outlook|plans?|planned|intends?|aims?|aimed|hopes?|budget(?:ed)?|targets?|"
    r"wird|werden|erwarte[tn]|geplant|plan[et]n?|prévoit|prévoient|prévu|espera|prevé)\b",
    regex.IGNORECASE,
)
PAST = regex.compile(
    r"\b(?:was|were|had|did|has|have|been|wurde|wurden|war|waren|hatte|hat|a\sété|était|étaient|ont|fue|fueron)\b",
    regex.IGNORECASE,
)
