"""Sentences in three sets, each written after the rules, to see what they make of wordings nobody tuned them to.

Each stands in a document of its own about Farrow Instruments plc, dated 2022-06-15.  What a set shows at first sight is
what counts; the rules were changed after each, so that to measure again new sentences are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from ...reasoners.kg.embedded import ReadDocument, statements_of
from ...retrievers.chunking import cut
from ...retrievers.parsers import extract
from ...state.records import Source

DAY = date(2022, 6, 15)
# Sentence, then what it states: subject, predicate, object or value, first day.  None states nothing.
FIRST_TWO: tuple[tuple[str, tuple[str, str, str, str] | None], ...] = (
    (
        "Farrow Instruments plc has chosen Dora Quist to be its next chief executive officer from 1 July 2022.",
        ("Dora Quist", "HOLDS_ROLE", "chief executive officer", "2022-07-01"),
    ),
    (
        "In January the supervisory board picked Emil Tarn as finance director.",
        ("Emil Tarn", "HOLDS_ROLE", "chief financial officer", "2022-01-01"),
    ),
    (
        "Gerda Holt, who joined Farrow Instruments in 2012, became its chair on 4 April 2022.",
        ("Gerda Holt", "HOLDS_ROLE", "chair", "2022-04-04"),
    ),
    (
        "The helm passed from Ivan Roe to Kate Moss-Lane, the new CEO of Farrow Instruments, in May 2021.",
        ("Kate Moss-Lane", "HOLDS_ROLE", "chief executive officer", "2021-05-01"),
    ),
    (
        "Leaving the company on 30 June 2021, Ivan Roe gave up his post as CEO.",
        ("Ivan Roe", "HOLDS_ROLE", "chief executive officer", ""),
    ),
    (
        "Chief Technology Officer Mona Vale told reporters that orders were strong.",
        ("Mona Vale", "HOLDS_ROLE", "chief technology officer", "2022-06-15"),
    ),
    (
        "Farrow Instruments runs its global headquarters out of Bristol.",
        ("Farrow Instruments plc", "LOCATED_IN", "Bristol", "2022-06-15"),
    ),
    (
        "In March 2020 the firm left Swindon and set up its headquarters in Bristol.",
        ("Farrow Instruments plc", "LOCATED_IN", "Bristol", "2020-03-01"),
    ),
    (
        "The company, headquartered in Bristol, makes thermometers.",
        ("Farrow Instruments plc", "LOCATED_IN", "Bristol", "2022-06-15"),
    ),
    (
        "Farrow Instruments’ head office has been in Bristol since 2020.",
        ("Farrow Instruments plc", "LOCATED_IN", "Bristol", "2020-01-01"),
    ),
    (
        "Farrow Instruments manufactures thermometers, gauges and valves.",
        ("Farrow Instruments plc", "PRODUCES", "gauges", "2022-06-15"),
    ),
    (
        "The Thermo 5 is made by Farrow Instruments in Bristol.",
        ("Farrow Instruments plc", "PRODUCES", "Thermo 5", "2022-06-15"),
    ),
    (
        "Shoppers have been able to buy the Thermo 5 since 9 May 2022, when Farrow Instruments launched it.",
        ("Farrow Instruments plc", "LAUNCHED", "Thermo 5", "2022-05-09"),
    ),
    ("Farrow Instruments will launch Thermo 6 next year.", None),
    (
        "May 2022 saw the launch of Thermo 5 by Farrow Instruments.",
        ("Farrow Instruments plc", "LAUNCHED", "Thermo 5", "2022-05-01"),
    ),
    (
        "Farrow Instruments released the Thermo 5 to the public three weeks ago.",
        ("Farrow Instruments plc", "LAUNCHED", "Thermo 5", "2022-05-25"),
    ),
    (
        "The last Thermo 3 left the line in April 2022, and Farrow Instruments no longer makes it.",
        ("Farrow Instruments plc", "DISCONTINUED", "Thermo 3", "2022-04-01"),
    ),
    (
        "On 2 February 2022 Farrow Instruments retired Thermo 2.",
        ("Farrow Instruments plc", "DISCONTINUED", "Thermo 2", "2022-02-02"),
    ),
    (
        "Farrow Instruments gets its sensors from Lyra Optics.",
        ("Lyra Optics", "SUPPLIES", "Farrow Instruments plc", "2022-06-15"),
    ),
    (
        "Lyra Optics has been supplying Farrow Instruments with sensors since 2019.",
        ("Lyra Optics", "SUPPLIES", "Farrow Instruments plc", "2019-01-01"),
    ),
    (
        "Lyra Optics lost the sensor contract of Farrow Instruments to Zenith Glass in March 2022.",
        ("Zenith Glass", "SUPPLIES", "Farrow Instruments plc", "2022-03-01"),
    ),
    ("Farrow Instruments has agreed to buy Pole Gauges for £9 million.", None),
    (
        "In August 2021 Farrow Instruments took over Pole Gauges.",
        ("Pole Gauges", "PART_OF", "Farrow Instruments plc", "2021-08-01"),
    ),
    (
        "Pole Gauges has belonged to Farrow Instruments since August 2021.",
        ("Pole Gauges", "PART_OF", "Farrow Instruments plc", "2021-08-01"),
    ),
    (
        "The takeover of Pole Gauges by Farrow Instruments was completed on 3 August 2021.",
        ("Pole Gauges", "PART_OF", "Farrow Instruments plc", "2021-08-03"),
    ),
    (
        "Farrow Instruments offloaded Pole Gauges to Kestrel Capital in May 2022.",
        ("Pole Gauges", "PART_OF", "Kestrel Capital", "2022-05-01"),
    ),
    (
        "Turnover for the year to 31 December 2021 was £84.2 million.",
        ("Farrow Instruments plc", "HAS_REVENUE", "84200000", "2021-01-01"),
    ),
    (
        "Farrow Instruments turned over £84.2 million in 2021.",
        ("Farrow Instruments plc", "HAS_REVENUE", "84200000", "2021-01-01"),
    ),
    (
        "Revenues of £84.2 million in 2021 were the best ever.",
        ("Farrow Instruments plc", "HAS_REVENUE", "84200000", "2021-01-01"),
    ),
    ("In 2021 revenue climbed 7% to £84.2 million.", ("Farrow Instruments plc", "INCREASED", "7", "2021-01-01")),
    ("Compared with 2020, spending was 4% lower in 2021.", ("Farrow Instruments plc", "DECREASED", "4", "2021-01-01")),
    (
        "Some 640 people were on the payroll of Farrow Instruments on 31 December 2021.",
        ("Farrow Instruments plc", "HAS_A", "640", "2021-12-31"),
    ),
    ("Farrow Instruments employs 655 people.", ("Farrow Instruments plc", "HAS_A", "655", "2022-06-15")),
    (
        "Farrow Instruments and the University of Exeter have begun a research collaboration.",
        ("Farrow Instruments plc", "COLLABORATES_WITH", "University of Exeter", "2022-06-15"),
    ),
    (
        "Since May 2021 Farrow Instruments has worked with Nova Labs on new coatings.",
        ("Farrow Instruments plc", "COLLABORATES_WITH", "Nova Labs", "2021-05-01"),
    ),
    (
        "Farrow Instruments put £2 million into Nova Labs in May 2022.",
        ("Farrow Instruments plc", "INVESTS_IN", "Nova Labs", "2022-05-01"),
    ),
    (
        "Our first priority for 2022 is low-power sensors.",
        ("Farrow Instruments plc", "TARGETS", "low-power sensors", "2022-01-01"),
    ),
    (
        "Farrow Instruments has turned its attention from gauges to low-power sensors.",
        ("Farrow Instruments plc", "TARGETS", "low-power sensors", "2022-06-15"),
    ),
    (
        "Farrow Instruments raised £12 million in a loan from Coast Bank in May 2022.",
        ("Farrow Instruments plc", "SECURED", "12000000", "2022-05-01"),
    ),
    ("Farrow Instruments did not sell Pole Gauges to Kestrel Capital.", None),
    ("Rivals say Farrow Instruments acquired Pole Gauges too late.", None),
    ("Had Farrow Instruments launched Thermo 5 in 2020, it would have been first.", None),
    ("A former CEO of Farrow Instruments, Ivan Roe, sails.", None),
    ("Farrow Instruments hopes that Nova Labs will supply it with coatings.", None),
    (
        "Farrow Instruments said on Monday that Otto Brandt had been made chief executive officer.",
        ("Otto Brandt", "HOLDS_ROLE", "chief executive officer", "2022-06-13"),
    ),
    (
        "As of 1 March 2022, Paula Finch serves as treasurer of Farrow Instruments.",
        ("Paula Finch", "HOLDS_ROLE", "treasurer", "2022-03-01"),
    ),
    (
        "Quentin Ash, chief executive officer since 2019, owns no shares.",
        ("Quentin Ash", "HOLDS_ROLE", "chief executive officer", "2019-01-01"),
    ),
    (
        "The company's new finance director is Rosa Lamb.",
        ("Rosa Lamb", "HOLDS_ROLE", "chief financial officer", "2022-06-15"),
    ),
    ("Sven Dahl retired as chair of Farrow Instruments in December 2021.", ("Sven Dahl", "HOLDS_ROLE", "chair", "")),
    ("Tilda Moor will succeed Quentin Ash as CEO in 2024.", None),
    (
        "Bristol is home to the headquarters of Farrow Instruments.",
        ("Farrow Instruments plc", "LOCATED_IN", "Bristol", "2022-06-15"),
    ),
    (
        "Farrow Instruments is a Bristol-based company.",
        ("Farrow Instruments plc", "LOCATED_IN", "Bristol", "2022-06-15"),
    ),
    (
        "Farrow Instruments moved to a new head office in Cardiff in April 2022.",
        ("Farrow Instruments plc", "LOCATED_IN", "Cardiff", "2022-04-01"),
    ),
    (
        "In February the company opened a laboratory in Exeter.",
        ("Farrow Instruments plc", "LOCATED_IN", "Exeter", "2022-02-01"),
    ),
    (
        "The Gauge X went into production at Farrow Instruments in May 2021.",
        ("Farrow Instruments plc", "PRODUCES", "Gauge X", "2021-05-01"),
    ),
    (
        "Farrow Instruments builds barometers in two plants.",
        ("Farrow Instruments plc", "PRODUCES", "barometers", "2022-06-15"),
    ),
    (
        "On 12 May 2022, the company presented Gauge Y at a fair in Hanover.",
        ("Farrow Instruments plc", "LAUNCHED", "Gauge Y", "2022-05-12"),
    ),
    (
        "Farrow Instruments started selling Gauge Z in April 2022.",
        ("Farrow Instruments plc", "LAUNCHED", "Gauge Z", "2022-04-01"),
    ),
    (
        "Last week Farrow Instruments launched its long-awaited Gauge Q.",
        ("Farrow Instruments plc", "LAUNCHED", "Gauge Q", "2022-06-06"),
    ),
    (
        "Farrow Instruments has taken Gauge X off the market.",
        ("Farrow Instruments plc", "DISCONTINUED", "Gauge X", "2022-06-15"),
    ),
    (
        "In 2021 Farrow Instruments stopped production of Gauge W.",
        ("Farrow Instruments plc", "DISCONTINUED", "Gauge W", "2021-01-01"),
    ),
    (
        "The sole supplier of glass to Farrow Instruments is Vitro Nord.",
        ("Vitro Nord", "SUPPLIES", "Farrow Instruments plc", "2022-06-15"),
    ),
    (
        "Vitro Nord won a contract to supply glass to Farrow Instruments in May 2022.",
        ("Vitro Nord", "SUPPLIES", "Farrow Instruments plc", "2022-05-01"),
    ),
    (
        "In January 2022 Vitro Nord took over from Silica Works as glass supplier to Farrow Instruments.",
        ("Vitro Nord", "SUPPLIES", "Farrow Instruments plc", "2022-01-01"),
    ),
    (
        "Farrow Instruments acquired all shares of Dial Works on 5 May 2022.",
        ("Dial Works", "PART_OF", "Farrow Instruments plc", "2022-05-05"),
    ),
    (
        "Dial Works, which Farrow Instruments bought in 2019, makes dials.",
        ("Dial Works", "PART_OF", "Farrow Instruments plc", "2019-01-01"),
    ),
    ("Farrow Instruments and Dial Works merged in 2021.", None),
    (
        "The sale of Dial Works to Kestrel Capital closed on 2 June 2022.",
        ("Dial Works", "PART_OF", "Kestrel Capital", "2022-06-02"),
    ),
    (
        "For 2021, Farrow Instruments posted sales of £91 million.",
        ("Farrow Instruments plc", "HAS_REVENUE", "91000000", "2021-01-01"),
    ),
    ("Sales reached £91 million last year.", ("Farrow Instruments plc", "HAS_REVENUE", "91000000", "2021-01-01")),
    (
        "The group's revenue in the 2021 financial year was £91.0m.",
        ("Farrow Instruments plc", "HAS_REVENUE", "91000000", "2021-01-01"),
    ),
    ("Net profit was up 11% in 2021.", ("Farrow Instruments plc", "INCREASED", "11", "2021-01-01")),
    ("Debt shrank by 6.5% during 2021.", ("Farrow Instruments plc", "DECREASED", "6.5", "2021-01-01")),
    ("At year-end 2021 the staff numbered 702.", ("Farrow Instruments plc", "HAS_A", "702", "2021-12-31")),
    (
        "Farrow Instruments entered into a joint venture with Lund Optics in March 2022.",
        ("Farrow Instruments plc", "COLLABORATES_WITH", "Lund Optics", "2022-03-01"),
    ),
    (
        "The partnership between Farrow Instruments and Lund Optics began in March 2022.",
        ("Farrow Instruments plc", "COLLABORATES_WITH", "Lund Optics", "2022-03-01"),
    ),
    (
        "Farrow Instruments bought 15% of Lund Optics in 2022.",
        ("Farrow Instruments plc", "INVESTS_IN", "Lund Optics", "2022-01-01"),
    ),
    (
        "Farrow Instruments now focuses on wireless sensors.",
        ("Farrow Instruments plc", "TARGETS", "wireless sensors", "2022-06-15"),
    ),
    (
        "The company's strategic priorities are wireless sensors and service contracts.",
        ("Farrow Instruments plc", "TARGETS", "service contracts", "2022-06-15"),
    ),
    (
        "Coast Bank granted Farrow Instruments a loan of £4 million in May 2022.",
        ("Farrow Instruments plc", "SECURED", "4000000", "2022-05-01"),
    ),
    ("The Port of Hull adopted the Gauge X in 2021.", ("Gauge X", "ADOPTED_BY", "Port of Hull", "2021-01-01")),
    ("Reports that Farrow Instruments acquired Dial Works were premature.", None),
    ("Farrow Instruments was nearly acquired by Kestrel Capital.", None),
    ("The judge asked whether Farrow Instruments launched Gauge X in 2020.", None),
    ("Contrary to press reports, Farrow Instruments had no CEO named Ulf Berg.", None),
    (
        "Kestrel Capital, which owns no part of Farrow Instruments, is based in Zurich.",
        ("Kestrel Capital", "LOCATED_IN", "Zurich", "2022-06-15"),
    ),
)
THIRD: tuple[tuple[str, tuple[str, str, str, str] | None], ...] = (
    ("Uwe Stahl is to lead Farrow Instruments as CEO, the company announced on 14 June 2022.", None),
    (
        "The directors have confirmed Vera Niles as chief operating officer.",
        ("Vera Niles", "HOLDS_ROLE", "chief operating officer", "2022-06-15"),
    ),
    (
        "Willa Stone headed Farrow Instruments as managing director between 2010 and 2016.",
        ("Willa Stone", "HOLDS_ROLE", "managing director", "2010-01-01"),
    ),
    (
        "Xaver Lind took the chair of Farrow Instruments on 2 May 2022.",
        ("Xaver Lind", "HOLDS_ROLE", "chair", "2022-05-02"),
    ),
    (
        "Yara Dunn, Farrow Instruments' general counsel, welcomed the ruling.",
        ("Yara Dunn", "HOLDS_ROLE", "general counsel", "2022-06-15"),
    ),
    ("Headquarters: Bristol.", ("Farrow Instruments plc", "LOCATED_IN", "Bristol", "2022-06-15")),
    (
        "From its base in Bristol, Farrow Instruments ships to forty countries.",
        ("Farrow Instruments plc", "LOCATED_IN", "Bristol", "2022-06-15"),
    ),
    (
        "The company transferred its seat from Bristol to Cardiff on 1 April 2022.",
        ("Farrow Instruments plc", "LOCATED_IN", "Cardiff", "2022-04-01"),
    ),
    (
        "Farrow Instruments produces hygrometers and dials.",
        ("Farrow Instruments plc", "PRODUCES", "hygrometers", "2022-06-15"),
    ),
    (
        "Gauge V has rolled off the line at Farrow Instruments since 2020.",
        ("Farrow Instruments plc", "PRODUCES", "Gauge V", "2020-01-01"),
    ),
    (
        "In April 2022, Farrow Instruments announced Gauge U, a pocket barometer.",
        ("Farrow Instruments plc", "LAUNCHED", "Gauge U", "2022-04-01"),
    ),
    ("Gauge T made its debut on 6 June 2022.", ("Farrow Instruments plc", "LAUNCHED", "Gauge T", "2022-06-06")),
    ("Farrow Instruments axed Gauge S in 2021.", ("Farrow Instruments plc", "DISCONTINUED", "Gauge S", "2021-01-01")),
    ("Gauge R was discontinued in March 2021.", ("Farrow Instruments plc", "DISCONTINUED", "Gauge R", "2021-03-01")),
    (
        "Brass comes from Orme Metals, which has supplied Farrow Instruments since 2015.",
        ("Orme Metals", "SUPPLIES", "Farrow Instruments plc", "2015-01-01"),
    ),
    (
        "Farrow Instruments purchases brass from Orme Metals.",
        ("Orme Metals", "SUPPLIES", "Farrow Instruments plc", "2022-06-15"),
    ),
    (
        "Farrow Instruments sealed the acquisition of Tally Scales in February 2022.",
        ("Tally Scales", "PART_OF", "Farrow Instruments plc", "2022-02-01"),
    ),
    (
        "Farrow Instruments acquired the scale maker Tally Scales in February 2022 for £6 million.",
        ("Tally Scales", "PART_OF", "Farrow Instruments plc", "2022-02-01"),
    ),
    (
        "Farrow Instruments sold off Tally Scales to Norse Partners last month.",
        ("Tally Scales", "PART_OF", "Norse Partners", "2022-05-01"),
    ),
    (
        "Farrow Instruments' revenue was £77 million in 2020.",
        ("Farrow Instruments plc", "HAS_REVENUE", "77000000", "2020-01-01"),
    ),
    (
        "Revenue amounted to £77 million in fiscal 2020, compared with £70 million in fiscal 2019.",
        ("Farrow Instruments plc", "HAS_REVENUE", "77000000", "2020-01-01"),
    ),
    ("The workforce grew by 12% in 2021.", ("Farrow Instruments plc", "INCREASED", "12", "2021-01-01")),
    ("At 31 March 2022 we employed 711 people.", ("Farrow Instruments plc", "HAS_A", "711", "2022-03-31")),
    (
        "A cooperation with Havel Labs was signed by Farrow Instruments in May 2022.",
        ("Farrow Instruments plc", "COLLABORATES_WITH", "Havel Labs", "2022-05-01"),
    ),
    (
        "Farrow Instruments formed an alliance with Havel Labs in May 2022.",
        ("Farrow Instruments plc", "COLLABORATES_WITH", "Havel Labs", "2022-05-01"),
    ),
    (
        "Farrow Instruments invested £3 million in Havel Labs in May 2022.",
        ("Farrow Instruments plc", "INVESTS_IN", "Havel Labs", "2022-05-01"),
    ),
    (
        "Farrow Instruments concentrates on pressure sensors.",
        ("Farrow Instruments plc", "TARGETS", "pressure sensors", "2022-06-15"),
    ),
    (
        "Farrow Instruments landed an order worth £8 million in May 2022.",
        ("Farrow Instruments plc", "SECURED", "8000000", "2022-05-01"),
    ),
    ("Norse Partners no longer seeks to have Farrow Instruments acquired Tally Scales.", None),
    ("It was Tally Scales, not Farrow Instruments, that launched Gauge T.", None),
    ("Farrow Instruments launched legal proceedings against Norse Partners.", None),
    ("Farrow Instruments has yet to name Vera Niles as its chief executive.", None),
)


def measured(sentences: Sequence[tuple[str, tuple[str, str, str, str] | None]]) -> tuple[int, int, int, int, list[str]]:
    """Return stated, found with the right time, found at all, strays, and lines that tell what went wrong."""
    stated = right = found = stray = 0
    lines: list[str] = []
    for sentence, expected in sentences:
        rows = _read(sentence)
        facts = [(row, begin) for row, begin, kind in rows if kind == "FACT"]
        if expected is None:
            stray += len(facts)
            lines += [f"STRAY {row} | {sentence}" for row, _ in facts]
            continue
        stated += 1
        *words, begin = expected
        fits = [day for row, day in facts if all(word in row for word in words)]
        found += bool(fits)
        right += begin in fits
        if begin not in fits:
            lines.append(f"{'WRONG TIME' if fits else 'MISSED'} {expected} {fits} | {sentence}")
    return stated, right, found, stray, lines


def _read(sentence: str) -> list[tuple[tuple[str, ...], str, str]]:
    name = "note.md"
    extraction = extract(f"---\ndate: {DAY}\n---\n\n# Farrow Instruments plc\n\n{sentence}\n".encode(), name=name)
    published = datetime(DAY.year, DAY.month, DAY.day, tzinfo=UTC)
    source = Source(uri=name, kind="file", title=extraction.title, published_at=published)
    rows: list[tuple[tuple[str, ...], str, str]] = []
    for statement in statements_of(ReadDocument(source, extraction.text, cut(extraction, name))):
        triplet = statement.triplets[0]
        named = triplet.object.name if triplet.object else ""
        begin = statement.valid_at.isoformat() if statement.valid_at else ""
        rows.append(((triplet.subject.name, triplet.predicate, named, triplet.value), begin, statement.statement_type))
    return rows
