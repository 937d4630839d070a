import type { AgentAdapter } from "@tmpm/agents";
import type { Effect } from "@tmpm/core";
import type { Ports } from "./context.js";
import { type Alarm, within } from "./deadline.js";
import type { HookPort } from "./hooks/hook-port.js";

export interface Bounds {
  readonly alarm: Alarm;
  readonly ms: number;
}

type Bound = <T>(doing: string, effect: Effect, task: () => Promise<T>) => Promise<T>;

/**
 * The same ports, with deadlines for everything that reaches a program or the disk. Driver, store and workspaces have their own deadlines.
 */
export function boundedPorts<P extends Ports>(ports: P, { alarm, ms }: Bounds): P {
  const bound: Bound = (doing, effect, task) => within({ alarm, ms, doing, effect }, task);
  const { hooks } = ports;
  return {
    ...ports,
    describeDirectory: (path) => bound(`checking ${JSON.stringify(path)}`, "none", () => ports.describeDirectory(path)),
    agentProcesses: () => bound("finding agents outside every host", "none", ports.agentProcesses),
    seed: (files) => bound("writing the agent's configuration", "unknown", () => ports.seed(files)),
    agent: boundedAgents(ports.agent, bound),
    ...(hooks === undefined ? {} : { hooks: boundedHooks(hooks, bound) }),
  };
}

function boundedHooks(hooks: HookPort, bound: Bound): HookPort {
  return {
    ...hooks,
    write: (id, files) => bound("writing the hook files", "unknown", () => hooks.write(id, files)),
    tokenDigest: (id) => bound("reading the hook files", "none", () => hooks.tokenDigest(id)),
    remove: (id) => bound("removing the hook files", "unknown", () => hooks.remove(id)),
  };
}

/** An adapter stays the same object across requests. */
function boundedAgents(agent: Ports["agent"], bound: Bound): Ports["agent"] {
  const known = new Map<AgentAdapter, AgentAdapter>();
  return (id) => {
    const adapter = agent(id);
    const before = known.get(adapter);
    if (before !== undefined) return before;
    const bounded = boundedAgent(adapter, bound);
    known.set(adapter, bounded);
    return bounded;
  };
}

function boundedAgent(adapter: AgentAdapter, bound: Bound): AgentAdapter {
  const { title, hooks, protocol } = adapter;
  return {
    ...adapter,
    detect: (env) => bound(`detecting ${title}`, "none", () => adapter.detect(env)),
    launch: (request) => bound(`planning the launch of ${title}`, "none", () => adapter.launch(request)),
    ...(protocol === undefined ? {} : { protocol: boundedAgent(protocol, bound) }),
    hooks:
      hooks === null
        ? null
        : { ...hooks, plan: (request) => bound(`planning the hooks of ${title}`, "none", async () => hooks.plan(request)) },
  };
}
