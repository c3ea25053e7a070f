// Two reports side by side: claims that are new, gone, or say another value.
import { $, badge, el, replace, say, tried, when } from "./dom.js";
import { own } from "./server.js";

const SIDES = ["before", "after"];

export async function show(given) {
  const threads = (await own("threads")).filter((thread) => thread.turns > 0 || thread.status !== "interrupted");
  $("difference").hidden = true;
  for (const side of SIDES) {
    replace($(side), threads.map((thread) => el("option", { value: thread.thread_id }, `${thread.question} (${thread.status.replaceAll("_", " ")}, ${when(thread.updated_at)})`)));
    const wanted = given.get(side);
    // The one before is the older by default.
    if (threads.length) $(side).value = wanted && threads.some((thread) => thread.thread_id === wanted) ? wanted : threads[side === "before" ? Math.min(1, threads.length - 1) : 0].thread_id;
    await turns(side, given.get(`${side}_run`) ?? "");
  }
  say(threads.length > 1 ? "Choose two runs." : "Two finished runs are needed to compare.");
}

async function turns(side, wanted = "") {
  const found = $(side).value ? (await own("thread", { id: $(side).value })).turns : [];
  replace($(`${side}-turn`), found.map((turn) => el("option", { value: turn.run_id }, `${turn.question} (${turn.status.replaceAll("_", " ")})`)));
  if (found.some((turn) => turn.run_id === wanted)) $(`${side}-turn`).value = wanted;
}

const claim = (each) => [el("code", {}, each.id), ` ${each.text}`];
const both = (change) => [el("del", {}, change.before.text), el("ins", {}, change.after.text)];

function draw(found) {
  const block = (title, items, shape) => items.length ? [el("h2", {}, `${title} (${items.length})`), el("ul", { class: "changes" }, items.map((item) => el("li", {}, shape(item))))] : null;
  const other = Object.entries(found.other).map(([name, change]) => ({ name: name.replaceAll("_", " "), ...change }));
  replace($("difference"), found.different ? null : el("p", {}, "No difference: the same claims, passages and sources."),
    block("Other values", found.values, both),
    block("Other words", found.worded, both),
    block("Support moved", found.support, (change) => [claim(change.after), " ", badge(change.before.support), " → ", badge(change.after.support)]),
    block("Other passages", found.cited, (change) => claim(change.after)),
    block("New", found.new, (each) => el("ins", {}, each.text)),
    block("Gone", found.gone, (each) => el("del", {}, each.text)),
    block("Beyond the claims", other, (change) => [el("b", {}, change.name), el("del", {}, change.before || "none"), el("ins", {}, change.after || "none")]));
  $("difference").hidden = false;
  $("difference").focus();
  say(found.different ? "The runs differ." : "No difference.");
}

export function prepare() {
  for (const side of SIDES) $(side).addEventListener("change", tried(() => turns(side)));
  $("compare").addEventListener("submit", tried(async (event) => {
    event.preventDefault();
    const [id, run, other, other_run] = ["before", "before-turn", "after", "after-turn"].map((name) => $(name).value);
    if (!run || !other_run) throw new Error("Choose two finished runs.");
    draw(await own("compare", { id, run, other, other_run }));
  }));
}
