import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agents, command, shell } from "@tmpm/agents";
import { bundledProgram } from "@tmpm/holder/testing";
import { sdkHost } from "@tmpm/sdk-driver";
import { expect } from "vitest";
import { type Step, supervisor } from "../src/index.js";
import type { HostFixture } from "./host-fixture.js";
import { memoryPorts } from "./memory-ports.js";

const AGENT = createRequire(import.meta.url).resolve("@tmpm/sdk-driver/scripted-agent");

/** A supervisor over protocol agents, each in its own holder. */
export async function conversationFixture(): Promise<HostFixture> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-"));
  const cwd = join(folder, "work");
  await mkdir(cwd);
  const entry = await bundledProgram(join(import.meta.dirname, "sdk-holder.ts"));
  const driver = sdkHost({ base: join(folder, "h"), entry, env: process.env, home: "a", version: "0" });
  const { ports, events, faults, store } = memoryPorts(folder);
  let stepped: ((step: Step) => void) | null = null;
  const open = () =>
    supervisor({
      ...ports,
      hosts: [driver],
      agent: agents([shell, command]).find,
      reached: (step) => stepped?.(step),
      settings: {
        sessionEnv: { PATH: process.env.PATH ?? "" },
        homeDir: folder,
        settleMs: 50,
        suspicionMs: 200,
        homeTag: "a",
        readyMs: 30_000,
      },
    });
  const supervisors = [open()];
  const [sessions] = supervisors;
  if (sessions === undefined) throw new TypeError("there is a first supervisor");
  return {
    sessions,
    store,
    events,
    faults,
    driver,
    job: { agent: "command", control: "Sdk", argv: [process.execPath, AGENT, JSON.stringify({ store: join(folder, "said") })] },
    cwd,
    onStep: (listener) => {
      stepped = listener;
    },
    restarted() {
      const again = open();
      supervisors.push(again);
      return again;
    },
    async end({ pane }, status) {
      if (pane === null) return;
      const prompted = () => driver.conversation.prompt(pane, { key: randomUUID(), text: `agent: {"exit": ${status}}` });
      // An agent that has just started accepts none.
      await expect.poll(async () => (await prompted()).kind).not.toBe("refused");
    },
    async dispose() {
      await Promise.all(supervisors.map((one) => one.close()));
      const answer = await driver.list();
      const left = answer.kind === "present" ? answer.value : [];
      await Promise.all(left.map(({ identity }) => driver.kill(identity, { graceMs: 0 })));
      await driver.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
