import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { chromium } from "playwright-core";
import { atEnd } from "../../../scripts/bench/benchmark.mjs";

const run = promisify(execFile);
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

export const PROGRAM = resolve(import.meta.dirname, "../../../tmpm");

/** A daemon with a temporary home, and a browser that is logged in to it. Both end with `end`, or with the benchmark. */
export async function workshop() {
  const executablePath = process.env.TMPM_CHROMIUM ?? INSTALLED.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error("no Chromium: install Debian's package, or set TMPM_CHROMIUM");
  const home = mkdtempSync(join(tmpdir(), "tmpm-page-bench-"));
  const env = { ...process.env, TMPM_HOME: join(home, "state"), LANG: "C.UTF-8", TERM: "xterm-256color", SHELL: "/bin/sh", PS1: "$ " };
  const tmux = (...argv) => run("tmux", ["-S", join(env.TMPM_HOME, "run", "tmux.sock"), ...argv]);
  const stop = atEnd(async () => {
    await run(PROGRAM, ["daemon", "stop"], { env }).catch(() => undefined);
    await tmux("kill-server").catch(() => undefined);
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  await run(PROGRAM, ["web", "--no-open", "--json"], { env });
  const api = client({ transport: localTransport({ socket: join(env.TMPM_HOME, "run", "tmpm.sock") }) });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const close = atEnd(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(300_000);
  const { url } = await api.createLoginCode({ scope: "operator" });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector(".list");
  const base = page.url().replace(/#.*/, "");
  await page.close();
  const end = async () => {
    await close();
    await stop();
  };
  return { api, env, home, context, base, end };
}

/** Creates sessions with these numbers, several at once. */
export async function sessions({ api, home }, { count, name, argv }) {
  const left = Array.from({ length: count }, (_, index) => `${name}${index}`);
  const next = async () => {
    for (let each = left.shift(); each !== undefined; each = left.shift())
      await api.create({ agent: "command", name: each, cwd: home, argv });
  };
  await Promise.all([next(), next(), next(), next()]);
}
