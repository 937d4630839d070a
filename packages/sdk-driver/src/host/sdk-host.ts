import { readlink } from "node:fs/promises";
import { sep } from "node:path";
import {
  type Answer,
  type CreateSpec,
  type KillReport,
  keyedQueue,
  type PaneIdentity,
  type PaneInfo,
  type Screen,
  type ServerEvent,
  type SessionOverrides,
  type Subscription,
  TmpmError,
} from "@tmpm/core";
import { afterStart, answered, holderSocket, identityOf, requireNoHolder, startHolder, tidyGone } from "@tmpm/holder";
import type { SessionHost } from "@tmpm/host";
import type { ConversationReading } from "../conversation/reading.js";
import { NO_CONVERSATION } from "../conversation/state.js";
import type { ConversationLaunch } from "../holder/launch.js";
import { callHolder } from "./call-holder.js";
import { type HeldConversations, heldConversations } from "./conversation.js";
import { type Holders, holders } from "./holders.js";
import { killConversation } from "./kill-conversation.js";
import { paneInfo, screenOf } from "./screen.js";

/** Verbs that an agent without a terminal does not support, and the alternatives. */
const CANNOT = {
  adopt: { why: "a protocol agent has no terminal", instead: null },
  attach: { why: "a protocol agent has no terminal", instead: "`tmpm capture` shows the conversation, `tmpm send` continues it." },
  keys: {
    why: "a protocol agent has no terminal",
    instead: "Use `tmpm send` to prompt, `tmpm answer` to answer, `tmpm interrupt` to interrupt.",
  },
  type: { why: "a protocol agent has no terminal", instead: "Use `tmpm send`." },
  stream: {
    why: "a protocol agent has no terminal output",
    instead: "`tmpm events` shows events, `tmpm capture` the conversation.",
  },
  replay: {
    why: "a protocol agent has no byte stream",
    instead: "`tmpm capture` shows the conversation.",
  },
  resize: { why: "a protocol agent has no terminal", instead: null },
} as const;

export interface SdkHostOptions {
  /** The folder of the holders; created if missing. Short, because a socket is in it. */
  readonly base: string;
  /** The module of the holder's program, as Node can run it. */
  readonly entry: string;
  /** A holder and its agent get the clean part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The tag of this home's terminals. */
  readonly home: string | null;
  /** The version of tmpm, for the agents. */
  readonly version: string;
  /** Time limit for a holder's answer, in ms. */
  readonly patienceMs?: number;
}

export interface SdkCreateSpec extends CreateSpec {
  readonly beginning: {
    readonly conversationId: string | null;
    readonly overrides: SessionOverrides;
    /** A mode of its conversation. */
    readonly permissions?: string | undefined;
    /** The program and arguments of an MCP server for its agent. */
    readonly tools?: readonly string[] | undefined;
    /** The absolute path of its holder's usage record. */
    readonly usageFile?: string | undefined;
  };
}

export type ConversationScreen = Screen & { readonly reading: ConversationReading };
type Capturing = { readonly history?: number };

/** Protocol agents: a `SessionHost` whose screens always have a reading. */
export interface SdkHost {
  readonly control: "Sdk";
  readonly place: string;
  readonly cannot: typeof CANNOT;
  holds(socket: string): boolean;
  available(): Promise<{ readonly kind: "available"; readonly detail: string }>;
  list(): Promise<Answer<readonly PaneInfo[]>>;
  listAgain(): Promise<Answer<readonly PaneInfo[]>>;
  /** @throws UNRESPONSIVE when a holder of the session may run that `list` cannot describe */
  requireNone(sessionId: string): Promise<void>;
  find(identity: PaneIdentity): Promise<Answer<PaneInfo>>;
  create(spec: SdkCreateSpec): Promise<PaneInfo>;
  kill(identity: PaneIdentity, options: { readonly graceMs: number }): Promise<KillReport>;
  capture(identity: PaneIdentity, options?: Capturing): Promise<ConversationScreen>;
  captureMany(identities: readonly PaneIdentity[], options?: Capturing): Promise<readonly Answer<ConversationScreen>[]>;
  directories(identities: readonly PaneIdentity[]): Promise<readonly (string | null)[]>;
  watch(listener: (event: ServerEvent) => void): Subscription;
  close(): Promise<void>;
  readonly conversation: HeldConversations;
}

/** Each agent runs in a separate holder, which continues when this process ends, and is found again in its folder. */
export function sdkHost(options: SdkHostOptions): SdkHost {
  const { base, patienceMs, home } = options;
  const held = holders({ base, ...(patienceMs === undefined ? {} : { patienceMs }) });
  const capture = async (identity: PaneIdentity, how: Capturing = {}) => screenOf((await held.of(identity)).seen(), { ...how, home });
  const lane = keyedQueue();
  const tidy = tidyGone({ lane });
  const list = () =>
    answered(async () => {
      const all = await held.all();
      tidy(all.map(({ found }) => found));
      return all.flatMap((one) => infoOf(one, home));
    });
  const host: SdkHost = {
    control: "Sdk",
    place: base,
    cannot: CANNOT,
    holds: (socket) => socket.startsWith(`${base}${sep}`),
    available: async () => ({ kind: "available", detail: "agents that speak the Agent Client Protocol" }),
    list,
    listAgain: list,
    requireNone: async (sessionId) => lane.run(holderSocket(base, sessionId), () => requireNoHolder({ base, sessionId })),
    find: (identity) => answered(() => find(held, { identity, home })),
    async create(spec) {
      // No other task uses the session's folder in the meantime.
      const start = () => startHolder(startOptions(spec, options));
      const identity = identityOf(await lane.run(holderSocket(base, spec.sessionId), start));
      return afterStart(async () => paneInfo((await held.of(identity)).seen(), { home }));
    },
    kill: (identity, { graceMs }) => lane.run(identity.socket, () => killConversation(held, { identity, graceMs })),
    capture,
    captureMany: (identities, how) => Promise.all(identities.map((identity) => answered(() => capture(identity, how)))),
    directories: (identities) => Promise.all(identities.map((identity) => directoryOf(held, identity))),
    watch(listener) {
      const subscription = held.changes.add(listener);
      listener({ type: "look" });
      return subscription;
    },
    async close() {
      held.close();
    },
    conversation: heldConversations(held),
  };
  return host satisfies SessionHost;
}

function startOptions(spec: SdkCreateSpec, { base, entry, env, version }: SdkHostOptions): Parameters<typeof startHolder>[0] {
  const { sessionId, tmuxName, cwd, argv, columns, rows, beginning } = spec;
  const { model, reasoning_effort: effort } = beginning.overrides;
  const launch: ConversationLaunch = {
    argv: [...argv],
    cwd,
    env: { ...spec.env },
    conversation_id: beginning.conversationId,
    wishes: { model, effort, mode: beginning.permissions },
    ...(beginning.tools === undefined ? {} : { tools: [...beginning.tools] }),
    ...(beginning.usageFile === undefined ? {} : { usage_file: beginning.usageFile }),
    version,
    columns,
    rows,
  };
  return { base, sessionId, name: tmuxName, entry, launch, env };
}

/** A running one is present, whether or not it answers now. */
function infoOf({ found, held }: Awaited<ReturnType<Holders["all"]>>[number], home: string | null): readonly PaneInfo[] {
  if (held !== null) return [paneInfo(held.seen(), { home })];
  if (found.kind !== "running") return [];
  return [paneInfo({ facts: found.facts, state: NO_CONVERSATION, about: { columns: 1, rows: 1, command: "" } }, { home })];
}

/** A known conversation does not prove that its holder still answers. */
async function find(
  held: Holders,
  { identity, home }: { readonly identity: PaneIdentity; readonly home: string | null },
): Promise<PaneInfo> {
  const one = await held.of(identity);
  await callHolder(one.link, { name: "alive", args: {} });
  return paneInfo(one.seen(), { home });
}

async function directoryOf(held: Holders, identity: PaneIdentity): Promise<string | null> {
  try {
    return await readlink(`/proc/${(await held.of(identity)).seen().facts.program?.pid ?? 0}/cwd`);
  } catch (error) {
    // Not Linux, or already gone.
    if (error instanceof TmpmError || (error instanceof Error && "code" in error)) return null;
    throw error;
  }
}
