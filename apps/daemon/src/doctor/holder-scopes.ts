import type { Finding } from "@tmpm/api/local";
import { cgroupOf } from "@tmpm/processes";
import type { ListedHolders } from "./listed-holders.js";
import { NO_MANAGERS, scopeOf } from "./server-scope.js";
import type { ServiceManagers } from "./service-managers.js";

export interface HolderScopesOptions {
  /** An unreadable folder is the finding of another check. */
  readonly holders: () => Promise<ListedHolders>;
  readonly managers?: ServiceManagers | undefined;
  /** The control group of a process; null if the system reports none. */
  readonly cgroup?: (pid: number) => Promise<string | null>;
}

const HOLDER = { ends: "its session", restart: "restart the session", safe: "a holder started after that is safe" };

/** Events that would end holders with their sessions: the end of the service whose control group they are in, or a logout. */
export async function holderScopes({
  holders,
  managers = NO_MANAGERS,
  cgroup = cgroupOf,
}: HolderScopesOptions): Promise<readonly Finding[]> {
  const { found } = await holders();
  const pids = found.flatMap((holder) => (holder.kind === "running" ? [holder.facts.pid] : []));
  const scopes = await Promise.all(
    pids.map(async (pid) => {
      const group = await cgroup(pid);
      return group === null ? [] : [{ pid, ...(await scopeOf({ cgroup: group, ...HOLDER }, managers)) }];
    }),
  );
  return alike(scopes.flat()).map(([{ pid, message, ...rest }, more]) => {
    const others = more === 0 ? "" : ` (and ${more} more)`;
    return { name: "holder scope", ...rest, message: `holder ${pid}${others}: ${message}` };
  });
}

/** The first with each hint, and the number of others. */
function alike<T extends Pick<Finding, "hint">>(scopes: readonly T[]): readonly (readonly [T, number])[] {
  const groups = new Map<string | null, readonly [T, number]>();
  for (const scope of scopes) {
    const [first, more] = groups.get(scope.hint) ?? [scope, -1];
    groups.set(scope.hint, [first, more + 1]);
  }
  return [...groups.values()];
}
