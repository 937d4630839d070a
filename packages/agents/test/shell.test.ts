import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { LaunchRequest } from "../src/adapter.js";
import { agentAdapterContract } from "../src/contract.js";
import { shell } from "../src/index.js";
import { openFolder } from "./executable.js";
import { screen } from "./screen.js";

const REQUEST: LaunchRequest = {
  sessionId: "00000000-0000-4000-8000-000000000000",
  cwd: "/",
  prompt: "echo hello",
  conversationId: null,
  config: {},
  env: {},
  newId: () => "00000000-0000-4000-8000-000000000001",
};

const SCREENS = [
  { name: "a prompt", state: "idle", observation: screen(["demo$ "], { foreground: true }) },
  { name: "a running program", state: "working", observation: screen(["demo$ sleep 9"], { foreground: false, command: "sleep" }) },
  { name: "start-up files at work", state: "starting", observation: screen([""], { foreground: true }) },
  { name: "an empty screen after output", state: "idle", observation: screen([""], { foreground: true, historySize: 5 }) },
  { name: "an unknown foreground", state: "unknown", observation: screen(["demo$ "]) },
  { name: "a shell that ended", state: "exited", observation: screen(["demo$ exit"], { dead: true }) },
] as const;

describe("shell", () => agentAdapterContract({ test, adapter: shell, screens: SCREENS }));

describe("launching a shell", () => {
  test("runs the user's shell interactively and leaves the prompt to be typed", async () => {
    using folder = openFolder();
    const path = folder.script("zsh", "exit 0");
    const plan = await shell.launch({ ...REQUEST, env: { SHELL: path } });
    expect(plan).toEqual({ argv: [path, "-i"], env: {}, conversationId: null, carriesPrompt: false });
  });

  test("runs the requested shell with its options", async () => {
    using folder = openFolder();
    const path = folder.script("fish", "exit 0");
    const plan = await shell.launch({ ...REQUEST, config: { argv: ["fish", "-l"] }, env: { SHELL: "/bin/sh", PATH: dirname(path) } });
    expect(plan.argv).toEqual([path, "-l"]);
    const missing = shell.launch({ ...REQUEST, config: { argv: ["no-such-shell"] }, env: { PATH: "" } });
    await expect(missing).rejects.toMatchObject({ code: "AGENT_NOT_INSTALLED", details: { program: "no-such-shell" } });
  });

  test("falls back when SHELL is missing, relative or not a login shell", async () => {
    for (const SHELL of [undefined, "", "/nonexistent/zsh", "zsh", "/usr/sbin/nologin", "/bin/false"]) {
      const { argv } = await shell.launch({ ...REQUEST, env: { SHELL, PATH: "" } });
      expect(argv[0]).toMatch(/^\/.*sh$/);
    }
    expect(await shell.detect({})).toMatchObject({ installed: true });
  });
});
