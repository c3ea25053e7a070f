// What a run does, drawn while it does it: stages, meters, queries with hits, facts, gaps, issues, repairs.
import { $, el, fill, replace, say } from "./dom.js";
import { limit } from "./settings.js";

const STAGES = ["Read", "Plan", "Search", "Facts", "Write", "Check", "Done"];
const METERS = [["iterations", "max_iterations", "Rounds"], ["facts", "max_facts", "Facts"], ["model_calls", "max_model_calls", "Model calls"], ["tokens", "max_tokens", "Tokens"], ["cost_usd", "max_cost_usd", "US dollars"], ["seconds", "max_seconds", "Seconds"]];
const MOST_LISTED = 200;
const MOST_HITS = 6;

let at = 0;
let began = 0;
let ticking = 0;
let parts = {};
let queries = new Map();
let read = { ok: 0, skipped: 0, failed: 0 };
let settings = {};

export function clear(given = {}) {
  clearInterval(ticking);
  [at, queries, settings, read] = [0, new Map(), given, { ok: 0, skipped: 0, failed: 0 }];
  const stages = el("ol", { class: "stages", "aria-label": "Stages" }, STAGES.map((name) => el("li", {}, name)));
  const block = (title, key, kind = "ul") => {
    const items = el(kind, { "data-kind": key, "aria-label": title, tabindex: 0 });
    const count = el("span", { class: "count" }, "0");
    parts[key] = { items, count, n: 0 };
    return el("section", { "aria-label": title }, el("h3", {}, `${title} `, count), items);
  };
  parts = { stages, progress: el("div", {}), meters: el("div", { class: "meters" }) };
  for (const [name, bound, title] of METERS) {
    const meter = el("meter", { min: 0, "aria-label": title });
    const number = el("b", {}, "0");
    const most = limit(settings, bound);
    if (most) { meter.max = most; meter.high = most * 0.85; }
    const row = el("div", { hidden: name === "cost_usd" && !most }, `${title} `, number, most ? ` of ${most.toLocaleString()}` : "", most ? meter : null);
    parts.meters.append(row);
    parts[`meter-${name}`] = { meter, number, row };
  }
  const found = el("div", { class: "found" }, block("Plan", "plan", "ol"), block("Queries", "query", "ol"), block("Facts", "fact"), block("Gaps", "gap"), block("Issues and repairs", "issue"), block("Sources", "source"));
  const head = el("div", { class: "run-head" }, el("h2", { id: "h-run" }, "The run"), el("button", { type: "button", class: "danger", id: "stop", hidden: true }, "Stop"));
  const shown = el("details", { id: "run-details", open: true }, el("summary", {}, "What was done"), found);
  replace($("run"), head, stages, parts.progress, parts.meters, shown);
  stage(0);
}

function stage(next) {
  at = Math.max(at, next);
  [...parts.stages.children].forEach((item, index) => {
    item.classList.toggle("done", index < at || at === STAGES.length - 1);
    if (index === at && at < STAGES.length - 1) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
}

function add(key, ...children) {
  const part = parts[key];
  part.n += 1;
  part.count.textContent = part.n;
  if (part.n > MOST_LISTED) return null;
  const line = fill(el("li", {}), children);
  part.items.append(line);
  return line;
}

const counted = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

// One way to show each kind of event; a kind that is not here stays quiet.
const SHOWN = {
  progress(e) {
    const verb = { read: "Reading", embed: "Embedding", fetch: "Fetching" }[e.stage] ?? e.stage;
    replace(parts.progress, el("label", { for: "progress" }, `${verb} ${e.done} of ${e.total}`), el("progress", { id: "progress", max: e.total || 1, value: e.done }));
    say(`${verb}…`);
  },
  source(e) {
    read[e.status] = (read[e.status] ?? 0) + 1;
    const line = add("source", e.uri, e.status === "ok" ? null : el("small", { class: e.status === "failed" ? "bad" : "warn" }, ` ${e.status}: ${e.reason}`));
    if (line && e.status !== "ok") line.parentElement.prepend(line);
  },
  plan(e) {
    stage(2);
    replace(parts.progress);
    parts.plan.items.replaceChildren();
    parts.plan.n = 0;
    for (const task of e.subtasks ?? []) add("plan", task);
    say(`Planned: ${counted(e.queries.length, "query", "queries")}.`);
  },
  query(e) {
    stage(2);
    replace(parts.progress);
    row(e.query, e.iteration);
    say(e.iteration ? `Searching, round ${e.iteration}…` : "Searching once more for a repair…");
  },
  hits(e) {
    if (!e.iteration && !queries.has(e.query)) return early(e);
    const found = row(e.query, e.iteration);
    if (!found) return;
    found.count.textContent = ` ${counted(e.hits.length, "passage")}`;
    replace(found.hits, e.hits.slice(0, MOST_HITS).map((hit) => el("li", {}, el("b", {}, hit.uri), hit.page ? ` page ${hit.page}` : "", el("small", {}, ` ${hit.score.toFixed(3)} `), hit.preview)));
  },
  fact(e) { stage(3); add("fact", e.statement); say("Reading facts out of the passages…"); },
  gap(e) { add("gap", e.reason, e.queries?.length ? el("small", {}, ` ${e.queries.join("; ")}`) : null); },
  budget(e) { meters(e); },
  stop(e) { stage(4); say(`Searching ended: ${e.stop_reason.replaceAll("_", " ")}. Writing…`); },
  issue(e) { stage(5); add("issue", e.claim_id ? el("code", {}, e.claim_id) : null, " ", e.message); say("Checking every sentence…"); },
  repair(e) { stage(5); add("issue", el("b", {}, "Repair "), el("code", {}, e.claim_id), ` ${e.action}`, e.reason ? `: ${e.reason}` : ""); },
  fallback(e) { add("issue", el("b", { class: "warn" }, `${e.step} `), `done another way: ${e.reason}`); },
  answer() { stage(5); },
};

function row(query, iteration) {
  if (!queries.has(query)) {
    const [count, hits] = [el("small", {}), el("ul", {})];
    const line = add("query", el("details", {}, el("summary", {}, query, iteration > 1 ? el("small", {}, ` round ${iteration}`) : null, count), hits));
    if (!line) return null;
    queries.set(query, { count, hits });
  }
  return queries.get(query);
}

// The first hits by words alone, while meanings are still being computed.
function early(e) {
  if (!e.hits.length) return;
  const first = e.hits[0];
  replace(parts.progress, [...parts.progress.childNodes], el("p", { class: "hint" }, `First find: ${first.uri}: ${first.preview}`));
}

function meters(spent) {
  for (const [name] of METERS) {
    const value = spent[name];
    if (typeof value !== "number") continue;
    const { meter, number } = parts[`meter-${name}`];
    meter.value = value;
    number.textContent = name === "seconds" ? value.toFixed(1) : name === "cost_usd" ? value.toFixed(4) : value.toLocaleString();
  }
  if (typeof spent.seconds === "number") began = Date.now() - spent.seconds * 1000;
}

export function show(event) {
  SHOWN[event.type]?.(event);
}

export function begin() {
  began = Date.now();
  ticking = setInterval(() => meters({ seconds: (Date.now() - began) / 1000 }), 500);
}

export function end(finished) {
  clearInterval(ticking);
  replace(parts.progress);
  if (finished) stage(STAGES.length - 1);
}

// The same picture from a report, whose account is whole: a run may have been watched in part, or not at all.
export function fromReport(report) {
  clear(report.settings);
  for (const source of report.sources) show({ type: "source", ...source });
  if (report.plan) show({ type: "plan", queries: report.plan.queries, subtasks: report.plan.subtasks.map((task) => task.text) });
  for (const step of report.steps) {
    for (const query of step.queries) show({ type: "hits", query, iteration: step.iteration, hits: report.hits[query] ?? [] });
    for (const gap of step.gaps) show({ type: "gap", ...gap });
  }
  for (const fact of report.facts) add("fact", fact.statement);
  for (const issue of report.issues) show({ type: "issue", ...issue });
  for (const repair of report.repairs) show({ type: "repair", ...repair });
  for (const fallback of report.fallbacks) show({ type: "fallback", ...fallback });
  const { ledger } = report;
  meters({ ...ledger, tokens: ledger.prompt_tokens + ledger.completion_tokens });
  end(true);
  $("run-details").open = false;
}
