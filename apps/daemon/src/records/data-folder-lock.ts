import { hasCode } from "@tmpm/core";
import { acquireDaemonLock, type DaemonLock } from "@tmpm/store";

type Report = (fault: { readonly doing: string; readonly error: unknown }) => void;

/**
 * If the folder cannot be locked, it cannot be written either, so two daemons could not damage its records; the socket, which is then
 * elsewhere, ensures that there is only one. @throws DAEMON_RUNNING
 */
export function lockOf(dir: string, report: Report): Pick<DaemonLock, "release"> {
  try {
    return acquireDaemonLock({ dir });
  } catch (error) {
    if (!hasCode(error, "STORE_READ_ONLY")) throw error;
    report({ doing: "locking the data folder, which is not writable: only read operations work", error });
    return { release: () => undefined };
  }
}
