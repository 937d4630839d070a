import { readdirSync } from "node:fs";
import { readIfThere } from "../system/read-if-there.js";
import { type LocalFinding, ok, skip, warn } from "./local-finding.js";

const NAME = "limits";

export interface Limit {
  readonly what: string;
  readonly limit: number;
  /** The amount in use; null if unknown. */
  readonly used: number | null;
  /** Minimum remainder: below it, sessions fail to start. */
  readonly spare: number;
  readonly cure: string;
}

/** Whether enough system resources remain for sessions and the daemon. */
export async function limits(found: readonly Limit[] | null = systemLimits()): Promise<readonly LocalFinding[]> {
  if (found === null) return [skip(NAME, "this system does not show its limits in /proc")];
  const short = found.filter(({ limit, used, spare }) => limit - (used ?? 0) < spare);
  if (short.length === 0) return [ok(NAME, found.map(shown).join(", "))];
  return short.map((limit) => warn(NAME, { message: shown(limit), hint: limit.cure }));
}

function shown({ what, limit, used }: Limit): string {
  const most = Number.isFinite(limit) ? limit.toLocaleString("en") : "unlimited";
  return used === null ? `${what} ${most}` : `${what} ${used.toLocaleString("en")} of ${most}`;
}

function systemLimits(): readonly Limit[] | null {
  const own = readIfThere("/proc/self/limits");
  if (own === null) return null;
  return [
    {
      what: "open files",
      limit: softLimit(own, "Max open files"),
      used: null,
      spare: 1_024,
      cure: "Raise it: ulimit -n 4096, or LimitNOFILE= of the service.",
    },
    {
      what: "processes",
      limit: softLimit(own, "Max processes"),
      used: ownProcesses(),
      spare: 256,
      cure: "Raise it: ulimit -u, or end some.",
    },
    ...kernel("inotify watches", {
      file: "fs/inotify/max_user_watches",
      spare: 8_192,
      cure: "sudo sysctl fs.inotify.max_user_watches=524288",
    }),
    ...kernel("inotify instances", {
      file: "fs/inotify/max_user_instances",
      spare: 64,
      cure: "sudo sysctl fs.inotify.max_user_instances=512",
    }),
    ...kernel("terminals", { file: "kernel/pty/max", used: "kernel/pty/nr", spare: 64, cure: "sudo sysctl kernel.pty.max=4096" }),
  ];
}

interface KernelFile {
  readonly file: string;
  readonly used?: string;
  readonly spare: number;
  readonly cure: string;
}

/** Empty if the kernel does not report it. */
function kernel(what: string, { file, used, spare, cure }: KernelFile): readonly Limit[] {
  const read = (name: string) => readIfThere(`/proc/sys/${name}`);
  const limit = read(file);
  const inUse = used === undefined ? null : read(used);
  return limit === null ? [] : [{ what, limit: Number(limit), used: inUse === null ? null : Number(inUse), spare, cure }];
}

/** The kernel's rows: a name, the soft limit, the hard one. */
function softLimit(rows: string, name: string): number {
  const value = new RegExp(`^${name}\\s+(\\S+)`, "m").exec(rows)?.[1];
  return value === undefined || value === "unlimited" ? Number.POSITIVE_INFINITY : Number(value);
}

function ownProcesses(): number {
  const uid = process.geteuid?.();
  const isOwn = (pid: string) => new RegExp(`^Uid:\\s+${uid}\\s`, "m").test(readIfThere(`/proc/${pid}/status`) ?? "");
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOwn(name)).length;
}
