// Threads and episodes of this home, those of the command line too.
import { $, badge, el, list, replace, say, when } from "./dom.js";
import { again } from "./ask.js";
import { busyThreads, own } from "./server.js";

let found = [];

export async function threads() {
  const [all, busy] = await Promise.all([own("threads"), busyThreads()]);
  found = all.map((thread) => ({ ...thread, status: busy.has(thread.thread_id) ? "running" : thread.status }));
  draw();
}

function draw() {
  const wanted = $("thread-filter").value.trim().toLowerCase();
  const some = found.filter((thread) => `${thread.question} ${thread.thread_id}`.toLowerCase().includes(wanted));
  replace($("threads"), some.map((thread) => el("li", {},
    el("a", { class: "title", href: `#/thread/${encodeURIComponent(thread.thread_id)}` }, thread.question || "A conversation"),
    el("p", { class: "meta" }, badge(thread.status), ` ${when(thread.updated_at)} · ${thread.graph}`,
      thread.turns > 1 ? ` · ${thread.turns} questions` : "", thread.here ? "" : " · command line"))));
  say(some.length ? `${some.length} ${some.length === 1 ? "thread" : "threads"}.` : found.length ? "No thread has these words." : "No threads yet: ask a question.");
}

export async function episodes() {
  const all = await own("episodes");
  replace($("episodes"), all.map((episode) => el("li", {},
    el("b", {}, episode.question), el("p", { class: "meta" }, when(episode.created_at)),
    episode.useful_sources.length ? el("details", {}, el("summary", {}, `Useful sources (${episode.useful_sources.length})`), list(episode.useful_sources)) : null,
    el("details", {}, el("summary", {}, `Queries (${episode.queries.length})`), list(episode.queries)),
    el("button", { type: "button", class: "quiet", "aria-label": `Ask again: ${episode.question}`, on: { click: () => again(episode.question) } }, "Ask again"))));
  say(all.length ? `${all.length} ${all.length === 1 ? "episode" : "episodes"}.` : "No episodes yet: a run that answers leaves one.");
}

export const prepare = () => $("thread-filter").addEventListener("input", draw);
