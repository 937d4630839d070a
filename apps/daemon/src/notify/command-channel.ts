import type { Channel } from "./channel.js";
import { runProgram } from "./run-program.js";

export interface CommandChannelOptions {
  /** The program and its arguments; empty when not configured. */
  readonly argv: () => readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

/** The user's own program: it gets the notice as JSON on standard input, and in its environment. */
export function commandChannel({ argv, env, timeoutMs = 10_000 }: CommandChannelOptions): Channel {
  return {
    name: "command",
    target: () => argv()[0] ?? null,
    async send(notice, { signal }) {
      const input = JSON.stringify(notice);
      const variables = {
        TMPM_NOTICE_KIND: notice.kind,
        TMPM_NOTICE_TITLE: notice.title,
        TMPM_NOTICE_BODY: notice.body,
        TMPM_NOTICE_SESSIONS: notice.entries.map(({ session }) => session).join(","),
        ...(input.length <= MOST_ENV ? { TMPM_NOTICE: input } : {}),
      };
      await runProgram(argv(), { env: { ...env, ...variables }, input: `${input}\n`, timeoutMs, signal });
    },
  };
}

/** Linux limits a variable to 128 KiB. */
const MOST_ENV = 100_000;
