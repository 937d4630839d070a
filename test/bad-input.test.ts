import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateAnswer, ScreenAnswer, SendAnswer, SessionList } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { type RunOptions, sharedWorld, type World } from "./world.js";

/** The error of a command that must fail: the code, the exit code, and a message that is one clean line. */
async function failure(w: World, argv: readonly string[], options?: RunOptions) {
  const result = await w.tmpm([...argv.slice(0, 1), "--json", ...argv.slice(1)], options);
  const { error } = JSON.parse(result.stdout) as {
    error: { code: string; message: string; effect: string; details: Record<string, unknown> };
  };
  expect(error.message).not.toMatch(/\n| at .*:\d+:\d+/);
  return { exit: result.code, code: error.code, effect: error.effect, details: error.details, message: error.message };
}

async function namesOf(w: World): Promise<readonly string[]> {
  return (await w.json<SessionList>(["ls", "--all"])).sessions.map(({ name }) => name).toSorted();
}

describe("bad input gets a clear error, the documented exit code, and loses nothing", () => {
  const shared = sharedWorld();

  test("names, prefixes, directories, agents and flags", { timeout: 90_000 }, async () => {
    const w = shared();
    await w.json(["new", "--name", "alpha-one"]);
    await w.json(["new", "--name", "alpha-two"]);
    const before = await namesOf(w);

    expect(await failure(w, ["show", "nobody"])).toMatchObject({ exit: 3, code: "SESSION_NOT_FOUND", effect: "none" });
    expect(await failure(w, ["show", "alpha"])).toMatchObject({ exit: 4, code: "SESSION_AMBIGUOUS" });
    expect(await failure(w, ["new", "--name", "alpha-one"])).toMatchObject({ exit: 4, code: "NAME_TAKEN" });
    expect(await failure(w, ["new", "--name", "../up"])).toMatchObject({ exit: 2, code: "INVALID_ARGUMENT" });
    expect(await failure(w, ["new", "--cwd", join(w.dir, "missing")])).toMatchObject({ exit: 3, code: "DIRECTORY_NOT_FOUND" });
    expect(await failure(w, ["new", "--agent", "nonesuch"])).toMatchObject({ exit: 2, code: "AGENT_UNKNOWN" });
    expect(await failure(w, ["new", "--agent", "claude"], { env: { PATH: "/usr/bin:/bin" } })).toMatchObject({
      exit: 3,
      code: "AGENT_NOT_INSTALLED",
    });
    expect(await failure(w, ["new", "--", "no-such-program-at-all"])).toMatchObject({ exit: 3, code: "AGENT_NOT_INSTALLED" });
    expect(await failure(w, ["ls", "--colour"])).toMatchObject({ exit: 2, code: "INVALID_ARGUMENT" });
    expect(await failure(w, ["resume", "alpha-one"])).toMatchObject({ exit: 4, code: "INVALID_STATE" });
    expect(await failure(w, ["keys", "alpha-one", "NoSuchKey"])).toMatchObject({ exit: 2, code: "INVALID_ARGUMENT" });
    expect(before).toEqual(expect.arrayContaining(["alpha-one", "alpha-two"]));
    expect(await namesOf(w)).toEqual(before);
  });

  test("text that a terminal would obey, and text that only looks dangerous", { timeout: 60_000 }, async () => {
    const w = shared();
    await w.json(["new", "--name", "talk", "--", "cat"]);
    expect(await failure(w, ["send", "talk", ""])).toMatchObject({ exit: 2, code: "INVALID_TEXT" });
    expect(await failure(w, ["send", "talk", "a\u001b[201~b"])).toMatchObject({ exit: 2, code: "INVALID_TEXT", details: { position: 1 } });
    expect(await failure(w, ["send", "talk", "-R"])).toMatchObject({ exit: 2, code: "INVALID_ARGUMENT" });
    for (const text of [";", "-R", "ends with;", "#{pid} #(touch canary)", "$(touch canary)"]) {
      expect((await w.json<SendAnswer>(["send", "--now", "talk", "-"], { input: text })).receipt.bytes).toBe(Buffer.byteLength(text));
    }
    const { lines } = await w.json<ScreenAnswer>(["capture", "talk"]);
    for (const text of [";", "-R", "ends with;", "#{pid} #(touch canary)", "$(touch canary)"])
      expect(lines.filter((line) => line === text)).toHaveLength(2);
  });

  test("a directory whose name is a tmux format, and one with spaces and quotes", { timeout: 60_000 }, async () => {
    const w = shared();
    for (const [index, name] of ["with #{pid} and #(touch canary)", 'it\'s a "dir" $HOME'].entries()) {
      const cwd = join(w.dir, name);
      await mkdir(cwd);
      await w.json(["new", "--name", `dir${index}`, "--cwd", cwd]);
      await w.json(["send", `dir${index}`, "pwd > here"]);
      await w.json(["wait", `dir${index}`]);
      expect((await readFile(join(cwd, "here"), "utf8")).trim()).toBe(cwd);
      expect(await readdir(w.dir)).not.toContain("canary");
    }
  });

  test("a command that ends at once is reported with its status and last words", { timeout: 60_000 }, async () => {
    const w = shared();
    const failed = await failure(w, ["new", "--name", "short", "--", "sh", "-c", "echo famous last words; exit 3"]);
    expect(failed).toMatchObject({ exit: 1, code: "LAUNCH_FAILED", details: { status: 3, name: "short" } });
    expect(failed.message).toContain("famous last words");
    const { sessions } = await w.json<SessionList>(["ls"]);
    expect(sessions.find(({ name }) => name === "short")).toMatchObject({
      state: "errored",
      last_error: { code: "LAUNCH_FAILED" },
      exit: { status: 3 },
    });
    expect((await w.json<ScreenAnswer>(["capture", "short"])).lines).toContain("famous last words");
  });

  test("a corrupt record and a newer record hide no other, and are never written", { timeout: 60_000 }, async () => {
    const w = shared();
    const session = await w.json<CreateAnswer>(["new", "--name", "good"]);
    const before = await namesOf(w);
    const folder = join(w.home, "sessions", "default");
    const damaged = "11111111-1111-4111-8111-111111111111";
    const newer = "22222222-2222-4222-8222-222222222222";
    const newerText = JSON.stringify({
      ...session,
      id: newer,
      name: "future",
      schema_version: 99,
      shiny: 12345678901234567890n.toString(),
    });
    await writeFile(join(folder, `${damaged}.json`), "{ not json ]");
    await writeFile(join(folder, `${newer}.json`), newerText);
    const list = await w.json<SessionList>(["ls", "--all"]);
    expect(before).toContain("good");
    expect(list.sessions.map(({ name }) => name).toSorted()).toEqual(before);
    expect(list.problems.map(({ kind, id }) => [kind, id]).sort()).toEqual([
      ["damaged", damaged],
      ["unsupported", newer],
    ]);
    expect(await failure(w, ["show", damaged])).toMatchObject({ exit: 4, code: "RECORD_DAMAGED" });
    expect(await failure(w, ["stop", newer])).toMatchObject({ exit: 4, code: "RECORD_UNSUPPORTED" });
    expect(await readFile(join(folder, `${damaged}.json`), "utf8")).toBe("{ not json ]");
    expect(await readFile(join(folder, `${newer}.json`), "utf8")).toBe(newerText);
  });

  test("a data folder that cannot be written, and a socket path that is too long", { timeout: 60_000 }, async () => {
    const w = shared();
    const file = join(w.dir, "a-file");
    await writeFile(file, "");
    expect((await failure(w, ["ls"], { env: { TMPM_HOME: join(file, "home") } })).exit).toBe(1);
    expect(await failure(w, ["ls"], { env: { TMPM_SOCKET: join(w.dir, "s".repeat(120)) } })).toMatchObject({
      exit: 2,
      code: "SOCKET_PATH_TOO_LONG",
    });
  });
});
