// Ask, watch, approve, read: one page over the LangGraph server's own API.  All text enters by textContent.

const $ = (id) => document.getElementById(id);
const lines = (id) => $(id).value.split("\n").map((line) => line.trim()).filter(Boolean);
let thread = "";
let report = null;
let stopping = null;
let shown = [];

async function call(path, body, options = {}) {
  const response = await fetch(`/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    ...options,
  });
  if (!response.ok) throw new Error(`${response.status}: ${(await response.text()).slice(0, 300)}`);
  return response;
}

const at = (id) => `threads/${encodeURIComponent(id)}`;
const say = (text) => { $("status").textContent = text; };

function item(list, text) {
  const line = document.createElement("li");
  line.textContent = text;
  list.append(line);
  return line;
}

// One line per kind of event; a kind that is not here stays quiet.
const TOLD = {
  source: (e) => `Source ${e.uri}: ${e.status}${e.reason ? `, ${e.reason}` : ""}`,
  plan: (e) => `Plan: ${e.queries.join("; ")}`,
  query: (e) => `Query, round ${e.iteration}: ${e.query}`,
  hits: (e) => `${e.hits.length} passages for ${e.query}`,
  fact: (e) => `Fact: ${e.statement}`,
  gap: (e) => `Gap: ${e.reason}`,
  issue: (e) => `Issue ${e.claim_id ?? ""}: ${e.message}`,
  repair: (e) => `Repair ${e.claim_id}: ${e.action}`,
  fallback: (e) => `Done another way, ${e.step}: ${e.reason}`,
  stop: (e) => `Stopped: ${e.stop_reason}`,
};

function onEvent(e) {
  if (e.type === "progress") say(`${e.stage}: ${e.done} of ${e.total}`);
  if (e.type === "budget") {
    const spent = Object.entries(e).filter(([key, value]) => !["v", "type"].includes(key) && typeof value === "number");
    $("budget").textContent = spent.map(([key, value]) => `${key} ${Math.round(value * 100) / 100}`).join(" · ");
  }
  if (TOLD[e.type]) item($("events"), TOLD[e.type](e)).dataset.type = e.type;
}

async function* parts(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).replace(/\r\n/g, "\n").split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const field = (name) =>
        block.split("\n").filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim());
      if (field("data").length) yield { event: field("event")[0], data: JSON.parse(field("data").join("\n") || "null") };
    }
  }
}

async function run(given) {
  stopping = new AbortController();
  $("go").disabled = true;
  $("stop").disabled = false;
  $("plan").hidden = true;
  say("Working…");
  try {
    const context = $("approve").checked ? { approve_plan: true } : {};
    const body = { assistant_id: "research", context, stream_mode: ["custom"], on_disconnect: "cancel", ...given };
    const response = await call(`${at(thread)}/runs/stream`, body, { signal: stopping.signal });
    for await (const { event, data } of parts(response)) {
      if (event === "custom") onEvent(data);
      if (event === "error") throw new Error(data.message ?? data.error);
    }
    await open(thread);
  } catch (error) {
    say(error.name === "AbortError" ? "Stopped. Ask again, or open the thread." : `Failed: ${error.message}`);
  } finally {
    $("go").disabled = false;
    $("stop").disabled = true;
    await listThreads();
  }
}

async function open(id) {
  thread = id;
  const state = await (await call(`${at(id)}/state`)).json();
  const waiting = state.tasks.flatMap((task) => task.interrupts ?? [])[0];
  $("plan").hidden = !waiting;
  if (waiting) {
    shown = waiting.value.plan.queries;
    $("queries").value = shown.join("\n");
    $("plan-error").textContent = waiting.value.error ?? "";
    say("The plan waits for you.");
    $("queries").focus();
    return;
  }
  show(state.values.report ?? null);
}

function show(found) {
  report = found;
  $("downloads").hidden = $("report").hidden = !report;
  if (!report) return say("This thread has no report yet.");
  $("payload").value = JSON.stringify(report);
  $("render").submit();
  say(`${report.status}: ${report.question} (${report.stop_reason})`);
}

async function listThreads() {
  const select = ["thread_id", "updated_at", "status", "metadata", "values"];
  const query = { metadata: { app: "citewell" }, limit: 20, sort_by: "updated_at", sort_order: "desc", select };
  const found = await (await call("threads/search", query)).json();
  $("threads").replaceChildren();
  for (const one of found) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${one.metadata.question} (${one.values?.report?.status ?? one.status})`;
    button.addEventListener("click", () => open(one.thread_id).catch((error) => say(`Failed: ${error.message}`)));
    item($("threads"), "").append(button);
  }
}

$("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("events").replaceChildren();
  $("budget").textContent = "";
  show(null);
  const question = $("question").value.trim();
  try {
    if (!thread) {
      thread = (await (await call("threads", { metadata: { app: "citewell", question } })).json()).thread_id;
    }
  } catch (error) {
    return say(`Failed: ${error.message}`);
  }
  const sources = { docs: lines("docs"), urls: lines("urls"), web: $("web").checked };
  const named = sources.docs.length || sources.urls.length || sources.web;
  // A later question without sources goes to those that the thread has.
  await run({ input: named ? { question, ...sources } : { question } });
});

$("plan").addEventListener("submit", (event) => {
  event.preventDefault();
  const queries = lines("queries");
  const same = queries.join("\n") === shown.join("\n");
  const edit = same ? { action: "approve" } : { action: "edit", queries };
  const reject = { action: "reject", reason: $("reason").value.trim() };
  $("approve").checked = true;
  run({ command: { resume: event.submitter?.value === "reject" ? reject : edit } });
});

$("stop").addEventListener("click", () => stopping?.abort());
$("fresh").addEventListener("click", () => {
  thread = "";
  show(null);
  say("Ready.");
  $("question").focus();
});

$("downloads").addEventListener("click", async (event) => {
  const format = event.target.dataset.format;
  if (!format || !report) return;
  let text = JSON.stringify(report, null, 2);
  if (format !== "json") {
    const response = await fetch(`render/${format}`, { method: "POST", body: new URLSearchParams({ report: text }) });
    text = await response.text();
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = `report.${format}`;
  link.click();
  URL.revokeObjectURL(link.href);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form === $("ask")) $("ask").requestSubmit();
});

listThreads().catch((error) => say(`Failed: ${error.message}`));
