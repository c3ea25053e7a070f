"""The claims that answer a plan question first: what was computed, a word with its sentence, versions, or sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ....state.records import Claim
from ...protocol import Passage
from ..found.findings import Finding
from ..found.papers import Papers
from ..found.scoring import Scored
from ..found.telling import amounts_of, subject_terms
from ..found.told_periods import is_row_of
from ..found.weights import holds_any, term_weights
from ..settled.comparing import compare_sides
from ..settled.drivers import told_causes
from ..settled.holders import holder_of
from ..settled.lead import choose_lead, further_names
from ..settled.listed import items_behind
from ..settled.nearness import amendment_of
from ..settled.own_amounts import rules_for
from ..settled.pairs import pair_verdict
from ..settled.roles import role_of
from ..settled.versions import asks_for_former
from .claims import Writer
from .parts import Part

_ROWS_OF_ONE_TIME = 6


def lead_claims(part: Part, writer: Writer, passages: Sequence[Passage]) -> list[Claim]:
    """Return the claims that answer first; of a comparison both sides and, where it follows, the conclusion."""
    computed: list[Claim] = [writer.claim(each.text, each.quotes, part.part.question_id) for each in part.inferences]
    if computed and part.question.answer_type == "explanation":
        return [*computed, *(writer.of(finding, part.part.question_id) for finding in part.findings[:1])]
    if computed and not part.findings:
        return computed
    pair = None if computed else pair_verdict(part.question, part.leading)
    if pair is not None:
        both = writer.claim(f"{pair.answer}. {pair.told}", pair.quotes, part.part.question_id)
        return [both, *(writer.of(finding, part.part.question_id) for finding in pair.aside)]
    comparison = compare_sides(part.question, part.findings)
    if comparison is not None:
        sides = [finding for finding in (comparison.left, comparison.right) if finding is not None]
        claims = [writer.of(finding, part.part.question_id) for finding in sides]
        if comparison.conclusion:
            claims.append(writer.claim(comparison.conclusion, comparison.quotes, part.part.question_id))
        return computed or claims
    role = role_of(part.question, part.findings)
    if role is not None:
        return [writer.claim(role[0], [role[1]], part.part.question_id)]
    holder = holder_of(part.question, part.leading)
    if holder is not None and not computed:
        return [writer.of(holder, part.part.question_id)]
    if not computed and (rules := rules_for(part.question, part.leading)):
        return [writer.of(rule, part.part.question_id) for rule in rules]
    if part.verdict is not None and not computed:
        found, finding = part.verdict, part.verdict.finding
        told = f"{found.answer}. {finding.statement}" if found.answer else finding.statement
        against = [writer.of(each, part.part.question_id) for each in (*found.against, *found.aside)]
        return [writer.claim(told, finding.quotes, part.part.question_id), *against]
    if part.versions and not computed:
        told_first = part.versions[::-1] if asks_for_former(part.question) else part.versions
        return [writer.of(version.finding, part.part.question_id) for version in told_first]
    if not computed and part.members:
        return [writer.of(member, part.part.question_id) for member in part.members]
    weights = term_weights(part.question, passages)
    pool = amounts_of(part.question, part.leading) or told_causes(part.question, part.leading)
    lead = choose_lead(part.question, [finding.scored for finding in pool], weights)
    by_key = {finding.candidate.key: finding for finding in part.findings}
    # Beside a computed answer one sentence is enough.
    chosen = list(lead.chosen[:1] if computed else lead.chosen)
    if chosen and not computed:
        chosen += _same_time(part, chosen[0])
    if part.question.answer_type == "list" and not computed:
        chosen += further_names(part.question, chosen, [finding.scored for finding in part.findings])
    leads = [by_key[scored.candidate.key] for scored in chosen]
    amended = amendment_of(leads[0], part.findings, Papers(part.passages)) if leads and not computed else None
    if amended is not None and amended not in leads and not asks_for_former(part.question):
        first = holds_any(amended.candidate.terms, subject_terms(part.question))
        leads = [amended, *leads] if first else [leads[0], amended, *leads[1:]]
    # A list answers before what stands beside it.
    leads.sort(key=lambda finding: not items_behind(finding.candidate))
    return [*computed, *(claim for finding in leads for claim in _with_its_list(finding, part, writer))]


def _with_its_list(finding: Finding, part: Part, writer: Writer) -> list[Claim]:
    """Return the claim of a finding, with those of the list that it introduces, each with its own place."""
    items = items_behind(finding.candidate)
    told = [writer.claim(" ".join(item.text.split()), [item], part.part.question_id) for item in items]
    return [writer.of(finding, part.part.question_id), *told]


def _same_time(part: Part, first: Scored) -> list[Scored]:
    """Return the further rows of the export whose row leads, where an amount of one time has several: its parts."""
    row = first.candidate.row
    if part.question.answer_type != "number" or row is None or not is_row_of(part.question, first.candidate):
        return []
    headers = [cell.header for cell in row.cells]
    return [
        each.scored
        for each in part.findings
        if (other := each.candidate.row) is not None
        and each.scored is not first
        and other.uri == row.uri
        and [cell.header for cell in other.cells] == headers
        and is_row_of(part.question, each.candidate)
    ][: _ROWS_OF_ONE_TIME - 1]
