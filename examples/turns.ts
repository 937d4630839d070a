/** Sends a session two prompts, one after another, and prints the outcome of each. */
import { client } from "@tmpm/api/client";
import { currentLocation, localTransport } from "@tmpm/api/local";

export interface Where {
  readonly session: string;
  /** Selects the daemon: that of `TMPM_HOME`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function main(print: (line: string) => void, { session, env }: Where): Promise<void> {
  const tmpm = client({ transport: localTransport({ socket: currentLocation(env).socket }) });
  const first = await tmpm.submit({ session, prompt: "What is in this repository?", queue: true });
  const second = await tmpm.submit({ session, prompt: "And what is missing?", queue: true });
  for (const { id } of [first, second]) {
    let turn = await tmpm.turn({ session, turn: id });
    while (turn.state !== "ended") turn = await tmpm.turn({ session, turn: id, wait_ms: 30_000 });
    print(`${turn.prompt} ${turn.outcome}${turn.final_message === null ? "" : `: ${turn.final_message}`}`);
  }
}
