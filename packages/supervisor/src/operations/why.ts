import { type ActivityState, timestampFromMs } from "@tmpm/core";
import { ALONE_MS, HOLD_MS, type RulingEdge, rulingEdge } from "../activity/believe.js";
import type { Evidence } from "../activity/evidence.js";
import type { Track } from "../activity/track.js";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";

/** One piece of evidence. Times are RFC 3339. */
export interface WhyEvidence {
  readonly source: Evidence["source"];
  /** The state that it indicates; null for none. */
  readonly state: ActivityState | null;
  readonly what: string;
  readonly weight: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly times: number;
  /** Whether the current belief is based on it. */
  readonly decides: boolean;
}

export interface Why {
  readonly session: SessionFacts;
  /** Newest first. */
  readonly evidence: readonly WhyEvidence[];
  readonly would_change: readonly string[];
  readonly hooks: { readonly supported: boolean; readonly heard_at: string | null };
}

/** The belief about a session, its evidence, and what would change it. @throws the errors of `findSession` */
export async function why(ctx: Context, input: { readonly session: string }): Promise<Why> {
  const record = await findSession(ctx, input.session);
  const session = factsOf(ctx, record);
  const { track } = ctx.observations.known(record.id);
  const options = { nowMs: ctx.clock.now(), beliefMs: ctx.settings.beliefMs };
  const ruling = record.state === "active" ? rulingEdge(track, options) : null;
  const isProtocol = record.pane !== null && ctx.host.conversation(record.pane) !== null;
  const supported = isProtocol || (ctx.hooks !== undefined && agentOf(ctx, record).hooks !== null);
  return {
    session,
    evidence: record.state === "active" ? evidenceOf(track, { session, ruling }) : [],
    would_change:
      record.state === "active"
        ? changesOf(session, { track, ruling, reports: isProtocol ? "protocol" : supported ? "hooks" : "nothing" })
        : restChanges(record.state),
    hooks: { supported, heard_at: track.heardMs === null ? null : timestampFromMs(track.heardMs) },
  };
}

function evidenceOf(
  { account }: Track,
  { session, ruling }: { readonly session: SessionFacts; readonly ruling: RulingEdge | null },
): WhyEvidence[] {
  const { activity } = session;
  const decisive = account.findLastIndex(
    ({ source, state }) => (ruling !== null ? source === ruling.edge.source : source !== "hook") && state === activity.state,
  );
  return account
    .map((line, index) => ({ ...line, index }))
    .toSorted((a, b) => b.lastMs - a.lastMs || b.index - a.index)
    .map(({ firstMs, lastMs, index, ...line }) => ({
      ...line,
      first_at: timestampFromMs(firstMs),
      last_at: timestampFromMs(lastMs),
      decides: index === decisive,
    }));
}

interface Standing {
  readonly track: Track;
  readonly ruling: RulingEdge | null;
  readonly reports: keyof typeof REPORTS;
}

/** The agent's own reports. */
const REPORTS = {
  protocol: "what the agent reports over its protocol",
  hooks: "a hook, which takes effect before the screen shows it",
  nothing: "nothing else: this agent reports no events",
} as const;

function changesOf({ activity, decision, hint }: SessionFacts, { track, ruling, reports }: Standing): readonly string[] {
  const asked = decision === null ? [] : ["an answer to its question, from tmpm or in its terminal"];
  if (ruling !== null) {
    const seconds = (track.level?.confidence ?? 1) < 0.4 ? ALONE_MS / 1000 : HOLD_MS / 1000;
    return [
      `the screen showing the same, which confirms it, or still something else at ${timestampFromMs(ruling.untilMs)}: a hook overrides the screen for ${seconds} s`,
      "the next hook",
      ...asked,
    ];
  }
  if (track.pending !== null && activity.expires_at === timestampFromMs(track.pending.untilMs)) {
    return [
      `the screen or a hook showing the turn of the prompt that was submitted, or nothing until ${activity.expires_at}: then the screen decides`,
      ...asked,
    ];
  }
  return [
    "another screen: it is observed whenever it prints, and every few seconds",
    ...(activity.expires_at === null ? [] : [`no observation until ${activity.expires_at}: then it is unknown`]),
    REPORTS[reports],
    ...asked,
    ...(decision === null && hint !== null ? [hint] : []),
  ];
}

function restChanges(state: string): readonly string[] {
  switch (state) {
    case "provisioning":
      return ["the end of its launch"];
    case "stopped":
    case "errored":
      return ["`tmpm resume`, which restarts it"];
    default:
      return ["`tmpm reactivate`"];
  }
}
