import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { observationOf, readScreen } from "@tmpm/agents";
import { expect, test } from "vitest";
import { CHECKOUT, eventually, type Fixture, fixture } from "./fixture.js";

/** An agent that thinks until the file `answer` exists, and redraws its screen as agents do. */
const program = (answer: string) => `#!/bin/sh
[ "$1" = --version ] && echo 1.2.3 && exit
draw() { printf '\\033[2J\\033[H%s\\n> ' "$1"; }
draw hello
while IFS= read -r line; do
  draw Thinking
  until [ -e '${answer}' ]; do sleep 0.1; done
  draw ready
done
`;

const PAIR = {
  id: "pair",
  title: "Pair",
  verified: ["1.2.3"],
  input: { first: "^> ?(.*)$" },
  states: { working: ["^Thinking"] },
};

async function withPair(description: object): Promise<Fixture> {
  const user = await fixture();
  const path = join(user.dir, "pair");
  const folder = join(user.env.HOME ?? "", ".config/tmpm/agents");
  await mkdir(folder, { recursive: true });
  await writeFile(path, program(join(user.dir, "answer")));
  await chmod(path, 0o755);
  await writeFile(join(folder, "pair.json"), JSON.stringify({ ...description, argv: [path] }));
  return user;
}

interface Tried {
  readonly ok: boolean;
  readonly steps: readonly { readonly step: string; readonly ok: boolean }[];
  readonly states: readonly string[];
  readonly folder: string;
}

test("lists a configured agent with its version, tries it, and records its screens as test fixtures", async () => {
  await using user = await withPair(PAIR);
  const { agents } = await user.json<{ agents: readonly { id: string; version_verified: boolean | null }[] }>(["agents"]);
  expect(agents.find(({ id }) => id === "pair")).toMatchObject({ version_verified: true, terminal: { version: "1.2.3" } });
  const trial = user.json<Tried>(["agents", "try", "pair", "--out", join(user.dir, "out")]);
  // An accepted prompt counts as work before the screen shows it.
  const thinking = await eventually(async () => {
    const folder = join(user.dir, "out", "pair-1.2.3", "working");
    const names = await readdir(folder).catch(() => []);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    return texts.find((text) => text.includes("Thinking")) ?? null;
  });
  await writeFile(join(user.dir, "answer"), "");
  const tried = await trial;
  expect(tried).toMatchObject({ ok: true, states: expect.arrayContaining(["idle", "working"]) });
  const recording = JSON.parse(thinking);
  expect(recording).toMatchObject({ version: "1.2.3", pane_current_command: "pair", screen: expect.stringContaining("Thinking") });
  expect(readScreen("claude", observationOf(recording)).state).toBe("unknown");
  expect((await user.json<{ sessions: readonly object[] }>(["ls"])).sessions).toEqual([]);
});

test("reports an agent whose screens are not recognized as failed, with the evidence", async () => {
  await using user = await withPair({ ...PAIR, input: null, states: {} });
  const { code, stdout } = await user.tmpm(["agents", "try", "pair", "--timeout", "2", "--json", "--out", join(user.dir, "out")]);
  const tried: Tried = JSON.parse(stdout);
  expect([code, tried.ok, tried.steps[0]]).toEqual([1, false, expect.objectContaining({ step: "start", ok: false })]);
  expect(await readdir(tried.folder)).toContain("unknown");
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("removes the session and the directory of a trial that %s ends", async (signal) => {
  await using user = await withPair(PAIR);
  const env = { ...user.env, TMPDIR: user.dir };
  const trial = spawn(CHECKOUT, ["agents", "try", "pair"], { env, cwd: user.dir, stdio: "ignore" });
  const ended = once(trial, "exit");
  await eventually(async () => {
    const [session] = (await user.api.list().catch(() => ({ sessions: [] }))).sessions;
    return session?.activity.state === "working" ? session : null;
  });
  trial.kill(signal);
  expect(await ended).toEqual([null, signal]);
  expect((await user.json<{ sessions: readonly object[] }>(["ls"])).sessions).toEqual([]);
  expect((await readdir(user.dir)).filter((name) => name.startsWith("tmpm-try-"))).toEqual([]);
});
