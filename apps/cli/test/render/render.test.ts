import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { age } from "../../src/render/age.js";
import { profileTable } from "../../src/render/agents.js";
import { errorLines } from "../../src/render/error.js";
import { facts } from "../../src/render/facts.js";
import { renderLine } from "../../src/render/line.js";
import { renderList } from "../../src/render/list.js";
import { LIST_FIELDS } from "../../src/render/list-fields.js";
import { clip } from "../../src/render/one-line.js";
import { shortPath } from "../../src/render/path.js";
import { receiptExit, receiptLine } from "../../src/render/receipt.js";
import { renderSession } from "../../src/render/session.js";
import { stateText } from "../../src/render/state.js";
import { sessionAnswer } from "../fixtures/session-answer.js";
import { approval } from "../top/sessions.js";

const view = { now: Date.parse("2026-01-01T00:01:00Z"), userHome: "/home/me" };
const ok = { state: "ok" as const, message: null };
const EVIL = "a\u001b[2Jb\u009bc\u202ed\u0007";
/** Everything except printable text and the line feed that ends a line. */
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe("the list", () => {
  test("is a table that starts with the sessions that need the user, with the reason", () => {
    const waiting = sessionAnswer({
      name: "asks",
      activity: { ...sessionAnswer().activity, state: "awaiting_input", evidence: ["which colour?"] },
    });
    const sessions = [
      sessionAnswer({ task: "repair the build\nand more" }),
      sessionAnswer({ name: "a-longer-name", agent: "claude", state: "stopped", status: "Stopped", stop_cause: "unexpected", cwd: "/srv" }),
      waiting,
    ];
    expect(renderList({ sessions, problems: [], store: ok, next: null }, view)).toBe(
      [
        "NAME           STATE                  FOR  AGENT   SEEN  DIRECTORY  WHAT",
        "asks           ? question             1m   shell   3s    ~/work     which colour?",
        "demo2          - idle                 1m   shell   3s    ~/work     repair the build",
        "a-longer-name  . stopped, unexpected  1m   claude  3s    /srv",
      ].join("\n"),
    );
  });

  test("reads only the fields that `tmpm ls` requests", () => {
    const read = new Set<string>();
    const noted = (overrides: Parameters<typeof sessionAnswer>[0]) =>
      new Proxy(sessionAnswer(overrides), {
        get(session, field) {
          read.add(String(field));
          return Reflect.get(session, field);
        },
      });
    const sessions = [
      noted({}),
      noted({ name: "b", state: "stopped", status: "Stopped", stop_cause: "unexpected" }),
      noted({ name: "c", state: "errored" }),
      noted({ name: "d", decision: approval("rm -r build") }),
      noted({ name: "e", spawned_by: sessionAnswer().id }),
    ];
    for (const tree of [false, true])
      renderList({ sessions, problems: [], store: ok, next: null }, { ...view, tree, usage: true, ports: true });
    // Only sessions of other nodes have these, and those are complete.
    read.delete("was");
    read.delete("node");
    expect([...read].filter((field) => !LIST_FIELDS.includes(field))).toEqual([]);
    expect(LIST_FIELDS.filter((field) => !(field in sessionAnswer()))).toEqual([]);
  });

  test("shows the required action instead of the task", () => {
    const text = renderList(
      { sessions: [sessionAnswer({ task: "t", hint: "answer the dialog" })], problems: [], store: ok, next: null },
      view,
    );
    expect(text).toMatch(/answer the dialog$/);
  });

  test("lists unreadable records below the sessions, and is not empty while the records cannot be read", () => {
    const problems = [{ kind: "damaged" as const, id: "x", project_id: "default", reason: "not JSON\nat all" }];
    const store = { state: "degraded" as const, message: "permission denied" };
    expect(renderList({ sessions: [], problems, store, next: null }, view).split("\n")).toEqual([
      "damaged record x in project default: not JSON\\nat all",
      "degraded, so this may differ from the disk: permission denied",
    ]);
    expect(renderList({ sessions: [], problems: [], store: ok, next: null }, view)).toBe("");
    const overwritten = { ...ok, conflicts: [{ id: "x", path: "/srv/c.json" }] };
    expect(renderList({ sessions: [], problems: [], store: overwritten, next: null }, view)).toBe(
      "another program overwrote a change to x; both are in /srv/c.json",
    );
  });

  test.each([
    [{ status: 0, signal: null }, "ended, status 0"],
    [{ status: null, signal: 9 }, "ended, signal 9"],
    [{ status: null, signal: null }, "ended"],
  ])("shows how a session ended that was not stopped: %j", (exit, said) => {
    const at = "2026-01-01T00:00:00Z";
    const session = sessionAnswer({ state: "stopped", status: "Stopped", stop_cause: "unexpected", exit: { ...exit, at } });
    expect(renderList({ sessions: [session], problems: [], store: ok, next: null }, view)).toContain(`. ${said}  `);
  });

  test("shows an unresponsive host once, with time and reason", () => {
    const silent = [{ host: "/run/tmux", since: "2026-01-01T00:00:00Z", reason: "tmux did\nnot answer", sessions: 10 }];
    const text = renderList(
      { sessions: [], problems: [], store: ok, next: null, silent },
      { ...view, now: Date.parse("2026-01-01T00:00:12Z") },
    );
    expect(text).toBe("/run/tmux has not answered for 12s, so 10 sessions are shown as last seen: tmux did\\nnot answer");
  });

  test("shows the task of an ended session, or its last line without a task", () => {
    const ended = { state: "stopped", status: "Stopped", last_lines: ["12 tests passed", "  ? for shortcuts", ""] };
    const sessions = [sessionAnswer({ ...ended, name: "a", task: "repair it" }), sessionAnswer({ ...ended, name: "b" })];
    const [, first = "", second = ""] = renderList({ sessions, problems: [], store: ok, next: null }, view).split("\n");
    expect([first, second]).toEqual([expect.stringMatching(/ {2}repair it$/), expect.stringMatching(/work {2,}\? for shortcuts$/)]);
  });

  test("prints one line per session and no control characters, for any content", () => {
    const session = sessionAnswer({ cwd: `/x/${EVIL}\n${EVIL}\t`, hint: `${EVIL}\r` });
    const problems = [{ kind: "damaged" as const, id: EVIL, project_id: EVIL, reason: EVIL }];
    const text = renderList({ sessions: [session], problems, store: { state: "degraded", message: EVIL }, next: null }, view);
    expect(text).not.toMatch(CONTROL);
    expect(text.split("\n")).toHaveLength(4);
    expect(text).toContain("\\x1b[2Jb\\x9bc\\u202ed\\x07");
  });
});

describe("one session", () => {
  test("shows the fields that are set, important ones first, and the last lines of an ended session", () => {
    const text = renderSession(sessionAnswer({ model_of_tomorrow: "x1", last_lines: ["bye", EVIL], pid: 42 }), view);
    expect(text.split("\n")[0]).toMatch(/^name +demo2$/);
    expect(text).toMatch(/^activity +idle \(process, 90 %, since 1m, observed 3s ago\); the shell is in the foreground$/m);
    expect(text).toMatch(/^pid +42$/m);
    expect(text).toMatch(/^model_of_tomorrow +x1$/m);
    expect(text).toMatch(/^created_at +1m ago$/m);
    expect(text).toMatch(/^last_lines\n {2}bye\n {2}a\\x1b/m);
    expect(text).not.toMatch(/null|paused_at|branch/);
    expect(text).not.toMatch(CONTROL);
  });

  test("shows the question and the task for readers, without fields for programs", () => {
    const decision = approval("make\nclean", { since: "2026-01-01T00:00:30Z" });
    const turn = {
      id: "6d1f3c5a-7a52-4b8e-9c0d-1e2f3a4b5c6d",
      generation: 1,
      state: "waiting_approval" as const,
      started_at: "2026-01-01T00:00:10Z",
      prompt: "do it",
      accepted_at: "2026-01-01T00:00:10Z",
    };
    const text = renderSession({ ...sessionAnswer({ decision, agent_config: { search_path: "/bin:/usr/bin" } }), turn }, view);
    expect(text).toMatch(/^decision +approve Bash: make\\nclean; 1 Yes; 2 No$/m);
    expect(text).toMatch(/^turn +6d1f3c5a waiting approval for 50s: do it$/m);
    expect(text).not.toMatch(/T00:|schema_version|search_path|thought_state|\{/);
  });

  test("in one line", () => {
    expect(renderLine(sessionAnswer())).toBe("demo2: idle");
    expect(renderLine(sessionAnswer({ hint: `do\n${EVIL}` }))).not.toMatch(/\n|\u001b/);
    const question = {
      id: "6d1f3c5a",
      session_id: sessionAnswer().id,
      question: "Which one?",
      choices: [],
      asked_at: "2026-01-01T00:00:00.000Z",
      answer: null,
      withdrawn_at: null,
    };
    expect(renderLine(sessionAnswer({ question }))).toBe("demo2: asks: Which one?");
  });
});

describe("a state", () => {
  test.each([
    [{}, "idle"],
    [{ status: "AwaitingApproval" }, "awaiting_approval/idle"],
    [{ status: "Detached" }, "detached/idle"],
    [{ status: "Starting", activity: { ...sessionAnswer().activity, state: "starting" } }, "starting"],
    [{ state: "stopped", stop_cause: "deliberate" }, "stopped"],
    [{ state: "stopped", stop_cause: "unexpected" }, "stopped/unexpected"],
    [{ state: "errored" }, "errored"],
    [{ state: "decommissioned" }, "decommissioned"],
  ])("%j reads %s", (changes, text) => {
    expect(stateText(sessionAnswer(changes))).toBe(text);
  });
});

describe("parts", () => {
  test.each([
    ["2026-01-01T00:01:00Z", "0s"],
    ["2026-01-01T00:00:01Z", "59s"],
    ["2026-01-01T00:00:00Z", "1m"],
    ["2025-12-31T23:00:01Z", "1h"],
    ["2025-12-30T00:00:00Z", "2d"],
    ["2026-01-01T00:02:00Z", "0s"],
    ["nonsense", "?"],
  ])("the age of %s is %s", (timestamp, text) => {
    expect(age(timestamp, view.now)).toBe(text);
  });

  test("facts are aligned by cells, not by characters", () => {
    expect(
      facts(
        [
          ["日本", "x"],
          ["e\u0301t", "x"],
          ["🙂", "x"],
          ["abcd", "x"],
        ],
        {},
      ),
    ).toBe("日本  x\ne\u0301t    x\n🙂    x\nabcd  x");
  });

  test("a long text is clipped between characters", () => {
    expect(clip("🙂🙂🙂", 2)).toBe("🙂…");
    expect(clip("abc", 3)).toBe("abc");
  });

  test("only whole folders are shortened", () => {
    expect(["/home/me", "/home/me/x", "/home/mean"].map((path) => shortPath(path, "/home/me"))).toEqual(["~", "~/x", "/home/mean"]);
    expect(shortPath("/x", "/")).toBe("/x");
    expect(shortPath("/x", null)).toBe("/x");
  });

  test("an error states what happened, whether it may have taken effect, and what to do", () => {
    expect(errorLines(new TmpmError("TMUX_UNRESPONSIVE", `no ${EVIL}`, { effect: "unknown", hint: "Look." }))).toEqual([
      "no a\\x1b[2Jb\\x9bc\\u202ed\\x07",
      "It may have taken effect: check before you repeat it.",
      "Look.",
    ]);
    expect(errorLines(new TmpmError("NAME_TAKEN", "taken"))).toEqual(["taken"]);
  });

  test.each([
    ["submitted", "screen", 0],
    ["typed_not_submitted", "enter_ignored", 7],
    ["unconfirmed", "not_shown", 7],
    ["held", "dialog", 0],
    ["refused", "dialog", 4],
  ] as const)("a receipt of outcome %s (%s) exits %i and shows the evidence", (outcome, reason, exit) => {
    const receipt = { id: null, outcome, reason, bytes: 1, evidence: ["seen", EVIL], altered: null, hint: null };
    expect(receiptExit(receipt)).toBe(exit);
    expect(receiptLine("demo2", receipt)).toMatch(/^demo2: .*1 byte \(seen; a\\x1b/);
  });

  test("profiles are listed with what they run, their options and the default", () => {
    const nothing = { agent: null, command: null, env: [], model: null, provider: null, effort: null, permissions: null };
    const careful = { ...nothing, name: "careful", agent: "claude", model: "opus", permissions: "plan", env: ["A", "B"] };
    const dev = { ...nothing, name: "dev", command: ["npm", "run", EVIL] };
    const text = profileTable({ profiles: [careful, dev], default: "careful", next: null }, view);
    expect(text.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "))).toEqual([
      "PROFILE | RUNS | OPTIONS",
      "careful (default) | claude | model opus; permissions plan; env A,B",
      "dev | npm run a\\x1b[2Jb\\x9bc\\u202ed\\x07 | -",
    ]);
  });
});
