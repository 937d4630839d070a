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

/** The daemon's response to a request for events, once this many messages were sent. */
interface Page {
  readonly after: number;
  readonly answer: () => unknown;
}

/** A daemon whose responses to requests for events are these, in order; after the last one it is silent. */
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
  // Only these routes are used here.
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

test("all sessions are read once, then only those with events", async () => {
  const { kinds, asked } = await heard([newest, one], 2);
  expect(kinds).toEqual(["listed", "seen"]);
  expect(asked).toMatchObject([{ after: Number.MAX_SAFE_INTEGER }, { after: 7 }, { after: 8 }]);
});

test("many simultaneous changes lead to one list of all", async () => {
  const many = Array.from({ length: 50 }, (_, number) => changed(8 + number, session(`s${number}`, "idle").id));
  const { kinds } = await heard([newest, { after: 1, answer: () => page(many, 57) }], 2);
  expect(kinds).toEqual(["listed", "listed"]);
});

test("a removed session is reported as removed", async () => {
  const gone = () => {
    throw new TmpmError("SESSION_NOT_FOUND", "no");
  };
  expect((await heard([newest, one], 2, gone)).kinds).toEqual(["listed", "gone"]);
});

test("an absent daemon is reported once, polled without waiting, and read again when it is back", async () => {
  const away = [refused(1, "DAEMON_UNREACHABLE"), refused(2, "DAEMON_UNREACHABLE")];
  const { kinds, asked } = await heard([newest, ...away, { after: 2, answer: () => page([], 7) }], 4);
  expect(kinds).toEqual(["listed", "connected false", "connected true", "listed"]);
  expect(asked.slice(1, 4)).toMatchObject([{ wait_ms: 20_000 }, { wait_ms: 0 }, { wait_ms: 0 }]);
});

test("a refusal by the daemon ends it", async () => {
  await expect(heard([refused(0, "SCOPE_REFUSED")], 1)).rejects.toMatchObject({ code: "SCOPE_REFUSED" });
});
