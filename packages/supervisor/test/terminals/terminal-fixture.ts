import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentAdapter } from "@tmpm/agents";
import { bundledProgram } from "@tmpm/holder/testing";
import { expect } from "vitest";
import type { Settings } from "../../src/index.js";
import type { ComposerBehaviour } from "../fixtures/composer-program.js";
import { composer } from "../fixtures/fixture.js";
import { launchedLongAgo, type RealFixture, type RealHost, realFixture } from "../fixtures/real-fixture.js";
import { turnAgent } from "../fixtures/turn-agent.js";

/** One behaviour that is the same in every terminal. */
export interface TerminalCase {
  readonly title: string;
  run(hostFixture: TerminalFixture): Promise<void>;
  readonly settings?: Partial<Settings>;
}

/** A real fixture with agents in its terminals that report their input. */
export interface TerminalFixture {
  readonly fixture: RealFixture;
  /** A session of the agent with its own input line. */
  compose(habits?: ComposerBehaviour): Promise<void>;
  /** A session of the agent whose prompts define its behaviour. */
  turner(name?: string): Promise<void>;
  /** Input of the session's program: text, and each Enter, Escape and C-c as a separate item. */
  received(name?: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The machine may be busy. */
export const eventually = <T>(probe: () => T | Promise<T>) => expect.poll(probe, { timeout: 60_000 });

export async function terminalFixture(host: RealHost, settings: Partial<Settings> = {}): Promise<TerminalFixture> {
  const entry = await bundledProgram(join(import.meta.dirname, "terminal-agent.ts"));
  const fixture = await realFixture({
    host,
    settings: { readyMs: 30_000, confirmMs: 15_000, cancelGraceMs: 15_000, ...settings },
    adapters: [composer, turnAgent].map((adapter) => realAdapter(adapter, entry)),
  });
  const logs = new Map<string, string>();
  const open = async (agent: "composer" | "turner", { name, argv }: { readonly name: string; readonly argv: readonly string[] }) => {
    const log = join(await fixture.newFolder(), "read");
    await writeFile(log, "");
    logs.set(name, log);
    await fixture.sessions.create({ agent, argv: [log, agent, ...argv], cwd: fixture.folder, name });
    const { record } = await fixture.sessions.wait({ session: name, until: ["idle", "blocked"], timeout_ms: 30_000 });
    await launchedLongAgo(fixture, record.id);
  };
  return {
    fixture,
    compose: (habits = {}) => open("composer", { name: "demo", argv: [JSON.stringify(habits)] }),
    turner: (name = "demo") => open("turner", { name, argv: [] }),
    received: async (name = "demo") => joined(await readFile(logs.get(name) ?? "", "utf8")),
    close: () => fixture[Symbol.asyncDispose](),
  };
}

/** The same adapter, with the real program, whose work is detected even if it is over before the first observation. */
function realAdapter(adapter: AgentAdapter, entry: string): AgentAdapter {
  return {
    ...adapter,
    submitted: ({ now, text }) => {
      const typed = now.lines.lastIndexOf(`> ${text}`);
      const begun = now.lines.slice(typed + 1).some((line) => line === "working" || line === "allow it?");
      return typed >= 0 && begun ? "it works" : null;
    },
    detect: async () => ({ installed: true, path: entry, version: null }),
    launch: async ({ config, conversationId, newId }) => ({
      argv: [process.execPath, entry, ...(config.argv ?? [])],
      env: {},
      conversationId: conversationId ?? newId(),
      carriesPrompt: false,
    }),
  };
}

/** Joins text that came in several pieces. */
function joined(log: string): readonly string[] {
  const pieces: string[] = [];
  for (const line of log.split("\n").filter((each) => each !== "")) {
    const piece: string = JSON.parse(line);
    const last = pieces.at(-1);
    if (last === undefined || isKey(last) || isKey(piece)) pieces.push(piece);
    else pieces[pieces.length - 1] = last + piece;
  }
  return pieces;
}

function isKey(piece: string): boolean {
  return ["\r", "\u001b", "\u0003"].includes(piece);
}

/** The prompts in the input of a session's program. */
export function promptsOf(received: readonly string[]): readonly string[] {
  return received.filter((piece) => !isKey(piece));
}
