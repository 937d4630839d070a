#!/usr/bin/env node
import { fstatSync } from "node:fs";
import { print } from "./terminal/output.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`tmpm: Node ${process.versions.node} is too old; install Node 20.19 or newer from https://nodejs.org`);
  process.exitCode = 6;
} else {
  // By default this signal makes Node open a debugger on loopback to every local user.
  process.on("SIGUSR1", () => undefined);
  const [, , verb] = process.argv;
  void (verb === "hook" && process.argv.length === 3 ? hook() : verb === "__complete" ? completions() : main());
}

async function main(): Promise<void> {
  const { run } = await import("./run.js");
  process.exitCode = await run(process.argv.slice(2), { env: process.env, print, columns });
}

/** Loaded only when text is printed: terminal detection costs a tenth of a start. */
async function columns(fd: 1 | 2): Promise<number | null> {
  if (!fstatSync(fd).isCharacterDevice()) return null;
  const { terminalColumns } = await import("./terminal/terminal-columns.js");
  return terminalColumns(fd);
}

/** Agents run this command most often, so it loads nothing else. An input that stays open must not block it. */
async function hook(): Promise<void> {
  const { reportHook } = await import("./daemon/report-hook.js");
  await reportHook({ env: process.env, input: process.stdin, calledMsAgo: performance.now() });
  process.exit(0);
}

/** Called by shells on every Tab: `tmpm __complete SHELL WORD...`. */
async function completions(): Promise<void> {
  const { complete } = await import("./completion/complete.js");
  const [shell = "", ...words] = process.argv.slice(3);
  const lines = await complete(words, { shell, env: process.env });
  if (lines.length > 0) print(`${lines.join("\n")}\n`, 1);
}
