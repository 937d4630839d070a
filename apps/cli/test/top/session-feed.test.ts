import type { Client } from "@tmpm/api/client";
import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import type { Message } from "../../src/top/message.js";
import { feedSessions } from "../../src/top/session-feed.js";
import { session } from "./sessions.js";

const idle = session("idle", "idle");
const at = "2026-01-01T00:00:00Z";
const changed = (seq: number, id: string) => ({ seq, type: "session_paused" as const, at, session_id: id, summary: null });
const page = (events: readonly unknown[], next: number, behind: { snapshot_at: number } | null = null) => ({ events, next, behind });

/** What the daemon answers to a request for events, once this many messages were sent. */
interface Page {
  readonly after: number;
  readonly answer: () => unknown;
}

/** A daemon whose answers to the question for events are these, in their order; after the last it is silent. */
function daemon(pages: readonly Page[], { messages, show }: { readonly messages: readonly Message[]; readonly show: () => unknown }) {
  const asked: unknown[] = [];
  let turn = 0;
  const silence = new Promise<never>(() => undefined);
  const routes = {
    events: async (input: unknown) => {
      asked.push(input);
      const page = pages[turn++];
      if (page === undefined) return silence;
      await expect.poll(() => messages.length, { interval: 5 }).toBeGreaterThanOrEqual(page.after);
      return page.answer();
    },
    list: async () => ({ sessions: [idle], problems: [], store: { state: "ok", message: null }, next: null }),
    show: async () => show(),
  };
  // Only these routes are asked here.
  return { client: routes as unknown as Client, asked };
}

async function heard(pages: readonly Page[], count: number, show: () => unknown = () => idle) {
  const over = new AbortController();
  const messages: Message[] = [];
  const { client, asked } = daemon(pages, { messages, show });
  await new Promise<void>((done, fail) => {
    const send = (message: Message) => {
      messages.push(message);
      if (messages.length === count) done();
    };
    const connected = (connected: boolean) => send({ kind: "connected", connected });
    feedSessions({ client, node: null, signal: over.signal, send, connected }).catch(fail);
  }).finally(() => over.abort());
  return {
    kinds: messages.map((message) => (message.kind === "connected" ? `${message.kind} ${message.connected}` : message.kind)),
    asked,
  };
}

const newest = { after: 0, answer: () => page([], 7, { snapshot_at: 7 }) };
const one = { after: 1, answer: () => page([changed(8, idle.id)], 8) };
const refused = (after: number, code: "DAEMON_UNREACHABLE" | "SCOPE_REFUSED") => ({
  after,
  answer: () => {
    throw new TmpmError(code, "no");
  },
});

test("everything is looked at once, then only what something happened to", async () => {
  const { kinds, asked } = await heard([newest, one], 2);
  expect(kinds).toEqual(["listed", "seen"]);
  expect(asked).toMatchObject([{ after: Number.MAX_SAFE_INTEGER }, { after: 7 }, { after: 8 }]);
});

test("many changes at once are one look at all", async () => {
  const many = Array.from({ length: 50 }, (_, number) => changed(8 + number, session(`s${number}`, "idle").id));
  const { kinds } = await heard([newest, { after: 1, answer: () => page(many, 57) }], 2);
  expect(kinds).toEqual(["listed", "listed"]);
});

test("a removed session is reported as gone", async () => {
  const gone = () => {
    throw new TmpmError("SESSION_NOT_FOUND", "no");
  };
  expect((await heard([newest, one], 2, gone)).kinds).toEqual(["listed", "gone"]);
});

test("a daemon that is away is reported once, asked without waiting, and looked at anew when it is back", async () => {
  const away = [refused(1, "DAEMON_UNREACHABLE"), refused(2, "DAEMON_UNREACHABLE")];
  const { kinds, asked } = await heard([newest, ...away, { after: 2, answer: () => page([], 7) }], 4);
  expect(kinds).toEqual(["listed", "connected false", "connected true", "listed"]);
  expect(asked.slice(1, 4)).toMatchObject([{ wait_ms: 20_000 }, { wait_ms: 0 }, { wait_ms: 0 }]);
});

test("what the daemon refuses ends it", async () => {
  await expect(heard([refused(0, "SCOPE_REFUSED")], 1)).rejects.toMatchObject({ code: "SCOPE_REFUSED" });
});
