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

/** What one observation of a session's terminal shows. Structurally what `@tmpm/tmux-driver` captures; a recorded screen is one too. */
export interface Observation {
  /** The visible rows, top to bottom, without trailing blanks. */
  readonly lines: readonly string[];
  /** For each row, what of it is drawn in another way than plain text; absent where that was not read. */
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
  /** When it was seen, in milliseconds since 1970; absent when not known. */
  readonly atMs?: number | undefined;
}

/** What an adapter makes of an observation. `evidence` says in words what was seen; `hint` what a person should do about it. */
export interface Reading {
  readonly state: ActivityState;
  /** `protocol` is not an adapter's: it is what a host says of an agent that it speaks with. */
  readonly source: "process" | "screen" | "title" | "protocol";
  /** Between 0 and 1. */
  readonly confidence: number;
  readonly evidence: readonly string[];
  readonly hint: string | null;
  /** The text waiting in the agent's input, as far as it shows; null when the agent shows no input. */
  readonly draft: string | null;
  /** What the agent asks, while it is `awaiting_approval` or `awaiting_input` and shows that whole; null otherwise. */
  readonly decision: Decision | null;
  /** What shows of a question that does not show whole; absent or null otherwise. */
  readonly cut?: CutDecision | null;
  /** The usage limit that the agent has run into; absent or null when it shows none. */
  readonly limit?: ReadLimit | null;
  /** The keys that end what holds the agent up, and agree to nothing; absent or null when nothing does, or no key is known. */
  readonly leave?: KeyPlan | null;
}

export interface LaunchRequest {
  readonly sessionId: string;
  readonly cwd: string;
  /** The first prompt, to be carried by argv when the agent can and `limits.promptInArgv` allows. */
  readonly prompt: string | null;
  readonly conversationId: string | null;
  /** The program of agent `command`, and what the session overrides. */
  readonly config: { readonly argv?: readonly string[] | undefined; readonly permissions?: string | undefined } & SessionOverrides;
  /** The environment that programs are looked up in. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A fresh UUID, for agents whose conversation id we choose. */
  readonly newId: () => string;
  /** The user trusts the directory, which is recorded for the agent before it starts. */
  readonly trusted?: boolean;
  /** What the adapter's own `hooks` planned for this session, its files written already. */
  readonly hooks?: HookPlan | null;
}

export interface LaunchPlan {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Null for an agent that chooses the id itself: its first hook reports it. */
  readonly conversationId: string | null;
  /** Why the conversation that was asked for is not resumed; absent or null when it is, or none was. */
  readonly anew?: string | null;
  /** The prompt travels in argv; otherwise it is to be typed once the agent is ready. */
  readonly carriesPrompt: boolean;
}

/** `path` is null for an agent whose program is named only at launch. */
export type Installed =
  | { readonly installed: true; readonly path: string | null; readonly version: string | null }
  | { readonly installed: false; readonly hint: string };

/** Our knowledge of one agent program. Adding an agent is adding one file and its recorded screens. */
export interface AgentAdapter {
  readonly id: string;
  readonly title: string;
  /** Versions of its program that this adapter was tried with, oldest first; absent when none was. */
  readonly verified?: readonly string[];
  /** The user's file that describes it; absent for an agent that comes with tmpm. */
  readonly describedIn?: string;
  readonly limits: {
    /** The longest first prompt in bytes that argv carries; 0 when it never does. */
    readonly promptInArgv: number;
    /** Accepts text while it works, and keeps it for later. */
    readonly queuesWhileWorking: boolean;
    /** What the agent does to text on its own, for receipts; null when nothing. */
    readonly alters: string | null;
    /** For how long a prompt that was submitted may show no sign of its turn, in ms; what is usual for agents when not given. */
    readonly beginMs?: number;
    /** For how long an input that it draws at its start may still be covered by a dialog of the start, in ms; absent when the dialog always comes first. */
    readonly firstDialogMs?: number;
  };
  /** What becomes of texts; absent when every text arrives as it is, but for what `limits.alters` says. */
  readonly text?: AgentText;
  /** Looks the program up; runs at most `PROGRAM --version`. */
  detect(env: Readonly<Record<string, string | undefined>>): Promise<Installed>;
  /** Also resumes, when `conversationId` is set. @throws AGENT_NOT_INSTALLED, INVALID_ARGUMENT */
  launch(request: LaunchRequest): Promise<LaunchPlan>;
  read(observation: Observation): Reading;
  /** Evidence that the text has arrived in the input and waits there; null when it does not show. */
  arrived(look: { readonly before: Observation; readonly now: Observation; readonly text: string }): string | null;
  /** Evidence that the input holds something that is not of the text; null when it does not show. Absent for an agent without an input of its own. */
  mixed?(look: { readonly before: Observation; readonly now: Observation; readonly text: string }): string | null;
  /** Evidence that the text left the input and went into execution; null when it does not show. */
  submitted(look: { readonly typed: Observation; readonly now: Observation; readonly text: string }): string | null;
  /** How the agent is asked to end: text and Enter, keys, or null when only a signal ends it. */
  readonly quit: { readonly text: string } | { readonly keys: readonly string[] } | null;
  /** How a running turn is broken off, while the agent is seen to work; null when no key does that. */
  readonly interrupt: { readonly keys: KeyPlan } | null;
  /** Control-C empties an input that holds text, and does nothing else then. */
  readonly clears?: boolean;
  /** The keys that allow once what this reading asks, and nothing more; null when it asks for no approval or they are not known. */
  approve(reading: Reading): KeyPlan | null;
  /** The keys that refuse what this reading asks; null as above. */
  deny(reading: Reading): KeyPlan | null;
  /** The user's own configuration files that spare a session the questions of the first start; null when there are none. */
  readonly seed: ((request: SeedRequest) => readonly SeedFile[]) | null;
  /** The agent's own record of its conversations; absent when it keeps none that can be read. */
  readonly transcript?: OpenTranscript;
  /** Where it counts what its models are asked for; absent where it does not, or not in a way that can be read. */
  readonly usage?: UsageSource;
  /** What one launch is given so that it counts that; absent where it does so on its own, or by its `hooks`. */
  readonly keeper?: (request: HookRequest) => HookPlan | null;
  /** The conversations that it has begun; absent for an agent that reports on its own when it begins one. */
  readonly begunConversations?: FindBegun;
  /** What a session may override of the agent's settings; absent when nothing. */
  readonly overrides?: AgentOverrides;
  /** The option of its `launch` for what it may do unasked, joined with the value when it ends in `=`; absent when it has none. */
  readonly permissionsFlag?: string;
  /** What a prompt says so that the agent looks at the file at this absolute path; the path itself when not given. */
  readonly mention?: (path: string) => string;
  /** How the agent reports its events; null when it does not. */
  readonly hooks: AgentHooks | null;
  /** How one session is given an MCP server beside the user's own; absent when the agent has no way for one session. */
  readonly tools?: PlanTools;
  /** The same agent as a host speaks with it that has no terminal for it; absent when it speaks no protocol that we know. */
  readonly spoken?: AgentAdapter;
}
