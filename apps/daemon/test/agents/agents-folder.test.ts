import { TmpmError } from "@tmpm/core";
import { memoryStore } from "@tmpm/store/memory";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { expect, test } from "vitest";
import { agentsFolder } from "../../src/agents/agent-registry.js";
import { doctor } from "../../src/doctor/doctor.js";

test("custom agents are in the configuration folder, and a relative XDG_CONFIG_HOME is ignored", () => {
  expect(agentsFolder({ XDG_CONFIG_HOME: "/c", HOME: "/home/me" })).toBe("/c/tmpm/agents");
  expect(agentsFolder({ XDG_CONFIG_HOME: "c", HOME: "/home/me" })).toBe("/home/me/.config/tmpm/agents");
  expect(agentsFolder({ HOME: "/home/me" })).toBe("/home/me/.config/tmpm/agents");
});

test("doctor reports a file that does not describe an agent", async () => {
  const error = new TmpmError("INVALID_ARGUMENT", "argv: too small");
  const look = doctor({ driver: fakeTmux().driver, store: memoryStore(), adapters: [], problems: [{ path: "/c/x.json", error }], env: {} });
  expect(await look()).toContainEqual({
    id: "agent-file",
    name: "agent file",
    status: "fail",
    message: "/c/x.json: argv: too small",
    hint: "Fix the file, then restart the daemon.",
  });
});
