import { describe, expect, test } from "vitest";
import { keyOf } from "../../src/render/key-of.js";
import type { Message } from "../../src/top/message.js";
import { listedSessions, selectedSession, type TopState } from "../../src/top/state.js";
import { update } from "../../src/top/update.js";
import { after, approval, session, topWith } from "./sessions.js";

const own = session("own", "idle");
const asks = session("asks", "awaiting_approval", { decision: approval("make") });
const works = session("works", "working");
const ended = session("ended", "exited", { state: "stopped", status: "Stopped" });
const of = (node: string, ...sessions: readonly ReturnType<typeof session>[]): Message => ({ kind: "listed", node, sessions, problems: 0 });
const silent: Message = { kind: "silent", node: "build1", reason: "silent for 45 s" };

const both = () => after(topWith([own]), of("build1", asks, works, ended), { kind: "command", command: "first" });
const rows = (state: TopState) => listedSessions(state).map(({ name, activity, was }) => `${name} ${activity.state} ${was}`);

describe("sessions of other nodes", () => {
  test("are listed with this machine's by address, starting with those that need the user", () => {
    expect(rows(both())).toEqual([
      "build1:asks awaiting_approval null",
      "build1:works working null",
      "own idle null",
      "build1:ended exited null",
    ]);
  });

  test("are acted on where they run", () => {
    expect(update(both(), { kind: "command", command: "approve" }).effects).toMatchObject([
      { kind: "answer", session: { id: asks.id, name: "build1:asks", node: "build1" } },
    ]);
    const next = after(both(), { kind: "command", command: "down" });
    expect(update(next, { kind: "command", command: "attach" }).effects).toMatchObject([{ kind: "attach", session: { node: "build1" } }]);
  });

  test("are distinguished from those of a copied home folder with the same ids", () => {
    const state = after(both(), of("copy", asks));
    expect(
      listedSessions(state)
        .filter(({ id }) => id === asks.id)
        .map(keyOf),
    ).toEqual([`build1:${asks.id}`, `copy:${asks.id}`]);
    expect(listedSessions(after({ ...state, tree: true }, { kind: "ticked" }))).toHaveLength(5);
  });

  test("can be filtered by node, and grouped", () => {
    const filtered = after(both(), { kind: "command", command: "filter" }, { kind: "typed", text: "node:build1" });
    expect(listedSessions(filtered)).toHaveLength(3);
    const grouped = after(both(), { kind: "command", command: "by_node" });
    expect(listedSessions(grouped).map(({ name }) => name)).toEqual(["own", "build1:asks", "build1:works", "build1:ended"]);
  });
});

describe("a node that does not answer", () => {
  test("has its sessions shown as unknown, with their last status, and without requests", () => {
    const state = after(both(), silent);
    expect(rows(state)).toEqual([
      "own idle null",
      "build1:asks unknown awaiting_approval",
      "build1:ended unknown exited",
      "build1:works unknown working",
    ]);
    expect(selectedSession(state)).toMatchObject({ name: "build1:asks", decision: null, question: null });
    expect(state.silent.get("build1")).toEqual({ reason: "silent for 45 s", asOf: "2026-01-01T01:00:00Z" });
  });

  test("is not acted on, and its screen is no longer shown", () => {
    const screen = { session: `build1:${asks.id}`, lines: ["$ make"], cursorRow: 0, live: true };
    const seen = after(both(), { kind: "screen", screen });
    expect(seen.screen).toEqual(screen);
    const state = after(seen, silent);
    expect(state.screen).toBeNull();
    for (const command of ["attach", "send", "stop", "approve", "resume"] as const)
      expect(update(state, { kind: "command", command })).toMatchObject({
        effects: [],
        state: { notice: { text: "build1 does not answer: silent for 45 s" } },
      });
  });

  test("stays unknown while single responses in transit arrive, and is live once it has listed its sessions again", () => {
    const state = after(both(), silent, { kind: "seen", node: "build1", session: works });
    expect(rows(state)).toContain("build1:works unknown working");
    expect(rows(after(state, of("build1", works)))).toEqual(["build1:works working null", "own idle null"]);
    expect(after(state, of("build1", works)).silent.size).toBe(0);
  });

  test("keeps the time of its last response when the reason changes", () => {
    const later = { ...silent, reason: "build1 does not answer: cannot be reached" };
    const state = after(both(), { ...silent, asOf: "2026-01-01T00:30:00Z" }, later);
    expect(state.silent.get("build1")).toEqual({ reason: "cannot be reached", asOf: "2026-01-01T00:30:00Z" });
  });

  test("that was silent from the beginning is shown with the data of this machine's daemon", () => {
    const kept = { ...works, node: "build1", was: "working", activity: { ...works.activity, state: "unknown" as const } };
    const state = after(topWith([own]), of("build1", kept), { ...silent, asOf: null });
    expect(rows(state)).toEqual(["own idle null", "build1:works unknown working"]);
    expect(state.silent.get("build1")?.asOf).toBeNull();
  });

  test("that is removed takes its sessions with it", () => {
    const state = after(both(), silent, { kind: "removed", node: "build1" });
    expect([rows(state), state.silent.size]).toEqual([["own idle null"], 0]);
  });
});
