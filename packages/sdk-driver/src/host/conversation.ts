import type { OverrideField, PaneIdentity, Subscription } from "@tmpm/core";
import type { Prompted, SettingOutcome } from "@tmpm/host";
import type { Answering } from "../agent/permissions.js";
import type { SettingName } from "../conversation/settings.js";
import type { CallAnswer } from "../holder/calls.js";
import { type LastMessages, wordsOf } from "../transcript/words.js";
import { callHolder } from "./call-holder.js";
import type { Holders, ReportedEdge } from "./holders.js";

/** The transcript of a conversation, in the form of an agent's own transcript. */
export interface SaidSoFar extends LastMessages {
  readonly model: string | null;
  readonly tokens: number;
  readonly contextLimit: number;
  readonly prompts: number;
}

/** The conversations of a host's holders: the `conversation` of its `SessionHost`. */
export interface HeldConversations {
  prompt(identity: PaneIdentity, prompt: { readonly key: string; readonly text: string }): Promise<Prompted>;
  prompted(identity: PaneIdentity, key: string): Promise<Prompted | null>;
  cancel(identity: PaneIdentity): Promise<void>;
  answer(identity: PaneIdentity, answering: Answering): Promise<{ readonly label: string }>;
  set(identity: PaneIdentity, change: { readonly field: OverrideField; readonly value: string | number | null }): Promise<SettingOutcome>;
  transcript(identity: PaneIdentity): Promise<SaidSoFar>;
  updates(listener: (update: ReportedEdge) => void): Subscription;
}

/** A prompt is answered within the time limits that its holder gives the agent. */
const PROMPT_MS = 30_000;
/** Loading another model may take an agent some time. */
const SET_MS = 60_000;

export function heldConversations(held: Holders): HeldConversations {
  const linkOf = async (identity: PaneIdentity) => (await held.of(identity)).link;
  return {
    async prompt(identity, { key, text }) {
      return promptedOf(await callHolder(await linkOf(identity), { name: "prompt", args: { key, text }, patienceMs: PROMPT_MS }));
    },
    async prompted(identity, key) {
      const put = await callHolder(await linkOf(identity), { name: "prompted", args: { key } });
      return put === null ? null : promptedOf(put);
    },
    async cancel(identity) {
      await callHolder(await linkOf(identity), { name: "cancel", args: {} });
    },
    async answer(identity, { request, answer }) {
      return callHolder(await linkOf(identity), { name: "answer", args: { request, answer } });
    },
    async set(identity, { field, value }) {
      const name = settingOf(field);
      if (name === null) return { kind: "later", why: null };
      const text = value === null ? null : String(value);
      const changed = await callHolder(await linkOf(identity), { name: "set", args: { name, value: text }, patienceMs: SET_MS });
      return changed.kind === "applied" ? { kind: "applied" } : changed;
    },
    async transcript(identity) {
      const { transcript, settings, prompts } = (await held.of(identity)).seen().state;
      const { tokens, context_limit: contextLimit } = transcript;
      return { ...wordsOf(transcript), model: settings.model?.current ?? null, tokens, contextLimit, prompts };
    },
    updates: held.edges.add,
  };
}

/** The protocol's name for an override; null if it has none. */
export function settingOf(field: OverrideField): SettingName | null {
  switch (field) {
    case "model":
      return "model";
    case "reasoning_effort":
      return "effort";
    case "permissions":
      return "mode";
    default:
      return null;
  }
}

function promptedOf({ fate, evidence }: CallAnswer<"prompt">): Prompted {
  switch (fate.kind) {
    case "taken":
      return { kind: "taken", evidence };
    case "refused":
      return { kind: "refused", reason: fate.reason };
    case "unwritten":
      return { kind: "unknown", reason: evidence.join("; ") };
  }
}
