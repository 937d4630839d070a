import type { Finding } from "@tmpm/api/local";
import { UNTRUSTED } from "./agents-found.js";
import type { DoctorParts } from "./doctor.js";

const NAME = "agent hooks";

type HookParts = Required<Pick<DoctorParts, "loopback" | "silentAgents">>;

/** Whether reports arrive: a test report, and those of agents that had a turn. */
export async function agentHooks({ loopback, silentAgents }: HookParts): Promise<readonly Finding[]> {
  const [own, silent] = await Promise.all([loopback?.run() ?? NOT_CHECKED, silentAgents()]);
  if (silent.length === 0) return [own];
  const names = silent.map(({ name, agent }) => `${name} (${agent})`).join(", ");
  return [own, { name: NAME, status: "warn", message: `no event of a turn was received in ${names}`, hint: UNTRUSTED }];
}

const NOT_CHECKED: Finding = {
  name: NAME,
  status: "skip",
  message: "no daemon is running, so a report could not arrive",
  hint: "Run `tmpm daemon start`, then check again.",
};
