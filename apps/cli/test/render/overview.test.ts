import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lastWords } from "../../src/render/standing.js";
import { answering, errorAnswer, runIn } from "../fixtures/answering.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";
import { approval, session } from "../top/sessions.js";

const answer = (sessions: readonly unknown[]) => ({ body: { sessions, problems: [], store: { state: "ok", message: null }, next: null } });
const asks = session("asks", "awaiting_approval", { decision: approval("npm test\nand\u001b[2J more") });
const broken = session("broken", "errored", { activity: { ...asks.activity, state: "errored", evidence: ["the model does not answer"] } });

describe("tmpm alone", () => {
  test("reports the number of sessions, and the commands for those that need you", async () => {
    await using daemon = await answering(() => answer([session("a", "idle"), session("b", "working"), broken, asks]));
    const { exit, stdout, stderr } = await daemon.tmpm();
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").map((line) => line.replace(/ {2,}/g, "  ").replace(/\d+d/, "1d"))).toEqual([
      "2 need you, 1 idle, 1 working; 4 in all",
      " ! asks  approval for 1d  approve Bash: npm test\\nand\\x1b[2J more  tmpm approve asks",
      " X broken  error for 1d  the model does not answer  tmpm why broken",
      "`tmpm top` shows them live.",
      "`tmpm --help` lists the commands.",
      "",
    ]);
  });

  test("never truncates a command: in a narrow terminal it is on the next line", async () => {
    await using daemon = await answering(() => answer([asks]));
    const env = { TMPM_HOME: daemon.home, PATH: process.env.PATH, LANG: "C.UTF-8" };
    const at = async (columns: number) => (await runIn(env, [], { columns })).stdout.split("\n").slice(1, 4);
    expect(await at(40)).toEqual([
      expect.stringMatching(/^ ! asks {2}approval for \d+d$/),
      "     approve Bash: npm test\\nand\\x1b[2J…",
      "     tmpm approve asks",
    ]);
    expect(await at(70)).toEqual([
      expect.stringMatching(/^ ! asks {2}approval for \d+d {2}approve/),
      "     tmpm approve asks",
      "`tmpm top` shows them live.",
    ]);
    expect((await runIn(env, [])).stdout).toContain(lastWords(asks));
  });

  test("prints the same as JSON", async () => {
    await using daemon = await answering(() => answer([session("a", "idle"), asks]));
    expect(JSON.parse((await daemon.tmpm("--json")).stdout)).toMatchObject({
      running: true,
      total: 2,
      counts: { approval: 1, idle: 1 },
      needs_you: [{ id: asks.id, name: "asks", standing: "approval", command: "tmpm approve asks" }],
      problems: 0,
    });
  });

  test("without sessions, prints how to start one", async () => {
    await using daemon = await answering(() => answer([]));
    expect((await daemon.tmpm()).stdout).toMatch(/^no sessions\nStart one: tmpm new /);
  });

  test("does not start a daemon, and reports that there is none", async () => {
    using dir = temporaryDir();
    mkdirSync(join(dir.path, "run"), { mode: 0o700 });
    const env = { TMPM_HOME: dir.path, PATH: process.env.PATH, TMPM_DAEMON: "/nowhere" };
    expect(await runIn(env, [])).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^tmpm is not running\..*\nStart one: /),
      stderr: "",
    });
    expect(JSON.parse((await runIn(env, ["--json"])).stdout)).toMatchObject({ running: false, total: 0 });
  });

  test("a daemon that cannot answer is an error", async () => {
    await using daemon = await answering(() => errorAnswer(503, { code: "OVERLOADED", message: "too much to do" }));
    expect(await daemon.tmpm()).toMatchObject({ exit: 6, stdout: "", stderr: expect.stringContaining("too much to do") });
  });
});
