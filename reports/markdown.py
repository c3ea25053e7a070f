"""A report as Markdown for people: numbered citations with file, page and quote, and how the run went."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..state.records import Answer, Claim, Conflict, OpenQuestion, Patch, Report, Source
from .references import Reference, citation_order, distinct_sources, one_line, place, references, safe_link
from .wording import in_language, words_for

QUOTE_CHARS = 420
_CITE = re.compile(r"\s*\(cite:\s*[^()\s]+\s*\)")
_SPECIAL = re.compile(r"[\\`\[\]]|(?<!\s)\*|\*(?!\s)|(?<!\w)_|_(?!\w)|~~")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_LINE_START = re.compile(r"^(\s*)([#>+-]|\d{1,9}(?=[.)](?:\s|$)))", re.MULTILINE)
_AUTOLINK = re.compile(r"\b(?P<scheme>[a-z][a-z0-9+.-]*)://|\bwww\.", re.IGNORECASE)


def render_markdown(report: Report) -> str:
    """Return the report as CommonMark; text of sources is escaped and makes no link, image or heading."""
    report = in_language(report)
    words = words_for(report.plan.language if report.plan else "en")
    refs = references(report)
    numbers = {ref.chunk_id: ref.number for ref in refs}
    blocks = [f"# {escape(one_line(report.answer.title or report.question))}", *_head(report, words)]
    lead = lead_of(report, words)
    if lead:
        blocks.append(lead)
    if report.answer.executive_summary:
        blocks.append(f"## {words['summary']}")
        blocks.append("\n".join(f"- {_sentence(claim, numbers, words)}" for claim in report.answer.executive_summary))
    for section in report.answer.sections:
        blocks.append(f"## {escape(one_line(section.heading))}")
        blocks.append("\n".join(f"- {_sentence(claim, numbers, words)}" for claim in section.claims))
    blocks += _conflicts(report.answer.conflicts, numbers, words)
    blocks += _open_questions(report.answer.open_questions, words)
    if report.answer.risks_and_limits:
        blocks += [
            f"## {words['risks']}",
            "\n".join(f"- {escape(one_line(x))}" for x in report.answer.risks_and_limits),
        ]
    if refs:
        blocks += [f"## {words['references']}", "\n".join(_reference(ref, words) for ref in refs)]
    if report.sources:
        blocks += [
            f"## {words['sources']}",
            "\n".join(_source(item, words) for item in distinct_sources(report.sources)),
        ]
    blocks += _run(report, words)
    return "\n\n".join(block for block in blocks if block) + "\n"


def lead_of(report: Report, words: Mapping[str, str]) -> str:
    """Return the sentence that stands where an answer would, for a run that has none."""
    if report.answer.claims:
        asked = report.status == "partial" and not report.answer.executive_summary and report.answer.open_questions
        return words["lead_nearest"] if asked else ""
    if report.status == "failed":
        return words["lead_failed"]
    if report.status == "insufficient_evidence":
        read = any(source.status == "ok" for source in report.sources)
        return words["lead_insufficient"] if read or report.evidence else words["lead_no_text"]
    return ""


def plain_claim(text: str) -> str:
    """Return a claim's sentence without the ids that a draft may carry inside it."""
    return one_line(_CITE.sub("", text))


def summary_line(answer: Answer) -> str:
    """Return the summary as plain text in which `[n]` stands for the n-th of the answer's citations."""
    numbers = {chunk_id: number for number, chunk_id in enumerate(citation_order(answer), start=1)}
    sentences = (
        (plain_claim(claim.text), "".join(f"[{numbers[chunk_id]}]" for chunk_id in dict.fromkeys(claim.citations)))
        for claim in answer.executive_summary
    )
    return " ".join(f"{text} {marks}".strip() for text, marks in sentences)


def escape(text: str, *, opens_line: bool = True) -> str:
    """Return text that Markdown shows as it is: no emphasis, link, image, tag, heading, list or live address.

    Args:
        opens_line: Whether it may stand where a line begins; within quotation marks its first sign makes no list.
    """
    text = _SPECIAL.sub(lambda match: "".join("\\" + char for char in match.group()), text)
    text = _TAG.sub("&lt;", _ENTITY.sub("&amp;", text))
    if opens_line:
        text = _LINE_START.sub(_escape_marker, text)
    return _AUTOLINK.sub(lambda match: match.group().replace(":", r"\:").replace("www.", r"www\."), text)


def code(text: str) -> str:
    """Return text as a code span, fenced by more backticks than it holds in a row."""
    text = one_line(text)
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def shorten(text: str, limit: int = QUOTE_CHARS) -> str:
    """Return one line of at most `limit` characters, cut at a word with an ellipsis."""
    text = one_line(text)
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut) + "…"


def quoted(text: str) -> str:
    """Return words of a source in one line, shortened, as they stand within quotation marks."""
    return escape(shorten(text), opens_line=False)


def _escape_marker(match: re.Match[str]) -> str:
    indent, marker = match.groups()
    return f"{indent}{marker}\\" if marker.isdigit() else f"{indent}\\{marker}"


def _head(report: Report, words: Mapping[str, str]) -> list[str]:
    lines = []
    if report.answer.title and one_line(report.answer.title) != one_line(report.question):
        lines.append(f"**{words['question']}:** {escape(one_line(report.question))}")
    if report.resolved_question and report.resolved_question != report.question:
        lines.append(f"**{words['understood_as']}:** {escape(one_line(report.resolved_question))}")
    lines.append(f"**{words['status_' + report.status]}** · {words['engine']}: {code(report.engine)}")
    return ["  \n".join(lines)]


def _sentence(claim: Claim, numbers: Mapping[str, int], words: Mapping[str, str]) -> str:
    marks = "".join(f"[{numbers[chunk_id]}]" for chunk_id in dict.fromkeys(claim.citations))
    doubt = "" if claim.support == "supported" else f" *({words['support_' + claim.support]})*"
    return f"{escape(plain_claim(claim.text))}{' ' + marks if marks else ''}{doubt}"


def _conflicts(conflicts: Sequence[Conflict], numbers: Mapping[str, int], words: Mapping[str, str]) -> list[str]:
    if not conflicts:
        return []
    blocks = [f"## {words['conflicts']}"]
    for conflict in conflicts:
        name = " · ".join(one_line(part) for part in (conflict.subject, conflict.attribute, conflict.period) if part)
        lines = [f"**{escape(name)}**", ""]
        for value in conflict.values:
            origin = ", ".join(
                part
                for part in (
                    code(value.uri) if value.uri else "",
                    words["tier_" + value.tier],
                    f"{words['dated']} {value.dated}" if value.dated else "",
                )
                if part
            )
            words_of = f": “{quoted(value.quote.text)}”" if value.quote else ""
            lines.append(f"- {escape(one_line(value.value))} [{numbers[value.chunk_id]}] ({origin}){words_of}")
        if conflict.preferred or conflict.reason:
            chosen = f"{escape(one_line(conflict.preferred))}" if conflict.preferred else words["none"]
            because = f" ({escape(one_line(conflict.reason))})" if conflict.reason else ""
            lines += ["", f"{words['preferred']}: {chosen}{because}"]
        blocks.append("\n".join(lines))
    return blocks


def _open_questions(questions: Sequence[OpenQuestion], words: Mapping[str, str]) -> list[str]:
    if not questions:
        return []
    lines = []
    for item in questions:
        lines.append(f"- **{escape(one_line(item.question))}**{_dash(item.reason)}")
        if item.queries:
            lines.append(f"  - {words['tried']}: {'; '.join(code(query) for query in item.queries)}")
        if item.sources:
            lines.append(f"  - {words['seen']}: {', '.join(code(uri) for uri in item.sources)}")
    return [f"## {words['open_questions']}", "\n".join(lines)]


def _dash(reason: str) -> str:
    return f" – {escape(one_line(reason))}" if reason else ""


def _reference(ref: Reference, words: Mapping[str, str]) -> str:
    where = place(ref.evidence, words) if ref.evidence else words["missing"]
    title = f" ({escape(one_line(ref.title))})" if ref.title else ""
    quotes = " … ".join(f"“{quoted(text)}”" for text in ref.quotes)
    source = f"{_name(ref.uri, ref.link)}{title}{', ' + where if where else ''}"
    return f"- [{ref.number}] {source}{': ' + quotes if quotes else ''}"


def _name(uri: str, link: str) -> str:
    # Angle brackets keep an address whole whatever brackets it holds.
    return f"<{link}>" if link else code(uri)


def _source(source: Source, words: Mapping[str, str]) -> str:
    notes = [words["source_" + source.status]]
    if source.status == "ok":
        notes.append(words["tier_" + source.tier])
    if source.published_at:
        notes.append(f"{words['dated']} {source.published_at.date().isoformat()}")
    return f"- {_name(source.uri, safe_link(source))} ({', '.join(notes)}){_dash(source.reason)}"


def _run(report: Report, words: Mapping[str, str]) -> list[str]:
    blocks = [f"## {words['run']}"]
    if report.steps:
        header = " | ".join(words[key] for key in ("round", "queries", "hits", "new_facts", "gaps"))
        rows = [f"| {header} |", "| --- | --- | --- | --- | --- |"]
        for step in report.steps:
            queries = "; ".join(_cell(code(query)) for query in step.queries)
            gaps = "; ".join(_cell(escape(one_line(gap.reason))) for gap in step.gaps) or words["none"]
            rows.append(f"| {step.iteration} | {queries} | {step.hits} | {step.new_facts} | {gaps} |")
        blocks.append("\n".join(rows))
    lines = [f"- {words['stopped']}: {words['stop_' + report.stop_reason]} ({code(report.stop_reason)})"]
    lines += _items(words["checks"], _doubts(report.answer.claims, words))
    lines += _items(words["issues"], (f"{code(x.kind)} {x.claim_id}{_dash(x.message)}" for x in report.issues))
    lines += _items(words["repairs"], (_patch(item, words) for item in report.repairs))
    lines += _items(words["fallbacks"], (f"{code(x.step)}{_dash(x.reason)}" for x in report.fallbacks))
    lines += _items(words["recalled"], (escape(one_line(x.question)) for x in report.episodes))
    lines.append(f"- {words['hosts']}: {', '.join(code(host) for host in report.hosts_contacted) or words['none']}")
    lines.append(f"- {words['spent']}: {spent(report, words)}")
    return [*blocks, "\n".join(lines)]


def _patch(item: Patch, words: Mapping[str, str]) -> str:
    refused = "" if item.taken else f" ({words['not_taken']})"
    return f"{item.claim_id}: {words['patch_' + item.action]}{refused}{_dash(item.reason)}"


def spent(report: Report, words: Mapping[str, str]) -> str:
    """Return the ledger in one line."""
    ledger = report.ledger
    parts = [
        f"{words['rounds']} {ledger.iterations}",
        f"{words['facts']} {ledger.facts}",
        f"{words['repairs']} {ledger.repairs}",
        f"{words['model_calls']} {ledger.model_calls}",
        f"{words['tokens']} {ledger.prompt_tokens + ledger.completion_tokens}",
    ]
    if ledger.cost_usd is not None:
        parts.append(f"US$ {ledger.cost_usd:.4f}")
    return ", ".join([*parts, f"{ledger.seconds:.1f} {words['seconds']}"])


def _doubts(claims: Iterable[Claim], words: Mapping[str, str]) -> list[str]:
    """One line for all claims by support, then one for each that is not plainly supported."""
    claims = list(claims)
    counts = [
        f"{sum(claim.support == kind for claim in claims)} {words['support_' + kind]}"
        for kind in ("supported", "partial", "not_checked", "unsupported")
        if any(claim.support == kind for claim in claims)
    ]
    lines = [", ".join(counts)] if counts else []
    lines += [
        f"{claim.claim_id} ({claim.score:.2f}){_dash('; '.join(claim.reasons))}"
        for claim in claims
        if claim.support != "supported"
    ]
    return lines


def _items(name: str, items: Iterable[str]) -> list[str]:
    found = list(items)
    if len(found) == 1:
        return [f"- {name}: {found[0]}"]
    return [f"- {name}:", *(f"  - {item}" for item in found)] if found else []


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
