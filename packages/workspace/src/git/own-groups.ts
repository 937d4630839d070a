import { execa } from "execa";
import type { ProcessPlace } from "../files/process-places.js";
import { processStat } from "./process-stat.js";

/** Process groups of git started by this process, each until it has ended. */
const running = new Set<number>();

export function beginGroup(pid: number | undefined): void {
  if (pid !== undefined) running.add(pid);
}

export function endGroup(pid: number | undefined): void {
  if (pid !== undefined) running.delete(pid);
}

/** Processes of other programs at some places. Our own git reads a workspace in the background, and ends by itself. */
export async function foreignPlaces(look: () => Promise<readonly ProcessPlace[]>): Promise<readonly ProcessPlace[]> {
  const before = [...running];
  const found = await look();
  // Those that have ended meanwhile may be listed, as may those that have started.
  const own = new Set([...before, ...running]);
  if (own.size === 0) return found;
  const kept = await Promise.all(found.map(async (place) => (own.has((await groupOf(place.pid)) ?? place.pid) ? [] : [place])));
  return kept.flat();
}

/** Null for a process that has ended. */
async function groupOf(pid: number): Promise<number | null> {
  const group = process.platform === "linux" ? (await processStat(pid))?.group : await groupFromPs(pid);
  return group !== undefined && Number.isInteger(group) && group > 0 ? group : null;
}

async function groupFromPs(pid: number): Promise<number> {
  const { stdout } = await execa("ps", ["-o", "pgid=", "-p", String(pid)], { timeout: 10_000, cwd: "/", stdin: "ignore", reject: false });
  return Number((stdout ?? "").trim());
}
