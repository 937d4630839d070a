import { describe, expect, test } from "vitest";
import type { LaunchRequest } from "../src/adapter.js";
import { agentAdapterContract } from "../src/contract.js";
import { command } from "../src/index.js";
import { openFolder } from "./executable.js";
import { screen } from "./screen.js";

const SCREENS = [
  { name: "a program that may work or wait", state: "unknown", observation: screen([">>> "], { foreground: true, command: "python3" }) },
  { name: "a program whose foreground is unknown", state: "unknown", observation: screen([""]) },
  { name: "a program that runs another one", state: "working", observation: screen(["$ make"], { foreground: false, command: "make" }) },
  { name: "a program that ended", state: "exited", observation: screen(["done"], { dead: true }) },
] as const;

describe("command", () => agentAdapterContract({ test, adapter: command, screens: SCREENS }));

describe("launching a command", () => {
  test("resolves the program and keeps every argument unchanged", async () => {
    using folder = openFolder();
    const path = folder.script("demo", "exit 0");
    const argv = ["demo", "", "a b", "--", "-x", "$(touch x)", "#{pane_id}", ";", "a\nb"];
    const plan = await command.launch(request({ argv, PATH: folder.path }));
    expect(plan).toEqual({ argv: [path, ...argv.slice(1)], env: {}, conversationId: null, carriesPrompt: false });
  });

  test("finds a relative program from the session's directory", async () => {
    using folder = openFolder();
    const path = folder.script("demo", "exit 0");
    const { argv } = await command.launch(request({ argv: ["./demo"], cwd: folder.path }));
    expect(argv).toEqual([path]);
  });

  test("rejects an empty argv", async () => {
    for (const argv of [undefined, [], [""]]) {
      await expect(command.launch(request({ argv }))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });

  test("names the missing program", async () => {
    const launched = command.launch(request({ argv: ["no-such-program", "--flag"], PATH: "/usr/bin" }));
    await expect(launched).rejects.toMatchObject({ code: "AGENT_NOT_INSTALLED", details: { program: "no-such-program" } });
  });
});

interface Wanted {
  readonly argv: readonly string[] | undefined;
  readonly cwd?: string;
  readonly PATH?: string;
}

function request({ argv, cwd = "/", PATH = "" }: Wanted): LaunchRequest {
  return { sessionId: "s", cwd, prompt: null, conversationId: null, config: { argv }, env: { PATH }, newId: () => "n" };
}
