import type { SessionAnswer, SessionList } from "@tmpm/api";
import { CONTRACTS } from "@tmpm/api";
import { standing, standingText } from "@tmpm/api/standing";
import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { type AskedNode, fleetSessions } from "../../src/fleet/fleet-sessions.js";
import type { KeptSessions } from "../../src/fleet/node-record.js";

const EXAMPLE = CONTRACTS.list.example.answer.sessions[0] as SessionAnswer;
const NOW = Date.parse("2026-01-02T12:00:00Z");

function sessions(...names: readonly string[]): SessionAnswer[] {
  return names.map((name) => ({ ...EXAMPLE, name, activity: { ...EXAMPLE.activity, state: "working" } }));
}

function listed(...names: readonly string[]): SessionList {
  return { sessions: sessions(...names), problems: [], store: { state: "ok", message: null }, next: null };
}

interface Node {
  readonly label: string;
  readonly answer: () => Promise<SessionList>;
  readonly last?: KeptSessions;
  readonly presence?: "online" | "offline";
}

function node({ label, answer, last, presence = "online" }: Node) {
  const kept: KeptSessions[] = [];
  const error = presence === "offline" ? new TmpmError("NODE_OFFLINE", "silent for 45 s") : null;
  const asked: AskedNode = {
    label,
    state: () => ({ presence, since: NOW, error, heardAt: NOW, link: null }),
    client: { list: answer },
    last: () => last ?? null,
    keep: (each) => kept.push(each),
    waiting: () => 2,
  };
  return { asked, kept };
}

const PATIENCE = { ms: 300, signal: new AbortController().signal, stop: () => undefined };
const OPTIONS = { query: {}, fields: null, patience: PATIENCE, own: async () => listed("own"), now: () => NOW };

test("only the requested fields are listed, of every machine, and a node's whole list is kept", async () => {
  const { asked, kept } = node({ label: "build1", answer: async () => listed("demo") });
  const silent = node({
    label: "build2",
    answer: () => Promise.reject(new TmpmError("NODE_OFFLINE", "gone")),
    last: { as_of: "2026-01-02T11:00:00Z", sessions: sessions("before"), problems: [] },
  });
  const list = await fleetSessions([asked, silent.asked], { ...OPTIONS, fields: ["name", "state"] });
  expect(list.sessions).toEqual([
    { name: "own", state: "active", node: null, was: null },
    { name: "demo", state: "active", node: "build1", was: null },
    { name: "before", state: "active", node: "build2", was: "working" },
  ]);
  expect(kept).toMatchObject([{ sessions: [{ id: EXAMPLE.id, cwd: EXAMPLE.cwd }] }]);
});

test("all sessions are listed with their node, and a node's list is kept", async () => {
  const { asked, kept } = node({ label: "build1", answer: async () => listed("demo") });
  const list = await fleetSessions([asked], OPTIONS);
  expect(list.complete).toBe(true);
  expect(list.sessions.map(({ node: label, name, was }) => [label, name, was])).toEqual([
    [null, "own", null],
    ["build1", "demo", null],
  ]);
  expect(kept).toMatchObject([{ as_of: "2026-01-02T12:00:00Z", sessions: [{ name: "demo" }] }]);
  expect(CONTRACTS.fleet.answer.safeParse(list).error).toBeUndefined();
});

test("a slow node times out, and its sessions are unknown", async () => {
  const late = new TmpmError("DAEMON_UNREACHABLE", "no answer within 300 ms", { details: { reason: "no_answer" } });
  const last = { as_of: "2026-01-02T11:00:00Z", sessions: sessions("demo"), problems: [] };
  const { asked, kept } = node({ label: "build1", answer: () => Promise.reject(late), last });
  const list = await fleetSessions([asked], OPTIONS);
  expect(list.nodes[1]).toEqual({
    node: "build1",
    complete: false,
    as_of: "2026-01-02T11:00:00Z",
    presence: "online",
    reason: "no answer within 300 ms",
    waiting: 2,
  });
  expect(list.sessions[1]).toMatchObject({ name: "demo", was: "working", activity: { state: "unknown" }, decision: null, turn: null });
  expect(kept).toEqual([]);
});

test("stored data of a silent node neither needs the user nor counts as current", async () => {
  const [asks, starts, stopped] = sessions("asks", "starts", "stopped");
  const question = {
    id: "q",
    session_id: asks?.id,
    question: "Which?",
    choices: [],
    asked_at: "2026-01-02T10:00:00Z",
    answer: null,
    withdrawn_at: null,
  };
  const kept = [
    { ...asks, question },
    { ...starts, state: "provisioning" },
    { ...stopped, state: "stopped" },
  ] as SessionAnswer[];
  const { asked } = node({
    label: "build1",
    presence: "offline",
    answer: () => Promise.reject(new Error("asked")),
    last: { as_of: "2026-01-02T11:00:00Z", sessions: kept, problems: [] },
  });
  const list = await fleetSessions([asked], { ...OPTIONS, own: null });
  expect(list.sessions.map((session) => [standing(session).name, standing(session).needsYou, standingText(session)])).toEqual([
    ["unknown", false, "unknown (was working)"],
    ["unknown", false, "unknown (was starting)"],
    ["unknown", false, "unknown (was stopped)"],
  ]);
});

test("an offline node is not queried", async () => {
  const { asked } = node({ label: "build1", presence: "offline", answer: () => Promise.reject(new Error("asked")) });
  const list = await fleetSessions([asked], OPTIONS);
  expect(list).toMatchObject({
    complete: false,
    nodes: [{ node: null }, { node: "build1", complete: false, as_of: null, reason: "silent for 45 s" }],
  });
});

test("the kept list of a silent node is filtered the same way", async () => {
  const [mine, other] = sessions("mine", "other");
  const last = {
    as_of: "2026-01-02T11:00:00Z",
    sessions: [
      { ...mine, project_id: "api" },
      { ...other, project_id: "web" },
    ] as SessionAnswer[],
    problems: [],
  };
  const { asked } = node({ label: "build1", presence: "offline", answer: () => Promise.reject(new Error("asked")), last });
  const list = await fleetSessions([asked], { ...OPTIONS, own: null, query: { project_id: "api" } });
  expect(list.sessions.map(({ name }) => name)).toEqual(["mine"]);
});

test("a node that claims sessions of another machine lists them as its own", async () => {
  const claimed = { ...listed("own"), sessions: sessions("own").map((session) => ({ ...session, node: null, was: "idle" })) };
  const { asked } = node({ label: "build1", answer: async () => claimed });
  const list = await fleetSessions([asked], OPTIONS);
  expect(list.sessions.map(({ node: label, name, was }) => [label, name, was])).toEqual([
    [null, "own", null],
    ["build1", "own", null],
  ]);
});

test("a node without the project has no sessions of it, and counts as having answered", async () => {
  const { asked } = node({ label: "build1", answer: () => Promise.reject(new TmpmError("PROJECT_NOT_FOUND", "no such project")) });
  expect(await fleetSessions([asked], { ...OPTIONS, query: { project_id: "api" } })).toMatchObject({ complete: true });
});

test.each([
  ["an empty object", {}],
  ["null", null],
  ["sessions without names", { ...listed(), sessions: [{ id: "x" }] }],
  ["another list", { nodes: [] }],
])("a node that responds with %s does not break the list of the others", async (_, answer) => {
  const last = { as_of: "2026-01-02T11:00:00Z", sessions: sessions("before"), problems: [] };
  const bad = node({ label: "bad", answer: async () => answer as SessionList, last });
  const good = node({ label: "good", answer: async () => listed("demo") });
  const list = await fleetSessions([bad.asked, good.asked], OPTIONS);
  expect(list.sessions.map(({ node: label, name, was }) => [label, name, was])).toEqual([
    [null, "own", null],
    ["bad", "before", "working"],
    ["good", "demo", null],
  ]);
  expect(list.nodes[1]).toMatchObject({ complete: false, reason: "its response is not a list of sessions" });
  expect([bad.kept, good.kept.length]).toEqual([[], 1]);
});

test("sessions of a silent node pass the filter of states too", async () => {
  const [runs, stopped] = sessions("runs", "stopped");
  const kept = [runs, { ...stopped, state: "stopped" }] as SessionAnswer[];
  const last = { as_of: "2026-01-02T11:00:00Z", sessions: kept, problems: [] };
  const silent = node({ label: "build1", presence: "offline", answer: () => Promise.reject(new Error("asked")), last });
  const namesOf = async (query: object) =>
    (await fleetSessions([silent.asked], { ...OPTIONS, own: null, query })).sessions.map(({ name }) => name);
  expect(await namesOf({ state: "stopped" })).toEqual(["stopped"]);
  expect(await namesOf({ state: ["stopped", "active"] })).toEqual(["runs", "stopped"]);
  expect(await namesOf({ state: "stopped", project_id: "other" })).toEqual([]);
});
