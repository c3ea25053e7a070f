from __future__ import annotations

from citewell.reports.diff import diff_reports
from citewell.state.records import Answer, Section
from report_builder import ANNUAL, EXPORT, FOUNDED, FUEL, REASON, SHIPS, WIKI, claim, sample_report


def report_of(*claims, **changes):
    answer = Answer(executive_summary=claims[:1], sections=(Section(heading="Rest", claims=claims[1:]),))
    return sample_report(answer=answer, **changes)


def ids(changes):
    return [(change.before.claim_id, change.after.claim_id) for change in changes]


def test_a_report_does_not_differ_from_itself():
    assert not diff_reports(sample_report(), sample_report(run_id="other", thread_id="t-9"))


def test_new_and_gone_claims_are_told():
    found = diff_reports(report_of(FUEL, SHIPS), report_of(FUEL, FOUNDED))
    assert ([x.claim_id for x in found.new], [x.claim_id for x in found.gone]) == (["C-003"], ["C-002"])


def test_another_figure_in_the_same_words_is_a_changed_value():
    now = claim(
        7, "Fuel cost rose to EUR 44.0 million in 2024, from EUR 37.9 million in 2023.", ANNUAL, "Fuel cost rose"
    )
    found = diff_reports(report_of(FUEL), report_of(now))
    assert ids(found.values) == [("C-001", "C-007")]
    assert (found.new, found.gone, found.worded) == ((), (), ())


def test_the_same_figure_written_otherwise_is_not_a_changed_value():
    before = claim(1, "Fuel cost was EUR 41.2 million in 2024.", ANNUAL, "Fuel cost rose")
    after = claim(1, "Fuel cost was EUR 41,200,000 in 2024.", ANNUAL, "Fuel cost rose")
    found = diff_reports(report_of(before), report_of(after))
    assert found.values == ()
    assert ids(found.worded) == [("C-001", "C-001")]


def test_another_verdict_on_the_same_sentence_is_told():
    doubted = SHIPS.model_copy(update={"support": "partial", "claim_id": "C-009"})
    assert ids(diff_reports(report_of(SHIPS), report_of(doubted)).support) == [("C-002", "C-009")]


def test_other_passages_for_the_same_sentence_are_told():
    elsewhere = claim(2, SHIPS.text, WIKI, "It was founded in 1921")
    assert ids(diff_reports(report_of(SHIPS), report_of(elsewhere)).cited) == [("C-002", "C-002")]


def test_status_and_open_questions_count():
    found = diff_reports(report_of(FUEL), report_of(FUEL, status="answered"))
    assert found.facets == {"status": ("partial", "answered")}
    assert found


def test_equal_sentences_pair_one_to_one():
    twin = claim(2, FUEL.text, EXPORT, "Year: 2024")
    found = diff_reports(report_of(FUEL, twin), report_of(FUEL))
    assert [x.claim_id for x in found.gone] == ["C-002"]


def test_unrelated_sentences_never_pair():
    found = diff_reports(report_of(REASON), report_of(FOUNDED))
    assert (len(found.new), len(found.gone), found.worded, found.values) == (1, 1, (), ())
