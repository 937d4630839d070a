import { setTimeout as sleep } from "node:timers/promises";
import { isTmpmError } from "@tmpm/core";
import { signalProcess } from "@tmpm/processes";
import { expect } from "vitest";
import { eventually } from "../../src/contract/expect.js";
import { idOf } from "../../src/contract/sessions.js";
import type { TmuxFixture } from "../tmux-fixture.js";
import { judgedPanes, runs, startLookalike } from "./judge.js";
import { type MarkedPane, markedPane, received } from "./marked-pane.js";
import { type Call, DEADLINES } from "./operations.js";
import { type Chance, pick } from "./seeded.js";

export const DISTURBANCES = ["killed", "stopped", "restarted"] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

export interface Stage {
  readonly fixture: TmuxFixture;
  readonly target: MarkedPane;
  readonly bystander: MarkedPane;
  readonly chance: Chance;
}

/** The reported outcome of a call: that it had its effect, that it had none, or neither. */
export interface Ended {
  readonly call: Call;
  readonly outcome: "done" | "undone" | "unknown";
}

type Judge = (ended: readonly Ended[]) => Promise<void>;

/** Disturbs the server, waits for the driver to recover, and returns a function that judges the calls once they have ended. */
export function disturb(disturbance: Disturbance, stage: Stage): Promise<Judge> {
  return { killed, stopped, restarted }[disturbance](stage);
}

async function stopped({ fixture, target, bystander, chance }: Stage): Promise<Judge> {
  const { server_pid: server } = target.pane.identity;
  process.kill(server, "SIGSTOP");
  await sleep(pick([30, 300, DEADLINES.mutate + 500], chance));
  process.kill(server, "SIGCONT");
  await recovers(fixture);
  return async (ended) => {
    expect(runs(bystander.pane.pid)).toBe(true);
    // A paste or a new pane may take a moment to become visible.
    await expect.poll(async () => contradictions(ended, await judgedPanes(fixture)), { interval: 50 }).toEqual([]);
  };
}

async function killed({ fixture, target }: Stage): Promise<Judge> {
  const { server_pid: server } = target.pane.identity;
  await endServer(server);
  let attempt = 0;
  // A create that timed out may still have happened, so each attempt has its own name.
  await eventually(
    () =>
      markedPane(fixture, `again${attempt++}-${server}`).then(
        () => null,
        (error: unknown) => error,
      ),
    (error) => {
      if (error !== null && !isTmpmError(error)) throw error;
      return error === null;
    },
  );
  await recovers(fixture);
  return async () => undefined;
}

async function restarted({ fixture, target, bystander }: Stage): Promise<Judge> {
  const tags = [target.id, bystander.id];
  await endServer(target.pane.identity.server_pid);
  const lookalike = await startLookalike(fixture, tags);
  await recovers(fixture);
  return async () => {
    const baits = (await judgedPanes(fixture)).filter(({ tag }) => tags.some((id) => idOf(fixture, id) === tag));
    expect(baits.map(({ pid }) => runs(pid))).toEqual([true, true]);
    expect(tags.map((id, index) => received(fixture, `bait${index}-${id}`))).toEqual(["", ""]);
    await endServer(lookalike);
  };
}

function contradictions(ended: readonly Ended[], panes: Awaited<ReturnType<typeof judgedPanes>>): string[] {
  return ended.flatMap(({ call, outcome }) => (outcome === "unknown" || call[outcome](panes) ? [] : [`not ${outcome}: ${call.name}`]));
}

async function endServer(pid: number): Promise<void> {
  signalProcess(pid, "SIGKILL");
  await eventually(
    async () => runs(pid),
    (running) => !running,
  );
}

/** The driver reports the same as another tmux process, over its connection and without it. */
async function recovers(fixture: TmuxFixture): Promise<void> {
  const same = async () => {
    const list = await fixture.driver.list();
    const reported = list.kind === "present" ? list.value.map(({ identity }) => identity.pane_id).sort() : null;
    const judged = (await judgedPanes(fixture)).map(({ pane_id }) => pane_id).sort();
    return fixture.driver.transport === "control" && JSON.stringify(reported) === JSON.stringify(judged);
  };
  await eventually(same, (equal) => equal);
}
