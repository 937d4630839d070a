import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LIST_FIELDS } from "../../src/render/list-fields.js";
import { answering, errorAnswer, runIn } from "../fixtures/answering.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const session = sessionAnswer();
const list = { sessions: [session], problems: [], store: { state: "ok", message: null }, next: null };
const rest = { id: null, altered: null, hint: null };
const submitted = { ...rest, outcome: "submitted", reason: "screen", bytes: 4, evidence: ["seen"] };
const unconfirmed = { ...rest, hint: "Look with `tmpm capture`.", outcome: "unconfirmed", reason: "not_shown", bytes: 4, evidence: [] };
const screen = {
  lines: ["$ echo", "\u009b31m", "", ""],
  columns: 80,
  rows: 4,
  cursor: { column: 0, row: 1, visible: true },
  title: "t",
  live: true,
  captured_at: "2026-01-01T00:00:00Z",
};
const notFound = errorAnswer(404, { code: "SESSION_NOT_FOUND", message: 'there is no session "x"', hint: "Look at `tmpm ls`." });

describe("requests, output and exit status of commands", () => {
  test("ls", async () => {
    await using daemon = await answering(() => ({ body: list }));
    expect(await daemon.tmpm("ls", "--all", "--project", "p")).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^NAME .*\ndemo2 /),
      stderr: "",
    });
    expect(await daemon.tmpm("ls", "--json")).toEqual({ exit: 0, stdout: `${JSON.stringify(list)}\n`, stderr: "" });
    // A table needs a few fields of each session; JSON is complete.
    const fields = new URLSearchParams(LIST_FIELDS.map((field) => ["fields", field]));
    expect(daemon.asked.map(({ url }) => url)).toEqual([`/v1/sessions?all=true&project_id=p&${fields}`, "/v1/sessions"]);
  });

  test("ls without sessions prints nothing on standard output", async () => {
    await using daemon = await answering(() => ({ body: { ...list, sessions: [] } }));
    expect(await daemon.tmpm("ls")).toEqual({ exit: 0, stdout: "", stderr: "tmpm: no sessions; start one with `tmpm new`\n" });
  });

  test("ls without matching sessions names the kind that is missing", async () => {
    await using daemon = await answering(() => ({
      body: { sessions: [], problems: [], store: { state: "ok", message: null }, next: null },
    }));
    expect((await daemon.tmpm("ls", "--project", "web")).stderr).toBe(
      "tmpm: no sessions in project web; `tmpm projects` lists the projects\n",
    );
    expect((await daemon.tmpm("ls", "--archived")).stderr).toBe("tmpm: no archived sessions\n");
  });

  test("show", async () => {
    await using daemon = await answering(() => ({ body: session }));
    expect(await daemon.tmpm("show", "demo2")).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^name +demo2\n/) });
    expect(JSON.parse((await daemon.tmpm("show", "demo2", "--json")).stdout)).toEqual(session);
  });

  test("new sends the current directory and PATH, and prints the name", async () => {
    await using daemon = await answering(() => ({ status: 201, body: { ...session, receipt: null } }));
    expect(await daemon.tmpm("new")).toEqual({ exit: 0, stdout: "demo2\n", stderr: "" });
    expect(JSON.parse((await daemon.tmpm("new", "--json")).stdout)).toEqual({ ...session, receipt: null });
    expect(await daemon.tmpm("new", "--no-wait", "--prompt", "x")).toMatchObject({ exit: 0, stderr: "" });
    expect(daemon.asked.at(-1)).toMatchObject({ body: { prompt: "x", no_wait: true } });
    expect((await daemon.tmpm("new", "--no-wait", "--attach")).exit).toBe(2);
    expect(daemon.asked[0]).toEqual({
      method: "POST",
      url: "/v1/sessions",
      body: { agent: "shell", cwd: process.cwd(), search_path: process.env.PATH, env: {} },
    });
  });

  test("new sends every option", async () => {
    await using daemon = await answering(() => ({ status: 201, body: { ...session, receipt: submitted } }));
    const file = join(daemon.home, "prompt");
    writeFileSync(file, "do it\n");
    await daemon.tmpm(
      "new",
      "--agent",
      "claude",
      "--cwd",
      "/srv/x",
      "--name",
      "n",
      "--project",
      "p",
      "--issue",
      "7",
      "--model",
      "m",
      "--ephemeral",
      "--prompt-file",
      file,
    );
    await daemon.tmpm("new", "--prompt", "- a", "--", "sleep", "--json", "1");
    expect(daemon.asked.map(({ body }) => body)).toMatchObject([
      { agent: "claude", cwd: "/srv/x", name: "n", project_id: "p", issue_id: "7", model: "m", ephemeral: true, prompt: "do it\n" },
      { agent: "command", argv: ["sleep", "--json", "1"], prompt: "- a" },
    ]);
  });

  test("new prints what to do if the first prompt was not delivered, and exits 7 with the name on standard output", async () => {
    await using daemon = await answering(() => ({ status: 201, body: { ...session, receipt: unconfirmed } }));
    expect(await daemon.tmpm("new", "--prompt", "do it")).toEqual({
      exit: 7,
      stdout: "demo2\n",
      stderr: expect.stringMatching(/^tmpm: the session runs, but its first prompt was not delivered: .*tmpm capture/s),
    });
  });

  test.each([
    [["new", "--agent", "claude", "--", "sleep"], /agent claude does not accept a COMMAND/],
    [["new", "--prompt", "a", "-"], /given twice/],
    [["new", "--attach"], /needs a terminal/],
    [["attach", "demo2"], /needs a terminal/],
    [["send", "demo2"], /the text is missing/],
    [["send", "demo2", "a", "--prompt-file", "b"], /given twice/],
    [["send", "demo2", "-R"], /put -- before it/],
  ])("%j is refused before any request", async (argv, message) => {
    await using daemon = await answering(() => ({ body: {} }));
    expect(await daemon.tmpm(...argv)).toEqual({ exit: 2, stdout: "", stderr: expect.stringMatching(message) });
    expect(daemon.asked).toEqual([]);
  });

  test("send prints the outcome and its evidence, and exits 7 when it is unconfirmed", async () => {
    let receipt: unknown = submitted;
    await using daemon = await answering(() => ({ body: { receipt, session } }));
    expect(await daemon.tmpm("send", "demo2", "--", "-R", "x")).toEqual({
      exit: 0,
      stdout: "demo2: submitted, 4 bytes (seen)\n",
      stderr: "",
    });
    receipt = unconfirmed;
    expect(await daemon.tmpm("send", "demo2", "--now", "", "--json")).toEqual({
      exit: 7,
      stdout: `${JSON.stringify({ receipt: unconfirmed, session })}\n`,
      stderr: "",
    });
    expect(daemon.asked.map(({ body }) => body)).toEqual([{ text: "-R x" }, { text: "", now: true }]);
  });

  test("send submits its options, and a held text exits 0 with the command to query it", async () => {
    const held = {
      ...rest,
      id: "0a1b2c3d-0000-4000-8000-000000000000",
      outcome: "held",
      reason: "dialog",
      bytes: 1,
      evidence: ["a dialog"],
    };
    await using daemon = await answering(() => ({ body: { receipt: held, session } }));
    const flags = ["--queue", "--no-wait", "--timeout", "1.5", "--interrupt", "--as-command", "--key", "k"];
    expect(await daemon.tmpm("send", "demo2", "x", ...flags)).toEqual({
      exit: 0,
      stdout:
        "demo2: held back; it is delivered once the reason has passed: the agent shows a dialog that must be answered first, 1 byte (a dialog)\n",
      stderr: "tmpm: `tmpm send demo2 --receipt 0a1b2c3d` shows its outcome.\n",
    });
    const body = { text: "x", queue: true, no_wait: true, timeout_ms: 1500, interrupt: true, as_command: true, idempotency_key: "k" };
    expect(daemon.asked).toMatchObject([{ url: "/v1/sessions/demo2/send", body }]);
  });

  test.each([
    [[], "working", 4],
    [["--timeout", "1"], "working", 5],
    [["--timeout", "1"], "session_ended", 4],
  ] as const)("send %j that was refused (%s) exits %i", async (flags, reason, exit) => {
    const receipt = { ...rest, outcome: "refused", reason, bytes: 1, evidence: [], hint: "Wait." };
    await using daemon = await answering(() => ({ body: { receipt, session } }));
    expect(await daemon.tmpm("send", "demo2", "x", ...flags)).toMatchObject({ exit, stderr: "tmpm: Wait.\n" });
  });

  test("send requests an earlier receipt, and cancels a send", async () => {
    const kept = {
      id: "s",
      session_id: session.id,
      idempotency_key: null,
      accepted_at: session.created_at,
      done: true,
      receipt: submitted,
    };
    await using daemon = await answering(() => ({ body: kept }));
    expect(await daemon.tmpm("send", "demo2", "--receipt", "abc")).toEqual({
      exit: 0,
      stdout: "demo2: submitted, 4 bytes (seen)\n",
      stderr: "",
    });
    await daemon.tmpm("send", "demo2", "--cancel", "abc");
    expect(await daemon.tmpm("send", "demo2", "--cancel", "abc", "--receipt", "abc")).toMatchObject({ exit: 2 });
    expect(daemon.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /v1/sessions/demo2/sends/abc",
      "DELETE /v1/sessions/demo2/sends/abc",
    ]);
  });

  test("keys", async () => {
    await using daemon = await answering(() => ({ body: session }));
    expect(await daemon.tmpm("keys", "demo2", "C-c", "Enter")).toMatchObject({ exit: 0, stderr: "" });
    expect(daemon.asked[0]?.body).toEqual({ keys: ["C-c", "Enter"] });
  });

  test("capture prints the lines without trailing blank ones, and makes control characters visible", async () => {
    await using daemon = await answering(() => ({ body: screen }));
    expect(await daemon.tmpm("capture", "demo2", "--history", "5")).toEqual({ exit: 0, stdout: "$ echo\n\\x9b31m\n", stderr: "" });
    expect(JSON.parse((await daemon.tmpm("capture", "demo2", "--json")).stdout)).toEqual(screen);
    expect(daemon.asked[0]?.url).toBe("/v1/sessions/demo2/screen?history=5");
  });

  test("JSON is the same value without characters that a terminal would interpret", async () => {
    const hostile = { ...screen, title: "\u001b]0;x\u0007\u009b\u202e\u2066\u007f" };
    await using daemon = await answering(() => ({ body: hostile }));
    const { stdout } = await daemon.tmpm("capture", "demo2", "--json");
    expect(stdout.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(JSON.parse(stdout)).toEqual(hostile);
  });

  test("capture reports that the session has ended", async () => {
    await using daemon = await answering(() => ({ body: { ...screen, live: false } }));
    expect((await daemon.tmpm("capture", "demo2")).stderr).toMatch(/has ended/);
  });

  test("wait exits 5 at its timeout", async () => {
    await using daemon = await answering(() => errorAnswer(408, { code: "TIMEOUT", message: "not idle" }));
    expect(await daemon.tmpm("wait", "demo2", "exited", "--timeout", "0")).toMatchObject({ exit: 5, stderr: "tmpm: not idle\n" });
    expect(daemon.asked.map(({ url }) => url)).toEqual(["/v1/sessions/demo2/wait?until=exited&timeout_ms=0"]);
  });

  test("wait requests several sessions and states at once", async () => {
    await using daemon = await answering(() => ({ body: { sessions: [session, session] } }));
    const waited = await daemon.tmpm("wait", "a", "b", "--any", "--for", "idle,awaiting_approval", "--timeout", "2");
    expect(waited).toEqual({ exit: 0, stdout: "demo2: idle\ndemo2: idle\n", stderr: "" });
    const query = new URL(daemon.asked[0]?.url ?? "", "http://x").searchParams;
    expect([query.getAll("sessions"), query.getAll("until"), query.get("mode")]).toEqual([
      ["a", "b"],
      ["idle", "awaiting_approval"],
      "any",
    ]);
    expect(await daemon.tmpm("wait", "a", "--for", "sleeping")).toMatchObject({ exit: 2, stderr: expect.stringContaining("States: idle") });
    expect(await daemon.tmpm("wait", "a", "--any", "--all")).toMatchObject({ exit: 2 });
  });

  test("wait without a limit repeats its request until the state is reached", async () => {
    let left = 3;
    await using daemon = await answering(() =>
      left-- > 0 ? errorAnswer(408, { code: "TIMEOUT", message: "not idle" }) : { body: session },
    );
    expect(await daemon.tmpm("wait", "demo2")).toEqual({ exit: 0, stdout: "demo2: idle\n", stderr: "" });
    expect(daemon.asked).toHaveLength(4);
  });

  test("resume sends the current PATH", async () => {
    await using daemon = await answering(() => ({ body: session }));
    expect(await daemon.tmpm("resume", "demo2")).toMatchObject({ exit: 0, stdout: "demo2: idle\n" });
    expect(daemon.asked[0]?.body).toEqual({ search_path: process.env.PATH, env: {} });
  });

  test("attach with --json prints the command instead of running it", async () => {
    const answer = { argv: ["tmux", "attach"], session };
    await using daemon = await answering(() => ({ body: answer }));
    expect(await daemon.tmpm("attach", "demo2", "--json")).toEqual({ exit: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: "" });
  });
});

describe("several sessions", () => {
  const stopped = { ...session, state: "stopped", survivors: [] };

  test("each session is stopped, also after a failure; the first failure sets the exit status", async () => {
    await using daemon = await answering(({ url }) => (url.includes("/x/") ? notFound : { body: stopped }));
    expect(await daemon.tmpm("stop", "a", "x", "b", "a", "--grace", "1.5")).toEqual({
      exit: 3,
      stdout: "demo2: stopped\ndemo2: stopped\n",
      stderr: 'tmpm: there is no session "x"\n      Look at `tmpm ls`.\n',
    });
    expect(daemon.asked).toHaveLength(3);
    expect(daemon.asked[0]).toEqual({ method: "POST", url: "/v1/sessions/a/stop", body: { grace_ms: 1500 } });
  });

  test("with --json each session has one line", async () => {
    await using daemon = await answering(({ url }) => (url.endsWith("/x") ? notFound : { body: stopped }));
    const { stdout, stderr, exit } = await daemon.tmpm("rm", "a", "x", "--json");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([stopped, notFound.body]);
    expect({ stderr, exit }).toEqual({ stderr: "", exit: 3 });
  });

  test("surviving processes are named", async () => {
    await using daemon = await answering(() => ({ body: { ...stopped, survivors: [12, 34] } }));
    expect(await daemon.tmpm("stop", "a")).toMatchObject({ exit: 1, stderr: expect.stringContaining("did not end: 12, 34") });
  });

  test("the remaining sessions are reported as not tried when their machine does not answer", async () => {
    await using daemon = await answering(() => errorAnswer(503, { code: "NODE_OFFLINE", message: "no answer", effect: "unknown" }));
    const { exit, stderr } = await daemon.tmpm("stop", "a", "b", "c");
    expect([exit, stderr]).toEqual([6, expect.stringMatching(/check before you repeat it\.\n {6}b: not tried\n {6}c: not tried\n$/)]);
    expect(daemon.asked).toHaveLength(1);
    const lines = (await daemon.tmpm("rm", "a", "b", "--json")).stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).error)).toMatchObject([
      { code: "NODE_OFFLINE", effect: "unknown" },
      { code: "NODE_OFFLINE", effect: "none", details: { session: "b" } },
    ]);
  });

  test.each(["TMUX_UNRESPONSIVE", "UNRESPONSIVE", "TMUX_FAILED", "HOST_UNAVAILABLE"])(
    "%s of one session does not prevent the others from being stopped",
    async (code) => {
      await using daemon = await answering(({ url }) =>
        url.includes("/a/") ? errorAnswer(504, { code, message: "no answer", effect: "unknown" }) : { body: stopped },
      );
      expect(await daemon.tmpm("stop", "a", "b", "c")).toMatchObject({ exit: 6, stdout: expect.stringMatching(/stopped\n.*stopped\n$/) });
      expect(daemon.asked).toHaveLength(3);
    },
  );
});

describe("errors", () => {
  test("go to standard error with their hint, or to standard output as JSON; the exit status is that of the code", async () => {
    await using daemon = await answering(() => notFound);
    expect(await daemon.tmpm("show", "x")).toEqual({
      exit: 3,
      stdout: "",
      stderr: 'tmpm: there is no session "x"\n      Look at `tmpm ls`.\n',
    });
    const { exit, stdout, stderr } = await daemon.tmpm("show", "x", "--json");
    expect({ exit, stderr, body: JSON.parse(stdout) }).toEqual({ exit: 3, stderr: "", body: notFound.body });
  });

  test("of usage are JSON too, with --json", async () => {
    const { exit, stdout, stderr } = await runIn({}, ["ls", "--colour", "--json"]);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      error: { code: "INVALID_ARGUMENT", message: "unknown option '--colour'", hint: "See `tmpm ls --help`.", effect: "none", details: {} },
    });
  });

  test("--json after -- has no effect", async () => {
    await using daemon = await answering(() => notFound);
    expect((await daemon.tmpm("send", "demo2", "--", "--json")).stderr).toMatch(/^tmpm: /);
  });

  test("the error for a daemon of another version contains both versions, and what to do", async () => {
    await using daemon = await answering(() => ({ body: list, version: "9.9.9" }));
    expect(await daemon.tmpm("ls")).toMatchObject({
      exit: 6,
      stdout: "",
      stderr: expect.stringMatching(/9\.9\.9.*\n.*tmpm daemon restart/),
    });
  });

  test("help has no effect", async () => {
    await using daemon = await answering(() => ({ body: {} }));
    for (const argv of [["stop", "a", "--help"], ["rm", "-h", "a"], ["help", "stop"], ["--help"]]) {
      expect(await daemon.tmpm(...argv)).toMatchObject({ exit: 0, stderr: "", stdout: expect.stringContaining("Usage: tmpm") });
    }
    expect(daemon.asked).toEqual([]);
  });
});
