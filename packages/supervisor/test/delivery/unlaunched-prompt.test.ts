import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentAdapter } from "@tmpm/agents";
import type { Workspace } from "@tmpm/core";
import { workspaces } from "@tmpm/workspace";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/index.js";
import { CRASH, composer, fixture } from "../fixtures/fixture.js";

const ID = "11111111-2222-4333-8444-555555555555";
const ASKED = { id: ID, agent: "carrier", cwd: "/w", repo: "https://example.com/proj.git", name: "demo", prompt: "work" };

const carrier: AgentAdapter = {
  ...composer,
  id: "carrier",
  limits: { ...composer.limits, promptInArgv: 100 },
  launch: async ({ prompt }) => ({
    argv: ["carrier-agent", ...(prompt === null ? [] : [prompt])],
    env: {},
    conversationId: null,
    carriesPrompt: prompt !== null,
  }),
};

const place: Workspace = {
  kind: "clone",
  path: "/w/clone",
  nonce: "nonce",
  source: ASKED.repo,
  repository: null,
  branch: "topic",
  branch_made: true,
  base: null,
  base_ref: null,
  folder: "",
  notes: [],
  identity: null,
  trashed: null,
};

/** Sessions in clones that need no git, of an agent that takes its prompt at launch. `passed`: the prompts of its launches. */
function cloning(reached?: (now: Step) => Promise<void>) {
  const passed: (string | null)[] = [];
  const made = {
    ...workspaces({ home: join(tmpdir(), "tmpm-has-no-workspaces") }),
    plan: async () => place,
    make: async () => place,
    takeBack: async () => undefined,
    setupOf: async () => ({ kind: "none" }) as const,
    include: async () => [],
  };
  const bench = fixture({
    adapters: [carrier],
    programs: {
      "carrier-agent": (terminal) => {
        passed.push(terminal.argv[1] ?? null);
        terminal.write("\n> ");
        return undefined;
      },
    },
    ports: { workspaces: made, ...(reached === undefined ? {} : { reached }) },
  });
  return { ...bench, passed };
}

/** A session that is held at a step of its creation until released. */
async function heldAt(step: Step) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const bench = cloning(async (now) => (now === step ? released : undefined));
  const send = (await bench.sessions.create({ ...ASKED, no_wait: true })).turn_id ?? "";
  return { ...bench, release, send };
}

describe("a first prompt whose workspace is being created", () => {
  test.each([
    ["cancel", (at) => at.sessions.cancel({ session: "demo", turn: at.send })],
    ["cancel while it waits", (at) => at.sessions.cancel({ session: "demo", turn: at.send, waiting: true })],
    ["clearQueue", (at) => at.sessions.clearQueue({ session: "demo" })],
    ["cancelSend", (at) => at.sessions.cancelSend({ session: "demo", send: at.send.slice(0, 8) })],
  ] as const satisfies readonly (readonly [string, (at: Awaited<ReturnType<typeof heldAt>>) => Promise<unknown>])[])(
    "is cancelled at once by %s, and the agent is launched without it",
    async (_, cancel) => {
      const at = await heldAt("create.planned");
      const waiting = await at.sessions.turn({ session: "demo", turn: at.send });
      expect(waiting).toMatchObject({ state: "queued", held: { reason: "starting", evidence: ["the agent has not been launched yet"] } });
      await cancel(at);
      expect((await at.sessions.turn({ session: "demo", turn: at.send })).turn).toMatchObject({
        outcome: "cancelled",
        reason: "taken_back",
      });
      const { receipt } = await at.sessions.receipt({ session: "demo", send: at.send });
      expect(receipt).toMatchObject({ id: at.send, outcome: "refused", reason: "cancelled" });
      expect(at.passed).toEqual([]);
      at.release();
      expect(await at.sessions.create(ASKED)).toMatchObject({ session: { record: { state: "active" } }, turn_id: at.send, receipt });
      expect([at.passed, at.faults]).toEqual([[null], []]);
    },
  );

  test("belongs to the agent once the launch has begun, also for the next daemon", async () => {
    const at = await heldAt("create.intended");
    await expect.poll(async () => (await at.turnJournal.get(ID, at.send))?.receipt?.reason).toBe("carried");
    await expect(at.sessions.cancel({ session: "demo", turn: at.send, waiting: true })).rejects.toMatchObject({ code: "INVALID_STATE" });
    at.release();
    await expect.poll(() => at.passed).toEqual(["work"]);
  });
});

test("a first prompt is refused when the daemon ended while its workspace was being created", async () => {
  const at = cloning();
  at.crashAt("create.planned");
  await expect(at.sessions.create(ASKED)).rejects.toBe(CRASH);
  at.crashAt(null);
  const next = at.restarted();
  await next.reconcile();
  const again = await next.create(ASKED);
  expect(again.session.record.state).toBe("errored");
  expect(again.receipt).toMatchObject({ outcome: "refused", reason: "session_ended" });
  expect(again.receipt?.evidence[0]).toBe("the agent was not launched");
  expect((await next.receipt({ session: "demo", send: again.turn_id ?? "" })).receipt).toEqual(again.receipt);
});
