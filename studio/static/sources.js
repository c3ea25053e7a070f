// Choosing where to look: folders of the server, files of this computer, pages, the web.
import { $, el, fill, replace, size, tried } from "./dom.js";
import { own } from "./server.js";

const paths = new Set();
let set = "";
let folder = "";
let limits = { max_file_bytes: 0, max_files: 0 };
let uploading = Promise.resolve();

export const pages = () => $("urls").value.split("\n").map((line) => line.trim()).filter(Boolean);

// What the question will be asked over; waits for uploads that are under way.
export async function chosen() {
  await uploading;
  return { docs: [...paths, ...(folder ? [folder] : [])], urls: pages(), web: $("web").checked };
}

export function choose(path) {
  if (path.trim()) paths.add(path.trim());
  draw();
}

export function choosePages(urls) {
  $("urls").value = urls.join("\n");
  $("from-pages").open = urls.length > 0;
}

export function forget() {
  paths.clear();
  [set, folder] = ["", ""];
  $("urls").value = "";
  replace($("uploads"));
  draw();
}

function draw() {
  replace($("chosen"), [...paths].map((path) =>
    el("li", {}, el("span", {}, path), el("button", { type: "button", "aria-label": `Remove ${path}`, on: { click: () => {
      paths.delete(path);
      draw();
      $("path").focus();
    } } }, "Remove"))));
  $("none-chosen").hidden = paths.size > 0 || folder !== "" || pages().length > 0 || $("web").checked;
}

// The folder browser: one folder at a time, opened and added by buttons.
const look = tried(async (path, focus = false) => {
  const found = await own("folder", { path });
  const up = found.above && el("button", { type: "button", on: { click: () => look(found.above, true) } }, "Up");
  const addThis = el("button", { type: "button", on: { click: () => choose(found.path) } }, "Add this folder");
  const entries = found.entries.map((entry) => el("li", {},
    entry.folder
      ? el("button", { type: "button", on: { click: () => look(entry.path, true) } }, `${entry.name}/`)
      : el("span", {}, entry.name, " ", el("small", {}, size(entry.size))),
    el("button", { type: "button", class: "add", "aria-label": `Add ${entry.name}`, on: { click: () => choose(entry.path) } }, "Add")));
  replace($("browser"), el("div", { class: "here" }, el("span", {}, found.path), el("span", { class: "row" }, up, addThis)),
    entries.length ? el("ul", {}, entries) : el("p", { class: "hint" }, "Nothing in here."),
    found.more ? el("p", { class: "hint" }, `${found.more} more are not shown; give the path.`) : null);
  if (focus) (up || addThis).focus();
});

async function upload(file) {
  const line = el("li", {}, el("span", {}, `${file.name}, ${size(file.size)}: uploading…`));
  $("uploads").append(line);
  try {
    if (file.size > limits.max_file_bytes) throw new Error(`${file.name}: larger than ${size(limits.max_file_bytes)}, the most one file may have`);
    const before = new Set([...$("uploads").querySelectorAll("[data-name]")].map((each) => each.dataset.name));
    const found = await own("upload", { set, name: file.name }, { method: "PUT", body: file });
    [set, folder] = [found.set, found.path];
    const kept = found.files.find((each) => !before.has(each.name)) ?? { name: file.name, size: file.size };
    line.dataset.name = kept.name;
    replace(line, el("span", {}, `${kept.name}, ${size(kept.size)}`),
      el("button", { type: "button", "aria-label": `Remove ${kept.name}`, on: { click: tried(() => remove(kept.name, line)) } }, "Remove"));
  } catch (error) {
    replace(line, el("span", { class: "error", role: "alert" }, `Refused: ${error.message}`),
      el("button", { type: "button", "aria-label": `Dismiss the message about ${file.name}`, on: { click: () => line.remove() } }, "Dismiss"));
  }
  draw();
}

async function remove(name, line) {
  const found = await own("upload", { set, name }, { method: "DELETE" });
  folder = found.files.length ? found.path : "";
  line.remove();
  draw();
  $("files").focus();
}

export function prepare(start) {
  limits = start.uploads;
  $("path-hint").textContent = `Inside ${start.roots.join(", ") || "the working directory"}.`;
  $("files-hint").textContent = `PDF, Word, Excel, PowerPoint, HTML, Markdown, text, CSV, JSON, mail; each up to ${size(limits.max_file_bytes)}. They stay on the server, in its own folder.`;
  $("web").disabled = !start.web;
  $("web-hint").hidden = start.web;
  $("sample").hidden = !start.sample;
  const add = () => {
    choose($("path").value);
    $("path").value = "";
  };
  $("add-path").addEventListener("click", add);
  $("path").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  });
  $("from-server").addEventListener("toggle", () => {
    if (!$("from-server").open || $("browser").childElementCount) return;
    if (start.roots.length === 1) look(start.roots[0]);
    else fill($("browser"), el("ul", {}, start.roots.map((root) => el("li", {},
      el("button", { type: "button", on: { click: () => look(root, true) } }, `${root}/`),
      el("button", { type: "button", class: "add", "aria-label": `Add ${root}`, on: { click: () => choose(root) } }, "Add")))));
  });
  $("files").addEventListener("change", () => {
    const files = [...$("files").files];
    $("files").value = "";
    // One after the other: the first one names the set.
    for (const file of files) uploading = uploading.then(() => upload(file));
  });
  for (const id of ["urls", "web"]) $(id).addEventListener("input", draw);
  draw();
}
