import type { Transcript } from "@tmpm/agents";
import { type Activity, type EventBody, SessionRecord, type SessionView, ThoughtSnapshot } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, test } from "vitest";
import { agentThoughts, thoughtText } from "../../src/thoughts/agent-thoughts.js";
import { latestWriter } from "../../src/thoughts/latest-writer.js";
import type { ThoughtProvider, ThoughtSink, ThoughtUpdate } from "../../src/thoughts/thought-provider.js";
import { paneKey, thoughtRegistry } from "../../src/thoughts/thought-registry.js";
import { fixture } from "../fixtures/fixture.js";

const AT = "2026-02-03T04:05:06Z";
const ID = "00000000-0000-4000-8000-000000000001";
const PANE = { socket: "/run/tmux.sock", server_pid: 7, server_start: 1000, pane_id: "%2" };

function snapshot(changes: Partial<ThoughtSnapshot> = {}): ThoughtSnapshot {
  return ThoughtSnapshot.parse({ updated_at: AT, stream_instance_id: "stream", emission_seq: 1, ...changes });
}

function book(documents = memoryDocuments<ThoughtSnapshot>()) {
  const events: EventBody[] = [];
  const faults: string[] = [];
  const thoughts = thoughtRegistry({
    documents,
    now: () => AT,
    emit: (event) => events.push(event),
    report: ({ doing }) => faults.push(doing),
  });
  return { thoughts, events, faults, documents };
}

describe("thought registry", () => {
  test("gives a session's own thought, else its pane's, else none", () => {
    const { thoughts } = book();
    thoughts.put({ key: paneKey(PANE), snapshot: snapshot({ thought: "of the pane" }) });
    thoughts.put({ key: paneKey({ ...PANE, pane_id: "%3" }), snapshot: snapshot({ thought: "of another pane" }) });
    expect(thoughts.get({ id: ID, pane: PANE })?.thought).toBe("of the pane");
    expect(thoughts.get({ id: ID, pane: { ...PANE, server_start: 2000 } })).toBeNull();
    expect(thoughts.get({ id: ID, pane: null })).toBeNull();
    thoughts.put({ key: ID, snapshot: snapshot({ thought: "of the session" }) });
    expect(thoughts.get({ id: ID, pane: PANE })?.thought).toBe("of the session");
  });

  test("refuses late thoughts and reports accepted ones", () => {
    const { thoughts, events } = book();
    expect(thoughts.put({ key: ID, snapshot: snapshot({ emission_seq: 2, thought: "second" }) })).toBe(true);
    expect(thoughts.put({ key: ID, snapshot: snapshot({ emission_seq: 1, thought: "first" }) })).toBe(false);
    expect(thoughts.get({ id: ID, pane: null })?.thought).toBe("second");
    expect(events).toEqual([expect.objectContaining({ type: "thought_updated", session_id: ID, thought: "second", emission_seq: 2 })]);
  });

  test("is kept for the next run, in order", async () => {
    const first = book();
    first.thoughts.put({ key: ID, snapshot: snapshot({ emission_seq: 5, objective_changed_at: AT }) });
    await first.thoughts.drained();
    const second = book(first.documents);
    await second.thoughts.load();
    expect(second.thoughts.get({ id: ID, pane: null })).toEqual(snapshot({ emission_seq: 5, objective_changed_at: AT }));
    expect(second.thoughts.put({ key: ID, snapshot: snapshot({ stream_instance_id: "other", emission_seq: 2 }) })).toBe(false);
    expect(second.thoughts.put({ key: ID, snapshot: snapshot({ stream_instance_id: "other", emission_seq: 1 }) })).toBe(true);
    expect(second.thoughts.get({ id: ID, pane: null })?.objective_changed_at).toBe(AT);
    await second.thoughts.forget(ID);
    expect((await first.documents.all()).documents.size).toBe(0);
  });

  test("continues while the disk is full, reports it, and writes once there is space", async () => {
    const { thoughts, events, faults, documents } = book();
    documents.failWith(new Error("full"));
    thoughts.put({ key: ID, snapshot: snapshot({ emission_seq: 1 }) });
    await thoughts.drained();
    thoughts.put({ key: ID, snapshot: snapshot({ emission_seq: 2, thought: "newest" }) });
    await thoughts.drained();
    expect(thoughts.backlog()).toEqual({ pending: 1, coalesced: 1, degraded: true });
    expect(events.at(-1)).toMatchObject({ emission_seq: 2, persistence_degraded: true });
    expect(faults).toContain("saving a thought");
    documents.failWith(null);
    await thoughts.drained();
    expect(thoughts.backlog()).toMatchObject({ pending: 0, degraded: false });
    expect((await documents.all()).documents.get(ID)?.thought).toBe("newest");
  });
});

describe("slow writer", () => {
  test("writes the latest value of each key and drops none", async () => {
    const gates: (() => void)[] = [];
    const written: string[] = [];
    const writer = latestWriter<string>({
      write: async (key, value) => {
        await new Promise<void>((resolve) => gates.push(resolve));
        written.push(`${key}=${value}`);
      },
      failed: () => undefined,
    });
    writer.put("a", "1");
    writer.put("a", "2");
    writer.put("b", "1");
    writer.put("a", "3");
    expect(writer.backlog()).toEqual({ pending: 2, coalesced: 2, degraded: false });
    const drained = writer.drained();
    while (writer.backlog().pending > 0) {
      gates.shift()?.();
      await new Promise(setImmediate);
    }
    await drained;
    expect(written.at(-1)).toBe("a=3");
    expect(written).toContain("b=1");
    expect(written).not.toContain("a=2");
  });
});

describe("text of a thought", () => {
  test.each([
    { message: "# Done\n\nAll tests pass.", text: "Done" },
    { message: "\n\n- **Fixed** the `parser`", text: "Fixed the parser" },
    { message: "1. First", text: "First" },
    { message: "───\n", text: null },
    { message: `${"é".repeat(200)}`, text: `${"é".repeat(159)}…` },
    { message: "a\u001b[31mb\u202e", text: "a [31mb" },
  ])("for $message is $text", ({ message, text }) => {
    expect(thoughtText(message)).toBe(text);
  });
});

describe("thoughts from agents' messages", () => {
  const record = SessionRecord.parse({
    id: ID,
    name: "a",
    tmux_name: "tmpm-a",
    cwd: "/",
    state: "active",
    created_at: AT,
    updated_at: AT,
    agent: "shell",
    conversation_id: "c",
  });

  function provider() {
    let now = Date.parse(AT);
    let transcript: Transcript = {
      prompt: "Do it",
      message: "Reading",
      reply: "Reading",
      model: "m",
      tokens: 10,
      contextLimit: 0,
      prompts: 1,
    };
    let wake: () => void = () => undefined;
    let views: readonly SessionView[] = [];
    const emitted: ThoughtUpdate[] = [];
    const thoughts = agentThoughts({
      clock: { now: () => now, sleep: () => new Promise((resolve) => (wake = resolve)) },
      streamId: "stream",
      sessions: async () => views,
      open: async () => ({ read: async () => transcript }),
      last: (id) => emitted.findLast(({ key }) => key === id)?.snapshot ?? null,
      report: ({ error }) => {
        throw error;
      },
      everyMs: 1000,
    });
    const running = thoughts.start((update) => emitted.push(update) > 0);
    return {
      emitted,
      running,
      async look(changes: { state?: Activity["state"]; transcript?: Partial<Transcript>; afterMs?: number; gone?: boolean }) {
        now += changes.afterMs ?? 0;
        transcript = { ...transcript, ...changes.transcript };
        const state = changes.state ?? "working";
        const activity: Activity = {
          state,
          source: "screen",
          confidence: 1,
          since: AT,
          observed_at: AT,
          expires_at: null,
          evidence: [],
          limit: null,
        };
        views = changes.gone ? [] : [{ record, activity, viewers: 0 }];
        await new Promise(setImmediate);
        wake();
        await new Promise(setImmediate);
        return emitted.at(-1)?.snapshot;
      },
    };
  }

  test("become numbered thoughts, one for each change", async () => {
    const { look, emitted, running } = provider();
    expect(await look({})).toMatchObject({
      thought: "Reading",
      thought_state: "active",
      token_count: 10,
      context_limit: 128_000,
      emission_seq: 1,
    });
    await look({});
    expect(emitted).toHaveLength(1);
    expect(await look({ transcript: { message: "Done" }, state: "idle" })).toMatchObject({
      thought: "Done",
      thought_state: "holding",
      emission_seq: 2,
    });
    expect(await look({ transcript: { prompts: 2, prompt: "More" }, state: "working", afterMs: 1000 })).toMatchObject({
      objective_changed_at: "2026-02-03T04:05:07Z",
      emission_seq: 3,
    });
    await running.close();
  });

  test("sleep with a session that stays idle, and keep counting afterwards", async () => {
    const { look, running } = provider();
    await look({ state: "idle" });
    expect(await look({ state: "idle", afterMs: 60_000 })).toMatchObject({ rest_state: "drowsy", emission_seq: 2 });
    expect(await look({ state: "idle", afterMs: 3_600_000 })).toMatchObject({
      rest_state: "sleeping",
      thought_state: "sleeping",
      thought: "Reading",
    });
    await look({ gone: true });
    expect(await look({ state: "working" })).toMatchObject({ emission_seq: 4, rest_state: "active" });
    await running.close();
  });
});

test("a given provider emits thoughts besides the agents' own, and is closed with the supervisor", async () => {
  let sink: ThoughtSink = () => false;
  let closed = false;
  const provider: ThoughtProvider = {
    start(given) {
      sink = given;
      return {
        async close() {
          closed = true;
        },
      };
    },
  };
  const l = fixture({ ports: { thoughtProviders: [provider] } });
  const { id } = (await l.sessions.create({ agent: "shell", cwd: "/w", name: "one" })).session.record;
  l.sessions.start();
  await expect
    .poll(() =>
      sink({ key: id, snapshot: ThoughtSnapshot.parse({ thought: "building", token_count: 7, updated_at: "2026-01-02T03:04:05Z" }) }),
    )
    .toBe(true);
  expect((await l.sessions.show({ session: "one" })).thought).toMatchObject({ thought: "building", token_count: 7 });
  expect(l.events.find(({ type }) => type === "thought_updated")).toMatchObject({
    session_id: id,
    token_count: 7,
    objective_changed_at: null,
  });
  await l.sessions.close();
  expect(closed).toBe(true);
});
