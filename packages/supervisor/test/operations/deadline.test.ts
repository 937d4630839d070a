import { describe, expect, test } from "vitest";
import type { HookPort, Ports } from "../../src/index.js";
import { composer, fixture } from "../fixtures/fixture.js";

let hung = 0;

function never(): Promise<never> {
  hung++;
  return new Promise(() => undefined);
}

/** Waits until the next call hangs. */
async function hanging(): Promise<void> {
  await expect.poll(() => hung).toBe(1);
  hung = 0;
}

/** Fires every alarm on request, and counts those that were not cancelled. */
function alarms() {
  const waiting = new Set<() => void>();
  return {
    alarm: (_ms: number, ring: () => void) => {
      waiting.add(ring);
      return { cancel: () => void waiting.delete(ring) };
    },
    ring: () => {
      for (const each of waiting) each();
      waiting.clear();
    },
    count: () => waiting.size,
  };
}

const hooks: HookPort = {
  command: ["true"],
  newToken: () => "token",
  folder: (id) => `/hooks/${id}`,
  write: async () => undefined,
  tokenDigest: async () => null,
  remove: async () => undefined,
};

const here = { agent: "composer", cwd: "/w" } as const;

describe("hanging step of a create", () => {
  test.each([
    ["its directory", { describeDirectory: never }, {}],
    ["its agent's program", {}, { launch: never }],
  ] as const)("times out with an error and leaves nothing: %s", async (_what, ports, adapter) => {
    const { alarm, ring, count } = alarms();
    const { sessions, store } = fixture({ ports: { ...ports, alarm }, adapters: [{ ...composer, ...adapter }] });
    const creating = sessions.create({ ...here, name: "one" });
    const refused = expect(creating).rejects.toMatchObject({ code: "UNRESPONSIVE", effect: "none", details: { timeout_ms: 20_000 } });
    await hanging();
    ring();
    await refused;
    expect(await store.list({ archived: true })).toEqual([]);
    expect(count()).toBe(0);
  });

  test.each([
    ["the hook files", { hooks: { ...hooks, write: never } }],
    ["the agent's configuration", { seed: never }],
  ] as const)("is skipped if it is optional: %s", async (_what, ports: Partial<Ports>) => {
    const { alarm, ring } = alarms();
    const seeds = { ...composer, seed: () => [] };
    const { sessions, faults } = fixture({ ports: { ...ports, alarm }, adapters: [seeds] });
    const creating = sessions.create({ ...here, name: "one", trust: true });
    await hanging();
    ring();
    expect((await creating).session.record.state).toBe("active");
    expect(faults).toEqual([expect.objectContaining({ error: expect.objectContaining({ code: "UNRESPONSIVE" }) })]);
  });
});

test("a hanging program does not delay other sessions, and leaves its own record unchanged", async () => {
  const { alarm, ring } = alarms();
  let hangs = false;
  const agent = { ...composer, launch: (request: Parameters<typeof composer.launch>[0]) => (hangs ? never() : composer.launch(request)) };
  const { sessions } = fixture({ ports: { alarm }, adapters: [agent] });
  await sessions.create({ ...here, name: "one" });
  await sessions.create({ ...here, name: "two" });
  await sessions.stop({ session: "one" });
  hangs = true;
  const refused = expect(sessions.resume({ session: "one" })).rejects.toMatchObject({ code: "UNRESPONSIVE", effect: "none" });
  await hanging();
  expect((await sessions.stop({ session: "two" })).session.record.state).toBe("stopped");
  expect((await sessions.reconcile()).findings).toEqual([]);
  ring();
  await refused;
  expect((await sessions.show({ session: "one" })).record).toMatchObject({ state: "stopped", intent: null });
  hangs = false;
  expect((await sessions.resume({ session: "one" })).record.state).toBe("active");
});
