import { join } from "node:path";
import type { DoctorAnswer } from "@tmpm/api";
import { resolveSettings } from "@tmpm/api/config";
import { currentUid, type Location } from "@tmpm/api/local";
import { cgroupOf, proveUtf8, tmuxHost } from "@tmpm/tmux-driver";
import { agentRegistry } from "../agents/agent-registry.js";
import { checkAudit } from "../audit/check-audit.js";
import { protocolAgents } from "../hosts/protocol-agents.js";
import { ptyHost } from "../hosts/pty-host.js";
import { tmuxServers } from "../hosts/tmux-servers.js";
import { sessionStore } from "../records/session-store.js";
import { doctor } from "./doctor.js";
import { holderFolders } from "./holders-owned.js";
import { serviceManagers } from "./service-managers.js";

/** A daemon's checks, as far as possible without one: nothing is started, locked or written. */
export async function doctorAlone({
  location,
  env,
}: {
  readonly location: Location;
  readonly env: NodeJS.ProcessEnv;
}): Promise<DoctorAnswer> {
  const tmux = tmuxServers({ location, env });
  const foreign = resolveSettings({ env, file: new Map() }).values["tmux.foreign_sockets"];
  const store = sessionStore({ location, env, socket: tmux.foreign(foreign[0] ?? "default").socket, readOnly: true });
  const { registry, problems } = await agentRegistry(env);
  const common = { location, env, homeTag: tmux.homeTag };
  const hosts = [tmuxHost({ driver: tmux.observer }), ptyHost(common), protocolAgents({ ...common, version: "" })];
  const look = doctor({
    driver: tmux.observer,
    hosts,
    store,
    adapters: registry.list(),
    problems,
    loopback: null,
    holders: holderFolders(location.home),
    audit: () => checkAudit(join(location.home, "audit"), { limit: 0 }),
    managers: serviceManagers({ env, uid: currentUid(), ownCgroup: () => cgroupOf(process.pid) }),
    utf8: () => proveUtf8({ env }),
    env,
  });
  try {
    return { checks: [...(await look())] };
  } finally {
    await Promise.all([store.close(), tmux.close(), ...hosts.map((host) => host.close())]);
  }
}
