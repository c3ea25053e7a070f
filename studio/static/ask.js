// The first view: a question, its sources, how to go about it.
import { $, complain, say, tried } from "./dom.js";
import { newThread, startRun } from "./server.js";
import * as settings from "./settings.js";
import * as sources from "./sources.js";
import { expect } from "./thread.js";

let reviews = "";

export function prepare(start) {
  reviews = start.reviews;
  sources.prepare(start);
  settings.prepare(start);
  $("use-sample").addEventListener("click", () => {
    sources.choose(start.sample.path);
    if (!$("question").value.trim()) $("question").value = start.sample.question;
    $("go").focus();
    say("The sample dataroom is chosen.");
  });
  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    $("go").disabled = true;
    ask().finally(() => { $("go").disabled = false; });
  });
  $("ask").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("ask").requestSubmit();
  });
  say(start.engine === "chat" ? `Ready. ${start.model} plans and writes; every sentence is checked.` : "Ready. The embedded engine answers: no key, no network.");
}

// Fill the form for a question that was asked before.
export function again(question, given = {}) {
  sources.forget();
  $("question").value = question;
  for (const path of given.docs ?? []) sources.choose(path);
  sources.choosePages(given.urls ?? []);
  location.hash = "#/";
}

const ask = tried(async () => {
  const question = $("question").value.trim();
  const chosen = await sources.chosen();
  const graph = new FormData($("ask")).get("graph");
  const problem = wrong(graph, question, chosen);
  if (problem) return complain(problem);
  say("Asking…");
  const thread = await newThread(question);
  const context = settings.changed();
  if ($("approve").checked) context.approve_plan = true;
  const input = graph === "diligence" ? { question, dataroom: chosen.docs[0], out: `${reviews}/${thread}` } : { question, ...chosen };
  expect(thread, question, input, context);
  await startRun(thread, { assistant_id: graph, input, context });
  location.hash = `#/thread/${encodeURIComponent(thread)}`;
});

function wrong(graph, question, { docs, urls, web }) {
  if (!question) return "Write a question first.";
  if (graph === "diligence" && (docs.length !== 1 || urls.length || web)) return "A review takes one folder: choose exactly one, and no pages.";
  if (!docs.length && !urls.length && !web) return "Choose at least one source: a folder, a file, a page, or the web.";
  const odd = urls.find((url) => !/^https?:\/\/[^\s/]+/i.test(url));
  return odd ? `${odd}: not an address that begins with http:// or https://` : "";
}
