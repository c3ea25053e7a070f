"""The small words that turn a sentence round: negations, directions, opposites, hedges, quantities."""

# ruff: noqa: SIM905 - word lists read better as running text

# ruff: noqa: E501 - one entry of a table on one line

from __future__ import annotations

from functools import lru_cache

from ...text.words import stem

NEGATIONS = frozenset(
    """
    not no never none nobody nothing neither nor cannot without nowhere isn aren wasn weren doesn don didn
    hasn haven hadn wouldn shouldn couldn mustn ain kein keine keinen nicht nie ohne ne pas jamais sans non
    senza nunca sin nenhum sem não нет не nem inte ikke niet geen
""".split()
)
# Words that deny what follows them without being a `not`.
DENIALS = frozenset(
    """
    fail fails failed failing lack lacks lacked lacking absence absent unable incapable unlikely rarely hardly
    barely scarcely seldom deny denies denied refuse refuses refused refute refutes refuted disprove disproved
    contradict contradicts contradicted reject rejects rejected rule-out exclude excludes excluded prevent
    prevents prevented avoid avoids avoided cease ceased stop stopped false untrue myth incorrect wrong
    impossible inconsistent insufficient little few
""".split()
)
# Words that say that something is not there.
WANTING = frozenset(
    """
    absence absent deficiency deficient deficits deleted deletion depleted depletion knockout lack lacked lacking lacks
    loss missing null without
""".split()
)
HEDGES = frozenset(
    """
    may might could possibly perhaps probably likely potentially potential suggest suggests suggested
    suggesting appear appears appeared seem seems seemed presumably apparently estimated estimate preliminary
    unvalidated provisional expected expects anticipate anticipated plan plans planned planning propose
    proposed proposes consider considering considered believe believes believed claim claims claimed alleged
    allegedly reportedly hypothesis hypothesize hypothesized speculate speculated unclear uncertain whether if
    aim aims aimed target targets intended intend intends would should draft pending forecast forecasts
    projected
""".split()
)
ASSERTIONS = frozenset(
    """
    definitely certainly always all every must proven proved proves confirmed confirms guarantee guaranteed
    undoubtedly clearly conclusively completed complete completely entirely only never none validated final
""".split()
)

_AXES: tuple[tuple[str, str, str], ...] = (
    (
        "amount",
        "increase increased increases increasing rise rises rose risen rising grow grows grew grown growth growing gain "
        "gains gained climb climbs climbed higher high highest more most greater greatest up upward raise raises raised "
        "raising elevate elevated elevates elevation enhance enhances enhanced enhancing promote promotes promoted "
        "expand expands expanded expansion boost boosts boosted upregulate upregulated upregulates accelerate "
        "accelerates accelerated larger large largest exceed exceeds exceeded surge surged surges jump jumped soar "
        "soared double doubled triple tripled induce induces induced stimulate stimulates stimulated activate activates "
        "activated activation advance advanced widen widened longer long longest above over maximum many frequent "
        "overexpression overexpressed excess abundant augment augmented amplify amplified intensify intensified "
        "strengthen strengthened heavier faster warmer warming hotter older stronger positive positively outperform "
        "outperformed appreciate appreciated upgrade upgraded add added adds steigt stieg gestiegen erhöht wuchs "
        "augmenté hausse aumentó aumento",
        "decrease decreased decreases decreasing fall falls fell fallen falling decline declines declined declining "
        "drop drops dropped dropping reduce reduces reduced reducing reduction lower low lowest less least fewer "
        "down downward diminish diminishes diminished shrink shrank shrunk weaken weakened weakens suppress suppresses "
        "suppressed suppression inhibit inhibits inhibited inhibition downregulate downregulated downregulates "
        "attenuate attenuates attenuated slow slows slowed slower smaller small smallest impair impairs impaired lose "
        "loses lost loss halve halved plunge plunged slump slumped block blocks blocked narrow narrowed shorter short "
        "shortest below under minimum rare deficiency deficient depletion depleted knockdown knockout minimize "
        "minimized dwindle dwindled contract contracted cut cuts shed shorten shortened lighter weaker cooler cooling "
        "colder younger negative negatively underperform underperformed depreciate depreciated downgrade downgraded "
        "abolish abolished remove removed sank sink sinkt sank gesunken verringert fiel baisse diminué disminuyó "
        "diminuzione",
    ),
    (
        "worth",
        "improve improves improved improving improvement better best benefit benefits beneficial benefited effective "
        "success successful succeed succeeded protect protects protected protective safe favorable favourable good "
        "advantage healthy recover recovered strength profit profitable profits useful helpful efficient pass passed "
        "win wins won achieve achieved met accept accepted approve approved approval",
        "worsen worsens worsened worsening worse worst harm harms harmful harmed ineffective failure unsuccessful "
        "damage damages damaged damaging dangerous unsafe unfavorable unfavourable bad disadvantage unhealthy "
        "deteriorate deteriorated weakness unprofitable losses useless toxic inefficient aggravate "
        "aggravated exacerbate exacerbated hinder hinders hindered missed fail fails failed "
        "detrimental adverse threaten threatened reject rejected denied refused",
    ),
    (
        "presence",
        "with presence present include includes included including contain contains contained have has had possess "
        "exist exists existed available retain retained keep kept join joined enter entered open opened start started "
        "begin began begun launch launched acquire acquired buy bought hire hired gain support supports supported allow "
        "allows allowed enable enables enabled permit permitted legal agree agreed accept both",
        "without absence absent exclude excludes excluded excluding lack lacks lacked missing deny unavailable "
        "discontinue discontinued leave left exit exited close closed end ended stop stopped cease ceased "
        "finish finished sell sold divest divested fire fired oppose opposes opposed prohibit "
        "prohibits prohibited ban banned prevent prevents prevented illegal disagree disagreed independent independently unrelated neither",
    ),
)  # fmt: skip

_PAIRS = (
    "first last|noon midnight|early late|earlier later|before after|north south|northern southern|east west|eastern western|left right|"
    "male female|men women|man woman|boys girls|husband wife|father mother|son daughter|brother sister|king queen|"
    "internal external|inner outer|inside outside|public private|domestic foreign|import export|buyer seller|"
    "dominant recessive|acute chronic|primary secondary|major minor|majority minority|same different|similar different|"
    "identical different|homogeneous heterogeneous|single multiple|simple complex|temporary permanent|partial complete|"
    "direct indirect|active inactive|active passive|common uncommon|usual unusual|normal abnormal|natural artificial|"
    "possible impossible|true false|correct incorrect|known unknown|certain uncertain|dependent independent|"
    "stable unstable|visible invisible|sufficient insufficient|consistent inconsistent|reversible irreversible|"
    "significant insignificant|significant negligible|mild severe|benign malignant|sensitive resistant|"
    "sensitivity resistance|susceptible resistant|hyper hypo|gain loss|win lose|profit loss|asset liability|"
    "gross net|rich poor|wealthy poor|wet dry|hot cold|warm cold|warm cool|light dark|black white|day night|summer winter|"
    "birth death|born died|alive dead|life death|young old|new old|ancient modern|beginning end|start end|start finish|"
    "top bottom|front back|full empty|thick thin|wide narrow|deep shallow|near far|strong weak|hard soft|easy difficult|"
    "cheap expensive|cheaper expensive|love hate|friend enemy|ally enemy|victory defeat|war peace|attack defend|"
    "attack defense|teacher student|doctor patient|parent child|host guest|urban rural|land sea|ocean land|"
    "arrive depart|arrival departure|accept reject|accept refuse|grant refuse|grant reject|grant deny|approve refuse|extend terminate|renew terminate|"
    "renew lapse|renew expire|uphold overturn|agree disagree|allow forbid|appear disappear|approve reject|"
    "ascend descend|attach detach|connect disconnect|create destroy|construct destroy|build demolish|encourage discourage|"
    "expand contract|float sink|freeze melt|give take|borrow lend|hire fire|include exclude|increase decrease|join leave|"
    "lengthen shorten|lock unlock|obey disobey|open close|permit prohibit|push pull|raise lower|remember forget|"
    "reward punish|send receive|separate unite|strengthen weaken|succeed fail|trust distrust|upper lower|vertical "
    "horizontal|voluntary mandatory|optional mandatory|mandatory voluntary|wholesale retail|winner loser|synchronous asynchronous|"
    "symmetric asymmetric|maximum minimum|maximal minimal|most least|many few|more less|always never|all none|"
    "everyone nobody|often rarely|frequently rarely|monthly yearly|weekly monthly|daily weekly|quarterly annually|"
    "hourly daily|annual monthly|annual quarterly|sunrise sunset|ally rival|villain hero|protagonist antagonist|"
    "optimistic pessimistic|innocent guilty|guilty acquitted|convicted acquitted|positive negative|endothelial epithelial|"
    "afferent efferent|systolic diastolic|vein artery|aerobic anaerobic|in-vitro in-vivo|maternal paternal|"
    "prokaryotic eukaryotic|unilateral bilateral|proximal distal|anterior posterior|dorsal ventral|cis trans|"
    "endoderm mesoderm|endoderm ectoderm|mesoderm ectoderm|saturated unsaturated|liquid solid|liquid gas|solid gas|"
    "audited unaudited|validated unvalidated|booked recognised|booked recognized|draft final|planned completed|"
    "pending completed|bullish bearish|long short|solvent insolvent|listed unlisted|fixed variable|fixed floating|"
    "senior junior|full-time part-time|taxable exempt|credit debit|inflow outflow|surplus deficit|bid ask|supply demand"
)

# Words of the left side and of the right side of a line cannot both be true of one thing.
_EXCLUDING = (
    "allow allows allowed permit permits permitted authorise authorised authorize authorized tolerated | forbid forbids forbidden forbade prohibit prohibits prohibited ban bans banned bar barred disallowed",
    "accept accepts accepted approve approved grant granted adopt adopted ratify ratified upheld | decline declined declines reject rejected rejects refuse refused refuses denied vetoed dismissed overturned",
    "complete completed closed finish finished deliver delivered implement implemented conclude concluded sign signed execute executed held launch launched buy bought acquire acquired acquires built opened | abandon abandoned cancel cancelled canceled scrap scrapped shelve shelved suspended postpone postponed halted aborted collapsed",
    "hire hired appoint appointed appoints recruited | dismiss dismissed fired sacked",
    "arrive arrived join joined stay stays stayed remain remains remained | leave leaves left depart departed resign resigned resigns quit",
    "pay pays paid | unpaid owe owes owed outstanding",
    "landlord lessor | tenant lessee",
    "buyer purchaser | seller vendor",
    "lender creditor | borrower debtor",
    "employer | employee",
    "plaintiff claimant | defendant",
    "erlaubt gestattet zulassig | verboten untersagt unzulassig",
    "angenommen genehmigt bewilligt | abgelehnt verweigert zuruckgewiesen",
    "abgeschlossen vollendet | abgebrochen abgesagt verschoben",
    "stieg steigt gestiegen wuchs | sank sinkt gesunken fiel gefallen",
    "autorise permis | interdit",
    "accepte approuve | refuse rejete",
    "avance avancee augmente hausse | recule reculee diminue baisse",
    "permitido autorizado | prohibido",
    "aceptado aprobado | rechazado denegado",
)

# What an effect does to its object, +1 or -1, in nouns, participles and verbs that `_AXES` does not hold or holds on an
# axis too wide for it.
_RAISING = """
    activate activates activated activating activator activators agonist agonists aggravate amplifies cause caused
    causes causing confirm confirmed confirms contribute contributed contributes contributing correlate correlated
    correlates correlation dependent drive drives driving elicit elicited elicits encourage encouraged encourages
    enhancement enhancer enhancers enhancing essential evoke evokes exacerbate facilitate facilitated facilitates
    facilitating favor favors favour favours foster fostered fosters improving increasing inducer inducible inducing
    induction lead leading leads led linked associated mediate mediated mediates mediating necessary potentiate
    potentiated potentiates produce produced produces promoting raising require required requirement requires
    responsive restore restored restores result resulted resulting results sensitive sensitivity sensitize sensitizes
    stabilization stabilize stabilized stabilizes stimulating stimulation strengthen susceptibility susceptible
    sustain sustained sustains trigger triggered triggers upregulating upregulation vulnerability vulnerable worsen
"""
_LOWERING = """
    ablated ablation abrogate abrogated abrogates alleviate alleviated alleviates ameliorate ameliorated ameliorates
    antagonist antagonists antagonize antagonized antagonizes attenuating attenuation avert averted averts blockade
    blocker blockers blocking combat compromise compromised compromises contrary cooling counteract counteracted
    counteracts curb curbed curbs dampen dampened dampens deactivate deactivated deactivates deactivation debunked
    declining decreasing deficit deficits degradation degrade degraded degrades delay delayed delays deleted deletion
    depleting destabilize destabilized destabilizes destroy destroyed destroys discourage discouraged discourages
    disproven dispute disputed disputes disrupt disrupted disruption disrupts doubt doubts downregulating
    downregulation eliminate eliminated eliminates elimination eradicate eradicated exaggerated falling hamper hampered
    hampers haploinsufficiency hinder hindering hoax immune immunity impairing impairment impede impeded impedes
    inactivate inactivated inactivates inactivation independent independently inhibiting inhibitor inhibitors
    inhibitory insensitive insufficiency interfere interfered interferes interrupt interrupted interrupts inverse
    inversely kill killed kills lacking limit limited limits lowering misleading mitigate mitigated mitigates mitigation
    negate negated negates neutralize neutralized neutralizes null offset offsets oppose opposing overstated preventing
    prevention reducing refractory relieve relieved relieves repress repressed represses repression resistance resistant
    restrict restricted restricts retard retarded retards reversal reverse reversed reverses scarce scarcity sceptical
    shortage shrinking silenced silencing skeptical suppressing suppressive suppressor suppressors terminate terminated
    terminates uncorrelated undermine undermined undermines unrelated unresponsive weakening withdraw withdrawal
    withdrawn withdrew wrongly
"""
# Small words of `_AXES` that as often say something else.
_SLIGHT = """
    above accept accepted add added adds available began begin begun below before both contain contained contains down
    enter entered good had has have highest include included includes including join joined keep kept large launch
    launched legal long longer lowest many maximum met minimum missed more most neither older open opened over pass
    passed possess present short shorter small start started under up with younger
"""

DIRECTIONS: dict[str, tuple[str, int]] = {}
for _axis, _up, _down in _AXES:
    for _sign, _words in ((1, _up), (-1, _down)):
        for _word in _words.split():
            DIRECTIONS.setdefault(_word, (_axis, _sign))

EFFECTS: dict[str, int] = {_word: _sign for _word, (_, _sign) in DIRECTIONS.items() if _word not in _SLIGHT.split()}
EFFECTS |= dict.fromkeys(_RAISING.split(), 1) | dict.fromkeys(_LOWERING.split(), -1)
EFFECTS |= dict.fromkeys(NEGATIONS | DENIALS, -1)

OPPOSITES: dict[str, frozenset[str]] = {}
_opposites: dict[str, set[str]] = {}
for _pair in _PAIRS.split("|"):
    _one, _other = _pair.split()
    _opposites.setdefault(stem(_one), set()).add(stem(_other))
    _opposites.setdefault(stem(_other), set()).add(stem(_one))
OPPOSITES.update({word: frozenset(others) for word, others in _opposites.items()})

EXCLUDED: dict[str, frozenset[str]] = {}
for _line in _EXCLUDING:
    _left, _right = (frozenset(_side.split()) for _side in _line.split(" | "))
    for _word in _left | _right:
        EXCLUDED[_word] = EXCLUDED.get(_word, frozenset()) | (_right if _word in _left else _left)

_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "anti", "mis", "a", "de", "hypo", "hyper", "over", "under")


@lru_cache(maxsize=65_536)
def _stem_of(word: str) -> str:
    return stem(word)


@lru_cache(maxsize=65_536)
def opposed(a: str, b: str) -> bool:
    """Whether two folded words are opposites: listed as such, or one is the other with a denying prefix."""
    first, second = _stem_of(a), _stem_of(b)
    if second in OPPOSITES.get(first, ()) or b in EXCLUDED.get(a, ()):
        return True
    if len(a) > len(b):
        a, b = b, a
        first, second = second, first
    if len(a) >= 4 and any(b == prefix + a or (len(a) >= 5 and second == prefix + first) for prefix in _PREFIXES[:8]):
        return True
    if a[:5] in ("hyper", "under") or a[:4] in ("hypo", "over"):
        head_a = "hyper" if a.startswith("hyper") else "hypo" if a.startswith("hypo") else a[:5]
        return {head_a} == {"hypo"} and b.startswith("hyper") and a[4:] == b[5:]
    return False


SYNONYMS: dict[str, frozenset[str]] = {}
_GROUPS = (
    "fell fall fallen|rose rise risen|grew grow grown|won win|wrote write written|made make|sold sell|led lead|"
    "held hold|built build|began begin begun|became become|said say|took take taken|gave give given|paid pay|lost lose|"
    "found find|left leave|spent spend|met meet|saw see seen|ran run|drew draw drawn|bought buy purchase acquire|big large great|begin start commence launch|end finish conclude|die death decease|"
    "film movie picture|author writer|write author pen|create make produce build develop|show demonstrate reveal indicate find|"
    "revenue sales turnover|profit earnings income|employee staff worker|company firm corporation business enterprise|"
    "car automobile vehicle|doctor physician|child kid|children kids|woman female|women females|man male|men males|"
    "usa america american|uk britain british|cancer tumor tumour carcinoma neoplasm|heart cardiac|kidney renal|"
    "liver hepatic|lung pulmonary|brain cerebral|mouse mice murine|mortality death|drug medication medicine|"
    "therapy treatment treat|illness disease disorder|country nation state|city town|help assist aid|need require|"
    "get obtain receive|give provide supply|important significant crucial key|quick fast rapid|reduce decrease lower decline|"
    "increase raise rise grow|cause lead result induce trigger|stop halt cease|keep maintain retain|use utilize employ apply|"
    "job occupation work|house home|near close|ill sick|old elderly aged|young youth|song track single|album record|"
    "school college university|leader head chief|win victory|fight battle|war conflict|kill murder|famous well-known|"
    "actor actress star|team club side|game match|role part character|approximately about around roughly|annual yearly|"
    "contain include comprise|consist comprise|located situated|name call title|born birth|marry wife husband spouse|"
    "warming heating|co2 carbon|greenhouse gas emission|climate weather|human anthropogenic man|glacier ice|sea ocean|"
    "study research trial|patient subject participant|risk likelihood chance|link associate correlate relate|"
    "level concentration amount|protein polypeptide|improve enhance better|damage harm injure|protect guard|"
    "release issue publish|found establish|headquarters based|ceo chief executive|customer client|price cost|"
    "contract agreement|staff personnel headcount employee|quarter q|net loss|dam reservoir|saint st|mount mt|mister mr|doctor dr"
)  # fmt: skip
_synonyms: dict[str, set[str]] = {}
for _group in _GROUPS.split("|"):
    _stems = {stem(_word) for _word in _group.split()}
    for _one in _stems:
        _synonyms.setdefault(_one, set()).update(_stems - {_one})
SYNONYMS.update({word: frozenset(others) for word, others in _synonyms.items()})
