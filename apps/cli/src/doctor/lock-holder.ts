import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core/errno";
import { readIfThere } from "../system/read-if-there.js";

/** The process that claims to be a data folder's daemon; null when none does, or when it is from an earlier boot. */
export function lockHolder(home: string): number | null {
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
