"""Words by which a question says what it asks for, by language."""

from __future__ import annotations

from ....state.records import AnswerType

# Patterns are tried in order on the folded question; the first that is found names the type.
CUES: dict[str, tuple[tuple[AnswerType, str], ...]] = {
    "en": (
        (
            "comparison",
            r"^(?:between|of|among)?\b.*\b(?:who|which|what)\b.*\b(?:first|earlier|later|older|younger|oldest|youngest|"
            r"larger|largest|bigger|biggest|smaller|smallest|higher|highest|lower|lowest|more|most|fewer|fewest|less|"
            r"least|longer|longest|shorter|shortest|taller|tallest|newer|newest)\b.*\b\S+ or \S+",
        ),
        ("entity", r"\b(?:phone|telephone|mobile|fax) numbers?\b|\be-?mail address(?:es)?\b"),
        ("comparison", r"^compare\b|\b(?:difference between|compared? (?:to|with)|versus|vs\.?)\b"),
        ("number", r"\bhow (?:many|much|old|tall|deep|high|big|large|heavy|far|fast|often|wide|thick|hot|cold)\b"),
        ("number", r"\bhow long\b"),
        ("number", r"^how (?:did|has|have|does) .+\b(?:change|changed|develop|developed|grow|grown|evolve|evolved)\b"),
        (
            "explanation",
            r"\bwhat (?:caused|causes|drove|drives|led to|explains|were the reasons|was the reason|is the reason)\b",
        ),
        ("definition", r"^(?:define\b|what does (?:the term )?\S+ mean|what is meant by|what is an? \S+(?: \S+)?\??$)"),
        ("date", r"^(?:since |until |by |from |on )?when\b|\bwhen (?:was|were|did|is|are|does|do|will|has)\b"),
        (
            "date",
            r"\b(?:what|which) (?:\w+ )?(?:year|years|date|dates|day|month|months|decade|century)\b|\bhow long ago\b",
        ),
        ("date", r"\b(?:until|in|since|ended|by) (?:what|when)\s*\??$|^(?:at |by |from |until )?(?:what|which) time\b"),
        ("person", r"^(?:by |for |of |to |with |from )?(?:who|whom|whose)\b|\bby whom\b"),
        ("place", r"^(?:from |to )?where\b|\bwhere (?:is|are|was|were|did|does|do)\b"),
        (
            "place",
            r"\b(?:what|which) (?!(?:do|does|did) )(?:\w+ ){0,2}(?:city|town|country|state|"
            r"county|place|location|village|region|province|"
            r"continent|island|street|address|venue|stadium|port|bay|room)\b",
        ),
        (
            "list",
            r"^(?:list|name|enumerate)\b|^(?:what|which) are\b|"
            r"^(?:what|which) (?:\w+ ){0,3}\w+(?<!s)s (?:are|were|do|did|have|has)\b",
        ),
        (
            "number",
            r"\b(?:what|which) (?:is|are|was|were)?\s*(?:the |its |their )?(?:[\w'-]+ ){0,4}?"
            r"(?:number|percentages?|percent|share|rate|amount|population|price|cost|fee|rent|deposit|premium|wage|dividend|yield|revenue|turnover|income|profit|margin|debt|weight|height|depth|length|width|"
            r"temperature|pressure|speed|energy|capacity|total|sum|age|size|ratio|salary|budget|limit|"
            r"distance|volume|score|head ?count)\b",
        ),
        (
            "number",
            r"\bwhat percent\b|\bwhat (?:do|does|did|will|would|has|have) [^?]+ (?:cost|pay|paid|spend|spent|earn)\b",
        ),
        ("explanation", r"^(?:why|how|explain|describe)\b|\bwhy (?:is|are|was|were|did|do|does)\b"),
        (
            "yes_no",
            r"^(?:(?:as of|as at|in|during|by|at|for|since|on|under|after|before|according to) [^,?]{1,60}, )?"
            r"(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must|isn't|aren't|"
            r"wasn't|weren't|don't|doesn't|didn't|hasn't|haven't)\b",
        ),
        ("entity", r"\b(?:what|which)\b"),
    ),
    "de": (
        (
            "comparison",
            r"\b(?:wer|welche[rsnm]?)\b.*\b(?:zuerst|früher|später|älter|jünger|größer|kleiner|höher|mehr)\b.*\boder\b",
        ),
        ("number", r"\bwie (?:viele?|hoch|lange?|alt|groß|tief|weit|schwer|teuer|oft|schnell|breit)\b"),
        (
            "number",
            r"^(?:um )?wie (?:hat|haben|ist|sind|hatte) .*(?:verändert|geändert|entwickelt|gestiegen|gesunken)\b",
        ),
        ("number", r"\b(?:was|welche[rsnm]?) .*(?:umsatz|zahl|anteil|preis|kosten|gewinn|menge|quote|satz|gebühr)"),
        ("date", r"\b(?:wann|in welchem jahr|seit wann|bis wann)\b"),
        ("person", r"^(?:von )?(?:wer|wem|wen|wessen)\b"),
        ("place", r"\b(?:wo|woher|wohin|in welcher stadt|in welchem land)\b"),
        ("explanation", r"\b(?:warum|wieso|weshalb|wie)\b"),
        ("list", r"^(?:welche|nenne|was sind)\b"),
        ("yes_no", r"^(?:ist|sind|war|waren|hat|haben|hatte|kann|können|wird|werden|gibt|gab|darf|soll)\b"),
        ("entity", r"\b(?:was|welche[rsnm]?)\b"),
    ),
    "fr": (
        (
            "number",
            r"\b(?:combien|quell?e? (?:est|était|a été) (?:le |la |l['’])(?:nombre|prix|taux|montant|délai|"
            r"coût|loyer|salaire|chiffre|caution|poids|durée|bénéfice|capital|superficie|température|"
            r"dette)|à quel prix)\b",
        ),
        ("date", r"\b(?:quand|en quelle année|à quelle date|depuis quand)\b"),
        ("person", r"\b(?:qui|à qui|de qui)\b (?!est-ce que)"),
        ("place", r"\b(?:où|dans quelle ville|dans quel pays)\b"),
        ("explanation", r"\b(?:pourquoi|comment)\b"),
        ("list", r"^(?:quels|quelles) (?:sont|étaient)\b|^(?:citez|nommez)\b"),
        ("yes_no", r"^(?:est-ce|est|sont|a-t|ont|peut|y a-t)"),
        ("entity", r"\b(?:quel|quelle|quels|quelles|que|qu)\b"),
    ),
    "es": (
        (
            "number",
            r"\bcu[aá]nt[oa]s?\b|\bcu[aá]l (?:es|era|fue) (?:el|la) (?:n[uú]mero|precio|tasa|importe|coste|"
            r"costo|alquiler|renta|salario|fianza|beneficio|peso|duraci[oó]n|temperatura|deuda|superficie)\b",
        ),
        ("date", r"\b(?:cu[aá]ndo|en qu[eé] año|en qu[eé] fecha)\b"),
        ("person", r"\bqui[eé]n(?:es)?\b"),
        ("place", r"\b(?:d[oó]nde|en qu[eé] ciudad|en qu[eé] pa[ií]s)\b"),
        ("explanation", r"\b(?:por qu[eé]|c[oó]mo)\b"),
        ("list", r"\b(?:cu[aá]les (?:son|eran|fueron))\b"),
        ("yes_no", r"^¿?(?:es|son|era|fue|hay|tiene|puede|está)\b"),
        ("entity", r"\b(?:qu[eé]|cu[aá]l)\b"),
    ),
    "it": (
        ("number", r"\bquant[oiae]\b|\bqual è (?:il|la) (?:numero|prezzo|tasso|importo|costo)\b"),
        ("date", r"\b(?:quando|in che anno|in quale anno|in che data)\b"),
        ("person", r"\bchi\b"),
        ("place", r"\b(?:dove|dov'è|in quale città|in che paese)\b"),
        ("explanation", r"\b(?:perché|come)\b"),
        ("list", r"\b(?:quali sono|quali erano)\b"),
        ("yes_no", r"^(?:è|sono|era|ha|hanno|può|esiste)\b"),
        ("entity", r"\b(?:che|cosa|quale|quali|qual)\b"),
    ),
    "ja": (
        ("date", r"いつ|何時|何年|何月|何日|何曜日"),
        ("number", r"いくつ|いくら|何(?:個|人|本|台|回|円|キロ|メートル|パーセント|％|%)|どのくらい|どれくらい"),
        ("person", r"誰|だれ|どなた"),
        ("place", r"どこ|何処"),
        ("explanation", r"なぜ|どうして|どうやって|どのように"),
        ("yes_no", r"ますか[。？?]?$|ですか[。？?]?$"),
        ("entity", r"何|どの|どれ|どんな"),
    ),
    "zh": (
        ("date", r"什么时候|何时|哪一?年|几月|几号|几点|哪天|何日"),
        ("number", r"多少|几|多久|多长|多大|多高|多深|多远"),
        ("person", r"谁|何人"),
        ("place", r"哪里|哪儿|何处|什么地方|在哪|地点"),
        ("explanation", r"为什么|为何|怎么|如何"),
        ("list", r"哪些|列出"),
        ("yes_no", r"吗[？?]?$|是否|有没有|是不是"),
        ("entity", r"什么|哪"),
    ),
}

# Verbs that open a question for yes or no, as a pattern.
AUXILIARIES = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|should"

# Words that only frame a question.  They are neither searched for alone nor missed in a passage.
FRAMING: dict[str, str] = {
    "en": """what which who whom whose when where why how many much is are was were do does did has have had can could
        will would should may might must please state tell explain describe list name define give show find mention
        mentioned according known called else anyone anybody someone papers paper information available
        possible able there any also following used given type types kind kinds sort sorts
        formerly currently now presently change changed changes particular certain thing things one ones whether
        question answer happen happens happened happening occur occurred done doing still yet already compare
        compared""",
    "de": """was welche welcher welches welchen welchem wer wen wem wessen wann wo woher wohin warum wieso weshalb wie
        viel viele bitte nenne nennen erkläre gibt gab hoch verändert geändert entwickelt sich beträgt betrug genau tun
        darf dürfen muss müssen soll sollen kann können man fasse fassen zusammen überblick gib sagt sagte""",
    "fr": """que quoi quel quelle quels quelles qui quand où pourquoi comment combien est-ce faire citez nommez évolué
        résume résumez dit""",
    "es": """qué que cuál cual cuáles cuales quién quien cuándo cuando dónde donde cómo como cuánto cuánta cuántos
        cuántas""",
    "it": "che cosa quale quali qual chi quando dove come quanto quanta quanti quante perché",
    "ja": """いつ 何時 何年 どこ 誰 だれ なぜ どう いくつ いくら 何 ですか ますか ました まし ます です のは とは
        には では""",
    "zh": "什么 什麼 多少 几 多久 多长 谁 哪里 哪些 哪个 为什么 如何 怎么 吗 是 的 了 呢 请问",
}

# Words that say how to compare; the things compared do not use them of themselves.
COMPARING = """
    first earlier earliest later latest older oldest younger youngest newer newest larger largest bigger biggest
    smaller smallest higher highest lower lowest more most fewer fewest less least longer longest shorter shortest
    taller tallest recently zuerst früher später älter jünger größer kleiner höher mehr"""

# Words that say how many of a list are wanted and how weighty, and in what kind of document.
LISTING = """
    two three four five six seven eight nine ten several main major primary principal important key top
    10k 10-k 10q 10-q 8k filing document"""
