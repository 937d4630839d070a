import { describe, expect, test } from "vitest";
import { answering, errorAnswer } from "../fixtures/answering.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const session = sessionAnswer();

describe("requests, output and exit status of the lifecycle verbs", () => {
  test("pause reports the state of the work, and whether anything was interrupted", async () => {
    const interrupt = { outcome: "refused", evidence: ["it shows a dialog"] };
    await using daemon = await answering(() => ({ body: { ...session, paused_at: "2026-01-01T00:00:00Z", status: "Paused", interrupt } }));
    expect(await daemon.tmpm("pause", "demo2", "--summary", "docs are left", "--interrupt")).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^demo2: paused/i),
      stderr: "tmpm: it was not interrupted: it shows a dialog\n",
    });
    expect(daemon.asked).toEqual([
      { method: "POST", url: "/v1/sessions/demo2/pause", body: { summary: "docs are left", interrupt: true } },
    ]);
  });

  test.each([
    ["interrupted", 0, "demo2: interrupted (idle)\n"],
    ["not_working", 0, "demo2: nothing to interrupt (idle)\n"],
    ["unconfirmed", 7, "demo2: not seen to stop (idle)\n"],
  ])("interrupt that is %s", async (outcome, exit, stdout) => {
    await using daemon = await answering(() => ({ body: { ...session, outcome, evidence: ["idle"] } }));
    expect(await daemon.tmpm("interrupt", "demo2")).toEqual({ exit, stdout, stderr: "" });
  });

  test("restart sends the PATH, and reports what was left unchanged", async () => {
    await using daemon = await answering(() => ({ body: { ...session, left_alone: "it now belongs to another process" } }));
    expect(await daemon.tmpm("restart", "demo2", "--grace", "0.5", "--host", "pty")).toMatchObject({
      exit: 0,
      stderr: "tmpm: demo2: left alone: it now belongs to another process\n",
    });
    expect(daemon.asked[0]).toMatchObject({
      url: "/v1/sessions/demo2/restart",
      body: { control: "Pty", grace_ms: 500, search_path: process.env.PATH },
    });
  });

  test("rename prints the new name, and reports if the tmux session keeps its own", async () => {
    await using daemon = await answering(() => ({ body: { ...session, name: "new", left_alone: "tmpm did not create it" } }));
    expect(await daemon.tmpm("rename", "demo2", "new")).toEqual({
      exit: 0,
      stdout: "new\n",
      stderr: "tmpm: its tmux session is still tmpm-demo2: tmpm did not create it\n",
    });
    expect(daemon.asked[0]).toMatchObject({ url: "/v1/sessions/demo2/rename", body: { name: "new" } });
  });

  test("set sends only the given fields, empty values as null, and marks an error separately", async () => {
    await using daemon = await answering(() => ({ body: session }));
    await daemon.tmpm("set", "demo2", "--issue", "17", "--pr", "4");
    await daemon.tmpm("set", "demo2", "--pr", "");
    await daemon.tmpm("set", "demo2", "--errored", "out of memory");
    expect(daemon.asked.map(({ url, body }) => [url, body])).toEqual([
      ["/v1/sessions/demo2/set", { issue_id: "17", claimed_pr_number: 4 }],
      ["/v1/sessions/demo2/set", { claimed_pr_number: null }],
      ["/v1/sessions/demo2/mark-errored", { message: "out of memory" }],
    ]);
    for (const argv of [[], ["--pr", "four"]]) expect((await daemon.tmpm("set", "demo2", ...argv)).exit).toBe(2);
    expect(daemon.asked).toHaveLength(3);
  });

  test("archive and rm --purge continue after a session that refuses, and exit with its status", async () => {
    await using daemon = await answering(({ url }) =>
      url.includes("/one/") ? errorAnswer(409, { code: "INVALID_STATE", message: "it runs" }) : { body: { ...session, purged: true } },
    );
    expect(await daemon.tmpm("archive", "one", "demo2")).toEqual({ exit: 4, stdout: "demo2: archived\n", stderr: "tmpm: it runs\n" });
    expect(await daemon.tmpm("rm", "--purge", "one", "demo2")).toMatchObject({ exit: 4, stdout: expect.stringContaining("demo2") });
    expect(daemon.asked.map(({ url, body }) => [url, body]).slice(2)).toEqual([
      ["/v1/sessions/one/delete", { purge: true }],
      ["/v1/sessions/demo2/delete", { purge: true }],
    ]);
  });

  test("reactivate accepts another name; ls requests only archived ones", async () => {
    await using daemon = await answering(({ method }) =>
      method === "GET" ? { body: { sessions: [], problems: [], store: { state: "ok", message: null }, next: null } } : { body: session },
    );
    expect((await daemon.tmpm("reactivate", "1111", "--name", "old")).exit).toBe(0);
    expect((await daemon.tmpm("ls", "--archived")).exit).toBe(0);
    expect(daemon.asked.map(({ url, body }) => [url, body])).toEqual([
      ["/v1/sessions/1111/reactivate", { name: "old" }],
      [expect.stringMatching(/^\/v1\/sessions\?archived=true&fields=id&/), null],
    ]);
  });
});
