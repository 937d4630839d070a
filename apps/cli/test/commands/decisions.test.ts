import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { reportHook } from "../../src/daemon/report-hook.js";
import { answering, errorAnswer } from "../fixtures/answering.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const decision = {
  id: "3f2a91c0-0000-4000-8000-000000000000",
  session_id: "11111111-2222-4333-8444-555555555555",
  agent: "claude",
  kind: "approval",
  tool: "Bash",
  subject: "rm -rf \u001b[2Jx",
  choices: [
    { label: "Yes", answerable: true, takes_text: false },
    { label: "No", answerable: true, takes_text: false },
  ],
  screen_digest: null,
  since: "2026-01-01T00:00:00Z",
} as const;

const asking = (changes = {}) => sessionAnswer({ decision, hint: "Allow it once with `tmpm approve demo2`.", ...changes });
const listOf = (...sessions: unknown[]) => ({ sessions, problems: [], store: { state: "ok", message: null }, next: null });

describe("next", () => {
  test("shows the question, complete and without control bytes, and how to answer it", async () => {
    await using here = await answering(() => ({ body: { session: asking() } }));
    const { stdout, exit } = await here.tmpm("next");
    expect(exit).toBe(0);
    expect(stdout).toContain("It wants to use Bash:");
    expect(stdout).toContain("rm -rf");
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("  2. No\ndecision 3f2a91c0. Allow it once");
  });

  test("exits with status 3 if no session needs the user", async () => {
    await using here = await answering(() => ({ body: { session: null } }));
    expect(await here.tmpm("next")).toMatchObject({ exit: 3, stdout: "", stderr: "tmpm: no session needs you\n" });
  });
});

describe("approve, deny and answer", () => {
  test("answer the current decision, or the one with the given id", async () => {
    await using here = await answering(({ method }) =>
      method === "GET"
        ? { body: asking() }
        : { body: { session: asking({ decision: null }), decision, outcome: "answered", answer: "approve", evidence: ["gone"] } },
    );
    expect(await here.tmpm("approve", "demo2")).toMatchObject({ exit: 0, stdout: expect.stringContaining("demo2: answered: approve") });
    await here.tmpm("deny", "demo2", "--id", "abcdef12");
    await here.tmpm("answer", "demo2", "--choice", "2");
    await here.tmpm("answer", "demo2", "use", "blue");
    expect(here.asked.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
      { decision_id: decision.id, answer: { kind: "approve" } },
      { decision_id: "abcdef12", answer: { kind: "deny" } },
      { decision_id: decision.id, answer: { kind: "choice", number: 2 } },
      { decision_id: decision.id, answer: { kind: "text", text: "use blue" } },
    ]);
  });

  test("without a session apply to the only approval, and fail if there are several", async () => {
    const sessions = [asking(), asking({ name: "other", id: "21111111-2222-4333-8444-555555555555" })];
    await using here = await answering(() => ({ body: listOf(...sessions.splice(0, 2)) }));
    expect(await here.tmpm("approve")).toMatchObject({ exit: 4, stderr: expect.stringContaining("demo2, other") });
    expect(await here.tmpm("approve")).toMatchObject({ exit: 4, stderr: expect.stringContaining("no session awaits") });
    expect(here.asked.every(({ method }) => method === "GET")).toBe(true);
  });

  test("sessions without a question, and dialogs for the user only, are not answered", async () => {
    const blocked = { decision: null, hint: "Attach.", activity: { ...asking().activity, state: "blocked", evidence: ["a login"] } };
    const answers = [asking({ decision: null }), asking(blocked)];
    await using here = await answering(() => ({ body: answers.shift() }));
    expect(await here.tmpm("approve", "demo2", "--json")).toMatchObject({ exit: 4, stdout: expect.stringContaining("DECISION_GONE") });
    expect(await here.tmpm("deny", "demo2")).toMatchObject({ exit: 4, stderr: expect.stringContaining("a login\n      Attach.") });
  });

  test("an unconfirmed answer exits with status 7; a choice and a text are mutually exclusive", async () => {
    await using here = await answering(({ method }) =>
      method === "GET"
        ? { body: asking() }
        : { body: { session: asking(), decision, outcome: "unconfirmed", answer: "approve", evidence: ["still there"] } },
    );
    expect(await here.tmpm("approve", "demo2")).toMatchObject({ exit: 7, stdout: expect.stringContaining("not confirmed") });
    expect(await here.tmpm("answer", "demo2", "--choice", "1", "text")).toMatchObject({ exit: 2 });
    expect(await here.tmpm("answer", "demo2")).toMatchObject({ exit: 2 });
  });
});

describe("why and ls", () => {
  test("why shows the activity, the deciding evidence, and what would change it", async () => {
    const line = {
      source: "hook",
      state: "working",
      what: "it took a prompt",
      weight: 0.9,
      first_at: "2026-01-01T00:00:00Z",
      last_at: "2026-01-01T00:00:00Z",
      times: 2,
      decides: true,
    };
    const body = { session: asking(), evidence: [line], would_change: ["the next hook"], hooks: { supported: true, heard_at: null } };
    await using here = await answering(() => ({ body }));
    const { stdout } = await here.tmpm("why", "demo2");
    expect(stdout).toMatch(/^demo2: .*idle for .*, by process \(90 %\)/);
    expect(stdout).toMatch(/\* +\S+ +hook +working +0\.90 +2 +it took a prompt/);
    expect(stdout).not.toMatch(/\dT\d/);
    expect(stdout).toContain("what would change it:\n  the next hook");
    expect(stdout).toContain("the agent has reported nothing to this daemon yet");
  });

  test("ls shows why a session waits", async () => {
    await using here = await answering(() => ({ body: listOf(asking()) }));
    expect((await here.tmpm("ls")).stdout).toContain("approve Bash: rm -rf");
  });
});

describe("hook", () => {
  const env = (home: string) => ({
    TMPM_SESSION_ID: "s1",
    TMPM_SESSION_TOKEN: "secret",
    TMPM_SOCKET: `${home}/run/tmpm.sock`,
  });
  const report = (home: string, input: NodeJS.ReadableStream, more = {}) =>
    reportHook({ env: { ...env(home), ...more }, input, calledMsAgo: 40 });

  test("forwards the event, with long texts clipped, and the time of the call", async () => {
    await using here = await answering(() => ({ body: { taken: true, reason: null } }));
    const payload = { hook_event_name: "PreToolUse", tool_input: { content: "x".repeat(100_000) } };
    const before = Date.now();
    await report(here.home, Readable.from([JSON.stringify(payload)]));
    expect(here.asked).toHaveLength(1);
    const [asked] = here.asked;
    expect(asked).toMatchObject({ method: "POST", url: "/v1/sessions/s1/hook", body: { payload: { hook_event_name: "PreToolUse" } } });
    const body = JSON.parse(JSON.stringify(asked?.body));
    expect(body.payload.tool_input.content).toHaveLength(16 * 1024);
    expect(body.at_ms).toBeGreaterThanOrEqual(before - 40);
    expect(body.at_ms).toBeLessThanOrEqual(Date.now() - 40);
  });

  test("gives up when the input stays open or the daemon does not answer, and never fails", async () => {
    await using here = await answering(() => new Promise(() => undefined));
    await report(here.home, new Readable({ read: () => undefined }));
    expect(here.asked).toHaveLength(0);
    await report(here.home, Readable.from(["{}"]));
    expect(here.asked).toHaveLength(1);
  });

  test("does nothing without a session, a token or a socket, and with invalid JSON", async () => {
    await using here = await answering(() => errorAnswer(500, { code: "INTERNAL", message: "no" }));
    for (const missing of ["TMPM_SESSION_ID", "TMPM_SESSION_TOKEN", "TMPM_SOCKET"])
      await report(here.home, Readable.from(["{}"]), { [missing]: undefined });
    await report(here.home, Readable.from(["not json"]));
    expect(here.asked).toHaveLength(0);
    await report(here.home, Readable.from(["{}"]), { TMPM_SOCKET: "/nonexistent/x.sock" });
    await report(here.home, Readable.from(["{}"]));
    expect(here.asked).toHaveLength(1);
  });
});
