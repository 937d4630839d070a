import { agentIdFrom } from "./agent-names.js";
import { isInteractiveShell } from "./interactive-shell.js";

/** The settings of a profile that decide what a new session runs, as in the configuration or in the daemon's answer. */
export interface ProgramProfile {
  readonly agent?: string | null | undefined;
  /** Program and arguments to run in place of an agent. */
  readonly command?: readonly string[] | null | undefined;
  readonly model?: string | null | undefined;
  readonly provider?: string | null | undefined;
  readonly effort?: string | null | undefined;
  readonly permissions?: string | null | undefined;
}

/** What the caller names; it has precedence over the profile. */
export interface NamedProgram {
  /** Id, alias or display name; `command` is the profile's command. */
  readonly agent?: string | null | undefined;
  /** Program and arguments; none if empty. */
  readonly argv?: readonly string[] | undefined;
}

/** What a new session runs, in the words of the request to create it. */
export interface ProfileProgram {
  /** Missing if neither the caller nor the profile names an agent or a command. */
  readonly agent?: string;
  readonly argv?: string[];
  readonly model?: string;
  readonly model_provider?: string;
  readonly reasoning_effort?: string;
  readonly permissions?: string;
}

/**
 * What a new session with a profile runs: a named command overrides the profile's agent, and a named agent its command. The profile's agent settings do not
 * apply to another agent.
 */
export function profileProgram(named: NamedProgram, profile: ProgramProfile): ProfileProgram {
  const run = runOf(named, profile);
  const { model, provider: model_provider, effort: reasoning_effort, permissions } = profile;
  const settings = isSuited(run, profile) ? { model, model_provider, reasoning_effort, permissions } : {};
  return given({ agent: run.agent, argv: run.argv === null ? null : [...run.argv], ...settings });
}

/** What the profile itself runs: the id of its agent, or `command`; null if it leaves both open. */
export function profileAgent({ agent, command }: ProgramProfile): string | null {
  if (isGiven(command)) return "command";
  return isGiven(agent) ? agentIdFrom(agent) : null;
}

interface Run {
  readonly agent: string | null;
  readonly argv: readonly string[] | null;
}

function runOf({ agent, argv = [] }: NamedProgram, profile: ProgramProfile): Run {
  const id = isGiven(agent) ? agentIdFrom(agent) : null;
  if (argv.length > 0) return { agent: id === "command" ? id : kindOf(argv), argv };
  if (id !== null && id !== "command") return { agent: id, argv: null };
  const { command } = profile;
  if (isGiven(command)) return { agent: kindOf(command), argv: command };
  return { agent: id ?? profileAgent(profile), argv: null };
}

function kindOf(argv: readonly string[]): "shell" | "command" {
  return isInteractiveShell(argv) ? "shell" : "command";
}

function isSuited({ agent, argv }: Run, profile: ProgramProfile): boolean {
  return !isGiven(profile.agent) || agentIdFrom(profile.agent) === agent || (argv !== null && argv === profile.command);
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

type Given<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isGiven(value))) as Given<T>;
}
