import { isTmpmError, type PaneInfo, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { hostName } from "../hosts.js";

/** The terminals with a session's id on its host, running ones first. */
export type TaggedTerminals =
  | { readonly kind: "known"; readonly panes: readonly PaneInfo[] }
  | { readonly kind: "unknown"; readonly error: TmpmError };

export async function taggedTerminals(
  ctx: Pick<Context, "host">,
  { id, control }: Pick<SessionRecord, "id" | "control">,
): Promise<TaggedTerminals> {
  const host = ctx.host.of(control);
  const answer = await host.list();
  if (answer.kind === "unknown") return answer;
  const panes = answer.kind === "present" ? answer.value.filter(({ sessionId }) => sessionId === id) : [];
  if (panes.length === 0) {
    try {
      await host.requireNone?.(id);
    } catch (error) {
      if (!isTmpmError(error)) throw error;
      return { kind: "unknown", error };
    }
  }
  return { kind: "known", panes: panes.toSorted((a, b) => Number(a.exit !== null) - Number(b.exit !== null)) };
}

/** Likewise, where they must be known. @throws the host's error, with effect none, when it does not answer and may have some */
export async function requireTagged(
  ctx: Pick<Context, "host">,
  record: Pick<SessionRecord, "id" | "name" | "control">,
): Promise<readonly PaneInfo[]> {
  const tagged = await taggedTerminals(ctx, record);
  if (tagged.kind === "known") return tagged.panes;
  const host = ctx.host.of(record.control);
  if ((await host.provenEmpty?.()) === true) return [];
  const { code, message, hint } = tagged.error;
  const may = `A program of session ${record.name} may still run on host ${hostName(record.control)}.`;
  throw new TmpmError(code, message, { effect: "none", hint: hint === null ? may : `${may} ${hint}`, cause: tagged.error });
}
