import { spawnSync } from "node:child_process";

/**
 * When a process started, on systems without /proc: the same text in every time zone. Null when there is none, or it is a zombie; undefined
 * without `ps`.
 */
export function psStart(pid: number): string | null | undefined {
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  const { error, stdout } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8", env });
  if (error !== undefined) return undefined;
  const match = /^\s*(\S+)\s+(.+?)\s*$/m.exec(stdout ?? "");
  return match === null || match[1]?.startsWith("Z") ? null : (match[2] ?? "").replace(/[^0-9A-Za-z]+/g, "-");
}

/** The boot of a system without /proc; `sysctl` prints the values of names. The time of the boot moves when the clock is set, an id does not. */
export function sysctlBoot(sysctl: (names: readonly string[]) => string): string {
  const id = sysctl(["kern.bootsessionuuid"])
    .toLowerCase()
    .replace(/[^0-9a-f]/g, "");
  return id === "" ? (/sec = (\d+)/.exec(sysctl(["kern.boottime"]))?.[1] ?? "") : id;
}
