import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Asked, answering, errorAnswer } from "../fixtures/answering.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const session = sessionAnswer();
const ref = (letter: string) => `sha256:${letter.repeat(64)}`;

function receipt(outcome: string) {
  return { id: "s", outcome, reason: "screen", bytes: 4, evidence: ["seen"], altered: null, hint: null };
}

describe("set", () => {
  const overridden = {
    ...session,
    overrides: {},
    applied: { model: "live", temperature: "next_launch" },
    notes: ["temperature: it works"],
  };

  test("changes the agent's settings, and reports when each applies and why one waits", async () => {
    await using daemon = await answering(() => ({ body: overridden }));
    const argv = ["set", "demo2", "--model", "opus", "--temperature", "0.5", "--no-effort", "--provider", ""];
    expect(await daemon.tmpm(...argv)).toMatchObject({
      exit: 0,
      stderr: [
        "tmpm: model takes effect at once",
        "      temperature takes effect at the next launch; `tmpm restart demo2` applies it now",
        "      temperature: it works",
        "",
      ].join("\n"),
    });
    const body = { model: "opus", temperature: 0.5, reasoning_effort: null, model_provider: null };
    expect(daemon.asked).toEqual([{ method: "POST", url: "/v1/sessions/demo2/overrides", body }]);
    expect(JSON.parse((await daemon.tmpm(...argv, "--json")).stdout)).toMatchObject({ id: session.id, applied: overridden.applied });
  });

  test("changes overrides first, and then the record; a refusal ends it", async () => {
    await using daemon = await answering(({ url }) => ({ body: url.endsWith("overrides") ? overridden : session }));
    await daemon.tmpm("set", "demo2", "--task", "x", "--no-model");
    expect(daemon.asked.map(({ url }) => url)).toEqual(["/v1/sessions/demo2/overrides", `/v1/sessions/${session.id}/set`]);
    await using refusing = await answering(() => errorAnswer(400, { code: "INVALID_ARGUMENT", message: "no" }));
    expect((await refusing.tmpm("set", "demo2", "--task", "x", "--model", "m")).exit).toBe(2);
    expect(refusing.asked).toHaveLength(1);
  });

  test("sets a budget, in thousands and millions, and removes a limit", async () => {
    await using daemon = await answering(() => ({ body: session }));
    await daemon.tmpm("set", "demo2", "--budget-tokens", "2M", "--budget-turns", "");
    expect(daemon.asked).toEqual([{ method: "POST", url: "/v1/sessions/demo2/set", body: { budget: { tokens: 2_000_000, turns: null } } }]);
    expect((await daemon.tmpm("set", "demo2", "--budget-minutes", "1.5")).exit).toBe(2);
  });

  test("the last of a value and its removal applies, and an invalid temperature is refused", async () => {
    await using daemon = await answering(() => ({ body: overridden }));
    await daemon.tmpm("set", "demo2", "--model", "m", "--no-model");
    await daemon.tmpm("set", "demo2", "--no-model", "--model", "m");
    expect(daemon.asked.map(({ body }) => body)).toEqual([{ model: null }, { model: "m" }]);
    expect((await daemon.tmpm("set", "demo2", "--temperature", "warm")).exit).toBe(2);
    expect(daemon.asked).toHaveLength(2);
  });
});

describe("send --attach", () => {
  function answers(outcome: string) {
    return ({ method, url }: Asked) => {
      if (url.endsWith("/send")) return { body: { receipt: receipt(outcome), session } };
      if (method === "DELETE") return { body: {} };
      return { status: 201, body: { ref_id: ref(url.includes("one") ? "1" : "2"), deduplicated: url.includes("two") } };
    };
  }

  function files(home: string) {
    return ["one.txt", "two.txt"].map((name) => {
      writeFileSync(join(home, name), `of ${name}`);
      return join(home, name);
    });
  }

  test("uploads each file, byte for byte, and then sends the text with them; a file alone is enough", async () => {
    await using daemon = await answering(answers("submitted"));
    const [one = "", two = ""] = files(daemon.home);
    expect((await daemon.tmpm("send", "demo2", "--attach", one, "--attach", two, "look", "here")).exit).toBe(0);
    expect(daemon.asked).toEqual([
      { method: "POST", url: "/v1/sessions/demo2/uploads?filename=one.txt", body: "of one.txt" },
      { method: "POST", url: "/v1/sessions/demo2/uploads?filename=two.txt", body: "of two.txt" },
      { method: "POST", url: "/v1/sessions/demo2/send", body: { text: "look here", attachments: [ref("1"), ref("2")] } },
    ]);
    await daemon.tmpm("send", "demo2", "--attach", one);
    expect(daemon.asked.at(-1)?.body).toEqual({ text: "", attachments: [ref("1")] });
  });

  test("discards new uploads when nothing was typed", async () => {
    await using daemon = await answering(answers("refused"));
    const [one = "", two = ""] = files(daemon.home);
    expect((await daemon.tmpm("send", "demo2", "--attach", one, "--attach", two, "look")).exit).toBe(4);
    expect(daemon.asked.slice(3)).toEqual([
      { method: "DELETE", url: `/v1/sessions/demo2/uploads/${encodeURIComponent(ref("1"))}`, body: null },
    ]);
  });

  test("keeps the uploads when the text may still be typed", async () => {
    const error = { code: "SHUTTING_DOWN", message: "the daemon is stopping", effect: "unknown" };
    await using daemon = await answering((asked) =>
      asked.url.endsWith("/send") ? { status: 503, body: { error } } : answers("submitted")(asked),
    );
    const [one = ""] = files(daemon.home);
    expect((await daemon.tmpm("send", "demo2", "--attach", one, "look")).exit).not.toBe(0);
    expect(daemon.asked.map(({ method }) => method)).toEqual(["POST", "POST"]);
  });

  test("sends nothing if one of the files is missing or invalid", async () => {
    await using daemon = await answering(answers("submitted"));
    const [one = ""] = files(daemon.home);
    const pipe = join(daemon.home, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect((await daemon.tmpm("send", "demo2", "--attach", one, "--attach", join(daemon.home, "missing"), "look")).exit).toBe(3);
    for (const path of [pipe, daemon.home, "/dev/zero"]) {
      expect((await daemon.tmpm("send", "demo2", "--attach", one, "--attach", path, "look")).exit).toBe(2);
    }
    expect(daemon.asked).toEqual([]);
  });
});

test("uploads lists a session's files, or discards one", async () => {
  const upload = { ref_id: ref("a"), size_bytes: 5, filename: "no\u001btes.txt", workspace_path: "/w/a.txt" };
  await using daemon = await answering(({ method }) => ({ body: method === "GET" ? { uploads: [upload], next: null } : upload }));
  expect((await daemon.tmpm("uploads", "demo2")).stdout).toMatch(/\naaaaaaaaaaaa {2}5 {6}no\S*tes\.txt {2}\/w\/a\.txt\n$/);
  await daemon.tmpm("uploads", "demo2", "--rm", "aaaa");
  expect(daemon.asked.at(-1)).toEqual({ method: "DELETE", url: "/v1/sessions/demo2/uploads/aaaa", body: null });
});

test("counts prints a table", async () => {
  const body = {
    ...{ total: 3, live: 2, limit: 5 },
    agents: [{ agent: "claude", total: 3, live: 2 }],
    projects: [{ project_id: "web", total: 3, live: 2 }],
    owners: [{ owner: null, total: 3, live: 2 }],
  };
  await using daemon = await answering(() => ({ body }));
  expect((await daemon.tmpm("counts")).stdout).toBe(
    [
      "                        LIVE  TOTAL",
      "all      at most 5 live  2     3",
      "agent    claude          2     3",
      "project  web             2     3",
      "owner    -               2     3",
      "",
    ]
      .join("\n")
      .replace(/^ {24}/, " ".repeat(25)),
  );
});
