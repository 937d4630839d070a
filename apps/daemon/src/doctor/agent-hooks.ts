import type { Finding } from "@tmpm/api/local";
import { UNTRUSTED } from "./agents-found.js";
import type { DoctorParts } from "./doctor.js";

const NAME = "agent hooks";

type HookParts = Required<Pick<DoctorParts, "loopback" | "silentAgents">>;

/** Whether reports arrive: one of our own, and those of agents that had a turn. */
export async function agentHooks({ loopback, silentAgents }: HookParts): Promise<readonly Finding[]> {
  const [own, silent] = await Promise.all([loopback?.run() ?? NOBODY, silentAgents()]);
  if (silent.length === 0) return [own];
  const names = silent.map(({ name, agent }) => `${name} (${agent})`).join(", ");
  return [own, { name: NAME, status: "warn", message: `no event was heard of a turn in ${names}`, hint: UNTRUSTED }];
}

const NOBODY: Finding = {
  name: NAME,
  status: "skip",
  message: "no daemon runs, so no report could arrive",
  hint: "`tmpm daemon start`, then look again.",
};
