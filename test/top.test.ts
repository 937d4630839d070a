import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually, type Fixture, fixture, sharedFixture } from "./fixture.js";
import { personTerminal } from "./person-terminal.js";

const PROGRAM = resolve(import.meta.dirname, "../tmpm");
const AGENTS = join(import.meta.dirname, "scripted-claude");
const SESSIONS = 5 + 22 * (Number(process.env.TMPM_TEST_SCALE ?? 1) - 1);

describe("tmpm top", () => {
  const shared = sharedFixture();

  test("shows sessions that need attention first and the selected screen, and acts by keys and mouse in any size", {
    timeout: 240_000 + 3_000 * SESSIONS,
  }, async () => {
    await using w = await fixture({ PATH: `${AGENTS}:${process.env.PATH}` });
    await w.json(["new", "--agent", "claude", "--name", "asker"]);
    await sleepers(w);
    await using top = await personTerminal(w);
    await top.type(`echo before-top; ${PROGRAM} top; echo left-with-$?`, "Enter");
    await top.sees(/- idle .*asker/);

    await top.type("/", "asker", "Enter");
    await top.sees(/filter asker: 1/);
    await top.sees(/│ ❯/);
    await top.type("s", "RUN:touch it", "Enter");
    await top.sees(/^>! approval .*asker .*approve Bash/m);
    await top.type("Escape");
    // A key right after Escape would be read as Alt.
    await top.sees(/^tmpm top {2}1 needs you.*\n>! approval/);
    await top.type("a");
    await top.sees(/asker: answered: approve|asker: answered: Yes/);
    await top.sees(/nothing needs your attention/);

    await top.type("f", "screen of s2:");
    await top.type("Enter");
    await top.sees(/find screen of s2:: 1\]/);
    await top.sees(/^>. \w+ .*\bs2\b/m);
    await top.type("Escape");
    await top.resize(60, 18);
    await top.sees(/^>. \w+ .*\bs2\b[\s\S]*^screen of s2: 日本語 e\u0301$[\s\S]*q quit\s*$/m);
    await top.resize(220, 60);
    await top.sees(/\bs2 +command +default .*│/);

    await top.type("s", "first line", "C-j", "second line", "Enter");
    await top.sees(/s2: submitted/);
    await top.sees(/got:second line/);
    await top.type("x");
    await top.sees(/Stop s2\?/);
    await top.type("y");
    await top.sees(/s2: stopped/);
    await top.sees(/ended; these are its last lines/);
    await top.type("r");
    await top.sees(/s2: resumed/);
    await top.type("g");
    await top.press({ row: 2, column: 10 });
    await top.sees(/^tmpm top.*\n .*\n>/);

    await top.type("q");
    await top.sees(/before-top[\s\S]*left-with-0/);
    await top.isAsBefore();
  });

  test("restores the terminal for attaching, suspending and ending, and continues after a daemon restart", {
    timeout: 300_000,
  }, async () => {
    const w = shared();
    await w.json(["new", "--name", "one"]);
    await w.api.create({ name: "two", cwd: w.dir, search_path: w.env.PATH });
    await using top = await personTerminal(w);
    await top.type(`${PROGRAM} top`, "Enter");
    await top.sees(/- idle .*one/);
    await top.type("j");
    await top.sees(/^>- idle .*two/m);

    await top.type("Enter");
    await eventually(async () => ((await w.api.show({ session: "two" })).viewers === 1 ? true : null));
    await top.type("echo typed-$((40+2))", "Enter");
    await top.sees(/typed-42/);
    await top.type("C-b", "d");
    await top.sees(/^>- idle .*two/m);
    await top.sees(/│ typed-42/);

    await top.type("C-z");
    await top.isAsBefore();
    await top.type("echo in-between", "Enter");
    await top.sees(/^in-between$/m);
    await top.type("fg", "Enter");
    await top.sees(/^>- idle .*two/m);

    await w.stopDaemon();
    await top.sees(/RECONNECTING/);
    await w.tmpm(["ls"]);
    await eventually(async () => (/RECONNECTING/.test(await top.screen()) ? null : true));
    await w.api.send({ session: "two", text: "echo after-$((1+1))" });
    await top.sees(/^>. \w+ .*two .*│/m);
    await top.sees(/│ after-2/);

    process.kill(await top.foreground(), "SIGTERM");
    await top.isAsBefore();
    await top.type("echo left-with-$?", "Enter");
    await top.sees(/left-with-143/);

    const fault = join(w.dir, "fault.cjs");
    await writeFile(fault, 'process.on("SIGUSR2", () => { throw new Error("a fault in tmpm"); });');
    await top.type(`clear; NODE_OPTIONS="--require ${fault}" ${PROGRAM} top`, "Enter");
    await top.sees(/- idle .*one/);
    process.kill(await top.foreground(), "SIGUSR2");
    await top.sees(/Error: a fault in tmpm/);
    await top.isAsBefore();
  });

  test("reports the commands for programs when run without a terminal", { timeout: 120_000 }, async () => {
    expect(await shared().tmpm(["top"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/tmpm ls --json.*tmpm events/),
    });
  });
});

/** Sessions that print their input. */
async function sleepers(w: Fixture): Promise<void> {
  const create = async (at: number) => {
    const script = `printf 'screen of s${at}: 日本語 e\\314\\201\\n'; while read -r line; do echo "got:$line"; done`;
    await w.api.create({ agent: "command", name: `s${at}`, cwd: w.dir, argv: ["sh", "-c", script] });
  };
  for (let at = 1; at <= SESSIONS; at += 4) {
    await Promise.all([at, at + 1, at + 2, at + 3].filter((each) => each <= SESSIONS).map(create));
  }
}
