import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { eventually, type Fixture, fixture, gone } from "./fixture.js";

const PROGRAM = resolve(import.meta.dirname, "../tmpm");

interface PrintedEvent {
  readonly seq: number;
  readonly type: string;
  readonly session_id: string | null;
  readonly project_id?: string;
  readonly from?: string;
  readonly to?: string;
}

test("the journal has a session's whole life across a restart and a kill of the daemon, without gaps or duplicates", async () => {
  await using w = await fixture();
  const { id } = await w.json<{ id: string }>(["new", "--name", "demo", "--project", "web"]);
  await using follower = follow(w);
  await w.api.send({ session: "demo", text: "echo hi" });
  await w.api.stop({ session: "demo" });
  await w.json(["daemon", "restart"]);
  await w.json(["resume", "demo"]);
  await reaches(w, "active");
  const pid = await w.daemonPid();
  process.kill(pid, "SIGKILL");
  await gone(pid);
  await w.json(["rm", "demo"]);

  await reaches(w, "decommissioned");
  const life = await printed(w, ["demo"]);
  expect(life.every(({ session_id, project_id }) => session_id === id && project_id === "web")).toBe(true);
  expect(life[0]?.type).toBe("session_created");
  expect(life.map(({ type }) => type)).toContain("session_text_sent");
  const steps = life.filter(({ type }) => type === "session_state_changed").map(({ from, to }) => `${from} ${to}`);
  expect(steps.slice(0, 3)).toEqual(["provisioning active", "active stopped", "stopped active"]);
  expect(steps.at(-1)).toMatch(/ decommissioned$/);

  const all = await printed(w);
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
  const newest = all.at(-1)?.seq ?? 0;
  await eventually(async () => ((follower.printed.at(-1)?.seq ?? 0) >= newest ? true : null));
  expect(follower.printed.slice(0, all.length)).toEqual(all);
  // Other events of the session may follow.
  expect((await printed(w, ["demo", "--after", String(life[1]?.seq)])).slice(0, life.length - 2)).toEqual(life.slice(2));
  expect((await printed(w, ["--project", "web"])).slice(0, life.length)).toEqual(life);
  expect((await w.tmpm(["events", "demo", "--last", "1"])).stdout).toMatch(/^ *\d+[sm] {2}demo {14}.+\n$/);
}, 240_000);

async function printed(w: Fixture, args: readonly string[] = []): Promise<readonly PrintedEvent[]> {
  const { stdout, stderr, code } = await w.tmpm(["events", ...args, "--json"]);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line): PrintedEvent => JSON.parse(line));
}

/** Waits until this state is the last one in the events of the session. */
async function reaches(w: Fixture, state: string): Promise<void> {
  await eventually(async () => {
    const { events } = await w.api.events({ session: "demo", type: "session_state_changed" });
    const last = events.at(-1);
    return last !== undefined && "to" in last && last.to === state ? true : null;
  });
}

/** `tmpm events --follow` as a script runs it. */
function follow(w: Fixture) {
  const child = spawn(PROGRAM, ["events", "--follow", "--json"], { env: w.env, cwd: w.dir, stdio: ["ignore", "pipe", "inherit"] });
  const lines: PrintedEvent[] = [];
  createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
  const ended = new Promise((done) => child.once("close", done));
  return {
    printed: lines,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
