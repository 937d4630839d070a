import { resolve } from "node:path";
import type { SessionAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { personTerminal } from "./person-terminal.js";
import { sshPair } from "./ssh-pair.js";
import { WITHOUT_SSHD } from "./sshd.js";

const PROGRAM = resolve(import.meta.dirname, "../tmpm");
const TEST_MS = 300_000;

if (WITHOUT_SSHD !== null) console.warn(`no terminal over ssh is tried: ${WITHOUT_SSHD}`);

describe.skipIf(WITHOUT_SSHD !== null)("node over ssh, at a terminal", () => {
  test("shows its sessions in top, which acts there, and shows them as unknown while the node is silent", {
    timeout: TEST_MS,
  }, async () => {
    await using both = await sshPair();
    const { here, there, host } = both;
    await both.add();
    await here.json(["new", "--on", "build1", "--name", "far", "--cwd", there.dir]);
    await here.json(["new", "--name", "near"]);
    await using top = await personTerminal(here);
    await top.type(`${PROGRAM} top; echo left-with-$?`, "Enter");
    await top.sees(/- idle .*\bbuild1:far\b[\s\S]*- idle .*\bnear\b/);

    await top.type("/", "node:build1", "Enter");
    await top.sees(/filter node:build1: 1/);
    await top.type("s", "echo far-$((40 + 2))", "Enter");
    await top.sees(/build1:far: submitted/);
    await top.sees(/│ far-42/);
    // Changes on the node by others are reported, too.
    await there.json(["new", "--name", "later", "--cwd", there.dir]);
    await top.sees(/^.\S \w+ .*build1:later/m);
    await there.json(["stop", "later"]);
    await top.sees(/\. stopped .*build1:later/);

    await top.type("g");
    await top.sees(/^>. idle .*build1:far/m);
    await top.type("x");
    await top.sees(/Stop build1:far\?/);
    await top.type("y");
    await top.sees(/build1:far: stopped/);
    await top.type("/");
    await top.sees(/^Filter: words/m);
    // With a key immediately after it, Escape would be read as Alt.
    await top.type("Escape");
    await top.sees(/^(?![\s\S]*Filter: words)/);
    await top.type("r");
    await top.sees(/build1:far: resumed/);
    // This machine's PATH is not transferred.
    await top.type("s", "echo path=$PATH", "Enter");
    expect(await top.sees(/│ path=/)).not.toContain(host.bin);

    await host.stop();
    await top.sees(/SILENT build1 since \d\d:\d\d/);
    await top.sees(/^.~ unknown .*build1:far .*was idle/m);
    await top.sees(/build1 does not answer/);
    await top.type("s");
    await top.sees(/build1 does not answer: /);
    await host.start();
    await top.sees(/^.- idle .*build1:far/m);
    expect(await top.screen()).not.toContain("SILENT");

    await top.type("q");
    await top.sees(/left-with-0/);
    await top.type(`clear; ${PROGRAM} top --node local`, "Enter");
    expect(await top.sees(/- idle .*\bnear\b/)).not.toContain("build1");
    await top.type("q");
    await top.isAsBefore();
  });

  test("attaches a session: typing, size, detaching, and a broken connection", { timeout: TEST_MS }, async () => {
    await using both = await sshPair();
    const { here, there, host } = both;
    await both.add();
    await here.json(["new", "--on", "build1", "--name", "far", "--cwd", there.dir]);
    const viewers = async () => (await there.api.show({ session: "far" })).viewers;
    await using person = await personTerminal(here);
    await person.type("echo be''fore", "Enter");
    await person.sees(/^before$/m);

    await person.type(`${PROGRAM} attach build1:far; echo left-with-$?`, "Enter");
    await expect.poll(viewers, { timeout: TEST_MS }).toBe(1);
    await person.type("echo typed-$((40 + 2)) $(stty size)", "Enter");
    await person.sees(/^typed-42 \d+ 120$/m);
    await person.resize(90, 24);
    await expect
      .poll(
        async () => {
          await person.type("echo now $(stty size)", "Enter");
          return person.screen();
        },
        { timeout: TEST_MS, interval: 500 },
      )
      .toMatch(/^now \d+ 90$/m);
    await person.type("C-b", "d");
    await person.sees(/before[\s\S]*left-with-0/);
    await person.isAsBefore();

    await person.type(`clear; ${PROGRAM} attach build1:far; echo left-with-$?`, "Enter");
    await expect.poll(viewers, { timeout: TEST_MS }).toBe(1);
    await person.sees(/typed-42/);
    await host.stop();
    const screen = await person.sees(/left-with-6/);
    expect(screen).toMatch(/the connection to build1 ended: Connection to \S+ closed by remote host/);
    expect(screen).toContain("tmpm attach build1:far");
    await person.isAsBefore();
    // The shell has restored its own line discipline.
    await person.type("echo ech''oed", "Enter");
    await person.sees(/^echoed$/m);
    expect(await there.json<SessionAnswer>(["show", "far"])).toMatchObject({ state: "active" });

    await person.type(`clear; ${PROGRAM} attach build1:far; echo left-with-$?`, "Enter");
    await person.sees(/build1 does not answer[\s\S]*left-with-6/);
  });
});
