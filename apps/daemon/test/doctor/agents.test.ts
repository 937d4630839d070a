import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "@tmpm/agents";
import { memoryStore } from "@tmpm/store/memory";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { expect, test } from "vitest";
import { doctor } from "../../src/doctor/doctor.js";
import { loopback } from "../../src/doctor/loopback.js";

interface Silent {
  readonly name: string;
  readonly agent: string;
}

async function checked(version: string, { silent = [], verified }: { silent?: readonly Silent[]; verified?: readonly string[] } = {}) {
  const hooks = { trustedBy: "1.2.3", plan: async () => null, read: () => null };
  const agent = {
    ...command,
    id: "pair",
    hooks,
    ...(verified === undefined ? {} : { verified }),
    detect: async () => ({ installed: true, path: "/bin/pair", version }) as const,
  };
  const look = doctor({
    driver: fakeTmux().driver,
    store: memoryStore(),
    adapters: [agent],
    silentAgents: async () => silent,
    env: {},
  });
  return (await look())
    .filter(({ name, status }) => name.startsWith("agent ") && status !== "skip")
    .map(({ name, status, message }) => `${status} ${name}: ${message}`);
}

test("doctor reports an agent whose version differs from the one that trusts tmpm's hooks", async () => {
  expect(await checked("1.2.3")).toEqual(["ok agent pair: /bin/pair 1.2.3"]);
  expect(await checked("1.3.0")).toEqual(["warn agent pair: /bin/pair 1.3.0, which may not trust tmpm's hooks as 1.2.3 does"]);
});

test("doctor reports an agent version that was not verified, with the verified ones", async () => {
  expect(await checked("1.2.3", { verified: ["1.2.2", "1.2.3"] })).toEqual(["ok agent pair: /bin/pair 1.2.3"]);
  expect(await checked("1.2.3", { verified: ["1.2.1", "1.2.2"] })).toEqual([
    "warn agent pair: /bin/pair 1.2.3, version not verified (verified: 1.2.1, 1.2.2)",
  ]);
  expect(await checked("1.3.0", { verified: [] })).toEqual([
    "warn agent pair: /bin/pair 1.3.0, which may not trust tmpm's hooks as 1.2.3 does",
  ]);
});

test("a report sent like an agent's is recorded once, and only with its token", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-loop-"));
  const seen = join(folder, "seen");
  const session = "11111111-1111-4111-8111-111111111111";
  const fixture = (script: string) =>
    loopback({
      command: ["/bin/sh", "-c", script],
      env: { SEEN: seen, PATH: process.env.PATH ?? "" },
      newId: () => session,
      newToken: () => "sesame",
      now: () => performance.now(),
    });
  try {
    const heard = fixture('{ echo "$TMPM_SESSION_ID $TMPM_SESSION_TOKEN"; cat; } >"$SEEN"');
    const run = heard.run();
    expect(heard.take({ session, token: "guess" })).toBeNull();
    expect(heard.take({ session, token: "sesame" })).toEqual({ taken: true, reason: null });
    expect(await run).toMatchObject({ status: "ok", message: expect.stringMatching(/arrived in \d+ ms/) });
    expect(heard.take({ session, token: "sesame" })).toBeNull();
    expect(readFileSync(seen, "utf8")).toBe(`${session} sesame\n{"hook_event_name":"Doctor"}`);
    expect(await fixture("cat; exit 3").run()).toMatchObject({ status: "fail", message: expect.stringContaining("was lost") });
    expect(await fixture("cat").run()).toMatchObject({ status: "fail", message: expect.stringContaining("did not arrive") });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("doctor names sessions whose agents should report but did not", async () => {
  expect(await checked("1.2.3", { silent: [{ name: "demo", agent: "pair" }] })).toContain(
    "warn agent hooks: no event of a turn was received in demo (pair)",
  );
});
