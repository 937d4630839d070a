import { existsSync } from "node:fs";
import { join } from "node:path";
import { agents } from "@tmpm/agents";
import { describe, expect, test } from "vitest";
import { eventually } from "../fixture.js";
import { ownWords } from "../mock-model/said.js";
import { digest, prompt } from "../mock-model/script.js";
import { type AgentFixture, agentFixture } from "./agent-fixture.js";
import { DESCRIBED_AGENTS, type DescribedAgent } from "./described-homes.js";
import { describedPrograms } from "./described-programs.js";

const { TMPM_AGENTS } = process.env;
const chosen = DESCRIBED_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
const HOSTS = ["tmux", "pty", "sdk"] as const;
const cases = chosen.flatMap((agent) =>
  HOSTS.filter((host) => host !== "sdk" || agent.speaks).map((host) => ({ agent, host, id: agent.id })),
);

const LONG_MS = 300_000;
/** Each is a command of an agent, opens a list, or is surrounded by blanks. */
const HARD = [
  "/not-a-command at all",
  "!ls",
  "exit",
  " blanks around \n",
  "a last @word",
  "tab\there",
  "```\ncode\n```",
  "e\u0301 and 👩‍👩‍👧",
];
const TEXT = "Three lines:\n  two blanks stay, 漢字 too\nand the last.";

async function open(agent: DescribedAgent): Promise<AgentFixture> {
  const programs = await describedPrograms();
  return agentFixture({ ...agent, env: (place) => ({ ...agent.env(place), PATH: `${programs}:${process.env.PATH ?? ""}` }) });
}

describe.each(cases)("the real $id on $host", ({ agent, host }) => {
  test("is prompted exactly, reports its last message, asks, fails, is interrupted and resumed", { timeout: LONG_MS }, async () => {
    await using each = await open(agent);
    const { fixture, model, dir } = each;
    const run = async (argv: readonly string[]) => {
      const result = await fixture.tmpm(argv);
      if (result.code === 0) return result.stdout;
      const screen = await fixture.tmpm(["capture", "demo"]);
      throw new Error(`tmpm ${argv.join(" ")}: ${result.code} ${result.stdout}${result.stderr}\n${screen.stdout}`);
    };
    const until = (states: string) => run(["wait", "demo", "--for", states, "--timeout", "90"]);
    const turn = async (text: string) => {
      const { outcome, final_message: words } = JSON.parse(await run(["send", "demo", "--follow", "--json", text]));
      return { outcome, words };
    };
    const said = () => model.exchanges.flatMap(({ conversation }) => conversation.userTexts.map(ownWords));

    const permissions = agent.asks?.permissions === undefined ? [] : ["--permissions", agent.asks.permissions];
    await run(["new", "--agent", agent.id, "--name", "demo", "--cwd", dir, "--host", host, ...permissions]);
    await until("idle");
    const first = await turn(TEXT);
    expect(said()).toContain(TEXT);
    expect(first).toEqual({ outcome: "completed", words: agent.keepsWords || host === "sdk" ? digest(TEXT) : null });

    const adapter = agents().find(agent.id);
    for (const text of HARD) {
      const plan = (host === "sdk" ? adapter.protocol : adapter)?.text?.plan(text);
      expect(plan?.kind).toBe("typed");
      expect(await turn(text), text).toMatchObject({ outcome: "completed" });
      expect(said(), text).toContain(plan?.kind === "typed" ? plan.arrives : text);
    }

    if (agent.asks !== null && (host === "sdk" || agent.asks.onScreen)) {
      const file = join(dir, "allowed.txt");
      await run(["send", "demo", prompt({ run: `touch ${file}`, say: "was allowed" })]);
      await until("awaiting_approval");
      expect(await run(["next", "--print"])).toContain(`touch ${file}`);
      expect(existsSync(file)).toBe(false);
      await run(["approve", "demo"]);
      await until("idle");
      await eventually(async () => (existsSync(file) ? true : null));
    }

    await run(["send", "demo", prompt({ waitMs: 60_000, say: "never said" })]);
    await until("working");
    await run(["interrupt", "demo"]);
    await until("idle");

    await run(["send", "demo", prompt({ status: 400 })]);
    await until("errored,idle");
    expect(await turn(prompt({ say: "works again" }))).toMatchObject({ outcome: "completed" });

    await run(["stop", "demo"]);
    await run(["resume", "demo"]);
    await until("idle");
    const after = prompt({ say: "still here" });
    expect(await turn(after)).toMatchObject({ outcome: "completed" });
    const asked = model.exchanges.findLast(({ conversation }) => conversation.userTexts.map(ownWords).includes(after));
    expect(asked?.conversation.userTexts.join("\n").includes("works again")).toBe(agent.resumes || host === "sdk");
    expect(model.faults).toEqual([]);
  });
});
