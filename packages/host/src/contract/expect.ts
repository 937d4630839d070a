import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type ErrorCode, isTmpmError, type PaneInfo } from "@tmpm/core";
import type { HostScreen } from "../host.js";
import type { Argv, HostHarness, TerminalPrograms } from "./harness.js";

const PATIENCE_MS = 30_000;

/** Asks until the answer passes; a case with a real program behind it can only poll. */
export async function eventually<T>(ask: () => Promise<T>, passes: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await ask();
    if (passes(value)) return value;
    if (Date.now() > deadline) assert.fail(`still ${JSON.stringify(value)} after ${PATIENCE_MS} ms`);
    await sleep(20);
  }
}

/** Fails with one of the codes. What says that a terminal is not there has certainly done nothing. */
export async function rejects(promise: Promise<unknown>, ...codes: readonly ErrorCode[]): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(isTmpmError(error), `a TmpmError, not ${String(error)}`);
    assert.ok(codes.includes(error.code), `${codes.join(" or ")}, not ${error.code}: ${error.message}`);
    if (error.code.startsWith("PANE_")) assert.equal(error.effect, "none");
    return true;
  });
}

/** The value of an answer that has to be present. */
export function present<T>(answer: Answer<T> | undefined): T {
  if (answer?.kind !== "present") assert.fail(`present, not ${answer?.kind}`);
  return answer.value;
}

/** The member that a host with terminals has. */
export function having<T>(member: T | undefined): T {
  assert.ok(member !== undefined, "the host has what a verb that it does not rule out needs");
  return member;
}

/** The programs of a host whose cases about terminals are declared. */
export function inTerminal({ terminals }: HostHarness): TerminalPrograms {
  assert.ok(terminals !== null, "the harness has programs for terminals");
  return terminals;
}

/** The session id that a case's short `id` stands for. */
export function idOf(harness: HostHarness, id: string): string {
  return `${id}-${harness.unique}`;
}

export interface Wanted {
  readonly id: string;
  readonly argv: Argv;
  readonly env?: Readonly<Record<string, string>>;
}

export function create(harness: HostHarness, { id, argv, env = {} }: Wanted): Promise<PaneInfo> {
  const sessionId = idOf(harness, id);
  return harness.host.create({
    ...{ sessionId, tmuxName: id, cwd: harness.cwd, argv, columns: 80, rows: 24 },
    env: { PATH: process.env.PATH ?? "", TMPM_SESSION_ID: sessionId, ...env },
    beginning: { conversationId: null, overrides: {} },
  });
}

/** The screen once it shows the text. */
export function shows(harness: HostHarness, { pane, text }: { readonly pane: PaneInfo; readonly text: string }): Promise<HostScreen> {
  return eventually(
    () => harness.host.capture(pane.identity),
    (screen) => screen.lines.some((line) => line.includes(text)),
  );
}

/** The terminal once its program has ended. */
export async function ended(harness: HostHarness, pane: PaneInfo): Promise<PaneInfo> {
  const answer = await eventually(
    () => harness.host.find(pane.identity),
    (found) => found.kind === "present" && found.value.exit !== null,
  );
  return present(answer);
}

/** A session whose recorder is ready to read. */
export async function recorder(harness: HostHarness, framed = false): Promise<PaneInfo> {
  const pane = await create(harness, { id: "one", argv: inTerminal(harness).recorder({ framed }) });
  await shows(harness, { pane, text: "ready" });
  return pane;
}

/** What the recorder has read once it is as long as expected. */
export function receives(harness: HostHarness, expected: string): Promise<string> {
  return eventually(
    () => harness.received(idOf(harness, "one")),
    (text) => text.length >= expected.length,
  );
}
