// The two interfaces of the server: the app's own under /app/api, and LangGraph's for threads and runs.

async function reply(address, options) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is `citewell serve` still running?");
  }
  if (response.ok) return response;
  if (response.status === 401) throw new Error("The server asks for its token: reload this page and enter it.");
  let told = "";
  try {
    const body = await response.json();
    told = body.error ?? body.detail ?? body.message ?? "";
  } catch {
    // No JSON: the status has to do.
  }
  throw new Error(typeof told === "string" && told ? told : `The server answered ${response.status}.`);
}

const query = (given) => new URLSearchParams(Object.entries(given).filter(([, value]) => value !== undefined && value !== ""));

export const address = (path, given = {}) => `/app/${path}?${query(given)}`;
export const own = async (path, given = {}, options = {}) => (await reply(address(`api/${path}`, given), options)).json();

const json = (body) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const at = (id) => `/threads/${encodeURIComponent(id)}`;

export const newThread = async (question) =>
  (await (await reply("/threads", json({ metadata: { app: "citewell", question } }))).json()).thread_id;

// Threads of the command line are unknown to the server's own list: none of their runs is here.
export async function activeRun(id) {
  // In this order, since a run may leave the queue between the two questions.
  for (const status of ["pending", "running"]) {
    const found = await fetch(`${at(id)}/runs?limit=1&status=${status}`);
    if (!found.ok) return null;
    const [run] = await found.json();
    if (run) return run.run_id;
  }
  return null;
}

export async function busyThreads() {
  const found = await reply("/threads/search", json({ status: "busy", limit: 100, select: ["thread_id"] }));
  return new Set((await found.json()).map((each) => each.thread_id));
}

export const startRun = async (id, given) => {
  const how = { stream_mode: ["custom"], stream_subgraphs: true, stream_resumable: true, durability: "sync" };
  const body = { ...how, on_disconnect: "continue", multitask_strategy: "reject", ...given };
  return (await (await reply(`${at(id)}/runs`, json(body))).json()).run_id;
};

export const stopRun = (id, run) => reply(`${at(id)}/runs/${encodeURIComponent(run)}/cancel?wait=true`, { method: "POST" });

// Every event of a run, those before now too; goes on where the connection was lost.
export async function* eventsOf(id, run, signal) {
  let seen = "-1";
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await reply(`${at(id)}/runs/${encodeURIComponent(run)}/stream?stream_mode=custom`, {
        headers: { "last-event-id": seen },
        signal,
      });
      for await (const part of parts(response)) {
        if (part.id) seen = part.id;
        attempt = 0;
        yield part;
      }
      return;
    } catch (error) {
      if (signal.aborted || attempt >= 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** attempt));
    }
  }
}

async function* parts(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const field = (name) => block.split("\n").filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim());
      const data = field("data").join("\n");
      if (data) yield { id: field("id")[0], event: (field("event")[0] ?? "").split("|")[0], data: JSON.parse(data) };
    }
  }
}
