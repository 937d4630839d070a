import { prompt } from "../../mock-model/script.js";
import { check, type Desk } from "./desk.js";
import { goesOn } from "./going-on.js";

const RESET_S = 7_200;
const NEAR_MS = 300_000;

/** The turn fails because of its limit, the time of its reset is reported, and the agent's following dialog can be answered. */
export async function limited(desk: Desk): Promise<void> {
  const { api } = desk.agentFixture.fixture;
  const resetsMs = Date.now() + RESET_S * 1_000;
  const { outcome, code } = await desk.ended(await desk.send(prompt({ limit: { resetS: RESET_S } })));
  check(outcome === "failed" && code === "USAGE_LIMIT", `the turn ended ${outcome} (${code})`);
  const { activity } = await api.show({ session: desk.session });
  check(activity.limit !== null, `no limit is known while it is ${activity.state}`);
  check(activity.limit?.source != null, "the source of the limit is unknown");
  const reset = activity.limit?.resets_at ?? null;
  check(reset === null || Math.abs(Date.parse(reset) - resetsMs) < NEAR_MS, `the reported reset of the limit is ${reset}`);
  if (activity.state !== "errored" && activity.state !== "idle") {
    const { code: status, stderr } = await desk.run(["interrupt", desk.session]);
    check(status === 0, `interrupt exited ${status}: ${stderr}`);
  }
  await goesOn(desk);
}
