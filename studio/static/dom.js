// Elements from plain values.  Text enters as text nodes alone, so that nothing stored can become markup.

export const $ = (id) => document.getElementById(id);

// el("a", {class: "x", href: "#/", on: {click: f}}, "text", child, [more]); null children are left out.
export function el(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [kind, listener] of Object.entries(value)) made.addEventListener(kind, listener);
    else if (key === "value") made.value = value;
    else if (key === "href") setLink(made, value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  fill(made, children);
  return made;
}

export function fill(parent, children) {
  for (const child of [children].flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== "") parent.append(child);
  }
  return parent;
}

export const replace = (parent, ...children) => {
  parent.replaceChildren();
  return fill(parent, children);
};

// An address is ours, or a page's; any other scheme stays dead.
function setLink(made, address) {
  if (/^(#|\/app\/|https?:\/\/)/i.test(address)) made.setAttribute("href", address);
}

// A list with what stands in its place where it is empty.
export const list = (items, empty = "None.") =>
  items.length ? el("ul", {}, items.map((item) => el("li", {}, item))) : el("p", { class: "hint" }, empty);

export const badge = (status, text = status.replaceAll("_", " ")) => el("span", { class: `badge ${status}` }, text);

export const when = (iso) => {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? "" : at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
};

export const size = (bytes) =>
  bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

// What is said aloud by a screen reader, and shown under the header.
let last = "";
export function say(text) {
  if (text !== last) $("status").textContent = last = text;
}

export function complain(error) {
  const text = error instanceof Error ? error.message : error;
  $("problem").textContent = text || "";
  $("problem").hidden = !text;
  if (text) $("problem").scrollIntoView({ block: "nearest" });
}

// Run something and show what went wrong in one line.
export const tried = (work) => async (...given) => {
  complain("");
  try {
    return await work(...given);
  } catch (error) {
    complain(error);
    return undefined;
  }
};
