import { describe, expect, test } from "vitest";
import { known } from "../src/agent/put-prompt.js";
import { afterEvent } from "../src/conversation/after-event.js";
import { chooseOption } from "../src/conversation/choose-option.js";
import { edgeOf } from "../src/conversation/edge.js";
import type { ConversationEvent } from "../src/conversation/event.js";
import { readingOf } from "../src/conversation/reading.js";
import type { PermissionRequest } from "../src/conversation/request.js";
import { NO_SETTINGS } from "../src/conversation/settings.js";
import { ConversationState, NO_CONVERSATION } from "../src/conversation/state.js";
import { HolderEvent } from "../src/holder/calls.js";
import { eventLog } from "../src/holder/event-log.js";

const OPENED: ConversationEvent = { type: "opened", conversation_id: "c1", agent: { name: "A", version: "1" }, settings: NO_SETTINGS };
const REQUEST: PermissionRequest = {
  id: "r1",
  tool: "execute",
  subject: "rm -rf build",
  options: [
    { id: "ever", label: "Always", grants: "always" },
    { id: "yes", label: "Yes", grants: "once" },
    { id: "no", label: "No", grants: "no" },
  ],
};

function after(...events: readonly ConversationEvent[]): ConversationState {
  return events.reduce((state, event, index) => afterEvent(state, { at_ms: index + 1, event }), NO_CONVERSATION);
}

describe("the agent's state by the protocol", () => {
  const prompted: ConversationEvent = { type: "prompted", key: "k1", text: "go" };
  const said: ConversationEvent = { type: "said", who: "agent", text: "hm", message: null };
  const rows: readonly (readonly [string, readonly ConversationEvent[], string, "" | null])[] = [
    ["nothing happened yet", [], "starting", null],
    ["its conversation is open", [OPENED], "idle", ""],
    ["it wants a login", [{ type: "failed", message: "log in", hint: null }], "blocked", null],
    ["a prompt was put", [OPENED, prompted], "working", null],
    ["it refused the prompt", [OPENED, prompted, { type: "refused", key: "k1", reason: "no" }], "idle", ""],
    ["it asks for permission", [OPENED, prompted, { type: "asked", request: REQUEST }], "awaiting_approval", null],
    [
      "it was answered",
      [OPENED, prompted, { type: "asked", request: REQUEST }, { type: "answered", request: "r1", label: "Yes" }],
      "working",
      null,
    ],
    ["its turn ended", [OPENED, prompted, said, { type: "ended", key: "k1", stop: "end_turn" }], "idle", ""],
    ["its turn broke", [OPENED, prompted, said, { type: "broke", key: "k1", message: "529" }], "errored", ""],
    ["its process ended in a turn", [OPENED, prompted, { type: "exited", status: 7, signal: null }], "exited", null],
  ];
  test.each(rows)("when %s", (_, events, state, draft) => {
    expect(readingOf(after(...events))).toMatchObject({ state, draft, source: "protocol" });
  });

  test("is exactly the request, with the id to answer it", () => {
    const reading = readingOf(after(OPENED, prompted, { type: "asked", request: REQUEST }));
    expect(reading.decision).toMatchObject({ tool: "execute", subject: "rm -rf build", request: "r1" });
    expect(reading.decision?.choices.map(({ label }) => label)).toEqual(["Always", "Yes", "No"]);
  });

  test("has certainly received a prompt only once all of it was written, in every later state", () => {
    const fate = (...events: readonly ConversationEvent[]) => {
      const put = known("k1", { state: () => after(OPENED, prompted, ...events) });
      return [put?.fate.kind, put?.evidence[0]];
    };
    const written: ConversationEvent = { type: "written", key: "k1" };
    const sent = "session/prompt was sent to the agent in full";
    expect(fate()).toEqual(["unwritten", "the agent has not read it in full"]);
    expect(fate(written)).toEqual(["taken", sent]);
    expect(fate(said)).toEqual(["taken", sent]);
    expect(fate({ type: "exited", status: 1, signal: null })).toEqual(["unwritten", "the agent ended before it had read it in full"]);
    const unread = ["unwritten", "its turn ended before the agent had read it in full"];
    expect(fate({ type: "broke", key: "k1", message: "overloaded" })).toEqual(unread);
    expect(fate({ type: "failed", message: "the agent closed its connection, and its process still runs", hint: null })).toEqual(unread);
    expect(fate(written, { type: "exited", status: 1, signal: null })).toEqual(["taken", sent]);
    expect(fate({ type: "ended", key: "k1", stop: "end_turn" })).toEqual(["taken", sent]);
    expect(fate({ type: "refused", key: "k1", reason: "no" })[0]).toBe("refused");
  });

  test("is reported as a change, except for partial messages", () => {
    expect(edgeOf(OPENED, { more: false, atMs: 0 })).toMatchObject({ state: "idle", conversationId: "c1", binds: true });
    expect(edgeOf(prompted, { more: false, atMs: 0 })).toMatchObject({ state: "working", prompted: true });
    expect(edgeOf({ type: "answered", request: "r1", label: "Yes" }, { more: true, atMs: 0 })).toMatchObject({ state: null });
    expect(edgeOf(said, { more: false, atMs: 0 })).toBeNull();
  });
});

test("a turn that ends at a usage limit reports the limit and its reset, and one with another fault does not", () => {
  const atMs = Date.UTC(2026, 10, 28, 12);
  const broke = (message: string) => ({ type: "broke", key: "k", message }) as const;
  const broken = (message: string) =>
    afterEvent(after(OPENED, { type: "prompted", key: "k", text: "go" }), { at_ms: atMs, event: broke(message) });
  const limited = "429: usage limit reached, try again in 2h 30m";
  const limit = { message: limited, resetsAtMs: atMs + 9_000_000 };
  expect(readingOf(broken(limited))).toMatchObject({ state: "errored", draft: "", limit });
  expect(edgeOf(broke(limited), { more: false, atMs })).toMatchObject({ state: "errored", limit });
  expect(readingOf(broken("529 overloaded")).limit).toBeNull();
});

test("a request ends with its turn", () => {
  const asking = after(OPENED, { type: "prompted", key: "k", text: "go" }, { type: "asked", request: REQUEST });
  expect(afterEvent(asking, { at_ms: 9, event: { type: "ended", key: "k", stop: "cancelled" } })).toMatchObject({
    requests: [],
    turn: null,
  });
});

describe("an answer", () => {
  test("allows or refuses once, regardless of the labels and order of the options", () => {
    expect(chooseOption(REQUEST, { kind: "approve" }).id).toBe("yes");
    expect(chooseOption(REQUEST, { kind: "deny" }).id).toBe("no");
    expect(chooseOption(REQUEST, { kind: "choice", number: 1 }).id).toBe("ever");
  });

  test("that does not fit lists the valid ones", () => {
    const always = { ...REQUEST, options: REQUEST.options.slice(0, 1) };
    for (const [request, answer] of [
      [always, { kind: "approve" }],
      [REQUEST, { kind: "choice", number: 4 }],
      [REQUEST, { kind: "text", text: "maybe" }],
    ] as const) {
      expect(() => chooseOption(request, answer)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    }
  });
});

describe("the log of a conversation", () => {
  const quiet = { now: () => 1, onAppend: () => undefined };

  test("returns exactly the missed entries", () => {
    const log = eventLog(quiet);
    for (const text of ["a", "b", "c"]) log.append({ type: "noted", text });
    expect(log.since(1)).toMatchObject({ kind: "events", events: [{ seq: 2 }, { seq: 3 }] });
    expect(log.since(3)).toEqual({ kind: "events", events: [] });
    expect(log.since(7)).toMatchObject({ kind: "whole", seq: 3 });
  });

  test("returns the whole, equal conversation if too much was missed", () => {
    const log = eventLog(quiet);
    for (let i = 0; i < 30; i++) log.append({ type: "noted", text: "x".repeat(300_000) });
    const missed = log.since(0);
    expect(missed.kind === "whole" && ConversationState.parse(JSON.parse(JSON.stringify(missed.state)))).toEqual(log.state());
    const late = log.since(29);
    expect(late.kind === "events" && late.events.map(({ seq }) => seq)).toEqual([30]);
  });
});

test("events of a later version are ignored, and the following ones apply", () => {
  const received = [
    { seq: 1, at_ms: 1, event: { type: "dreamt", of: "sheep" } },
    { seq: 2, at_ms: 2, event: { type: "noted", text: "woke up" } },
  ];
  const events = received.map((event) => HolderEvent.parse(event)).filter((event) => "seq" in event);
  expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
  const state = events.reduce(afterEvent, NO_CONVERSATION);
  expect(state.transcript.entries).toEqual([{ kind: "noted", text: "woke up" }]);
});
