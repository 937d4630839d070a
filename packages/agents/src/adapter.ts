import type { ActivityState, SessionOverrides, StyledRun } from "@tmpm/core";
import type { AgentOverrides } from "./agent-overrides.js";
import type { SeedFile, SeedRequest } from "./files/seed-file.js";
import type { FindBegun, OpenTranscript } from "./files/transcript.js";
import type { AgentHooks } from "./hooks/agent-hooks.js";
import type { HookPlan, HookRequest } from "./hooks/hook-plan.js";
import type { PlanTools } from "./launch/tool-server.js";
import type { CutDecision, Decision, KeyPlan } from "./screen/decision.js";
import type { ReadLimit } from "./screen/read-limit.js";
import type { AgentText } from "./text/agent-text.js";
import type { UsageSource } from "./usage/usage-source.js";

export type { StyledRun };

/** One observation of a session's terminal. Structurally a capture of `@tmpm/tmux-driver`; also a recorded screen. */
export interface Observation {
  /** The visible rows, top to bottom, without trailing blanks. */
  readonly lines: readonly string[];
  /** For each row, its styled cells; undefined when styles were not read. */
  readonly styles?: readonly (readonly StyledRun[])[];
  readonly columns: number;
  readonly cursor: { readonly column: number; readonly row: number; readonly visible: boolean };
  /** Rows scrolled off the top so far. */
  readonly historySize: number;
  readonly title: string;
  /** The terminal's foreground process is the agent's own program; null when unknown. */
  readonly foreground: boolean | null;
  readonly command: string;
  readonly dead: boolean;
  /** When it was observed, in milliseconds since 1970; undefined when unknown. */
  readonly atMs?: number | undefined;
}

/** An adapter's reading of an observation. `evidence` lists what was seen, in words; `hint` is for the user. */
export interface Reading {
  readonly state: ActivityState;
  /** `protocol` never comes from an adapter: a host reports it for a protocol agent. */
  readonly source: "process" | "screen" | "title" | "protocol";
  /** Between 0 and 1. */
  readonly confidence: number;
  readonly evidence: readonly string[];
  readonly hint: string | null;
  /** The text waiting in the agent's input, as far as visible; null when the agent shows no input. */
  readonly draft: string | null;
  /** The agent's question, while it is `awaiting_approval` or `awaiting_input` and shows it completely; null otherwise. */
  readonly decision: Decision | null;
  /** The visible part of a truncated question; undefined or null otherwise. */
  readonly cut?: CutDecision | null;
  /** The usage limit that the agent has hit; undefined or null when it shows none. */
  readonly limit?: ReadLimit | null;
  /** The keys that close a blocking dialog without agreeing to anything; undefined or null when there is none, or no key is known. */
  readonly leave?: KeyPlan | null;
}

export interface LaunchRequest {
  readonly sessionId: string;
  readonly cwd: string;
  /** The first prompt, passed in argv if the agent can and `limits.promptInArgv` allows. */
  readonly prompt: string | null;
  readonly conversationId: string | null;
  /** The program of agent `command`, and the session's overrides. */
  readonly config: { readonly argv?: readonly string[] | undefined; readonly permissions?: string | undefined } & SessionOverrides;
  /** The environment for looking up programs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A fresh UUID, for agents whose conversation id we choose. */
  readonly newId: () => string;
  /** The user trusts the directory; recorded for the agent before it starts. */
  readonly trusted?: boolean;
  /** The plan of the adapter's own `hooks` for this session, with its files already written. */
  readonly hooks?: HookPlan | null;
}

export interface LaunchPlan {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Null for an agent that chooses the id itself: its first hook reports it. */
  readonly conversationId: string | null;
  /** Why the requested conversation is not resumed; undefined or null when it is, or none was requested. */
  readonly anew?: string | null;
  /** The prompt is in argv; otherwise it is to be typed once the agent is ready. */
  readonly carriesPrompt: boolean;
}

/** `path` is null for an agent whose program is named only at launch. */
export type Installed =
  | { readonly installed: true; readonly path: string | null; readonly version: string | null }
  | { readonly installed: false; readonly hint: string };

/** Our knowledge of one agent program. To add an agent, add one file and its recorded screens. */
export interface AgentAdapter {
  readonly id: string;
  readonly title: string;
  /** Tested versions of its program, oldest first; undefined without any. */
  readonly verified?: readonly string[];
  /** The user's file that describes it; undefined for a built-in agent. */
  readonly describedIn?: string;
  readonly limits: {
    /** The longest first prompt in argv, in bytes; 0 when it is never passed there. */
    readonly promptInArgv: number;
    /** Accepts text while it works, and queues it. */
    readonly queuesWhileWorking: boolean;
    /** Changes that the agent makes to text, for receipts; null without any. */
    readonly alters: string | null;
    /** How long a submitted prompt may show no sign of its turn, in ms; the default for agents when undefined. */
    readonly beginMs?: number;
    /**
     * How long an input drawn at the start may still be covered by a start-up dialog, in ms; undefined when the dialog always comes first.
     */
    readonly firstDialogMs?: number;
  };
  /** Changes to texts; undefined when every text arrives unchanged, except for `limits.alters`. */
  readonly text?: AgentText;
  /** Looks the program up; runs at most `PROGRAM --version`. */
  detect(env: Readonly<Record<string, string | undefined>>): Promise<Installed>;
  /** Also resumes, when `conversationId` is set. @throws AGENT_NOT_INSTALLED, INVALID_ARGUMENT */
  launch(request: LaunchRequest): Promise<LaunchPlan>;
  read(observation: Observation): Reading;
  /** Evidence that the text has arrived in the input and waits there; null when it does not show. */
  arrived(look: { readonly before: Observation; readonly now: Observation; readonly text: string }): string | null;
  /** Evidence that the input holds other text too; null when it does not show. Undefined for an agent without an input of its own. */
  mixed?(look: { readonly before: Observation; readonly now: Observation; readonly text: string }): string | null;
  /** Evidence that the text left the input and went into execution; null when it does not show. */
  submitted(look: { readonly typed: Observation; readonly now: Observation; readonly text: string }): string | null;
  /** How the agent is asked to exit: text and Enter, keys, or null when only a signal ends it. */
  readonly quit: { readonly text: string } | { readonly keys: readonly string[] } | null;
  /** The keys that interrupt a running turn, while the agent is seen to work; null when there are none. */
  readonly interrupt: { readonly keys: KeyPlan } | null;
  /** Control-C clears an input that holds text, and otherwise does nothing. */
  readonly clears?: boolean;
  /** The keys that allow the request of this reading once, and nothing more; null without an approval, or when they are not known. */
  approve(reading: Reading): KeyPlan | null;
  /** The keys that deny the request of this reading; null as above. */
  deny(reading: Reading): KeyPlan | null;
  /** The user's configuration files that answer a session's first-start questions; null without any. */
  readonly seed: ((request: SeedRequest) => readonly SeedFile[]) | null;
  /** The agent's own record of its conversations; undefined without a readable one. */
  readonly transcript?: OpenTranscript;
  /** Where it records its models' usage; undefined without a readable record. */
  readonly usage?: UsageSource;
  /** The plan that makes one launch record usage; undefined when it does so by itself, or through its `hooks`. */
  readonly keeper?: (request: HookRequest) => HookPlan | null;
  /** The conversations that it has begun; undefined for an agent that reports a new one itself. */
  readonly begunConversations?: FindBegun;
  /** The agent's settings that a session may override; undefined without any. */
  readonly overrides?: AgentOverrides;
  /** Whether it requests approval before it runs a command, with its default permissions; undefined when unknown. */
  readonly asksFirst?: boolean;
  /** The permission option of its `launch`, joined with the value when it ends in `=`; undefined without one. */
  readonly permissionsFlag?: string;
  /** The mention in a prompt that makes the agent read the file at this absolute path; the path itself when undefined. */
  readonly mention?: (path: string) => string;
  /** How the agent reports its events; null when it does not. */
  readonly hooks: AgentHooks | null;
  /** How one session gets an MCP server besides the user's own; undefined when the agent has no way for one session. */
  readonly tools?: PlanTools;
  /** The same agent for a host without a terminal; undefined when it has no known protocol. */
  readonly protocol?: AgentAdapter;
}
