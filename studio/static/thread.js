// One thread: its run while it lasts, a plan that waits, its answers, and the next question.
import { $, el, replace, say, tried, when } from "./dom.js";
import * as answer from "./answer.js";
import { again } from "./ask.js";
import * as live from "./live.js";
import * as plan from "./plan.js";
import * as run from "./run.js";
import { activeRun, own, startRun } from "./server.js";
import { changed } from "./settings.js";

const PARTS = ["unfinished", "plan", "run", "reading", "follow", "turns"];
// Runs that this page began: what is known of them before they have saved anything.
const begun = new Map();
let shown = "";

export const expect = (id, question, sources, settings) => begun.set(id, { thread_id: id, question, sources, settings, graph: sources.dataroom ? "diligence" : "research" });

export function leave() {
  run.leave();
  shown = "";
}

export async function show(id, wanted) {
  leave();
  shown = id;
  for (const part of PARTS) $(part).hidden = true;
  replace($("h-thread"), "…");
  replace($("thread-meta"));
  const active = await activeRun(id);
  if (active) return watch(id, active);
  return settled(id, wanted);
}

async function watch(id, active) {
  const known = begun.get(id) ?? (await own("thread", { id }).catch(() => null));
  if (shown !== id) return;
  if (known) head(known, known.question);
  else replace($("h-thread"), "A question that has just begun");
  for (const part of ["unfinished", "plan", "follow"]) $(part).hidden = true;
  $("reading").hidden = true;
  await run.follow(id, active, known?.settings ?? {}, (stopped) => settled(id, "", stopped));
}

async function settled(id, wanted = "", stopped = false) {
  const found = await saved(id);
  if (shown !== id) return;
  const turn = found.turns.find((each) => each.run_id === wanted) ?? found.turns[0];
  const open = found.waiting || found.unfinished;
  head(found, open ? found.question : turn?.question ?? found.question);
  $("plan").hidden = $("unfinished").hidden = $("follow").hidden = true;
  turns(found, turn, open);
  if (found.messages?.length) return talk(found);
  if (open && !wanted) return found.waiting ? waiting(found) : unfinished(found, stopped);
  if (!turn) return nothing(found, stopped);
  const report = await own("report", { id, run: turn.run_id });
  if (shown !== id) return;
  live.fromReport(report);
  $("run").hidden = false;
  answer.show(report, turn === found.turns[0] ? found : { ...found, artifacts: [], checks: {} });
  $("follow").hidden = !found.here || found.graph !== "research" || Boolean(open);
  say(`${report.status_text}. ${report.stop_text}.`);
  if (!found.here) at_the_command_line(found);
}

// A run that was stopped in the queue has saved nothing, but what was asked is known here.
async function saved(id) {
  try {
    const found = await own("thread", { id });
    begun.delete(id);
    return found;
  } catch (error) {
    if (!begun.has(id)) throw error;
    return { ...begun.get(id), here: true, turns: [], artifacts: [], checks: {} };
  }
}

function head(found, question) {
  replace($("h-thread"), question || "A question");
  document.title = `${question || "A question"} · citewell`;
  const { docs = [], urls = [], web, dataroom, corpus } = found.sources;
  const where = dataroom ? [dataroom] : [...docs, ...urls, corpus, web && "the web"].filter(Boolean);
  const how = { diligence: "Review of ", research: "Over " }[found.graph];
  replace($("thread-meta"), how ? [how, where.join(", ") || "no source"] : found.graph, " · thread ", el("code", {}, found.thread_id));
}

function turns(found, turn, open) {
  $("turns").hidden = found.turns.length + (open ? 1 : 0) < 2;
  replace($("turns"), [...found.turns].reverse().map((each) => el("a", {
    href: `#/thread/${encodeURIComponent(found.thread_id)}/${encodeURIComponent(each.run_id)}`,
    title: when(each.created_at),
    "aria-current": each === turn && !open ? "true" : null,
  }, each.question)), open ? el("a", { href: `#/thread/${encodeURIComponent(found.thread_id)}`, "aria-current": "true" }, "Under way") : null);
}

function waiting(found) {
  if (!found.here) return at_the_command_line(found);
  plan.ask(found.waiting, (decision) => go(found, { command: { resume: decision } }));
  return undefined;
}

function unfinished(found, stopped) {
  if (!found.here) return at_the_command_line(found);
  replace($("unfinished"), el("h2", {}, stopped ? "Stopped" : "This run did not end"), el("p", {}, "What it finished is kept: resuming repeats no finished call."),
    el("p", { class: "row" }, el("button", { type: "button", class: "primary", on: { click: () => go(found, { input: null }) } }, "Resume"), askAgain(found)));
  $("unfinished").hidden = false;
  say(stopped ? "Stopped. Resume goes on where it was." : "This run did not end.");
  return undefined;
}

// A thread of another graph has no report: what was said is shown as it was said.
function talk(found) {
  replace($("unfinished"), el("ol", { class: "talk", "aria-label": "Conversation" }, found.messages.map(({ by, text }) =>
    el("li", {}, el("b", {}, by === "human" ? "You" : "citewell"), el("p", { dir: "auto" }, text)))));
  $("unfinished").hidden = false;
  say("A conversation.");
}

function nothing(found, stopped) {
  replace($("unfinished"), el("h2", {}, stopped ? "Stopped before it began" : "No answer"), el("p", { class: "row" }, askAgain(found)));
  $("unfinished").hidden = false;
  say(stopped ? "Stopped before it began." : "This thread has no answer yet.");
}

const askAgain = (found) => el("button", { type: "button", on: { click: () => again(found.question, found.sources) } }, "Ask again");

function at_the_command_line(found) {
  const command = found.waiting || found.unfinished ? `citewell resume ${found.thread_id}` : `citewell research "…" --thread ${found.thread_id}`;
  replace($("unfinished"), el("p", {}, "This thread was begun at the command line and goes on there: ", el("code", {}, command)));
  $("unfinished").hidden = false;
}

const go = tried(async (found, given) => {
  const context = given.input?.question ? changed() : {};
  const id = await startRun(found.thread_id, { assistant_id: found.graph, context, ...given });
  await watch(found.thread_id, id);
});

export function prepare() {
  const ask = (event) => {
    event?.preventDefault();
    const question = $("follow-question").value.trim();
    if (!question || !shown) return;
    $("follow-question").value = "";
    // Without sources the question goes to those that the thread has.
    go({ thread_id: shown, graph: "research" }, { input: { question } });
  };
  $("follow").addEventListener("submit", ask);
  $("follow-question").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask(event);
  });
}
