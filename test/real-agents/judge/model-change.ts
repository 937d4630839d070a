import type { OverridesAnswer } from "@tmpm/api";
import { prompt } from "../../mock-model/script.js";
import { check, type Desk } from "./desk.js";
import { goesOn } from "./going-on.js";

const MODELS: Readonly<Record<string, readonly [string, string]>> = {
  claude: ["claude-sonnet-4-5", "claude-opus-4-5"],
  codex: ["mock-other", "mock-model"],
  gemini: ["gemini-2.5-flash", "gemini-2.5-pro"],
  opencode: ["mock/mock-other", "mock/mock-model"],
};

/** A change reported as immediate applies to the next prompt; a change during a turn is not reported as immediate. */
export async function changesModel(desk: Desk): Promise<void> {
  const [odd, even] = MODELS[desk.agent.id] ?? ["one", "other"];
  const model = desk.round % 2 === 0 ? even : odd;
  const { stdout, stderr, code } = await desk.run(["set", desk.session, "--model", model, "--json"]);
  check(code === 0, `set exited ${code}: ${stdout}${stderr}`);
  const { applied, notes } = JSON.parse(stdout) as OverridesAnswer;
  await goesOn(desk);
  const asked = desk.agentFixture.model.exchanges.findLast(({ conversation }) => conversation.tools.length > 0)?.conversation.model ?? "";
  const took = model.endsWith(asked) || asked.startsWith(model);
  check(applied.model !== "live" || took, `reported as applied at once, but the model was requested as ${asked}`);
  check(applied.model === "live" || notes.length === 0, `it waits for the next launch: ${notes.join("; ")}`);

  const turn = await desk.send(prompt({ waitMs: 20_000, say: "works" }));
  await desk.reaches("working");
  const busy = await desk.run(["set", desk.session, "--model", model === odd ? even : odd, "--json"]);
  check(busy.code === 0, `set exited ${busy.code} while it works: ${busy.stderr}`);
  const { state } = await desk.turn(turn.id);
  const later = (JSON.parse(busy.stdout) as OverridesAnswer).applied.model;
  check(later === "next_launch" || state === "ended", "a change was reported as applied while a turn ran");
  await desk.ended(turn);
}
