// Follow a run from its first event to its end, and stop it.
import { $, complain, say, tried } from "./dom.js";
import * as live from "./live.js";
import { eventsOf, stopRun } from "./server.js";

let following = null;

export function leave() {
  following?.abort();
  following = null;
}

// Draws the run and calls `ended` when it is over, however it ended.
export async function follow(thread, run, settings, ended) {
  leave();
  const mine = (following = new AbortController());
  live.clear(settings);
  $("run").hidden = false;
  live.begin();
  const stop = $("stop");
  stop.hidden = false;
  stop.addEventListener("click", tried(async () => {
    stop.disabled = true;
    say("Stopping…");
    await stopRun(thread, run);
  }));
  let failure = "";
  try {
    for await (const { event, data } of eventsOf(thread, run, mine.signal)) {
      if (event === "custom") live.show(data);
      if (event === "error") failure = data.message ?? data.error ?? "the run failed";
    }
  } catch (error) {
    if (mine.signal.aborted) return;
    failure = error.message;
  }
  if (mine.signal.aborted) return;
  following = null;
  stop.hidden = true;
  live.end(false);
  // A run that was stopped ends its stream with an error of that name.
  const stopped = stop.disabled || /cancel|interrupt/i.test(failure);
  if (failure && !stopped) complain(`The run failed: ${failure}`);
  await ended(stopped);
}
