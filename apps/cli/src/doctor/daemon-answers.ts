import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core/errno";
import { lastLoggedError, tailLog } from "../daemon/daemon-log.js";
import { isAlive } from "../daemon/process-alive.js";
import { readIfThere } from "../system/read-if-there.js";
import type { DaemonKnown } from "./daemon-known.js";
import { fail, type LocalFinding, ok, type Place, warn } from "./local-finding.js";

const NAME = "daemon";

export interface DaemonAnswersOptions {
  readonly known: DaemonKnown;
  /** Version of the command line. */
  readonly version: string;
  /** Replaces the daemon; null if that was not requested. */
  readonly restart: (() => Promise<{ readonly pid: number }>) | null;
}

/** Whether the daemon answers and has this version; if not, the reason as far as known without it. */
export async function daemonAnswers(place: Place, { known, version, restart }: DaemonAnswersOptions): Promise<readonly LocalFinding[]> {
  switch (known.kind) {
    case "running": {
      const running = `runs as pid ${known.pid}, version ${known.health.version}`;
      if (known.health.version === version) return [ok(NAME, running)];
      const finding = {
        message: `${running}, and this is tmpm ${version}`,
        hint: "Replace it with `tmpm daemon restart`; sessions keep running.",
      };
      return [
        fail(
          NAME,
          restart === null ? finding : { ...finding, cure: async () => `replaced the daemon; the new one is pid ${(await restart()).pid}` },
        ),
      ];
    }
    case "silent":
      return [fail(NAME, { message: known.error.message, hint: known.error.hint })];
    case "absent":
      return [absent(place)];
  }
}

function absent({ location: { home, log } }: Place): LocalFinding {
  const holder = lockHolder(home);
  if (holder !== null && isAlive(holder))
    return fail(NAME, {
      message: `process ${holder} holds the data folder, and nothing listens at the socket`,
      hint: `It may be starting or ending. If this persists: kill ${holder}; sessions keep running.`,
    });
  const reason = lastWords(log);
  if (reason === null) return ok(NAME, "not running; the next command starts it");
  return warn(NAME, { message: `not running; the last one ended with: ${reason.message}`, hint: reason.hint });
}

/** Why the last daemon could not start; null if it did, or ended normally. */
function lastWords(log: string): { readonly message: string; readonly hint: string | null } | null {
  const lines = tailLog(log, { from: 0, lines: 20 });
  const settled = lines.findLastIndex((line) => /"msg":"(started|stopped)"/.test(line));
  const reason = lastLoggedError(lines.slice(settled + 1));
  return reason === null ? null : { message: reason.message, hint: reason.hint };
}

/** The process that claims to be a data folder's daemon; null when none does, or when it is from an earlier boot. */
function lockHolder(home: string): number | null {
  const [pid = "", , boot = ""] = (readLink(join(home, "daemon.claim")) ?? "").split(":");
  const id = Number(pid);
  return Number.isInteger(id) && id > 0 && isThisBoot(boot) ? id : null;
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "EINVAL", "ENOTDIR")) return null;
    throw error;
  }
}

/** If the system does not report it, only the pid is compared. */
function isThisBoot(boot: string): boolean {
  const id = readIfThere("/proc/sys/kernel/random/boot_id")?.replace(/[^0-9a-f]/g, "");
  return id === undefined || id.startsWith(boot);
}
