import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreateSpec, PaneInfo, Screen } from "@tmpm/core";
import { endHeld, identityOf, leaveHolder, listHolders } from "@tmpm/holder";
import { signalProcess, until } from "@tmpm/processes";
import { expect, onTestFinished } from "vitest";
import { type PtyDriver, type PtyOptions, ptyDriver } from "../src/index.js";
import { builtPrograms } from "./built-programs.js";

export type Argv = CreateSpec["argv"];

/** A driver with its own folder; everything that it started ends with the test. */
export interface PtyFixture {
  readonly folder: string;
  readonly base: string;
  readonly cwd: string;
  readonly driver: PtyDriver;
  /** Another driver on the same holders, as in another process. */
  another(options?: Partial<PtyOptions>): PtyDriver;
  create(argv: Argv, more?: Partial<CreateSpec>): Promise<PaneInfo>;
  shows(pane: PaneInfo, text: string): Promise<Screen>;
  close(): Promise<void>;
}

export async function openHostFixture(options: Partial<PtyOptions> = {}): Promise<PtyFixture> {
  const fixture = await makeFixture(options);
  onTestFinished(fixture.close);
  return fixture;
}

export async function makeFixture(options: Partial<PtyOptions> = {}): Promise<PtyFixture> {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-pty-"));
  const base = join(folder, "h");
  const cwd = join(folder, "a #{pid}");
  mkdirSync(cwd);
  const programs = await builtPrograms();
  const drivers: PtyDriver[] = [];
  const another = (more: Partial<PtyOptions> = {}) => {
    const made = ptyDriver({ base, ...programs, env: { PATH: process.env.PATH, HOME: folder }, patienceMs: 15_000, ...options, ...more });
    drivers.push(made);
    return made;
  };
  const driver = another();
  return {
    folder,
    base,
    cwd,
    driver,
    another,
    create(argv, more = {}) {
      const sessionId = randomUUID();
      const name = `s-${sessionId.slice(0, 8)}`;
      const env = { TMPM_SESSION_ID: more.sessionId ?? sessionId };
      return driver.create({ sessionId, tmuxName: name, cwd, argv, env, columns: 80, rows: 24, ...more });
    },
    shows: (pane, text) => screenWith(driver, { pane, text }),
    async close() {
      for (const one of drivers) await one.close();
      await endAll(base);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** Ends the holders of a folder, and their programs. */
export async function endAll(base: string): Promise<void> {
  for (const found of await listHolders(base)) {
    if (found.kind === "unstarted" || found.kind === "unreadable") continue;
    if (found.kind === "running") signalProcess(found.facts.pid, "SIGCONT");
    await endHeld(identityOf(found.facts), { graceMs: 0 });
    await leaveHolder(identityOf(found.facts));
  }
}

export async function screenWith(driver: PtyDriver, { pane, text }: { readonly pane: PaneInfo; readonly text: string }): Promise<Screen> {
  let screen = await driver.capture(pane.identity);
  const has = async () => {
    screen = await driver.capture(pane.identity);
    return screen.lines.some((line) => line.includes(text));
  };
  if (!(await until(has, { withinMs: 100_000, everyMs: 15 })))
    expect.fail(`still ${JSON.stringify(screen.lines.filter((line) => line !== ""))}`);
  return screen;
}

export async function eventually(probe: () => Promise<boolean> | boolean): Promise<void> {
  expect(await until(async () => probe(), { withinMs: 100_000, everyMs: 15 }), `waited for ${probe}`).toBe(true);
}

export function script(text: string, ...args: readonly string[]): Argv {
  return ["/bin/sh", "-c", text, "sh", ...args];
}

/** Reads raw, shows `ready`, and stores every byte in a file of the folder. */
export function recorder(fixture: Pick<PtyFixture, "folder">, { framed = false } = {}): Argv {
  const mode = framed ? "\\033[?2004h" : "";
  return script(`stty raw -echo; printf '${mode}ready'; exec cat > "$1/$TMPM_SESSION_ID.received"`, fixture.folder);
}

/** Number of bytes that the recorder has stored so far. */
export function sizeReceived({ folder }: Pick<PtyFixture, "folder">, { sessionId }: Pick<PaneInfo, "sessionId">): number {
  return statSync(join(folder, `${sessionId}.received`), { throwIfNoEntry: false })?.size ?? 0;
}

export function received({ folder }: Pick<PtyFixture, "folder">, { sessionId }: Pick<PaneInfo, "sessionId">): string {
  try {
    return readFileSync(join(folder, `${sessionId}.received`), "utf8");
  } catch {
    // The program has not opened it yet.
    return "";
  }
}
