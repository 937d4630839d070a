import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../fixture.js";
import { prompt, type Script } from "../mock-model/script.js";
import { type AgentFixture, agentFixture } from "./agent-fixture.js";
import { REAL_AGENTS } from "./agent-homes.js";

const { TMPM_AGENTS } = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
const LONG_MS = 1_800_000;
const WORKER = "worker";
const ANSWER = "the worker has finished";
const VARIABLES = ["TMPM_SESSION_ID", "TMPM_SESSION_TOKEN", "TMPM_SOCKET"];

/** A planner's calls: it lists, starts a worker, prompts it, waits and reads its answer. */
const callsFor = (agent: string): NonNullable<Script["calls"]> => [
  { tool: "list_agents", args: {} },
  { tool: "list_sessions", args: {} },
  { tool: "start_session", args: { agent, name: WORKER, prompt: prompt({ say: "the worker is here" }) } },
  { tool: "wait", args: { sessions: [WORKER], until: ["idle"], seconds: 25 } },
  { tool: "send_prompt", args: { session: WORKER, text: prompt({ say: ANSWER }), queue: true } },
  { tool: "wait", args: { sessions: [WORKER], until: ["idle"], seconds: 25 } },
  { tool: "get_result", args: { session: WORKER } },
];

describe.each(chosen)("the real $id with tmpm's tools over stdio", (agent) => {
  let place: AgentFixture;

  beforeAll(async () => {
    place = await agentFixture(agent);
    // Gemini CLI takes servers only from its user's settings.
    if (agent.id === "gemini") await addServer(join(place.fixture.env.HOME ?? "", ".gemini/settings.json"));
  }, LONG_MS);

  afterAll(() => place?.[Symbol.asyncDispose](), LONG_MS);

  test("starts a worker, prompts it, waits for it and reads its answer", { timeout: LONG_MS }, async () => {
    const { fixture, dir, model } = place;
    const asking = agent.askingFlags ?? [];
    await fixture.json(["new", "--agent", agent.id, "--name", "planner", "--cwd", dir, "--grant", "tree,children=2", ...asking]);
    await fixture.json(["wait", "planner", "--timeout", "300"]);
    await fixture.json(["send", "planner", prompt({ calls: callsFor(agent.id), say: "the plan is done" })]);

    await eventually(async () => {
      if (model.faults.length > 0) throw model.faults[0];
      await fixture.tmpm(["wait", "planner", "--for", "awaiting_approval,idle", "--timeout", "20"]);
      if ((await place.state("planner")) === "awaiting_approval") await fixture.tmpm(["approve", "planner"]);
      return model.exchanges.some(({ conversation }) => conversation.results.at(-1)?.includes(ANSWER)) ? true : null;
    }, LONG_MS / 2);
    await fixture.json(["wait", "planner", "--timeout", "300"]);
    const { stdout } = await fixture.tmpm(["capture", "planner"]);
    expect(stdout.replaceAll(/^.*"say":"the plan is done".*$/gmu, "")).toContain("the plan is done");
  });
});

async function addServer(path: string): Promise<void> {
  const settings: object = JSON.parse(await readFile(path, "utf8"));
  const env = Object.fromEntries(VARIABLES.map((name) => [name, `$${name}`]));
  const tmpm = { command: join(import.meta.dirname, "../../tmpm"), args: ["mcp"], env };
  await writeFile(path, JSON.stringify({ ...settings, mcpServers: { tmpm } }));
}
