import { command } from "@tmpm/agents";
import { memoryStore } from "@tmpm/store/memory";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { expect, test } from "vitest";
import { doctor } from "../src/doctor.js";

async function checked(version: string, silent: readonly { readonly name: string; readonly agent: string }[] = []) {
  const hooks = { trustedBy: "1.2.3", plan: async () => null, read: () => null };
  const agent = { ...command, id: "pair", hooks, detect: async () => ({ installed: true, path: "/bin/pair", version }) as const };
  const look = doctor({
    driver: fakeTmux().driver,
    store: memoryStore(),
    adapters: [agent],
    silentAgents: async () => silent,
    env: {},
  });
  return (await look()).filter(({ name }) => name.startsWith("agent ")).map(({ name, status, message }) => `${status} ${name}: ${message}`);
}

test("an agent of another version than the one that trusts our hooks is told", async () => {
  expect(await checked("1.2.3")).toEqual(["ok agent pair: /bin/pair 1.2.3"]);
  expect(await checked("1.3.0")).toEqual(["warn agent pair: /bin/pair 1.3.0, which may not trust our hooks as 1.2.3 does"]);
});

test("sessions whose agents were told to report and are not heard are named", async () => {
  expect(await checked("1.2.3", [{ name: "demo", agent: "pair" }])).toContain(
    "warn agent hooks: no event was heard of a turn in demo (pair)",
  );
});
