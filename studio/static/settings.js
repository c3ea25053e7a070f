// The settings that the form offers, drawn from the server's own descriptions and bounds.
import { $, el, fill } from "./dom.js";

let fields = [];

export function prepare(start) {
  fields = start.settings;
  fill($("settings"), fields.map((field) => {
    const id = `set-${field.name}`;
    return el("div", {}, el("label", { for: id }, field.name.replaceAll("_", " ")), input(field, id),
      el("p", { class: "hint", id: `${id}-hint` }, field.description.replaceAll("`", "")));
  }));
}

function input(field, id) {
  const common = { id, "aria-describedby": `${id}-hint` };
  if (field.choices) return el("select", common, field.choices.map((choice) => el("option", { value: choice, selected: choice === field.value }, choice)));
  if (field.type === "boolean") return el("select", common, ["no", "yes"].map((choice) => el("option", { value: choice, selected: (choice === "yes") === field.value }, choice)));
  return el("input", { ...common, type: "number", min: field.least, max: field.most, step: field.type === "integer" ? 1 : "any", placeholder: field.value ?? "no limit" });
}

// Only what was changed: the others keep the deployment's value.
export function changed() {
  const given = {};
  for (const field of fields) {
    const value = $(`set-${field.name}`).value;
    if (field.choices) { if (value !== field.value) given[field.name] = value; }
    else if (field.type === "boolean") { if ((value === "yes") !== field.value) given[field.name] = value === "yes"; }
    else if (value !== "") given[field.name] = Number(value);
  }
  return given;
}

export const limit = (settings, name) => settings[name] ?? fields.find((field) => field.name === name)?.value ?? null;
