import { readFile } from "node:fs/promises";

/** The cgroup by which a service manager ends the process, as a path; null when the system reports none. */
export async function cgroupOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/cgroup`, "utf8").catch(() => null);
  return text === null ? null : parseCgroup(text);
}

/** Rows of `hierarchy:controllers:path` (cgroups(7)): systemd's own hierarchy if there are several, else the one without controllers. */
export function parseCgroup(text: string): string | null {
  const rows = text.split("\n").map((line) => /^\d+:([^:]*):(.*)$/.exec(line));
  const pathOf = (controllers: string) => rows.find((row) => row?.[1] === controllers)?.[2];
  return pathOf("name=systemd") ?? pathOf("") ?? null;
}
