// The answer: sentences with numbered passages, conflicts, what stays open, and the report to take away.
import { $, badge, el, list, replace, when } from "./dom.js";
import * as passages from "./passages.js";
import { address } from "./server.js";

const FORMATS = [["md", "Markdown"], ["json", "JSON"], ["html", "HTML"]];

export function show(report, thread) {
  const from = { id: thread.thread_id, run: report.run_id };
  const seen = new Set(report.summary.map((claim) => claim.id));
  const title = [report.question, report.resolved_question].includes(report.title) ? "" : report.title;
  $("answer").lang = report.language;
  replace($("answer"),
    el("p", {}, badge(report.status, report.status_text), " ", el("small", { class: "meta" }, `${when(report.created_at)} · ${report.engine} engine`)),
    title ? el("h2", { dir: "auto" }, title) : null,
    report.resolved_question && report.resolved_question !== report.question ? el("p", { class: "sans hint" }, `Understood as: ${report.resolved_question}`) : null,
    downloads(report, thread, from),
    report.lead ? el("p", { class: "lead" }, report.lead, el("small", {}, report.stop_text)) : null,
    report.summary.length ? [el("h2", {}, "Summary"), claims(report.summary)] : null,
    report.sections.map((section) => {
      const fresh = section.claims.filter((claim) => !seen.has(claim.id));
      return fresh.length ? [el("h2", { dir: "auto" }, section.heading), claims(fresh)] : null;
    }),
    report.conflicts.length ? [el("h2", {}, "Sources disagree"), report.conflicts.map(conflict)] : null,
    report.open_questions.length ? [el("h2", {}, "Not established"), report.open_questions.map(open)] : null,
    report.risks.length ? [el("h2", {}, "Risks and limits"), list(report.risks)] : null,
    account(report, from));
  passages.show(report, from);
  $("reading").hidden = false;
}

function downloads(report, thread, from) {
  const saved = FORMATS.map(([format, name]) => el("a", { class: "button", href: address(`report/${format}`, { ...from, save: 1 }), download: "" }, name));
  const artifacts = thread.artifacts.map((name) => el("a", { class: "button quiet", href: address("artifact", { ...from, name }), download: name }, name));
  return [
    el("div", { class: "downloads", role: "group", "aria-label": "Download the report" }, saved,
      el("a", { class: "button quiet", href: address("report/html", from), target: "_blank", rel: "noopener" }, "Open as a page"),
      el("a", { class: "button quiet", href: `#/compare?${new URLSearchParams({ after: from.id, after_run: from.run })}` }, "Compare")),
    artifacts.length ? el("div", { class: "downloads", role: "group", "aria-label": "Artifacts of the review" }, artifacts) : null,
    checks(thread.checks),
  ];
}

function checks({ coverage, validation }) {
  const told = (name, outcome) => outcome && el("p", { class: "sans hint" }, `${name}: `, badge(outcome.passed ? "supported" : "unsupported", outcome.passed ? "passed" : "failed"));
  return [told("Every claim is supported by its file", coverage), told("Every artifact is whole", validation)];
}

const cites = (numbers, claim) => numbers.map((number) => passages.cite(number, claim));

function claims(many) {
  return el("ul", { class: "claims" }, many.map((claim) => el("li", { id: `claim-${claim.id}` },
    el("span", { dir: "auto" }, claim.text),
    claim.support === "supported" ? null : [" ", badge(claim.support)],
    cites(claim.numbers, claim))));
}

function conflict(found) {
  return el("div", { class: "conflict" }, el("h3", { dir: "auto" }, found.about),
    el("ul", { class: "values" }, found.values.map((value) => el("li", {},
      el("span", { class: value.value === found.preferred ? "preferred" : "", dir: "auto" }, value.value === found.preferred ? `✓ ${value.value}` : value.value),
      cites([value.number]),
      el("small", {}, [value.uri, value.tier, value.dated && `dated ${value.dated}`].filter(Boolean).join(" · ")),
      value.quote ? el("q", { dir: "auto" }, value.quote) : null))),
    el("p", { class: "sans hint" }, found.preferred ? `Preferred: ${found.preferred}. ` : "None is preferred. ", found.reason));
}

function open(item) {
  return el("details", { class: "account" }, el("summary", { dir: "auto" }, el("b", {}, item.question), item.reason ? ` ${item.reason}` : ""),
    item.queries.length ? el("p", {}, "Tried: ", item.queries.map((query) => el("span", { class: "chip" }, query))) : null,
    item.sources.length ? el("p", {}, `Looked in: ${item.sources.join(", ")}`) : null);
}

function account(report, from) {
  const many = [...report.summary, ...report.sections.flatMap((section) => section.claims)];
  const distinct = [...new Map(many.map((claim) => [claim.id, claim])).values()];
  return el("section", { class: "account", "aria-label": "How this was found" }, el("h2", {}, "How this was found"),
    el("p", {}, `${report.stop_text}. ${report.spent}. Hosts contacted: ${report.hosts.join(", ") || "none"}.`),
    el("details", {}, el("summary", {}, `Checks (${distinct.length})`), list(distinct.map((claim) => [el("code", {}, claim.id), " ", badge(claim.support), ` ${claim.score.toFixed(2)} `, el("small", {}, claim.reasons.join(" · "))]))),
    el("details", {}, el("summary", {}, `Sources (${report.sources.length})`), list(report.sources.map((source) => [
      source.link ? el("a", { href: source.link, target: "_blank", rel: "noopener noreferrer nofollow" }, source.uri) : el("a", { href: address("file", { ...from, uri: source.uri }), target: "_blank", rel: "noopener" }, source.uri),
      source.title ? ` ${source.title}` : "", source.dated ? ` · dated ${source.dated}` : "",
      source.status === "ok" ? "" : ` ${source.status}: ${source.reason}`]))),
    report.episodes.length ? el("p", {}, `Earlier runs recalled for the plan: ${[...new Set(report.episodes)].join("; ")}`) : null);
}
