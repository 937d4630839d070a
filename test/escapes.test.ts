import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually, sharedFixture } from "./fixture.js";

/** The processes that sleep for exactly this time. */
function sleepers(seconds: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8") === `sleep\0${seconds}\0` ? [Number(pid)] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

const shared = sharedFixture();

/** A typical daemon: no parent, no terminal, no file, no environment. */
const DAEMON = "exec 0<&- 1>&- 2>&-; setsid env -i setsid sh -c";

/** Ways in which a program may escape from its session. */
const WAYS: Readonly<Record<string, (sleep: string) => string>> = {
  "in the background": (sleep) => `${sleep} &`,
  "with nohup": (sleep) => `nohup ${sleep} >/dev/null 2>&1 &`,
  "with setsid": (sleep) => `setsid ${sleep} &`,
  "with setsid and an empty environment": (sleep) => `setsid env -i ${sleep} &`,
  "with setsid and closed files": (sleep) => `setsid ${sleep} </dev/null >/dev/null 2>&1 &`,
  "as a daemon": (sleep) => `( ( ${DAEMON} '${sleep} & exit 0' ) & )`,
  "as a daemon in another directory and of another group": (sleep) => `( cd / && umask 0 && ( ${DAEMON} 'set -m; ${sleep} & exit 0' ) & )`,
  "with two forks, setsid and an empty environment": (sleep) => `( setsid env -i sh -c '${sleep} & exit 0' & )`,
};

/** By default one way after another, alternately on tmux and on PTYs; at full scale each on both. */
const HOSTS = ["tmux", "pty"];
const FULL = Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10;
const CASES = Object.keys(WAYS).flatMap((way, index) => HOSTS.filter((_, at) => FULL || at === index % 2).map((host) => ({ way, host })));

test.each(CASES)("stop on $host ends a process that leaves $way", async ({ way, host }) => {
  const w = shared();
  const seconds = 1_000_000 + randomInt(1_000_000);
  const name = `s${seconds}`;
  await w.json(["new", "--name", name, "--host", host, "--", "sh", "-c", `${WAYS[way]?.(`sleep ${seconds}`)}\nexec cat`]);
  await eventually(async () => (sleepers(seconds).length === 1 ? true : null));
  await w.json(["stop", name]);
  expect(sleepers(seconds)).toEqual([]);
});
