import { type ControlModel, type SessionRecord, TmpmError } from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import { requireAgentOn } from "../agent-of.js";
import type { Context } from "../context.js";
import { hostName } from "../hosts.js";
import { requireSettled } from "../require-settled.js";
import { requireTagged } from "./tagged-terminals.js";

export interface GoingOn {
  readonly record: SessionRecord;
  /** The requested host; the session's own by default. */
  readonly wanted: ControlModel | undefined;
}

/**
 * The host that a session resumes on. Another one than its own is only used on request. @throws HOST_UNAVAILABLE with the command that
 * continues elsewhere; for another host also INVALID_STATE, INVALID_ARGUMENT for an agent that it cannot run, and the old one's errors. If
 * the program must be ended first, `requireGone` is called afterwards.
 */
export async function hostAgain(ctx: Context, { record, wanted }: GoingOn): Promise<ControlModel> {
  const control = wanted ?? record.control;
  const host = ctx.host.of(control);
  const found = await host.available();
  if (found.kind === "missing") {
    const elsewhere = await elsewhereHint(ctx, { record, control });
    throw new TmpmError("HOST_UNAVAILABLE", `host ${hostName(control)} is not available: ${found.reason}`, {
      hint: elsewhere === null ? found.hint : `${elsewhere} Or: ${found.hint}`,
      details: { id: record.id, host: hostName(control), reason: found.reason },
    });
  }
  if (control === record.control) return control;
  requireMovable(ctx, { record, control });
  if (record.state !== "active") await requireGone(ctx, record);
  return control;
}

/** Resuming ends no program. @throws INVALID_STATE */
export function requireSameHost({ record, wanted }: GoingOn): void {
  const { id, name, state, control } = record;
  if (wanted === undefined || wanted === control) return;
  throw new TmpmError("INVALID_STATE", `session ${name} runs on host ${hostName(control)}, and resuming does not move it`, {
    hint: `\`tmpm restart ${name} --host ${hostName(wanted)}\` ends its program and resumes it there.`,
    details: { id, state, host: hostName(control) },
  });
}

interface Move {
  readonly record: SessionRecord;
  readonly control: ControlModel;
}

async function elsewhereHint(ctx: Pick<Context, "host">, { record, control }: Move): Promise<string | null> {
  if (record.state === "active") return null;
  for (const host of ctx.host.own) {
    if (host.control === control || host.conversation !== undefined || isBoundTo(ctx.host.of(record.control), record)) continue;
    if ((await host.available()).kind !== "available") continue;
    return `\`tmpm resume ${record.name} --host ${hostName(host.control)}\` resumes it there.`;
  }
  return null;
}

function requireMovable(ctx: Pick<Context, "agent" | "agentList" | "host">, { record, control }: Move): void {
  requireSettled(record, "move");
  const from = ctx.host.of(record.control);
  const to = ctx.host.of(control);
  if (to.conversation !== from.conversation && (isBoundTo(from, record) || isBoundTo(to, record))) {
    throw new TmpmError(
      "INVALID_ARGUMENT",
      `session ${record.name} cannot switch between a terminal and a protocol, so it cannot move to host ${hostName(control)}`,
      {
        hint: "Start another session for it there.",
        details: { field: "control", id: record.id },
      },
    );
  }
  requireAgentOn(ctx, { agent: record.agent, control });
}

/** A program chosen by the user either speaks the protocol or has a terminal; a known agent supports both. */
function isBoundTo({ conversation }: SessionHost, { agent_config }: SessionRecord): boolean {
  return conversation !== undefined && agent_config.argv !== undefined;
}

/** Nothing of it is left on the old host: a session never has two programs. @throws INVALID_STATE, and that host's errors */
export async function requireGone(ctx: Pick<Context, "host" | "settings">, record: SessionRecord): Promise<void> {
  const { id, name, control } = record;
  const from = ctx.host.of(control);
  const left = await requireTagged(ctx, record);
  if (left.some(({ exit }) => exit === null)) {
    throw new TmpmError("INVALID_STATE", `a program of session ${name} is still running on host ${hostName(control)}`, {
      hint: `\`tmpm resume ${name}\` takes it over.`,
      details: { id, host: hostName(control) },
    });
  }
  for (const { identity } of left) await from.kill(identity, { graceMs: ctx.settings.graceMs });
}
