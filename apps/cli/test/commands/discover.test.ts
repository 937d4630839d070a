import { describe, expect, test } from "vitest";
import { answering, errorAnswer } from "../fixtures/answering.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const TMUX = {
  origin: "tmux",
  name: "work\u001b[31m",
  socket: "/tmp/tmux-0/default",
  pane_id: "%3",
  pid: 9,
  started_at: null,
  agent: "shell",
  cwd: "/srv/work",
  viewers: 1,
  adoptable: true,
  reason: null,
};
const NATIVE = {
  origin: "native",
  name: "claude",
  socket: null,
  pane_id: null,
  pid: 77,
  started_at: "2026-01-01T00:00:00Z",
  agent: "claude",
  cwd: null,
  viewers: null,
  adoptable: false,
  reason: "it runs outside tmux",
};
const SILENT = { socket: "/tmp/f.sock", code: "TMUX_UNRESPONSIVE", message: "tmux did not answer within 3000 ms" };

describe("tmpm discover", () => {
  test("shows programs that are not sessions, without control bytes, and the servers that did not answer", async () => {
    await using cli = await answering(() => ({ body: { discovered: [TMUX, NATIVE], unobservable: [SILENT], next: null } }));
    const { exit, stdout, stderr } = await cli.tmpm("discover", "--socket", "./f.sock");
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^NAME +AGENT +WHERE +DIRECTORY +REMARKS\n/);
    expect(stdout).toMatch(/work\S* +shell +%3 on \/tmp\/tmux-0\/default +\/srv\/work +can be adopted/);
    expect(stdout).toMatch(/claude +claude +pid 77, since \w+ +\? +it runs outside tmux/);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toContain("/tmp/f.sock does not answer");
    expect(cli.asked).toMatchObject([
      { method: "POST", url: "/v1/discover", body: { sockets: [expect.stringMatching(/^\/.*\/f\.sock$/)] } },
    ]);
  });

  test("reports an empty result; --json prints the response", async () => {
    const body = { discovered: [], unobservable: [], next: null };
    await using cli = await answering(() => ({ body }));
    expect((await cli.tmpm("discover")).stderr).toContain("no unmanaged programs");
    expect(JSON.parse((await cli.tmpm("discover", "--json")).stdout)).toEqual(body);
  });

  test("ls --discovered shows the same below the sessions", async () => {
    const list = { sessions: [sessionAnswer()], problems: [], store: { state: "ok", message: null }, next: null };
    await using cli = await answering(() => ({ body: { ...list, discovered: [NATIVE], unobservable: [SILENT] } }));
    const { stdout, stderr } = await cli.tmpm("ls", "--discovered");
    expect(stdout).toMatch(/demo2[\s\S]*\n\nNAME +AGENT +WHERE/);
    expect(stderr).toContain("does not answer");
    expect(cli.asked[0]?.url).toMatch(/^\/v1\/sessions\?discovered=true&fields=id&/);
  });
});

describe("tmpm adopt", () => {
  test("passes target, server, agent and name, and prints the session in one line", async () => {
    await using cli = await answering(() => ({ status: 201, body: sessionAnswer({ name: "api" }) }));
    const { exit, stdout } = await cli.tmpm("adopt", "work", "--socket", "mine", "--agent", "claude", "--name", "api");
    expect([exit, stdout]).toEqual([0, "api: idle\n"]);
    expect(cli.asked).toMatchObject([{ url: "/v1/adopt", body: { target: "work", socket: "mine", agent: "claude", name: "api" } }]);
  });

  test("an existing session's terminal is a conflict", async () => {
    await using cli = await answering(() =>
      errorAnswer(409, { code: "ALREADY_MANAGED", message: "tmux session work is session api already" }),
    );
    expect(await cli.tmpm("adopt", "work")).toMatchObject({ exit: 4, stderr: expect.stringContaining("is session api already") });
  });
});

describe("tmpm reconcile", () => {
  const answer = {
    dry_run: false,
    live: 3,
    findings: [
      { id: null, name: "tmpm-x", outcome: "left", from: null, to: null, reason: "its program has ended" },
      { id: sessionAnswer().id, name: "demo2", outcome: "changed", from: "active", to: "stopped", reason: "terminal_gone" },
    ],
    doubted: { affected: 4, total: 4, confirmed: 1 },
    unobservable: [],
  };

  test("prints findings and changes, and doubtful cases", async () => {
    await using cli = await answering(() => ({ body: answer }));
    const { exit, stdout, stderr } = await cli.tmpm("reconcile");
    expect(exit).toBe(0);
    expect(stdout).toMatch(/demo2 +changed +active to stopped +terminal gone/);
    expect(stdout).toMatch(/tmpm-x +left +- +its program has ended/);
    expect(stderr).toContain("3 match their records, 1 changed");
    expect(stderr).toContain("4 of 4 seemed gone at once; a second check confirmed 1");
  });

  test("a dry run is requested, and reports that nothing was changed; a server that does not answer is status 6", async () => {
    await using cli = await answering(() => ({ body: { ...answer, dry_run: true, doubted: null, unobservable: [SILENT] } }));
    const { exit, stderr } = await cli.tmpm("reconcile", "--dry-run");
    expect(exit).toBe(6);
    expect(stderr).toContain("1 would change, and nothing was changed");
    expect(cli.asked[0]?.body).toEqual({ dry_run: true });
  });
});
