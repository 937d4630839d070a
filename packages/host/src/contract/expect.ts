import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type ErrorCode, isTmpmError, type PaneInfo } from "@tmpm/core";
import type { HostScreen } from "../host.js";
import type { Argv, HostFixture, TerminalPrograms } from "./fixture.js";

const PATIENCE_MS = 30_000;

/** Polls until the answer passes; a case with a real program has no other way. */
export async function eventually<T>(ask: () => Promise<T>, passes: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await ask();
    if (passes(value)) return value;
    if (Date.now() > deadline) assert.fail(`still ${JSON.stringify(value)} after ${PATIENCE_MS} ms`);
    await sleep(20);
  }
}

/** Fails with one of the codes. An error that reports a missing terminal certainly had no effect. */
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

/** The member of a host with terminals. */
export function having<T>(member: T | undefined): T {
  assert.ok(member !== undefined, "the host has what a verb that it does not rule out needs");
  return member;
}

export function inTerminal({ terminals }: HostFixture): TerminalPrograms {
  assert.ok(terminals !== null, "the fixture has programs for terminals");
  return terminals;
}

/** The session id for a case's short `id`. */
export function idOf(fixture: HostFixture, id: string): string {
  return `${id}-${fixture.unique}`;
}

export interface ExpectedLaunch {
  readonly id: string;
  readonly argv: Argv;
  readonly env?: Readonly<Record<string, string>>;
}

export function create(fixture: HostFixture, { id, argv, env = {} }: ExpectedLaunch): Promise<PaneInfo> {
  const sessionId = idOf(fixture, id);
  return fixture.host.create({
    ...{ sessionId, tmuxName: id, cwd: fixture.cwd, argv, columns: 80, rows: 24 },
    env: { PATH: process.env.PATH ?? "", TMPM_SESSION_ID: sessionId, ...env },
    beginning: { conversationId: null, overrides: {} },
  });
}

/** The screen once it shows the text. */
export function shows(fixture: HostFixture, { pane, text }: { readonly pane: PaneInfo; readonly text: string }): Promise<HostScreen> {
  return eventually(
    () => fixture.host.capture(pane.identity),
    (screen) => screen.lines.some((line) => line.includes(text)),
  );
}

/** The terminal once its program has ended. */
export async function ended(fixture: HostFixture, pane: PaneInfo): Promise<PaneInfo> {
  const answer = await eventually(
    () => fixture.host.find(pane.identity),
    (found) => found.kind === "present" && found.value.exit !== null,
  );
  return present(answer);
}

/** A session whose recorder is ready to read. */
export async function recorder(fixture: HostFixture, framed = false): Promise<PaneInfo> {
  const pane = await create(fixture, { id: "one", argv: inTerminal(fixture).recorder({ framed }) });
  await shows(fixture, { pane, text: "ready" });
  return pane;
}

/** The bytes that the recorder has read, once they are as long as expected. */
export function receives(fixture: HostFixture, expected: string): Promise<string> {
  return eventually(
    () => fixture.received(idOf(fixture, "one")),
    (text) => text.length >= expected.length,
  );
}
