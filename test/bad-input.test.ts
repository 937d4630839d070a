import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SendAnswer, SessionList } from "@tmpm/api";
import type { ErrorCode } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { eventually, type Fixture, type RunOptions, sharedFixture } from "./fixture.js";

/** The error of a command that must fail: the code, the exit code, and a message of one clean line. */
async function failure(w: Fixture, argv: readonly string[], options?: RunOptions) {
  const result = await w.tmpm([...argv.slice(0, 1), "--json", ...argv.slice(1)], options);
  const { error } = JSON.parse(result.stdout) as {
    error: { code: string; message: string; effect: string; details: Record<string, unknown> };
  };
  expect(error.message).not.toMatch(/\n| at .*:\d+:\d+/);
  return { exit: result.code, code: error.code, effect: error.effect, details: error.details, message: error.message };
}

async function namesOf(w: Fixture): Promise<readonly string[]> {
  return (await w.api.list({ all: true })).sessions.map(({ name }) => name).toSorted();
}

/** Errors of the daemon for every caller; the exit codes are in the table of errors. */
function refused(asked: Promise<unknown>, error: { readonly code: ErrorCode; readonly [detail: string]: unknown }): Promise<void> {
  return expect(asked).rejects.toMatchObject(error);
}

describe("bad input", () => {
  const shared = sharedFixture();

  test("in names, prefixes, directories, agents and flags gets its code and exit code, and changes nothing", {
    timeout: 180_000,
  }, async () => {
    const w = shared();
    const cwd = w.dir;
    await w.json(["new", "--name", "alpha-one"]);
    await w.api.create({ name: "alpha-two", cwd });
    const before = await namesOf(w);

    expect(await failure(w, ["show", "nobody"])).toMatchObject({ exit: 3, code: "SESSION_NOT_FOUND", effect: "none" });
    expect(await failure(w, ["new", "--name", "alpha-one"])).toMatchObject({ exit: 4, code: "NAME_TAKEN" });
    expect(await failure(w, ["new", "--agent", "claude"], { env: { PATH: "/usr/bin:/bin" } })).toMatchObject({
      exit: 3,
      code: "AGENT_NOT_INSTALLED",
    });
    expect(await failure(w, ["ls", "--colour"])).toMatchObject({ exit: 2, code: "INVALID_ARGUMENT" });
    await refused(w.api.show({ session: "alpha" }), { code: "SESSION_AMBIGUOUS" });
    await refused(w.api.create({ name: "../up", cwd }), { code: "INVALID_ARGUMENT" });
    await refused(w.api.create({ cwd: join(cwd, "missing") }), { code: "DIRECTORY_NOT_FOUND", effect: "none" });
    await refused(w.api.create({ agent: "nonesuch", cwd }), { code: "AGENT_UNKNOWN" });
    await refused(w.api.create({ agent: "command", argv: ["no-such-program-at-all"], cwd }), { code: "AGENT_NOT_INSTALLED" });
    await refused(w.api.resume({ session: "alpha-one" }), { code: "INVALID_STATE" });
    await refused(w.api.keys({ session: "alpha-one", keys: ["NoSuchKey"] }), { code: "INVALID_ARGUMENT" });
    expect(before).toEqual(expect.arrayContaining(["alpha-one", "alpha-two"]));
    expect(await namesOf(w)).toEqual(before);
  });

  test("in text with control characters is rejected; text that only looks dangerous is accepted", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.json(["new", "--name", "talk", "--", "cat"]);
    await refused(w.api.send({ session: "talk", text: "" }), { code: "INVALID_TEXT" });
    expect(await failure(w, ["send", "talk", "a\u001b[201~b"])).toMatchObject({ exit: 2, code: "INVALID_TEXT", details: { position: 1 } });
    expect(await failure(w, ["send", "talk", "-R"])).toMatchObject({ exit: 2, code: "INVALID_ARGUMENT" });
    const texts = [";", "-R", "ends with;", "#{pid} #(touch canary)", "$(touch canary)"];
    const typed = await w.json<SendAnswer>(["send", "--now", "talk", "-"], { input: texts[0] ?? "" });
    expect(typed.receipt.bytes).toBe(1);
    for (const text of texts.slice(1)) {
      const { receipt } = await w.api.send({ session: "talk", text, now: true });
      expect(receipt.bytes).toBe(Buffer.byteLength(text));
    }
    // As typed, and as printed by `cat`.
    const twice = texts.flatMap((text) => [text, text]).toSorted();
    const shown = async () => (await w.api.capture({ session: "talk" })).lines.filter((line) => texts.includes(line)).toSorted();
    await expect.poll(shown, { timeout: 60_000 }).toEqual(twice);
  });

  test("does not include directories named with a tmux format, spaces and quotes", { timeout: 180_000 }, async () => {
    const w = shared();
    for (const [index, name] of ["with #{pid} and #(touch canary)", 'it\'s a "dir" $HOME'].entries()) {
      const cwd = join(w.dir, name);
      await mkdir(cwd);
      await w.json(["new", "--name", `dir${index}`, "--cwd", cwd]);
      await w.api.send({ session: `dir${index}`, text: "pwd > here" });
      const here = () => readFile(join(cwd, "here"), "utf8").catch(() => "");
      await expect.poll(here, { timeout: 60_000 }).toBe(`${cwd}\n`);
      expect(await readdir(w.dir)).not.toContain("canary");
    }
  });

  test("as a command that ends at once is reported with its status and last words", { timeout: 180_000 }, async () => {
    const w = shared();
    const command = ["sh", "-c", "echo famous last words; sleep 0.1; exit 3"];
    let tries = 0;
    // On a busy machine it may not end at once, and counts as started; or tmux 3.3a closes its terminal before reading the output. Then
    // another session is tried.
    const [name, failed] = await eventually(async () => {
      const name = `short${tries++}`;
      const { stdout } = await w.tmpm(["new", "--json", "--name", name, "--", ...command]);
      const { error }: { error?: { message: string; details: { last_lines: string[] } } } = JSON.parse(stdout);
      return error?.details.last_lines.length === 1 ? ([name, error] as const) : null;
    });
    expect(failed).toMatchObject({ code: "LAUNCH_FAILED", details: { status: 3, name } });
    expect(failed.message).toContain("famous last words");
    const session = await w.api.show({ session: name });
    expect(session).toMatchObject({ state: "errored", last_error: { code: "LAUNCH_FAILED" }, exit: { status: 3 } });
    expect((await w.api.capture({ session: name })).lines).toContain("famous last words");
  });

  test("as a corrupt or newer record does not hide other records, and is never written", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.json(["ls"]);
    const session = await w.api.create({ name: "good", cwd: w.dir });
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
    await refused(w.api.show({ session: damaged }), { code: "RECORD_DAMAGED" });
    await refused(w.api.stop({ session: newer }), { code: "RECORD_UNSUPPORTED" });
    expect(await readFile(join(folder, `${damaged}.json`), "utf8")).toBe("{ not json ]");
    expect(await readFile(join(folder, `${newer}.json`), "utf8")).toBe(newerText);
  });

  test("as an unwritable data folder or an overlong socket path is reported", { timeout: 180_000 }, async () => {
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
