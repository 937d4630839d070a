import { agentOfArgv } from "./agent-of-argv.js";
import { linuxProcesses } from "./linux-processes.js";
import { psProcesses } from "./ps-processes.js";

/** A process of this user, however it was started. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Seconds since 1970. */
  readonly startedAt: number;
  readonly terminal: boolean;
  readonly argv: readonly string[];
}

/** What a system reports about its processes. */
export interface ProcessSource {
  /** The processes of this user, and of all users as far as `parent` is known; `argv` is empty when unknown. */
  all(): Promise<readonly RunningProcess[]>;
  /** Their working directories, as far as known. */
  directories(pids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** An agent running on this machine, wherever it was started. */
export interface AgentProcess {
  readonly pid: number;
  /** An adapter's id. */
  readonly agent: string;
  /** Seconds since 1970. With the pid it identifies the process. */
  readonly startedAt: number;
  readonly cwd: string | null;
  readonly terminal: boolean;
  /** The pids of parent, grandparent and so on, to find a pane's program or the agent that started this one. */
  readonly ancestors: readonly number[];
}

/** Finds agents among this user's processes; one started by another agent is omitted. */
export async function agentProcesses(source: ProcessSource = systemProcesses()): Promise<readonly AgentProcess[]> {
  const all = await source.all();
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const found = all.flatMap((running) => {
    const agent = agentOfArgv(running.argv);
    return agent === null ? [] : [{ ...running, agent, ancestors: ancestorsOf(parents, running.pid) }];
  });
  const agents = new Set(found.map(({ pid }) => pid));
  const own = found.filter(({ ancestors }) => !ancestors.some((pid) => agents.has(pid)));
  const directories = await source.directories(own.map(({ pid }) => pid));
  return own.map(({ pid, agent, startedAt, terminal, ancestors }) => ({
    pid,
    agent,
    startedAt,
    cwd: directories.get(pid) ?? null,
    terminal,
    ancestors,
  }));
}

function systemProcesses(): ProcessSource {
  return process.platform === "linux" ? linuxProcesses() : psProcesses();
}

function ancestorsOf(parents: ReadonlyMap<number, number>, pid: number): number[] {
  const chain: number[] = [];
  for (let at = parents.get(pid); at !== undefined && at > 0 && at !== pid && !chain.includes(at); at = parents.get(at)) chain.push(at);
  return chain;
}
