import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { figure, number } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";
import { speedup, until } from "./fixture.mjs";

const MB = 8;
const PRINT =
  'read -r _; yes "a line of output with some eighty columns, as a build or a test run would print it" | head -c "$1"; touch "$2"; exec sleep 1000';

/** The speed of a printing program while its output is read, compared with no reader. */
export async function streams(fixture, { scale }) {
  const { driver } = fixture;
  const done = join(fixture.folder, "printed");
  const printed = async (watched) => {
    rmSync(done, { force: true });
    const { identity } = await fixture.create(["/bin/sh", "-c", PRINT, "sh", String(MB * 1e6), done]);
    const subscription = watched ? await driver.output(identity, () => undefined) : null;
    const start = performance.now();
    await driver.keys(identity, ["Enter"]);
    await until(() => existsSync(done), 2);
    const ms = performance.now() - start;
    subscription?.close();
    await driver.kill(identity, { graceMs: 1000 });
    return ms;
  };
  const watched = [];
  const unread = [];
  for (let round = 0; round < 2 * scale; round++) {
    unread.push(await printed(false));
    watched.push(await printed(true));
  }
  figure("output read as a stream against tmux without a reader", {
    value: speedup(watched, unread),
    target: 0.4,
    detail: `${number((MB / median(watched)) * 1000)} against ${number((MB / median(unread)) * 1000)} MB/s`,
  });
}
