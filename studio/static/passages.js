// The passages beside the answer, and a whole source opened at the quote.
import { $, el, replace, say, tried } from "./dom.js";
import { address, own } from "./server.js";

let back = null;

// The button behind a sentence: it leads to the passage and comes back from it.
export function cite(number, claim = null) {
  const button = el("button", { type: "button", class: "cite", "data-number": number, "aria-label": `Passage ${number}`, on: { click: () => lead(button, number, claim) } }, `${number}`);
  return button;
}

function lead(button, number, claim) {
  clear();
  back = button;
  button.classList.add("on");
  button.closest("li")?.classList.add("on");
  const card = $(`passage-${number}`);
  card.classList.add("on");
  card.querySelector("details").open = true;
  const marks = [...card.querySelectorAll("mark")];
  const own = claim ? marks.filter((mark) => mark.dataset.claims.split(" ").includes(claim.id)) : [];
  for (const mark of own.length ? own : marks) mark.classList.add("on");
  card.querySelector(".why").textContent = claim?.reasons.length ? `${claim.support}, ${claim.score.toFixed(2)}: ${claim.reasons.join(" · ")}` : "";
  // The first mark comes into view inside its own box, then the card inside the column.
  const [first] = own.length ? own : marks;
  if (first) first.parentElement.scrollTop = first.offsetTop - first.parentElement.offsetTop - 24;
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: matchMedia("(max-width: 56rem)").matches ? "start" : "nearest" });
}

function clear() {
  for (const on of document.querySelectorAll("#reading .on")) on.classList.remove("on");
}

function goBack() {
  const target = back;
  clear();
  back = null;
  target?.focus();
  target?.scrollIntoView({ block: "center" });
}

export function show(report, from) {
  back = null;
  replace($("passages"), el("h2", { id: "h-passages" }, `Passages (${report.references.length})`),
    report.references.length ? report.references.map((ref) => card(ref, from)) : el("p", { class: "hint" }, "No passage is cited."));
}

function card(ref, from) {
  const scores = [["score", "score"], ["words", "score_sparse", "rank_sparse"], ["meaning", "score_dense", "rank_dense"], ["fused", "score_fused"]]
    .filter(([, key]) => typeof ref.scores[key] === "number")
    .map(([name, key, rank]) => el("div", {}, el("dt", {}, name), el("dd", {}, ref.scores[key].toFixed(3), ref.scores[rank] ? ` (rank ${ref.scores[rank]})` : "")));
  return el("section", { class: "passage", id: `passage-${ref.number}`, tabindex: -1, "aria-label": `Passage ${ref.number}: ${ref.uri}` },
    el("h3", {}, el("span", { class: "n" }, `${ref.number}`), el("span", {}, ref.uri)),
    el("p", { class: "hint" }, where(ref)),
    ref.quotes.map((quote) => el("blockquote", { dir: "auto" }, quote)),
    el("p", { class: "hint why" }),
    el("details", {}, el("summary", {}, "The whole passage"),
      el("div", { class: "text", dir: "auto", tabindex: 0, role: "group", "aria-label": `Text of passage ${ref.number}` }, ref.segments.map((piece) => piece.marked ? el("mark", { "data-claims": piece.claims.join(" ") }, piece.text) : piece.text)),
      el("dl", { class: "scores" }, scores),
      ref.queries.length ? el("p", { class: "hint" }, "Found by: ", ref.queries.slice(0, 4).map((query) => el("span", { class: "chip" }, query)), ref.queries.length > 4 ? `and ${ref.queries.length - 4} more` : "") : null),
    el("div", { class: "actions" },
      el("button", { type: "button", on: { click: tried(() => open(ref, from)) } }, "Open the source here"),
      ref.link ? el("a", { class: "button", href: atQuote(ref), target: "_blank", rel: "noopener noreferrer nofollow" }, "Open the page") : null,
      el("button", { type: "button", class: "quiet", on: { click: goBack } }, "Back to the answer")));
}

const where = (ref) => [...new Set([ref.title, ref.place].filter(Boolean))].join(" · ");

// A text fragment leads browsers to the quoted words.
function atQuote(ref) {
  const words = (ref.quotes[0] ?? "").replace(/\s+/g, " ").trim().slice(0, 120);
  return words && !ref.link.includes("#") ? `${ref.link}#:~:text=${encodeURIComponent(words).replaceAll("-", "%2D")}` : ref.link;
}

async function open(ref, from) {
  const found = await own("source", { ...from, chunk: ref.chunk_id });
  const text = el("div", { class: "text", dir: "auto", tabindex: 0, role: "document", "aria-label": "Text of the source" },
    found.before ? el("p", { class: "hint" }, `… ${found.before.toLocaleString()} characters before`) : null,
    found.pieces.map((piece) => el(piece.marked ? "mark" : "span", { class: [piece.passage && "in", piece.passage && piece.marked && "on"].filter(Boolean).join(" ") || null }, piece.text)),
    found.after ? el("p", { class: "hint" }, `${found.after.toLocaleString()} characters after …`) : null);
  const dialog = $("source");
  const file = found.file && el("a", { class: "button", href: `${address("file", { ...from, uri: found.uri })}${found.page ? `#page=${found.page}` : ""}`, target: "_blank", rel: "noopener" }, found.page ? `Open the file at page ${found.page}` : "Download the file");
  replace(dialog, el("header", {}, el("div", {}, el("h2", { id: "source-name" }, found.uri), el("p", { class: "hint" }, where(ref))),
    el("button", { type: "button", autofocus: true, on: { click: () => dialog.close() } }, "Close")),
    found.changed ? el("p", { class: "error" }, "The source has changed since this run: this is the passage as it was read.") : null,
    text, el("footer", { class: "row" }, file, found.link ? el("a", { class: "button", href: atQuote(ref), target: "_blank", rel: "noopener noreferrer nofollow" }, "Open the page") : null));
  dialog.showModal();
  const first = text.querySelector("mark.in") ?? text.querySelector(".in");
  if (first) text.scrollTop = first.offsetTop - text.offsetTop - text.clientHeight / 3;
  say(`${found.uri} is open at the quote.`);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && back && !$("source").open) goBack();
});
