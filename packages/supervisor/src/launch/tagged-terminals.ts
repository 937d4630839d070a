import type { PaneInfo, SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";

/** The terminals with a session's id on its host, running ones first. */
export type Tagged =
  | { readonly kind: "known"; readonly panes: readonly PaneInfo[] }
  | { readonly kind: "unknown"; readonly error: TmpmError };

export async function taggedTerminals(ctx: Context, { id, control }: Pick<SessionRecord, "id" | "control">): Promise<Tagged> {
  const answer = await ctx.host.of(control).list();
  if (answer.kind === "unknown") return answer;
  const panes = answer.kind === "present" ? answer.value.filter(({ sessionId }) => sessionId === id) : [];
  return { kind: "known", panes: panes.toSorted((a, b) => Number(a.exit !== null) - Number(b.exit !== null)) };
}

/** Likewise, where they must be known. A host that is not installed has none. @throws the host's error when it does not answer */
export async function requireTagged(ctx: Context, record: Pick<SessionRecord, "id" | "control">): Promise<readonly PaneInfo[]> {
  const tagged = await taggedTerminals(ctx, record);
  if (tagged.kind === "known") return tagged.panes;
  if ((await ctx.host.of(record.control).available()).kind === "missing") return [];
  throw tagged.error;
}
