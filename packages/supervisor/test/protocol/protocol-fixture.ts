import { createRequire } from "node:module";
import { join } from "node:path";
import type { SessionRecord } from "@tmpm/core";
import { expect } from "vitest";
import type { Settings } from "../../src/index.js";
import { recordOf } from "../fixtures/host-fixture.js";
import { type RealFixture, realFixture } from "../fixtures/real-fixture.js";

const AGENT = createRequire(import.meta.url).resolve("@tmpm/sdk-driver/scripted-agent");

/** One behaviour of protocol sessions: the terminal cases that need no terminal. */
export interface SpokenCase {
  readonly title: string;
  run(hostFixture: SpokenFixture): Promise<void>;
  readonly settings?: Partial<Settings>;
}

/** A real fixture with scripted agents that speak the Agent Client Protocol. */
export interface SpokenFixture {
  readonly fixture: RealFixture;
  create(name?: string): Promise<void>;
  record(): Promise<SessionRecord>;
  state(): Promise<string>;
  /** The displayed conversation. */
  lines(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The scripted agent's reaction to a prompt. */
export function script(does: Readonly<Record<string, unknown>>): string {
  return `agent: ${JSON.stringify(does)}`;
}

/** The machine may be busy. */
export const eventually = <T>(probe: () => T | Promise<T>) => expect.poll(probe, { timeout: 60_000 });

export async function spokenFixture(settings: Partial<Settings> = {}): Promise<SpokenFixture> {
  const fixture = await realFixture({ host: "sdk", started: true, settings: { readyMs: 30_000, autoResume: false, ...settings } });
  const { folder } = fixture;
  const argv = [process.execPath, AGENT, JSON.stringify({ store: join(folder, "said") })];
  return {
    fixture,
    async create(name = "demo") {
      await fixture.sessions.create({ agent: "command", control: "Sdk", cwd: folder, name, argv });
      await fixture.sessions.wait({ session: name, until: "idle", timeout_ms: 40_000 });
    },
    record: () => recordOf(fixture, "demo"),
    state: async () => (await fixture.sessions.show({ session: "demo" })).activity.state,
    lines: async () => (await fixture.sessions.capture({ session: "demo", history: 1_000 })).lines,
    close: () => fixture[Symbol.asyncDispose](),
  };
}
