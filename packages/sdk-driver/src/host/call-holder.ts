import { TmpmError } from "@tmpm/core";
import type { HolderLink } from "@tmpm/holder";
import { CALLS, type CallAnswer, type CallArgs, type CallName } from "../holder/calls.js";

export interface HolderCall<N extends CallName> {
  readonly name: N;
  readonly args: CallArgs<N>;
  readonly patienceMs?: number;
}

/** Calls a holder of a conversation. @throws the holder's errors; UNRESPONSIVE */
export async function callHolder<N extends CallName>(link: HolderLink, { name, args, patienceMs }: HolderCall<N>): Promise<CallAnswer<N>> {
  const { value } = await link.call(name, { args, ...(patienceMs === undefined ? {} : { patienceMs }) });
  const read = CALLS[name].answer.safeParse(value);
  if (!read.success) {
    throw new TmpmError("UNRESPONSIVE", `the holder's answer to ${name} is invalid`, {
      effect: "unknown",
      cause: read.error,
    });
  }
  // The schema of this same call has just produced it.
  return read.data as CallAnswer<N>;
}
