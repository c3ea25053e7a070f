"use strict";
(() => {
  const SPACE = "http://www.w3.org/2000/svg";
  const data = JSON.parse(document.getElementById("data").textContent);
  const drawing = document.getElementById("drawing");
  const slider = document.getElementById("day");
  const past = document.getElementById("past");
  const list = document.getElementById("facts");
  const play = document.getElementById("play");
  const nodes = new Map(data.nodes.map((node) => [node.id, node]));
  const centre = data.nodes[0].id;
  let chosen = "";
  let timer = 0;

  // A reader may ask for a day by #2019-05-01.
  const asked = location.hash.slice(1);
  slider.max = String(Math.max(0, data.days.length - 1));
  const last = asked ? data.days.findLastIndex((day) => day <= asked) : data.days.length - 1;
  slider.value = String(Math.max(0, last));

  const make = (name, attributes, text) => {
    const made = document.createElementNS(SPACE, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const item = (tag, text, name) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    return made;
  };
  const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

  // What a fact is on a day: it holds, it happened or ended before, or it is still to come.
  const state = (edge, day) => {
    if (edge.temporal === "ATEMPORAL" || !day) return "now";
    if (edge.from && edge.from > day) return "to come";
    if (edge.to && edge.to <= day) return "past";
    return edge.from ? "now" : "to come";
  };
  const when = (edge) => {
    if (edge.temporal === "ATEMPORAL") return "always";
    if (!edge.from) return edge.to ? "until " + edge.to : "undated";
    return edge.to ? edge.from + " to " + edge.to : "since " + edge.from;
  };

  const draw = () => {
    const day = data.days[Number(slider.value)] || "";
    document.getElementById("shown").textContent = day || "no dates";
    const shown = data.edges
      .map((edge) => ({ edge, is: state(edge, day) }))
      .filter((each) => each.is === "now" || (each.is === "past" && past.checked));
    const touched = new Set([centre]);
    for (const { edge } of shown) { touched.add(edge.source); touched.add(edge.target); }
    const [xs, ys] = [data.nodes.map((node) => node.x), data.nodes.map((node) => node.y)];
    const [left, top] = [Math.min(...xs) - 100, Math.min(...ys) - 40];
    drawing.setAttribute("viewBox", [left, top, Math.max(...xs) + 100 - left, Math.max(...ys) + 50 - top].join(" "));
    drawing.replaceChildren();

    const between = new Map();
    for (const each of shown) {
      const key = [each.edge.source, each.edge.target].sort().join(" ");
      if (!between.has(key)) between.set(key, []);
      between.get(key).push(each);
    }
    for (const together of between.values()) {
      const { edge } = together[0];
      const [a, b] = [nodes.get(edge.source), nodes.get(edge.target)];
      const now = together.some((each) => each.is === "now");
      const away = chosen && edge.source !== chosen && edge.target !== chosen;
      const group = make("g", { class: away ? "away" : "" });
      const names = [...new Set(together.map((each) => each.edge.predicate))].join(", ");
      const line = make("line", { class: now ? "edge" : "edge past", x1: a.x, y1: a.y, x2: b.x, y2: b.y });
      line.append(make("title", {}, together.map((each) => each.edge.predicate + ": " + when(each.edge)).join("\n")));
      group.append(line);
      group.append(make("text", { class: "label", x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 3 }, cut(names, 34)));
      drawing.append(group);
    }
    for (const node of data.nodes) {
      if (!touched.has(node.id)) continue;
      const away = chosen && chosen !== node.id && !shown.some(({ edge }) =>
        (edge.source === chosen && edge.target === node.id) || (edge.target === chosen && edge.source === node.id));
      const group = make("g", {
        class: ["node", node.kind, node.id === centre ? "centre" : "", node.id === chosen ? "chosen" : "", away ? "away" : ""].join(" "),
        tabindex: "0", role: "button", "data-node": node.id,
      });
      group.append(make("circle", { cx: node.x, cy: node.y, r: node.id === centre ? 16 : 10 }));
      const values = node.kind === "value" ? shown.filter(({ edge, is }) => edge.target === node.id && is === "now") : [];
      const latest = node.kind === "value" ? values.concat(shown.filter(({ edge }) => edge.target === node.id)).map((each) => each.edge) : [];
      const told = latest.length ? node.name + " " + latest.reduce((best, edge) => (edge.from > best.from ? edge : best)).value : node.name;
      group.append(make("text", { x: node.x, y: node.y + 26 }, cut(told, 30)));
      group.append(make("title", {}, [node.name, node.kind, ...node.aliases].join("\n")));
      const choose = () => { chosen = chosen === node.id ? "" : node.id; draw(); };
      group.addEventListener("click", choose);
      group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } });
      drawing.append(group);
    }

    const told = shown.filter(({ edge }) => !chosen || edge.source === chosen || edge.target === chosen);
    document.getElementById("heading").textContent = chosen ? nodes.get(chosen).name : "Facts of the day";
    list.replaceChildren();
    for (const { edge, is } of told) {
      const row = document.createElement("li");
      const words = [nodes.get(edge.source).name, edge.predicate, nodes.get(edge.target).kind === "value" ? "" : nodes.get(edge.target).name, edge.value];
      row.append(item("strong", words.filter(Boolean).join(" ")));
      row.append(item("blockquote", edge.quote));
      const closed = edge.closed ? ", superseded" : "";
      const kind = edge.type === "FACT" ? "" : ", " + edge.type.toLowerCase();
      row.append(item("span", when(edge) + (is === "past" ? closed : "") + kind + " · " + edge.uri + (edge.stated ? ", stated " + edge.stated : ""), "small"));
      list.append(row);
    }
    if (!told.length) list.append(item("li", "Nothing known on this day."));
  };

  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; play.setAttribute("aria-pressed", "false"); };
  play.addEventListener("click", () => {
    if (timer) { stop(); return; }
    if (Number(slider.value) >= Number(slider.max)) slider.value = "0";
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(() => {
      if (Number(slider.value) >= Number(slider.max)) { stop(); return; }
      slider.value = String(Number(slider.value) + 1);
      draw();
    }, 900);
    draw();
  });
  slider.addEventListener("input", draw);
  past.addEventListener("change", draw);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") { chosen = ""; draw(); } });
  draw();
})();
