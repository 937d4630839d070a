import { expect, onTestFinished, test, vi } from "vitest";
import type { Notice } from "../../src/notify/notice.js";
import { deviceNotices } from "../../src/push/device-notices.js";

const SESSION = "0b6f9f0e-55a5-4a0c-8b57-3d2a8f6f1c11";
const settings = {
  ...{ "notify.of": ["needs_you"], "notify.sessions": "all", "notify.window_seconds": 5 },
  ...{ "notify.quiet_hours": null, "notify.finished_after_seconds": 0 },
};
const facts = {
  record: { id: SESSION, name: "fix", project_id: "default", agent: "claude", state: "active", notify: null, paused_at: null },
  activity: { state: "awaiting_approval" },
  // The page is open on another device, or a terminal is attached.
  ...{ viewers: 2, decision: { subject: "may I run rm?" }, hint: null },
};
const asks = {
  type: "session_activity_changed",
  session_id: SESSION,
  at: "2026-01-01T00:00:00Z",
  activity: { state: "awaiting_approval", limit: null },
};

test("devices are notified of a session that is watched elsewhere, once the window of other notices has passed", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const sent: Notice[] = [];
  const faults: unknown[] = [];
  const notices = deviceNotices({
    config: { values: () => settings as never },
    show: async () => facts as never,
    notify: (notice) => void sent.push(notice),
    report: (fault) => void faults.push(fault),
  });
  onTestFinished(() => notices.close());
  notices.hear(asks as never);
  await vi.advanceTimersByTimeAsync(4_999);
  expect([sent, notices.pending()]).toEqual([[], 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toMatchObject([{ kind: "needs_you", title: "fix waits for your approval", entries: [{ session_id: SESSION }] }]);
  expect(faults).toEqual([]);
});
