import { resolveSettings } from "@tmpm/api/config";
import type { EventBody } from "@tmpm/core";
import { expect, test } from "vitest";
import type { Notice } from "../../src/notify/notice.js";
import { notifier, type Seen } from "../../src/notify/notifier.js";

const ID = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

const SEEN: Omit<Seen, "id" | "name"> = {
  ...{ project_id: "default", agent: "claude", state: "active", activity: "awaiting_approval" },
  ...{ question: null, hint: null, viewers: 0, paused: false, asks: false, notify: null },
};

test("a session that cannot be looked up does not keep back news of the others", async () => {
  const sent: Notice[] = [];
  const faults: unknown[] = [];
  let run: () => void = () => undefined;
  const gathered = notifier({
    settings: () => resolveSettings({ env: {}, file: new Map() }).values,
    async look(id) {
      if (id === ID(1)) throw new Error("its record is damaged");
      return { ...SEEN, id, name: "b" };
    },
    notify: (notice) => void sent.push(notice),
    now: () => new Date(0),
    later(_ms, begin) {
      run = begin;
      return () => undefined;
    },
    newId: () => "notice",
    report: (fault) => void faults.push(fault),
  });
  const activity = { state: "awaiting_approval", source: "screen", confidence: 1, evidence: [], limit: null };
  for (const id of [ID(1), ID(2)]) {
    const times = { since: "2026-01-01T00:00:00Z", observed_at: "2026-01-01T00:00:00Z", expires_at: null };
    gathered.hear({
      type: "session_activity_changed",
      at: "2026-01-01T00:00:00Z",
      session_id: id,
      activity: { ...activity, ...times },
    } as EventBody);
  }
  run();
  await expect.poll(() => sent.map(({ entries }) => entries.map(({ session_id }) => session_id))).toEqual([[ID(2)]]);
  expect(faults).toHaveLength(1);
});
