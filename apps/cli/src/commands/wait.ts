import type { SessionAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { hasCode } from "@tmpm/core";
import { command } from "../command.js";
import { renderLine } from "../render/line.js";
import { SESSION } from "./shared-arguments.js";

/** One request to the daemon waits no longer than this; it is asked again after a lost connection. */
const SLICE_MS = 15_000;
const ANSWER_MS = 15_000;

interface Wait {
  readonly session: string;
  readonly until: "idle" | "exited";
  /** Milliseconds since 1970; null waits for ever. */
  readonly deadline: number | null;
}

export const wait = command({
  name: "wait",
  summary: "Wait until a session is ready for input or has ended",
  more: "Without --timeout it waits as long as it takes; when the time runs out, it exits with status 5.",
  args: {
    session: SESSION,
    until: { takes: "optional", label: "idle|exited", summary: "What to wait for: idle when not given", choices: ["idle", "exited"] },
  },
  options: { timeout: { takes: "seconds", label: "SECONDS", summary: "Give up after this time" } },
  async run({ session, until = "idle", timeout }, context): Promise<SessionAnswer> {
    const deadline = timeout === undefined ? null : Date.now() + timeout * 1000;
    return waitInSlices(context.client(), { session, until, deadline });
  },
  render: renderLine,
});

async function waitInSlices(client: Client, { session, until, deadline }: Wait): Promise<SessionAnswer> {
  for (;;) {
    const left = deadline === null ? SLICE_MS : Math.min(SLICE_MS, Math.max(0, deadline - Date.now()));
    try {
      return await client.wait({ session, until, timeout_ms: Math.ceil(left) }, { timeoutMs: left + ANSWER_MS });
    } catch (error) {
      if (!hasCode(error, "TIMEOUT") || (deadline !== null && Date.now() >= deadline)) throw error;
    }
  }
}
