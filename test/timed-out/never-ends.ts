import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { beforeAll, expect, test } from "vitest";
import { type Fixture, fixture } from "../fixture.js";
import { type Sshd, sshd, WITHOUT_SSHD } from "../sshd.js";

const REPORT = process.env.TMPM_TEST_REPORT ?? "";
const SHORT_MS = 100;

let user: Fixture;
let server: Sshd | null;

beforeAll(async () => {
  user = await fixture();
  server = WITHOUT_SSHD === null ? await sshd() : null;
  await user.json(["new", "--name", "stays", "--", "sleep", "100000"]);
  // Neither the arguments nor the environment of this pane name a folder of the test.
  await user.tmux("new-session", "-d", "-c", "/", "exec env -i PATH=/usr/bin:/bin sh -c 'sleep 100001; true'");
  const panes = (await user.tmux("list-panes", "-a", "-F", "#{pane_pid}")).trim().split("\n").map(Number);
  // The third is of the anchor.
  expect(panes).toHaveLength(3);
  await report([await user.daemonPid(), ...panes, ...(await named(tmpdir()))]);
});

/** Its code runs on after the time-out, and starts another process. */
test("never ends", { timeout: SHORT_MS }, async ({ signal }) => {
  await using _user = user;
  await using _server = server;
  await new Promise(() => {
    signal.addEventListener("abort", () => {
      const { pid } = spawn("sleep", ["100002"], { detached: true, stdio: "ignore" });
      writeFileSync(`${REPORT}.late`, String(pid));
    });
  });
});

function report(pids: readonly number[]): Promise<void> {
  return writeFile(REPORT, JSON.stringify({ folder: tmpdir(), pids: [...new Set(pids)] }));
}

/** The processes whose arguments name the folder. */
async function named(folder: string): Promise<readonly number[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const argv = await Promise.all(all.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")));
  return all.filter((_, index) => argv[index]?.includes(folder));
}
