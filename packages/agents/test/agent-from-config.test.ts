import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LaunchRequest } from "../src/adapter.js";
import { agentAdapterContract } from "../src/contract.js";
import { agentFromConfig, agents, configuredAgents } from "../src/index.js";
import { openFolder } from "./executable.js";
import { screen } from "./screen.js";

const PAIR = {
  id: "pair",
  title: "Pair",
  argv: ["pair", "--no-colour"],
  prompt_flag: "--message=",
  model_flag: "--model",
  begin: ["--chat", "{id}"],
  resume: ["--restore", "{id}"],
  queues_while_working: true,
  approve: ["y", "Enter"],
  deny: ["n", "Enter"],
  states: {
    awaiting_approval: ["\\(Y\\)es/\\(N\\)o.*:\\s*$"],
    working: ["^Waiting for "],
    idle: ["^> "],
  },
  title_states: { working: ["^\\* "] },
  input: "^> (.*)$",
  subject: "^Run (.*)\\?",
};

const SCREENS = [
  { name: "its prompt", state: "idle", observation: screen(["hello", "> "]) },
  { name: "a draft", state: "idle", observation: screen(["> a draft"]) },
  { name: "work", state: "working", observation: screen(["> do it", "", "Waiting for the model"]) },
  { name: "work that only the title shows", state: "working", observation: screen(["> "], { title: "* pair" }) },
  { name: "a question for approval", state: "awaiting_approval", observation: screen(["Run make test?", "(Y)es/(N)o [Yes]: "]) },
  { name: "nothing yet", state: "starting", observation: screen([""]) },
  { name: "something else", state: "unknown", observation: screen(["loading"]) },
  { name: "its end", state: "exited", observation: screen(["> "], { dead: true }) },
] as const;

const pair = agentFromConfig(PAIR);

describe("an agent by configuration", () => agentAdapterContract({ test, adapter: pair, screens: SCREENS }));

describe("an agent by configuration", () => {
  test("reports the pending approval and the keys for it", () => {
    const asking = pair.read(screen(["Run make test?", "(Y)es/(N)o [Yes]: "]));
    expect(asking.decision).toMatchObject({ kind: "approval", subject: "make test" });
    expect(pair.approve(asking)).toEqual(["y", "Enter"]);
    expect(pair.deny(asking)).toEqual(["n", "Enter"]);
    expect(pair.approve(pair.read(screen(["> "])))).toBeNull();
  });

  test("reads only the last rows", () => {
    const above = ["Waiting for the model", ...Array.from({ length: 12 }, () => "text"), "> "];
    expect(pair.read(screen(above)).state).toBe("idle");
  });

  test("confirms a delivery from its input", () => {
    const [before, typed] = [screen(["> "]), screen(["> a text"])];
    expect(pair.read(typed).draft).toBe("a text");
    expect(pair.arrived({ before, now: typed, text: "a text" })).not.toBeNull();
    expect(pair.submitted({ typed, now: before, text: "a text" })).toBe("the input is empty again");
  });

  test("passes program, conversation, model and first prompt as configured", async () => {
    using folder = openFolder();
    const path = folder.script("pair", "exit 0");
    const begun = await pair.launch(request(folder.path, { prompt: "-x", config: { model: "m" } }));
    expect(begun.argv).toEqual([path, "--no-colour", "--chat", "new-id", "--model", "m", "--message=-x"]);
    expect(begun).toMatchObject({ conversationId: "new-id", carriesPrompt: true });
    const resumed = await pair.launch(request(folder.path, { conversationId: "old-id" }));
    expect(resumed).toMatchObject({ argv: [path, "--no-colour", "--restore", "old-id"], conversationId: "old-id", carriesPrompt: false });
  });

  test("requires only an id and a program", async () => {
    using folder = openFolder();
    const path = folder.script("plain", "exit 0");
    const plan = await agentFromConfig({ id: "plain", argv: ["plain"] }).launch(
      request(folder.path, { prompt: "hi", conversationId: "x" }),
    );
    expect(plan).toEqual({ argv: [path], env: {}, conversationId: null, carriesPrompt: false });
  });

  test.each([
    ["id", { ...PAIR, id: "My Agent" }],
    ["argv", { ...PAIR, argv: [] }],
    ["states.idle.0", { ...PAIR, states: { idle: ["("] } }],
    ["promt_flag", { ...PAIR, promt_flag: "-m" }],
  ])("rejects a wrong %s and names the field", (field, document) => {
    expect(() => agentFromConfig(document)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(field) }),
    );
  });
});

describe("configuredAgents", () => {
  test("loads each file, and reports invalid ones without losing the others", async () => {
    using folder = openFolder();
    writeFileSync(join(folder.path, "a.json"), JSON.stringify(PAIR));
    writeFileSync(join(folder.path, "b.json"), "{");
    writeFileSync(join(folder.path, "c.json"), JSON.stringify({ ...PAIR, id: "claude" }));
    writeFileSync(join(folder.path, "d.json"), JSON.stringify(PAIR));
    writeFileSync(join(folder.path, "notes.txt"), "no agent");
    const found = await configuredAgents(folder.path, { taken: ["claude"] });
    expect(found.agents.map(({ id }) => id)).toEqual(["pair"]);
    expect(found.problems.map(({ path }) => path.slice(-6))).toEqual(["b.json", "c.json", "d.json"]);
    expect(agents([...agents().list(), ...found.agents]).find("pair").title).toBe("Pair");
  });

  test("returns nothing when the folder is missing", async () => {
    expect(await configuredAgents("/nonexistent", { taken: [] })).toEqual({ agents: [], problems: [] });
  });
});

function request(folder: string, changes: Partial<LaunchRequest>): LaunchRequest {
  return {
    sessionId: "s",
    cwd: folder,
    prompt: null,
    conversationId: null,
    config: {},
    env: { PATH: folder },
    newId: () => "new-id",
    ...changes,
  };
}
