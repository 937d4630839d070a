import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { processTable } from "@tmpm/processes";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../src/contract/expect.js";
import { createPane } from "../src/create/create.js";
import { writeLaunchFile } from "../src/create/launch-file.js";
import { knownRoots } from "../src/observe/known-roots.js";
import { knownServer, type ServerContext } from "../src/server/server-context.js";
import type { Reply, Request } from "../src/transport/channel.js";

const run = promisify(execFile);
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tmpm-launch-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that appends its arguments to a file at each run. */
const program = (...words: string[]) => ["/bin/sh", "-c", 'printf "%s;" "$@" >>ran', "sh", ...words] as const;
const ran = () => (existsSync(join(folder, "ran")) ? readFileSync(join(folder, "ran"), "utf8") : "");
const shell = (...args: string[]) =>
  run("/bin/sh", args).then(
    () => "ended",
    () => "failed",
  );

test("a launch file runs once, empties itself, and is removed", async () => {
  const words = ["it's", "$(x)", "two\nlines", "x".repeat(20_000)];
  const file = writeLaunchFile(folder, { sessionId: "s", cwd: folder, argv: program(...words), env: { SECRET: "s" } });
  const script = readFileSync(file.path, "utf8");
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
  expect(await shell(file.path)).toBe("ended");
  expect(ran()).toBe(`${words.join(";")};`);
  expect(readFileSync(file.path, "utf8")).toBe("");
  expect(await shell("-c", script, file.path)).toBe("failed");
  expect(file.withdraw()).toBe(false);
  expect(ran()).toBe(`${words.join(";")};`);
  file.removeOnceRun();
  await eventually(
    async () => readdirSync(folder),
    (names) => names.join() === "ran",
  );
});

test("a withdrawn launch file does not run, even in a shell that has it open", async () => {
  const file = writeLaunchFile(folder, { sessionId: "s", cwd: folder, argv: program("one"), env: {} });
  const script = readFileSync(file.path, "utf8");
  expect(file.withdraw()).toBe(true);
  expect(await shell("-c", script, file.path)).toBe("failed");
  expect(await shell(file.path)).toBe("failed");
  expect(ran()).toBe("");
});

/** Creates over a server with given answers; an answer is a function of the launch file's path. */
async function createOver(answers: readonly ((path: string) => Promise<Reply>)[]) {
  const paths: string[] = [];
  const channel = {
    ask: async ({ commands }: Request) => {
      const path = commands[0]?.at(-1) ?? "";
      paths.push(path);
      return (answers[paths.length - 1] ?? dropped)(path);
    },
  };
  const context: ServerContext = {
    socket: join(folder, "s"),
    channel,
    processes: processTable(),
    keeper: null,
    known: knownServer(processTable()),
    roots: knownRoots(),
    now: Date.now,
    nonce: () => "word",
    starting: (task) => task(),
    row: () => Promise.reject(new TypeError("not looked at")),
    screen: () => Promise.reject(new TypeError("not looked at")),
  };
  const spec = { sessionId: "one", tmuxName: "one", cwd: folder, argv: program("one"), env: {}, columns: 80, rows: 24 };
  const created = createPane(context, {
    spec,
    options: { home: null, launchDir: folder, patienceMs: answers.length === 0 ? 100 : 10_000 },
  });
  return { outcome: await created.catch((error: unknown) => error), paths };
}

const dropped = async (): Promise<Reply> => ({
  kind: "refused",
  refusal: { kind: "server_exited", message: "server exited unexpectedly" },
  output: "\n",
});
const runThenDropped = async (path: string): Promise<Reply> => {
  await shell(path);
  return dropped();
};
const taken = async (): Promise<Reply> => ({
  kind: "refused",
  refusal: { kind: "duplicate_session", message: "duplicate session: one" },
  output: "\n",
});

test("a create dropped by a dying server is retried with a new launch file, and no earlier one can run", async () => {
  const { outcome, paths } = await createOver([dropped, dropped, taken]);
  expect(outcome).toMatchObject({ code: "NAME_TAKEN" });
  expect(new Set(paths).size).toBe(3);
  for (const path of paths) expect(await shell(path)).toBe("failed");
  expect(ran()).toBe("");
});

test("a create whose program ran before its server died is not retried, and may have happened", async () => {
  const { outcome, paths } = await createOver([dropped, runThenDropped, taken]);
  expect(outcome).toMatchObject({ code: "TMUX_FAILED", effect: "unknown" });
  expect(paths).toHaveLength(2);
  expect(ran()).toBe("one;");
});

test("a server that never starts times out without an effect", async () => {
  const { outcome } = await createOver([]);
  expect(outcome).toMatchObject({ code: "TMUX_FAILED", effect: "none" });
});
