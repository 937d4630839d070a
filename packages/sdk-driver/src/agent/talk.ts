import { methods } from "@agentclientprotocol/sdk";
import { type Effect, TmpmError } from "@tmpm/core";
import type { SettingName } from "../conversation/settings.js";
import { changeSetting, type SettingResult } from "./change-setting.js";
import { type AgentLink, connectAgent } from "./connect-agent.js";
import { errorWords } from "./error-words.js";
import type { Pipes } from "./message-stream.js";
import { NoConversation } from "./no-conversation.js";
import { type OpenedConversation, openConversation } from "./open-conversation.js";
import { later, PATIENCE, type Patience, writtenInTime } from "./patience.js";
import { type Answering, permissions } from "./permissions.js";
import { known, type Prompt, type PromptOutcome, putPrompt } from "./put-prompt.js";
import { heard, type Reporting } from "./reporting.js";

export type Wishes = { readonly [Name in SettingName]?: string | undefined };

export interface TalkOptions extends Reporting {
  readonly pipes: Pipes;
  readonly cwd: string;
  /** The agent's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The program and arguments of an MCP server for the agent. */
  readonly tools?: readonly string[] | undefined;
  readonly conversationId: string | null;
  /** Settings requested before its first prompt. */
  readonly wishes: Wishes;
  /** The version of tmpm, for the agent. */
  readonly version: string;
  readonly newId: () => string;
  /** Default `PATIENCE`. */
  readonly patience?: Partial<Patience>;
}

/** A conversation with an agent, from the client's side of its pipes. */
export interface Talk {
  prompt(prompt: Prompt): Promise<PromptOutcome>;
  /** The outcome of the prompt with this key; null if it was never sent. */
  prompted(key: string): PromptOutcome | null;
  /**
   * Resolves when the cancellation was sent to the agent; its requests are withdrawn. Has no effect while no turn runs. @throws UNRESPONSIVE
   * (unknown) for an agent that does not read its input; it gets the cancellation when it does
   */
  cancel(): Promise<void>;
  /** @throws DECISION_GONE, INVALID_ARGUMENT */
  answer(answering: Answering): { readonly label: string };
  /** Null restores the agent's own default. @throws UNRESPONSIVE (none) for an agent that does not read its input */
  set(change: { readonly name: SettingName; readonly value: string | null }): Promise<SettingResult>;
}

const RESTART = "See its output with `tmpm capture`, then restart the session.";

/** Opens the conversation and reports its events until the pipes end. */
export function talk(options: TalkOptions): Talk {
  const reporting = heard(options);
  const patience: Patience = { ...PATIENCE, ...options.patience };
  const { report, state } = reporting;
  const asked = permissions({ newId: options.newId, report });
  const link = connectAgent({ pipes: options.pipes, permissions: asked, report, state });
  let opened: OpenedConversation | null = null;

  open({ ...options, report, link }).then(
    (made) => {
      opened = made;
    },
    (error: unknown) => {
      if (link.connection.signal.aborted) return;
      const hint = error instanceof NoConversation ? error.hint : RESTART;
      report({ type: "failed", message: errorWords(error), hint });
    },
  );

  void link.connection.closed.then(async () => {
    // The exit of its process explains why an agent has closed its pipes.
    await later(patience.exitsMs);
    const { phase } = state();
    if (phase.kind === "exited" || phase.kind === "failed") return;
    report({ type: "failed", message: "the agent closed its connection, and its process still runs", hint: RESTART });
  });

  return {
    prompt: (prompt) => putPrompt(prompt, { ...reporting, link, patience, withdraw: asked.withdrawAll }),
    prompted: (key) => known(key, reporting),
    async cancel() {
      const { turn, conversation_id } = state();
      if (turn === null || conversation_id === null) return;
      report({ type: "cancelled" });
      asked.withdrawAll();
      const sent = link.connection.agent.notify(methods.agent.session.cancel, { sessionId: conversation_id });
      if (!(await writtenInTime(patience.writesMs, sent))) throw unread("unknown");
    },
    answer: asked.answer,
    async set({ name, value }) {
      const { phase, settings, conversation_id } = state();
      const wanted = value ?? opened?.settings[name]?.current ?? null;
      if (phase.kind !== "open" || conversation_id === null) return { kind: "later", why: "its conversation is not open" };
      if (wanted === null) return { kind: "later", why: "the agent's own default is unknown" };
      if (!(await writtenInTime(patience.writesMs, link.idle()))) throw unread("none");
      const changed = await changeSetting(link.connection.agent, { conversationId: conversation_id, settings, name, value: wanted });
      if (changed.kind === "applied") report({ type: "settings", settings: changed.settings });
      return changed;
    },
  };
}

function unread(effect: Effect): TmpmError {
  return new TmpmError("UNRESPONSIVE", "the agent does not read its input", { effect });
}

type Opening = Omit<TalkOptions, "pipes" | "newId" | "patience"> & { readonly link: AgentLink };

/** A setting that the agent refuses is logged, and prevents no conversation. */
async function open({ link, wishes, report, ...beginning }: Opening): Promise<OpenedConversation> {
  const { agent } = link.connection;
  const opened = await openConversation(agent, { ...beginning, models: link.models, report });
  let { settings } = opened;
  for (const name of ["model", "mode", "effort"] as const) {
    const value = wishes[name];
    if (value === undefined) continue;
    const changed = await changeSetting(agent, { conversationId: opened.conversationId, settings, name, value });
    if (changed.kind === "applied") settings = changed.settings;
    else report({ type: "noted", text: changed.kind === "refused" ? changed.message : changed.why });
  }
  report({ type: "opened", conversation_id: opened.conversationId, agent: opened.agent, settings });
  return opened;
}
