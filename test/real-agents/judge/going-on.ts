import { prompt } from "../../mock-model/script.js";
import type { RealAgent } from "../agent-homes.js";
import { check, type Desk } from "./desk.js";

/** Verifies that the next prompt is answered, and that its text arrived. */
export async function goesOn(desk: Desk): Promise<void> {
  await desk.reaches("idle,errored");
  const words = `goes on after ${desk.round}`;
  const { outcome, final_message, note } = await desk.ended(await desk.send(prompt({ say: words })));
  check(outcome === "completed", `the next turn ended ${outcome}`);
  check(final_message === words, `the next words are ${JSON.stringify(final_message)}: ${note}`);
}

/** The agent's own command that starts another conversation. */
export function clearCommand({ id }: RealAgent): string {
  return id === "codex" || id === "opencode" ? "/new" : "/clear";
}

/** The texts of the newest request of a turn. */
export function newestTexts({ agentFixture: { model } }: Pick<Desk, "agentFixture">): readonly string[] {
  return model.exchanges.findLast(({ conversation }) => conversation.tools.length > 0)?.conversation.userTexts ?? [];
}
