import { isatty } from "node:tty";
import type { SendAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { SEND_REASONS, type SendReason, visibleText } from "@tmpm/core";
import { print } from "./output.js";

const EVERY_MS = 2_000;

export interface Waiting {
  readonly client: Client;
  readonly session: string;
  /** Suppress progress output. */
  readonly quiet: boolean;
}

/** Shows on a terminal the reason why a send waits, on every change, until it completes. */
export async function printWaiting(sending: Promise<SendAnswer>, { client, session, quiet }: Waiting): Promise<SendAnswer> {
  if (quiet || !isatty(2)) return sending;
  let printed: SendReason | null = null;
  const timer = setInterval(async () => {
    const reason = await reasonOf(client, session);
    if (reason === null || reason === printed) return;
    printed = reason;
    print(`tmpm: ${visibleText(session)}: waiting: ${SEND_REASONS[reason].title.toLowerCase()}\n`, 2);
  }, EVERY_MS);
  try {
    return await sending;
  } finally {
    clearInterval(timer);
  }
}

async function reasonOf(client: Client, session: string): Promise<SendReason | null> {
  try {
    const { sends } = await client.sends({ session });
    return sends.find(({ done }) => !done)?.receipt.reason ?? null;
  } catch {
    // The send itself reports the error.
    return null;
  }
}
