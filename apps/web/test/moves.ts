import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Bench } from "./page-fixture.js";

export const row = (name: string) => `[data-session="${name}"]`;

export async function open(page: Page, name: string, view?: "reading" | "terminal" | "changes"): Promise<void> {
  await page.click(row(name));
  await page.waitForSelector(".session .head");
  if (view !== undefined) await page.click(`.segments a[href$="/${view}"]`);
}

export async function shell(b: Bench, name: string): Promise<void> {
  await b.api.create({ agent: "shell", cwd: b.dir, name });
  await b.api.wait({ session: name, until: "idle" });
}

/** A session that works until it is interrupted, and then accepts prompts. */
export async function working(b: Bench, name: string): Promise<void> {
  await b.api.create({ agent: "claude", cwd: b.dir, name, search_path: b.path });
  await b.api.wait({ session: name, until: "idle", timeout_ms: "60000" });
  await b.api.send({ session: name, text: "SLOW:900", no_wait: true });
  await b.api.wait({ session: name, until: "working", timeout_ms: "60000" });
}

/** A session that waits for the approval of a command. */
export async function asking(b: Bench, name: string, command: string): Promise<void> {
  await b.api.create({ agent: "claude", cwd: b.dir, name, search_path: b.path });
  await b.api.wait({ session: name, until: "idle", timeout_ms: "60000" });
  await b.api.send({ session: name, text: `RUN:${command}` });
  await b.api.wait({ session: name, until: "awaiting_approval", timeout_ms: "60000" });
  await expect.poll(async () => (await b.api.show({ session: name })).decision?.subject).toContain(command);
}

/** Makes the working directory a repository with one file of three lines. */
export async function repository(b: Bench): Promise<void> {
  const git = (...argv: readonly string[]) =>
    promisify(execFile)("git", ["-C", b.dir, "-c", "user.name=T", "-c", "user.email=t@example.com", ...argv], {
      env: { PATH: b.path, HOME: b.dir },
    });
  await writeFile(join(b.dir, "total.js"), "one\ntwo\nthree\n");
  await git("init", "-q", "-b", "main");
  await git("add", "total.js");
  await git("commit", "-qm", "Begin");
}
