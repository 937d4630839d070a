import type { Finding } from "@tmpm/api/local";
import type { SessionHost } from "@tmpm/host";

export type LookedAtHost = Pick<SessionHost, "control" | "available" | "conversation">;

/** Which hosts can start sessions. A missing host matters when no other has terminals; an unresponsive one is not replaced. */
export async function hostsAvailable(hosts: readonly LookedAtHost[]): Promise<readonly Finding[]> {
  const looked = await Promise.all(hosts.map(async (host) => ({ host, found: await host.available() })));
  const usual = looked.find(({ host, found }) => host.conversation === undefined && found.kind !== "missing");
  return looked.map(({ host, found }): Finding => {
    const name = `host ${host.control.toLowerCase()}`;
    if (found.kind === "available") {
      const message = host === usual?.host ? `${found.detail}; the default for new sessions` : found.detail;
      return { name, status: "ok", message, hint: null };
    }
    if (found.kind === "silent") return { name, status: "fail", message: found.reason, hint: found.hint };
    return { name, status: usual === undefined ? "fail" : "warn", message: found.reason, hint: found.hint };
  });
}
