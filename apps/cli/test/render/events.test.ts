import { join } from "node:path";
import type { EventAnswer } from "@tmpm/api";
import { EventBody } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { EVENT_TYPES, renderEvent } from "../../src/render/event.js";
import { answering, errorAnswer, runIn } from "../fixtures/answering.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const session = sessionAnswer();
const at = "2026-01-01T00:00:00Z";
const view = { now: Date.parse(at) + 5_000, name: "demo" };
const event = (seq: number, more: Partial<EventAnswer> & Record<string, unknown> = {}) => ({
  seq,
  type: "session_unpaused",
  at,
  session_id: session.id,
  ...more,
});

/** A daemon with these events; a request after the last one fails, so that nothing waits. */
function daemonWith(all: readonly { readonly seq: number }[], more: { readonly behind?: number } = {}) {
  return answering(({ url }) => {
    if (url.startsWith("/v1/sessions"))
      return { body: { sessions: [session], problems: [], store: { state: "ok", message: null }, next: null } };
    const query = new URL(url, "http://tmpm").searchParams;
    const after = query.has("after") ? Number(query.get("after")) : 0;
    if (more.behind !== undefined && after < more.behind)
      return { body: { events: [], next: more.behind, behind: { snapshot_at: more.behind } } };
    const left = all.filter(({ seq }) => seq > after).slice(0, 2);
    if (left.length === 0 && query.has("wait_ms")) return errorAnswer(409, { code: "INVALID_STATE", message: "enough followed" });
    return { body: { events: left, next: left.at(-1)?.seq ?? after, behind: null } };
  });
}

describe("events", () => {
  const all = [1, 2, 3, 4, 5].map((seq) => event(seq));

  test("are printed one per line, with the session's name, and none is omitted", async () => {
    await using daemon = await daemonWith(all);
    const { exit, stdout, stderr } = await daemon.tmpm("events");
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout.trimEnd().split("\n")).toHaveLength(5);
    expect(stdout).toMatch(/^ *\d+d {2}demo2 +continues after its pause\n/);
  });

  test("are complete in a pipe, and at most a few lines in a terminal", async () => {
    const question = "a long question ".repeat(100);
    const long = event(1, { type: "decision_opened", question });
    expect(renderEvent(long, view)).toBe(`  5s  demo              asks: ${question}`.trimEnd());
    const lines = renderEvent(long, { ...view, terminal: { columns: 80, colour: false, unicode: true } }).split("\n");
    expect([lines.length, lines[1]?.slice(0, 28), lines.at(-1)?.endsWith("…")]).toEqual([4, `${" ".repeat(24)}long`, true]);
  });

  test("with --json are the API's own, one per line", async () => {
    await using daemon = await daemonWith(all);
    const { stdout } = await daemon.tmpm("events", "--json");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(all);
  });

  test("are requested with all filters", async () => {
    await using daemon = await daemonWith(all);
    await daemon.tmpm("events", "demo", "--project", "web", "--type", "session_created,turn_ended", "--after", "4");
    const [first = ""] = daemon.asked.map(({ url }) => url).filter((url) => url.startsWith("/v1/events"));
    expect(Object.fromEntries(new URL(first, "http://tmpm").searchParams)).toEqual({
      ...{ session: "demo", project_id: "web", type: "session_created,turn_ended", after: "4", limit: "1000" },
    });
  });

  test("limited with --last are the newest", async () => {
    await using daemon = await daemonWith(all);
    const { stdout } = await daemon.tmpm("events", "--last", "2", "--json");
    expect(stdout.match(/"seq":\d/g)).toEqual(['"seq":4', '"seq":5']);
    expect(await daemon.tmpm("events", "--last", "0")).toMatchObject({ exit: 0, stdout: "" });
  });

  test("that are followed come after the existing ones, each once", async () => {
    await using daemon = await daemonWith(all);
    for (const last of [[], ["--last", "9"]]) {
      const { exit, stdout, stderr } = await daemon.tmpm("events", "--follow", ...last);
      expect({ exit, stderr, lines: stdout.split("\n").length }).toEqual({ exit: 4, stderr: "tmpm: enough followed\n", lines: 6 });
    }
  });

  test("end silently when their reader has exited", async () => {
    await using daemon = await daemonWith(all);
    const env = { TMPM_HOME: daemon.home, TMPM_CONFIG: join(daemon.home, "config.yaml"), PATH: process.env.PATH };
    const ended = await runIn(env, ["events"], { outputRead: false });
    expect({ exit: ended.exit, stderr: ended.stderr, lines: ended.stdout.split("\n").length }).toEqual({ exit: 0, stderr: "", lines: 2 });
  });

  test("before the oldest stored one are reported as discarded", async () => {
    await using daemon = await daemonWith(all, { behind: 4 });
    expect((await daemon.tmpm("events", "--after", "1")).stdout).toMatch(/^some events up to number 4 have been discarded\n.*continues/);
    expect((await daemon.tmpm("events", "--after", "1", "--json")).stdout).toMatch(/^{"behind":{"snapshot_at":4}}\n/);
  });

  test("of an unknown type are refused with the known ones, and an empty result is reported", async () => {
    await using daemon = await daemonWith([]);
    expect(await daemon.tmpm("events", "--type", "session_stoped")).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("session_stopped, "),
    });
    expect(await daemon.tmpm("events")).toMatchObject({ exit: 0, stdout: "", stderr: expect.stringContaining("no such events") });
  });
});

describe("descriptions of events", () => {
  test("exist for every type", () => {
    expect(EVENT_TYPES).toEqual(expect.arrayContaining(EventBody.options.map(({ shape }) => shape.type.value)));
  });

  test.each<[Record<string, unknown>, string]>([
    [{ type: "session_created", name: "demo", agent: "claude" }, "  5s  demo              created, agent claude"],
    [{ type: "session_state_changed", from: "active", to: "stopped", cause: "resume_flapping" }, "active became stopped (resume flapping)"],
    [
      { type: "session_exited", status: 3, signal: null, last_line: "bye\u001b[2J", reason: "process_exit" },
      "its program ended with status 3: bye\\x1b[2J [process exit]",
    ],
    [{ type: "session_exited", status: null, signal: 9, last_line: null }, "its program ended by signal 9"],
    [{ type: "session_stopped", cause: "deliberate", survivors: [7, 8] }, "stopped (deliberate); these processes did not end: 7, 8"],
    [{ type: "decision_opened", decision_id: "d", question: "Run\nit?" }, "asks: Run\\nit?"],
    [{ type: "turn_ended", turn_id: "t", outcome: "cancelled", cause: "client_rpc" }, "turn cancelled (client rpc)"],
    [{ type: "session_dreamt", sheep: 1 }, "session dreamt"],
    [{ type: "damaged", at: undefined, session_id: undefined, problem: "torn" }, "an unreadable event"],
  ])("%j", (more, words) => {
    const line = renderEvent(event(1, more), view);
    expect(line.endsWith(words)).toBe(true);
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  test("an unknown session is named by its id, and an event without one has a dash", () => {
    expect(renderEvent(event(1), { ...view, name: null })).toContain(`  ${session.id.slice(0, 8)}  `);
    expect(renderEvent(event(1, { session_id: null }), { ...view, name: null })).toMatch(/^ {2}5s {2}- /);
  });
});
