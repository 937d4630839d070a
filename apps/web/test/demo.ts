import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Bench } from "./page-fixture.js";

const run = promisify(execFile);

interface Wanted {
  readonly name: string;
  readonly at: string;
  readonly task: string;
  readonly does: "asks" | "works" | "rests" | "prints" | "paused" | "stopped" | "fails";
  /** The agent to run or the text to print. */
  readonly with?: string;
}

/** Sessions in many states, as on a typical afternoon. */
const SESSIONS: readonly Wanted[] = [
  {
    name: "api-login",
    at: "fixture/api",
    task: "Add the login form and its migration",
    does: "asks",
    with: "npm run migrate -- --env staging",
  },
  { name: "release", at: "fixture/web", task: "Prepare release 4.2", does: "asks", with: "git push origin release/4.2" },
  { name: "clean-up", at: "tools", task: "Remove unused modules", does: "asks", with: "rm -r src/legacy" },
  { name: "fix-flaky", at: "fixture/web", task: "Find out why the cart test fails on Mondays", does: "works" },
  { name: "upgrade-zod", at: "fixture/core", task: "Move to zod 4", does: "works" },
  { name: "guide", at: "docs", task: "Write the guide for webhooks", does: "works" },
  { name: "bench", at: "fixture/core", task: "Benchmarks before and after", does: "prints", with: "checkout p50 1.21 ms" },
  { name: "watch-logs", at: "fixture/api", task: "Logs of the staging cluster", does: "prints", with: "GET /cart 200" },
  { name: "e2e", at: "fixture/web", task: "End-to-end tests in a loop", does: "prints", with: "ok 41 checkout with a voucher" },
  { name: "review-1182", at: "fixture/api", task: "Address the comments of pull request 1182", does: "rests" },
  { name: "importer", at: "tools", task: "Import prices from the new supplier", does: "fails" },
  { name: "nightly", at: "tools", task: "The nightly report", does: "stopped" },
  { name: "search-index", at: "fixture/core", task: "Rebuild the search index without downtime", does: "paused" },
  ...["vouchers", "invoices", "i18n-de", "i18n-fr", "dark-mode", "a11y", "typos", "metrics", "tracing", "sitemap"].map(
    (name, index): Wanted => ({ name, at: ["fixture/web", "fixture/api", "docs"][index % 3] ?? "docs", task: "", does: "rests" }),
  ),
  ...["spike-sse", "spike-wasm", "old-docs", "demo-day"].map((name): Wanted => ({ name, at: "tools", task: "", does: "stopped" })),
  { name: "backfill", at: "fixture/core", task: "Backfill the order totals", does: "prints", with: "batch 118 of 400" },
  { name: "warehouse", at: "fixture/api", task: "Sync with the warehouse", does: "paused" },
  { name: "shell", at: "docs", task: "", does: "rests" },
];

const FILES = [
  "export function total(items) {",
  "  let sum = 0;",
  "  for (const item of items) sum += item.price;",
  "  return sum;",
  "}",
  "",
];

/** Repositories for the demonstration, each with a commit. */
async function repositories(b: Bench): Promise<void> {
  for (const at of new Set(SESSIONS.map((each) => each.at))) {
    const dir = join(b.dir, at);
    const git = (...argv: readonly string[]) =>
      run("git", ["-C", dir, "-c", "user.name=Demo", "-c", "user.email=demo@example.com", ...argv], { env: { PATH: b.path, HOME: b.dir } });
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, "total.js"), FILES.join("\n"));
    await git("init", "-q", "-b", "main");
    await git("add", ".");
    await git("commit", "-qm", "Begin");
  }
}

/** Starts the first `most` of them. */
export async function demo(b: Bench, most = SESSIONS.length): Promise<void> {
  await repositories(b);
  const wanted = SESSIONS.slice(0, most);
  const waiting = [...wanted];
  const next = async (): Promise<void> => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) await begin(b, each);
  };
  await Promise.all(Array.from({ length: 4 }, next));
}

async function begin(b: Bench, { name, at, task, does, with: what = "" }: Wanted): Promise<void> {
  const cwd = join(b.dir, at);
  const spoken = does === "asks" || does === "works";
  const start = { name, cwd, ...(task === "" ? {} : { task }) };
  if (does === "fails") {
    // It fails only once it is reported as running.
    await b.api.create({ ...start, agent: "command", argv: ["sh", "-c", "read go; echo 'fetch failed: 401 Unauthorized'; exit 3"] });
    await b.api.keys({ session: name, keys: ["Enter"] });
    return;
  }
  await b.api.create({ ...start, agent: spoken ? "claude" : "shell", search_path: b.path });
  await b.api.wait({ session: name, until: "idle", timeout_ms: "100000" });
  if (does === "asks") {
    await b.api.send({ session: name, text: `RUN:${what}` });
    await b.api.wait({ session: name, until: "awaiting_approval", timeout_ms: "100000" });
    await expect.poll(async () => (await b.api.show({ session: name })).decision?.subject).toContain(what);
  } else if (does === "works") await b.api.send({ session: name, text: "SLOW:900", no_wait: true });
  else if (does === "prints")
    await b.api.send({ session: name, text: `while :; do echo "$(date +%T) ${what}"; sleep 5; done`, no_wait: true });
  else if (does === "paused") await b.api.pause({ session: name });
  else if (does === "stopped") await b.api.stop({ session: name });
}
