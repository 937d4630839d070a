import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../fixture.js";
import { type AgentFixture, agentFixture } from "./agent-fixture.js";
import { REAL_AGENTS } from "./agent-homes.js";

const { TMPM_AGENTS, TMPM_TEST_SCALE = "1" } = process.env;
const STARTS = Math.ceil(8 * Number(TMPM_TEST_SCALE));
/** Gemini CLI takes servers only from its user's settings, so that a grant starts none. */
const chosen = REAL_AGENTS.filter(({ id }) => id !== "gemini" && (TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id)));

describe.each(chosen)("start of the real $id", (agent) => {
  let place: AgentFixture;
  let started = 0;

  beforeAll(async () => {
    place = await agentFixture(agent);
    // What only a first start does.
    for (const grant of [[], GRANT]) await start(grant);
  }, 900_000);

  afterAll(() => place[Symbol.asyncDispose](), 120_000);

  /** Milliseconds until its input is ready, and the memory of its tool server. */
  async function start(grant: readonly string[]): Promise<{ readonly ms: number; readonly memory: Memory | null }> {
    started += 1;
    const name = `start-${started}`;
    const from = performance.now();
    const { id } = await place.fixture.json<{ id: string }>(["new", "--agent", agent.id, "--name", name, "--cwd", place.dir, ...grant]);
    await place.fixture.json(["wait", name, "--timeout", "300"]);
    const ms = performance.now() - from;
    // Codex starts it later.
    const memory = grant.length === 0 ? null : await eventually(async () => serverMemory(id));
    await place.fixture.tmpm(["stop", name]);
    return { ms, memory };
  }

  test("with a grant starts tmpm's tool server; prints the time and memory that it adds", { timeout: STARTS * 120_000 }, async () => {
    const without: number[] = [];
    const withServer: number[] = [];
    const used: Memory[] = [];
    for (let round = 0; round < STARTS; round++) {
      without.push((await start([])).ms);
      const { ms, memory } = await start(GRANT);
      withServer.push(ms);
      if (memory !== null) used.push(memory);
    }
    const [bare, served] = [median(without), median(withServer)];
    console.info(
      `${agent.id}: ready after ${Math.round(bare)} ms without the server and ${Math.round(served)} ms with it (medians of ${STARTS}), ${(served / bare).toFixed(2)}x; the server has ${Math.round(median(used.map(({ all }) => all)))} MB, of which ${Math.round(median(used.map(({ own }) => own)))} MB are not Node's program`,
    );
    expect(used.flatMap(({ all, own }) => [all, own]).filter((mb) => !(mb > 0))).toEqual([]);
  });
});

const GRANT = ["--grant", "tree,children=2"];

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** In MB: resident memory, and the part of it that is not shared with other programs of the same Node. */
interface Memory {
  readonly all: number;
  readonly own: number;
}

/** Of the `tmpm mcp` of a session; null before it has started. */
function serverMemory(session: string): Memory | null {
  const pid = readdirSync("/proc").find((each) => {
    const words = textOf(`/proc/${each}/cmdline`).split("\0");
    return words.includes("mcp") && words.some((word) => word.endsWith("main.cjs")) && textOf(`/proc/${each}/environ`).includes(session);
  });
  if (pid === undefined) return null;
  const status = textOf(`/proc/${pid}/status`);
  const mb = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  return { all: mb("VmRSS"), own: mb("RssAnon") };
}

/** Empty for a process that has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
