// A run that waits for a person: for its plan (edit the queries, approve, reject with a reason), or for where to look.
import { $, el, list, replace, say } from "./dom.js";

export function ask(shown, decide) {
  if (shown.plan) askPlan(shown, decide);
  else askWhere(shown, decide);
}

function askPlan({ plan, error }, decide) {
  const shown = plan.queries.join("\n");
  const queries = el("textarea", { id: "plan-queries", rows: Math.min(14, plan.queries.length + 2), "aria-describedby": "plan-hint", value: shown });
  const reason = el("input", { id: "plan-reason", autocomplete: "off" });
  const told = el("p", { class: "error", role: "alert", hidden: !error }, error ?? "");
  const wrong = (text) => {
    told.textContent = text;
    told.hidden = false;
    queries.focus();
  };
  const form = $("plan");
  replace(form, el("h2", { id: "h-plan" }, "Approve the plan"), el("p", {}, plan.goal), told,
    el("h3", {}, "Questions to settle"), list(plan.subtasks.map((task) => task.text)),
    plan.recalled?.length ? el("p", { class: "hint" }, "Earlier runs shaped this plan.") : null,
    el("label", { for: "plan-queries" }, "Queries, one a line"), queries,
    el("p", { class: "hint", id: "plan-hint" }, "Change, remove or add lines; what stands here is searched."),
    el("label", { for: "plan-reason" }, "Reason, for a rejection"), reason,
    el("p", { class: "row" }, el("button", { class: "primary", value: "go" }, "Go on"), el("button", { class: "danger", value: "reject" }, "Reject")));
  form.hidden = false;
  form.onsubmit = (event) => {
    event.preventDefault();
    if (event.submitter?.value === "reject") {
      form.hidden = true;
      return decide({ action: "reject", reason: reason.value.trim() });
    }
    const wanted = queries.value.split("\n").map((line) => line.trim()).filter(Boolean);
    if (!wanted.length) return wrong("Keep at least one query, or reject the plan.");
    form.hidden = true;
    return decide(wanted.join("\n") === shown ? { action: "approve" } : { action: "edit", queries: wanted });
  };
  say("The plan waits for you.");
  queries.focus();
}

function askWhere({ ask: asking, question, suggested, error }, decide) {
  const lines = (area) => area.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const docs = el("textarea", { id: "where-docs", rows: 2, spellcheck: "false" });
  const urls = el("textarea", { id: "where-urls", rows: 2, spellcheck: "false", value: (suggested?.urls ?? []).join("\n") });
  const form = $("plan");
  replace(form, el("h2", { id: "h-plan" }, asking ?? "The run waits for an answer"), question ? el("p", {}, question) : null,
    el("p", { class: "error", role: "alert", hidden: !error }, error ?? ""),
    el("label", { for: "where-docs" }, "Files and folders on the server, one a line"), docs,
    el("label", { for: "where-urls" }, "Web pages, one address a line"), urls,
    el("p", { class: "row" }, el("button", { class: "primary", value: "go" }, "Look there"), el("button", { class: "danger", value: "reject" }, "End the run")));
  form.hidden = false;
  form.onsubmit = (event) => {
    event.preventDefault();
    form.hidden = true;
    if (event.submitter?.value === "reject") return decide({ action: "cancel" });
    return decide({ action: "look", docs: lines(docs), urls: lines(urls) });
  };
  say("The run waits for you.");
  docs.focus();
}
