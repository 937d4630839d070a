import type { Request, Response } from "@tmpm/api/client";
import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { startingTransport } from "../../src/daemon/starting-transport.js";

const REQUEST: Request = { method: "POST", path: "/v1/x", headers: {}, body: "{}", timeoutMs: 1000 };
const OK: Response = { status: 200, headers: {}, body: "{}" };

function unreachable(reason: string, effect: "none" | "unknown"): TmpmError {
  return new TmpmError("DAEMON_UNREACHABLE", reason, { effect, details: { reason } });
}

function refusal(code: string, effect: string): Response {
  return { status: 503, headers: {}, body: JSON.stringify({ error: { code, message: "m", hint: null, effect, details: {} } }) };
}

/** The result if the first request has this outcome, and a second would succeed. */
async function after(first: Response | TmpmError): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const outcomes = [first, OK];
  const transport = startingTransport(
    {
      async request() {
        seen.push("asked");
        const outcome = outcomes.shift() ?? OK;
        if (outcome instanceof TmpmError) throw outcome;
        return outcome;
      },
    },
    async () => void seen.push("started"),
  );
  try {
    seen.push((await transport.request(REQUEST)).status);
  } catch (error) {
    seen.push(error);
  }
  return seen;
}

describe("a daemon is started and the request repeated", () => {
  test.each<[string, Response | TmpmError]>([
    ["none listens", unreachable("not_running", "none")],
    ["the one that listens is stopping", refusal("SHUTTING_DOWN", "none")],
    ["it went away during a read", unreachable("connection_lost", "none")],
  ])("when %s", async (_, first) => {
    expect(await after(first)).toEqual(["asked", "started", "asked", 200]);
  });

  test.each<[string, TmpmError]>([
    ["it went away during a change", unreachable("connection_lost", "unknown")],
    ["it does not answer", unreachable("no_answer", "none")],
    ["something else answers", unreachable("bad_answer", "none")],
  ])("but not when %s", async (_, first) => {
    expect(await after(first)).toEqual(["asked", first]);
  });

  test("a daemon that cannot be started, as in another user's folder, has had no effect", async () => {
    const refused = Object.assign(new Error("EACCES: permission denied, open '/theirs/x'"), { code: "EACCES", syscall: "open" });
    const transport = startingTransport({ request: () => Promise.reject(unreachable("not_running", "none")) }, () =>
      Promise.reject(refused),
    );
    await expect(transport.request(REQUEST)).rejects.toMatchObject({ code: "STORE_READ_ONLY", effect: "none" });
  });

  test("but not when it stopped during a possible change, or is unhealthy", async () => {
    expect(await after(refusal("SHUTTING_DOWN", "unknown"))).toEqual(["asked", 503]);
    expect(await after(refusal("STORE_DEGRADED", "none"))).toEqual(["asked", 503]);
    expect(await after(OK)).toEqual(["asked", 200]);
  });
});
