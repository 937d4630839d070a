import { type ControlModel, TmpmError } from "@tmpm/core";
import type { Availability, SessionHost } from "@tmpm/host";
import type { Context } from "../context.js";
import { hostName } from "../hosts.js";

export interface ChosenHost {
  readonly control: ControlModel;
  /** Why it is not the preferred one, in words; null when it is, or was requested. */
  readonly note: string | null;
}

/**
 * The host of a new session: the requested one, else the first available one with terminals. @throws HOST_UNAVAILABLE with the missing part
 */
export async function chooseHost(ctx: Pick<Context, "host">, wanted: ControlModel | undefined): Promise<ChosenHost> {
  if (wanted !== undefined) {
    const host = ctx.host.of(wanted);
    const found = await host.available();
    if (found.kind === "missing") throw missing(host, found);
    return { control: wanted, note: null };
  }
  let first: { readonly host: SessionHost; readonly found: Missing } | null = null;
  for (const host of ctx.host.own.filter(({ conversation }) => conversation === undefined)) {
    const found = await host.available();
    if (found.kind === "missing") first ??= { host, found };
    else
      return {
        control: host.control,
        note: first === null ? null : `${first.found.reason}, so the session runs on host ${hostName(host.control)}`,
      };
  }
  if (first === null) throw new TmpmError("HOST_UNAVAILABLE", "this daemon has no host with terminals");
  throw missing(first.host, first.found);
}

type Missing = Extract<Availability, { kind: "missing" }>;

function missing({ control }: SessionHost, { reason, hint }: Missing): TmpmError {
  return new TmpmError("HOST_UNAVAILABLE", `host ${hostName(control)} is not available: ${reason}`, {
    hint,
    details: { host: hostName(control), reason },
  });
}
