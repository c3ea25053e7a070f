// Which view is shown: the part of the address behind #.
import { $, complain, say, tried } from "./dom.js";
import * as ask from "./ask.js";
import * as compare from "./compare.js";
import * as lists from "./lists.js";
import { own } from "./server.js";
import * as thread from "./thread.js";

const VIEWS = ["ask", "thread", "threads", "episodes", "compare"];
const THEMES = ["system", "light", "dark"];
let first = true;

const route = tried(async () => {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  const view = VIEWS.includes(name) ? name : "ask";
  thread.leave();
  document.title = "citewell";
  for (const each of VIEWS) $(`view-${each}`).hidden = each !== view;
  for (const link of document.querySelectorAll("nav [data-view]")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  // At the first view the reader begins at the top; later the heading is where they want to be.
  if (!first) $(`h-${view}`).focus();
  first = false;
  scrollTo(0, 0);
  if (view === "thread") return thread.show(decoded(rest[0]), decoded(rest[1]));
  if (view === "threads") return lists.threads();
  if (view === "episodes") return lists.episodes();
  if (view === "compare") return compare.show(new URLSearchParams(query));
  return undefined;
});

function decoded(part = "") {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function theme(next) {
  document.documentElement.dataset.theme = next;
  $("theme").setAttribute("aria-label", `Colours: ${next === "system" ? "as the system" : next}`);
  $("theme").textContent = { system: "◐", light: "☀", dark: "☾" }[next];
}

function kept() {
  try {
    return localStorage.getItem("theme") ?? "system";
  } catch {
    return "system";
  }
}

theme(THEMES.includes(kept()) ? kept() : "system");
$("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  theme(next);
  say(`Colours: ${next === "system" ? "as the system" : next}.`);
  try {
    localStorage.setItem("theme", next);
  } catch {
    // Storage may be closed; the choice then lasts as long as the page.
  }
});
$("skip").addEventListener("click", (event) => {
  event.preventDefault();
  $("main").focus();
});
window.addEventListener("hashchange", route);
for (const part of [thread, lists, compare]) part.prepare();
try {
  ask.prepare(await own("start"));
} catch (error) {
  complain(error);
}
await route();
