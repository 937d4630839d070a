import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { type FollowedEvent, followEvents, keptEvents } from "../src/client.js";
import type { EventAnswer, Input, Output } from "../src/index.js";

const SESSION = "550e8400-e29b-41d4-a716-446655440000";
const event = (seq: number): EventAnswer => ({ seq, type: "session_unpaused", at: "2026-01-01T00:00:00Z", session_id: SESSION });
const unreachable = () => new TmpmError("DAEMON_UNREACHABLE", "no daemon listens");

/** A daemon with events 1 to `last`, which returns pages of three, retains events from `oldest` on, and fails as often as requested. */
function daemon({ last = 7, oldest = 1, away = [] as readonly number[], grows = 0 } = {}) {
  const asked: Input<"events">[] = [];
  let left = grows;
  let newest = last;
  const events = async (input: Input<"events"> = {}): Promise<Output<"events">> => {
    asked.push(input);
    if (away.includes(asked.length)) throw unreachable();
    const after = Number(input.after ?? oldest - 1);
    if (after < oldest - 1) return { events: [], next: newest, behind: { snapshot_at: newest } };
    if (after >= newest && input.wait_ms !== undefined && left-- > 0) newest++;
    const found = Array.from({ length: Math.min(3, newest - after) }, (_, index) => event(after + 1 + index));
    return { events: found, next: after + found.length, behind: null };
  };
  return { asked, client: { events } };
}

async function take(from: AsyncIterable<FollowedEvent>, count = Number.POSITIVE_INFINITY): Promise<readonly (number | string)[]> {
  const taken: (number | string)[] = [];
  for await (const each of from) {
    taken.push(each.kind === "event" ? each.event.seq : `behind ${each.snapshot_at}`);
    if (taken.length === count) break;
  }
  return taken;
}

test("lists all retained events in order, and sends the filters with every page", async () => {
  const { asked, client } = daemon();
  expect(await take(keptEvents(client, { project_id: "web" }))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(asked.map(({ project_id, after }) => [project_id, after])).toEqual([undefined, 3, 6, 7].map((after) => ["web", after]));
});

test("notifies a follower first if its number is no longer retained", async () => {
  const { client } = daemon({ last: 9, oldest: 5 });
  expect(await take(keptEvents(client, { after: 1 }))).toEqual(["behind 9"]);
  expect(await take(keptEvents(client))).toEqual([5, 6, 7, 8, 9]);
});

test("yields each event once, also across failures of the daemon", async () => {
  const pauses: number[] = [];
  const { asked, client } = daemon({ away: [1, 3, 4, 6, 7, 8], grows: 3 });
  const followed = followEvents(client, { after: 2 }, { sleep: async (ms) => void pauses.push(ms) });
  expect(await take(followed, 8)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  expect(pauses).toEqual([100, 100, 200, 100, 200, 300]);
  expect(asked.every(({ wait_ms }) => wait_ms === 20_000)).toBe(true);
});

test("throws once the daemon stays unreachable, and at once for any other error", async () => {
  const options = { attempts: 4, sleep: async () => undefined };
  const gone = daemon({ away: [1, 2, 3, 4] });
  await expect(take(followEvents(gone.client, {}, options))).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE" });
  expect(gone.asked).toHaveLength(4);
  const refuses = { events: () => Promise.reject(new TmpmError("SESSION_NOT_FOUND", "no such session")) };
  await expect(take(followEvents(refuses, { session: "x" }, options))).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test("throws the signal's reason", async () => {
  const stop = new AbortController();
  const { client } = daemon({ last: 2 });
  const taken: number[] = [];
  const follow = async () => {
    for await (const each of followEvents(client, {}, { signal: stop.signal })) {
      if (each.kind === "event") taken.push(each.event.seq);
      if (taken.length === 2) stop.abort(new Error("enough"));
    }
  };
  await expect(follow()).rejects.toThrow("enough");
  expect(taken).toEqual([1, 2]);
});
