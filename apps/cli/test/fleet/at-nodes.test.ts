import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SETTING_KEYS, settingOf } from "@tmpm/api/config";
import { describe, expect, test } from "vitest";
import { tailLog } from "../../src/daemon/daemon-log.js";
import { servicePlan } from "../../src/service/service-plan.js";
import { answering, errorAnswer } from "../fixtures/answering.js";
import { nodeAnswer } from "../fixtures/node-answer.js";
import { sessionAnswer } from "../fixtures/session-answer.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

const list = { sessions: [sessionAnswer()], problems: [], store: { state: "ok", message: null }, next: null };
const nodes = { nodes: [nodeAnswer()], next: null };
const at = "2026-01-01T00:00:00Z";
const event = (seq: number) => ({ seq, type: "session_unpaused", at, session_id: sessionAnswer().id });

describe("events of nodes", () => {
  /** A node that keeps events 1 to 5, and ends what follows them. */
  const keeping = (ended: { after: string | null }) => (asked: { readonly url: string }) => {
    if (!asked.url.startsWith("/v1/events")) return { body: { ...list, nodes: [], complete: true } };
    const query = new URL(asked.url, "http://tmpm").searchParams;
    const after = Number(query.get("after") ?? 0);
    if (query.has("wait_ms")) {
      ended.after = query.get("after");
      return errorAnswer(409, { code: "INVALID_STATE", message: "enough followed" });
    }
    const left = [1, 2, 3, 4, 5].filter((seq) => seq > after).map(event);
    return { body: { events: left, next: left.at(-1)?.seq ?? after, behind: null } };
  };
  const own = ({ url }: { readonly url: string }) => ({
    body: url === "/v1/nodes" ? nodes : url.startsWith("/v1/nodes/") ? nodeAnswer() : { ...list, nodes: [], complete: true },
  });

  test("are followed after the number that is given, with nothing newer", async () => {
    const ended = { after: null };
    await using here = await answering(own, { build1: keeping(ended) });
    const { stdout } = await here.tmpm("events", "--follow", "--after", "5", "--node", "build1");
    expect([stdout, ended.after]).toEqual(["", "5"]);
  });

  test("of a node that does not answer at first, only the newest are printed with --last", async () => {
    const ended = { after: null };
    const answers = keeping(ended);
    let asked = 0;
    await using here = await answering(own, {
      build1: (question) =>
        question.url.startsWith("/v1/events") && asked++ === 0
          ? errorAnswer(503, { code: "NODE_OFFLINE", message: "asleep" })
          : answers(question),
    });
    const { stdout } = await here.tmpm("events", "--follow", "--last", "2", "--node", "build1", "--json");
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.flatMap(({ seq }) => seq ?? [])).toEqual([4, 5]);
    expect(ended.after).toBe("5");
  });

  test("of a project are followed on each machine, also on one that gets the project later", async () => {
    const ended = { after: null };
    const answers = keeping(ended);
    const refused = ["the list", "the first look"];
    await using here = await answering(
      (asked) => {
        if (!asked.url.startsWith("/v1/events")) return own(asked);
        // Nothing happens here.
        return asked.url.includes("wait_ms") ? new Promise(() => undefined) : { body: { events: [], next: 0, behind: null } };
      },
      {
        build1(asked) {
          if (!asked.url.startsWith("/v1/events")) return answers(asked);
          if (refused.shift() !== undefined) return errorAnswer(404, { code: "PROJECT_NOT_FOUND", message: "no project api" });
          // The waiting query returns at once, as events are kept; the next one ends it.
          return asked.url.includes("after=5") ? answers(asked) : answers({ url: asked.url.replace(/&?wait_ms=\d+/, "") });
        },
      },
    );
    const { stdout } = await here.tmpm("events", "--follow", "--project", "api", "--json");
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.flatMap(({ seq, node }) => (seq === undefined ? [] : [[node, seq]]))).toEqual(
      [1, 2, 3, 4, 5].map((seq) => ["build1", seq]),
    );
    expect(lines.filter((line) => "silent" in line)).toEqual([]);
    const queries = [...here.asked, ...here.askedAt("build1")].filter(({ url }) => url.startsWith("/v1/events"));
    expect(queries.every(({ url }) => url.includes("project_id=api"))).toBe(true);
    expect([here.asked, here.askedAt("build1")].map((asked) => asked.some(({ url }) => url.includes("wait_ms")))).toEqual([true, true]);
  });

  test("of a session are asked of the one node that is named", async () => {
    const ended = { after: null };
    await using here = await answering(own, { build1: keeping(ended) });
    const { stdout } = await here.tmpm("events", "demo2", "--node", "build1");
    expect(stdout.trimEnd().split("\n")).toHaveLength(5);
    expect(here.asked).toEqual([]);
    expect((await here.tmpm("events", "demo2", "--node", "build1", "--node", "gpu")).exit).toBe(2);
  });
});

test("relative paths are relative to the home folder of the machine that they are for", async () => {
  const project = { id: "p", path: "/home/ada/p", name: "p", created_at: at, sessions: { total: 0, active: 0, waiting: 0 } };
  await using here = await answering(() => ({ body: nodeAnswer() }), {
    build1: ({ url }) => ({ body: url.includes("projects") ? project : sessionAnswer() }),
  });
  await here.tmpm("projects", "add", "src/p", "--on", "build1");
  await here.tmpm("set", "build1:demo", "--cwd", "src", "--project", "./p");
  await here.tmpm("adopt", "work", "--socket", "run/t.sock", "--on", "build1");
  await here.tmpm("trust", "src/p", "--on", "build1");
  expect(here.askedAt("build1").map(({ body }) => body)).toMatchObject([
    { path: "/home/ada/src/p" },
    { cwd: "/home/ada/src", project_id: "/home/ada/p" },
    { target: "work", socket: "/home/ada/run/t.sock" },
    { path: "/home/ada/src/p" },
  ]);
});

test("an invalid label is rejected before it becomes part of a socket path", async () => {
  await using here = await answering(() => ({ body: list }), { build1: () => ({ body: list }) });
  for (const on of ["../tmpm", "../n/build1", "build1/../../tmpm", "Build1", "."]) {
    const { exit, stdout } = await here.tmpm("ls", "--on", on, "--json");
    expect([on, exit, JSON.parse(stdout).error.code]).toEqual([on, 3, "NODE_NOT_FOUND"]);
  }
  expect([...here.asked, ...here.askedAt("build1")]).toEqual([]);
});

test("a question that is withdrawn while the command waits is not an answer", async () => {
  const asked = {
    id: "1a2b3c4d-0000",
    session_id: sessionAnswer().id,
    session: "demo",
    question: "Which?",
    choices: [],
    asked_at: at,
    answer: null,
  };
  await using here = await answering(({ method }) => ({ body: { ...asked, withdrawn_at: method === "GET" ? at : null } }));
  expect(await here.tmpm("ask", "--session", "demo", "Which?")).toEqual({
    exit: 4,
    stdout: "",
    stderr: "tmpm: question 1a2b3c4d was withdrawn\n",
  });
});

test("a setting that fails after others were changed names them, and its effect is unknown", async () => {
  await using here = await answering(({ url }) =>
    url.endsWith("/set")
      ? errorAnswer(404, { code: "PROJECT_NOT_FOUND", message: "no project x" })
      : { body: { ...sessionAnswer(), applied: {}, notes: [] } },
  );
  const { exit, stdout } = await here.tmpm("set", "demo", "--model", "opus", "--project", "x", "--json");
  expect([exit, JSON.parse(stdout).error]).toEqual([
    3,
    expect.objectContaining({ effect: "unknown", message: "no project x; the settings before it were changed" }),
  ]);
});

test("the tail of a log has the requested number of whole lines, long ones included", () => {
  using dir = temporaryDir();
  const log = join(dir.path, "log");
  writeFileSync(log, "");
  for (let line = 1; line <= 1_000; line++) appendFileSync(log, `${line} ${"x".repeat(300)}é\n`);
  const lines = tailLog(log, { from: 0, lines: 900 });
  expect([lines.length, ...lines.map((line) => line.split(" ")[0])]).toEqual([
    900,
    ...Array.from({ length: 900 }, (_, index) => String(101 + index)),
  ]);
  expect(tailLog(log, { from: 0, lines: 2_000 })).toHaveLength(1_000);
  expect(tailLog(log, { from: 0, lines: 0 })).toEqual([]);
});

test("a service contains no variable of a secret setting", () => {
  const secret = SETTING_KEYS.map(settingOf).filter(({ secrecy }) => secrecy !== undefined);
  expect(secret.length).toBeGreaterThan(1);
  expect(servicePlan(["/usr/bin/tmpmd"], Object.fromEntries(secret.map(({ env }) => [env, "https://hooks.example/secret"]))).env).toEqual(
    {},
  );
});

test.each(["counts", "next", "events"])("%s names a node that is silent", async (command) => {
  const answers: Readonly<Record<string, object>> = {
    "/v1/counts": { total: 1, live: 1, limit: null, agents: [], projects: [], owners: [] },
    "/v1/next": { session: null },
    "/v1/events": { events: [], next: 0, behind: null },
  };
  await using here = await answering(({ url }) => ({ body: answers[url.split("?")[0] ?? ""] ?? nodes }), {
    build1: () => new Promise(() => undefined),
  });
  const { stderr } = await here.tmpm(command);
  expect(here.askedAt("build1")).not.toEqual([]);
  expect(stderr).toContain("incomplete: build1 does not answer (no answer within 300 ms)");
});
