import { describe, expect, test } from "vitest";
import { type Command, KEYS } from "../../src/top/keys.js";
import { listedSessions, selectedSession, type TopState } from "../../src/top/state.js";
import { update } from "../../src/top/update.js";
import { after, approval, session, topWith } from "./sessions.js";

const asking = session("asking", "awaiting_approval", { decision: approval("npm test") });
const working = session("working", "working");
const idle = session("idle", "idle", { project_id: "web" });
const ended = session("ended", "exited", { state: "stopped", status: "Stopped" });
const all = [ended, idle, working, asking];

const names = (state: TopState) => listedSessions(state).map(({ name }) => name);
const selected = (state: TopState) => selectedSession(state)?.name ?? null;
const command = (name: Command) => ({ kind: "command", command: name }) as const;

describe("the list", () => {
  test("begins with the sessions that need the user, and selects the first", () => {
    expect(names(topWith(all))).toEqual(["asking", "working", "idle", "ended"]);
    expect(selected(topWith(all))).toBe("asking");
  });

  test("among sessions that need the user, the longest waiting is first", () => {
    const later = session("a-later", "awaiting_approval", { activity: { ...asking.activity, since: "2026-01-01T00:30:00Z" } });
    expect(names(topWith([later, asking]))).toEqual(["asking", "a-later"]);
  });

  test("keeps its session selected when that moves, and selects the one in its place when it is removed", () => {
    const state = after(topWith(all), command("down"), command("down"));
    expect(selected(state)).toBe("idle");
    const busy = after(state, { kind: "seen", node: null, session: session("idle", "awaiting_input") });
    expect([names(busy)[1], selected(busy)]).toEqual(["idle", "idle"]);
    expect(selected(after(state, { kind: "gone", node: null, id: idle.id }))).toBe("ended");
    expect(selected(after(topWith([idle]), { kind: "gone", node: null, id: idle.id }))).toBe(null);
  });

  test("is unchanged while the daemon does not answer, and keeps its selection afterwards", () => {
    const state = after(topWith(all), command("down"), { kind: "connected", connected: false });
    expect([names(state).length, selected(state), state.connected]).toEqual([4, "working", false]);
    expect(selected(after(state, { kind: "connected", connected: true }, { kind: "listed", node: null, sessions: all, problems: 0 }))).toBe(
      "working",
    );
  });

  test("is scrolled by pages and to its ends, and never beyond", () => {
    const many = Array.from({ length: 200 }, (_, at) => session(`s${String(at).padStart(3, "0")}`, "idle"));
    const state = topWith(many);
    expect(selected(after(state, command("up")))).toBe("s000");
    expect(selected(after(state, command("last"), command("down")))).toBe("s199");
    expect(selected(after(state, command("page_down")))).toBe("s027");
    expect(selected(after(state, command("last"), command("first")))).toBe("s000");
  });
});

describe("the filters of the list", () => {
  const typed = (text: string) => after(topWith(all), command("filter"), { kind: "typed", text });

  test.each([
    ["workin", ["working"]],
    ["state:idle", ["idle"]],
    ["project:we", ["idle"]],
    ["NPM test", ["asking"]],
    ["state:idle project:default", []],
    ["constructor:", []],
    ["__proto__:x", []],
  ])("the filter %j", (text, expected) => {
    expect(names(typed(text))).toEqual(expected);
  });

  test("apply while typing, are kept by Enter, and reset by Esc", () => {
    expect(names(after(typed("workin"), { kind: "entered", text: "workin" }))).toEqual(["working"]);
    expect(names(after(typed("workin"), { kind: "left" }))).toHaveLength(4);
    expect(names(after(typed("workin"), { kind: "entered", text: "workin" }, command("clear")))).toHaveLength(4);
  });

  test("Tab cycles through the views", () => {
    const seen = ["all", "needs you", "working", "idle", "ended", "all"];
    const states = seen.map((_, times) => after(topWith(all), ...Array.from({ length: times }, () => command("view"))));
    expect(states.map(({ view }) => view)).toEqual(seen);
    expect(states.map(names)).toEqual([expect.anything(), ["asking"], ["working"], ["idle"], ["ended"], expect.anything()]);
  });

  test("a search captures the screens of the listed sessions, and lists those that contain the text", () => {
    const searching = after(topWith(all), command("search"));
    expect(update(searching, { kind: "entered", text: "error" }).effects).toMatchObject([
      { kind: "search", query: "error", sessions: [{ name: "asking" }, { name: "working" }, { name: "idle" }, { name: "ended" }] },
    ]);
    const found = after(searching, { kind: "found", found: { query: "error", lines: new Map([[idle.id, "an error"]]) } });
    expect(names(found)).toEqual(["idle"]);
    const nothing = after(searching, { kind: "found", found: { query: "error", lines: new Map() } });
    expect([names(nothing).length, nothing.notice?.text]).toEqual([4, 'no screen shows "error"']);
  });
});

describe("actions on a session", () => {
  const effects = (state: TopState, name: Command) => update(state, command(name)).effects;

  test("an approval and a denial are bound to the displayed request", () => {
    const decision = asking.decision?.id;
    expect(effects(topWith(all), "approve")).toMatchObject([{ kind: "answer", decision, answer: { kind: "approve" } }]);
    expect(effects(topWith(all), "deny")).toMatchObject([{ kind: "answer", decision, answer: { kind: "deny" } }]);
    const none = update(topWith([idle]), command("approve"));
    expect([none.effects, none.state.notice?.text]).toEqual([[], "idle has no request that can be answered from here"]);
  });

  test("a question is answered only by the number of a choice", () => {
    const asks = topWith([session("asks", "awaiting_input", { decision: approval("Which?", { kind: "question" }) })]);
    expect(effects(asks, "approve")).toEqual([]);
    expect(update(asks, { kind: "key", key: "2" }).effects).toMatchObject([{ kind: "answer", answer: { kind: "choice", number: 2 } }]);
    expect(update(asks, { kind: "key", key: "3" }).effects).toEqual([]);
    expect(update(topWith([idle]), { kind: "key", key: "1" }).effects).toEqual([]);
  });

  test("stopping requires confirmation by y", () => {
    const asks = after(topWith([working]), command("stop"));
    expect(update(asks, { kind: "key", key: "y" }).effects).toMatchObject([{ kind: "stop", session: { name: "working" } }]);
    for (const key of ["n", "escape", "enter", "x"]) {
      expect(update(asks, { kind: "key", key })).toMatchObject({ effects: [], state: { mode: { kind: "list" } } });
    }
  });

  test("the confirmation applies to the session that was selected when it appeared", () => {
    const asks = after(topWith([idle, working]), command("stop"), { kind: "gone", node: null, id: working.id });
    expect(update(asks, { kind: "key", key: "y" }).effects).toMatchObject([{ kind: "stop", session: { id: working.id } }]);
  });

  test("a text is sent unchanged, and queued for a busy session", () => {
    const sending = (each: typeof idle) => after(topWith([each]), command("send"));
    expect(update(sending(idle), { kind: "entered", text: " two\nlines " }).effects).toMatchObject([
      { kind: "send", text: " two\nlines ", queue: false },
    ]);
    expect(update(sending(working), { kind: "entered", text: "x" }).effects).toMatchObject([{ kind: "send", queue: true }]);
    expect(update(sending(idle), { kind: "entered", text: " " }).effects).toEqual([]);
  });

  test("only running sessions are attached to, stopped and sent to, and only others are resumed", () => {
    for (const name of ["attach", "send", "stop"] as const) {
      expect(update(topWith([ended]), command(name))).toMatchObject({
        effects: [],
        state: { notice: { text: "ended is not running; r resumes it" } },
      });
    }
    expect(effects(topWith([ended]), "resume")).toMatchObject([{ kind: "resume", session: { name: "ended" } }]);
    expect(effects(topWith([working]), "resume")).toEqual([]);
    expect(effects(topWith([working]), "attach")).toMatchObject([{ kind: "attach" }]);
    expect(effects(topWith([]), "attach")).toEqual([]);
  });
});

describe("the mouse", () => {
  const pointed = (kind: "press" | "wheel_up" | "wheel_down", row: number, column = 3) =>
    ({ kind: "pointed", pointed: { kind, row, column } }) as const;

  test("a click selects the session in that row, and does nothing outside the list", () => {
    expect(selected(after(topWith(all), pointed("press", 3)))).toBe("idle");
    for (const row of [0, 20, 29]) expect(selected(after(topWith(all), pointed("press", row)))).toBe("asking");
    expect(selected(after(topWith(all), pointed("press", 3, 100)))).toBe("asking");
  });

  test("the wheel moves the selection over the list, and scrolls over the screen", () => {
    expect(selected(after(topWith(all), pointed("wheel_down", 2)))).toBe("working");
    const screen = { session: asking.id, lines: Array.from({ length: 50 }, (_, at) => `line ${at}`), cursorRow: 49, live: true };
    const over = after(
      topWith(all),
      { kind: "screen", screen },
      pointed("wheel_up", 5, 100),
      pointed("wheel_up", 5, 100),
      pointed("wheel_down", 5, 100),
    );
    expect([selected(over), over.scrolled]).toEqual(["asking", 3]);
    expect(after(over, command("down")).scrolled).toBe(0);
  });
});

test("a screen that arrives late, for a session that is no longer selected, is not shown", () => {
  const screen = { session: idle.id, lines: ["x"], cursorRow: 0, live: true };
  expect(after(topWith(all), { kind: "screen", screen }).screen).toBe(null);
});

test("every key has one action, and every action a key", () => {
  const keys = KEYS.flatMap((row) => row.keys);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(KEYS.map((row) => row.command)).size).toBe(KEYS.length);
});
