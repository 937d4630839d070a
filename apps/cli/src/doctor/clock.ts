import { existsSync } from "node:fs";
import { type LocalFinding, ok, type Place, warn } from "./local-finding.js";
import { ownFiles } from "./own-files.js";
import { probeFile } from "./probe-file.js";

const NAME = "clock";
/** The largest backward step of a network-synchronized clock, in ms. */
const SLACK_MS = 5_000;
const HINT = "Synchronize the clock (`timedatectl set-ntp true`): deadlines and ages depend on it.";

export interface ClockOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Whether the clock agrees with the disk's, and was not set back since tmpm wrote its files. */
export async function clock({ location: { home } }: Place, { now = Date.now }: ClockOptions = {}): Promise<readonly LocalFinding[]> {
  const newest = ownFiles(home).reduce((latest, { stats, path }) => (stats.mtimeMs > latest.ms ? { ms: stats.mtimeMs, path } : latest), {
    ms: 0,
    path: home,
  });
  const aheadMs = newest.ms - now();
  if (aheadMs > SLACK_MS) {
    const message = `${newest.path} was written ${Math.round(aheadMs / 1000)} s from now: the clock was set back`;
    return [warn(NAME, { message, hint: HINT })];
  }
  const apart = existsSync(home) ? await apartFromDisk(home, now) : 0;
  if (apart > SLACK_MS)
    return [warn(NAME, { message: `the disk's clock is ${Math.round(apart / 1000)} s off this machine's`, hint: HINT })];
  return [ok(NAME, "nothing was written in the future")];
}

/** Difference in ms; 0 if a file cannot be written, which `disk` reports. */
async function apartFromDisk(home: string, now: () => number): Promise<number> {
  const before = now();
  const written = await probeFile(home).catch(() => null);
  if (written === null) return 0;
  return Math.max(before - written.writtenMs, written.writtenMs - now(), 0);
}
