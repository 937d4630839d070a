import { SessionRecord } from "@tmpm/core";
import { sessionMark } from "@tmpm/processes";
import { memoryStore } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import { survivors } from "../../src/doctor/survivors.js";

const at = "2026-01-01T00:00:00Z";

function session(number: number, state: SessionRecord["state"]): SessionRecord {
  const id = `0000000${number}-0000-4000-8000-000000000000`;
  const name = `session-${number}`;
  return SessionRecord.parse({ id, name, tmux_name: `tmpm-${name}`, cwd: "/tmp", state, created_at: at, updated_at: at, agent: "shell" });
}

test("processes left by an ended session are identified by its mark alone", async () => {
  const store = memoryStore();
  const [ended, running] = [session(1, "stopped"), session(2, "active")];
  await store.create(ended);
  await store.create(running);
  const marks = new Map([
    [101, sessionMark(ended.id)],
    [102, sessionMark(running.id)],
    [103, sessionMark("of another home")],
  ]);
  const table = { marked: async () => marks, withEnvironment: async () => [] as readonly number[] };
  const found = await survivors({ store, bases: [], table });
  expect(found).toMatchObject([
    { status: "warn", message: expect.stringMatching(/session-1\).*: 101$/), hint: expect.stringMatching(/kill 101$/) },
  ]);
  expect(await survivors({ store, bases: [], table: { ...table, withEnvironment: async () => [101] } })).toMatchObject([{ status: "ok" }]);
});
