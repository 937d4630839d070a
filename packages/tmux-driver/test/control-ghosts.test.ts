import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "tsup";
import { expect, test } from "vitest";
import { TMUX } from "./tested-tmux.js";

const run = promisify(execFile);
const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
let random = Number(process.env.TMPM_TEST_SEED ?? 1);

/** Between 0 and `below`, reproducible by the seed. */
function chance(below: number): number {
  random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
  return random % below;
}

const OWNERS = [
  { what: "the connection", entry: "link-owner", kills: SCALE >= 10 ? 100 : 2 * SCALE },
  { what: "a pane's only reader", entry: "output-owner", kills: SCALE >= 10 ? 50 : SCALE },
];

test.each(OWNERS)(
  "kill -9 of the owner of $what under output leaves no client, no frozen pane, and a working server",
  {
    timeout: 60_000 * SCALE,
  },
  async ({ entry, kills }) => {
    const dir = await mkdtemp(join(tmpdir(), "tmpm-ghost-"));
    const socket = join(dir, "s");
    const program = join(dir, `${entry}.mjs`);
    const tmux = async (...argv: string[]) =>
      (await run(TMUX, ["-u", "-f", "/dev/null", "-S", socket, ...argv], { timeout: 30_000 })).stdout.trim();
    await build({
      entry: [join(import.meta.dirname, `${entry}.ts`)],
      outDir: dir,
      format: "esm",
      outExtension: () => ({ js: ".mjs" }),
      target: "node20",
      config: false,
      silent: true,
      noExternal: [/.*/],
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
      esbuildOptions(options) {
        options.conditions = ["@tmpm/source"];
      },
    });
    await tmux(
      "new-session",
      "-d",
      "-s",
      "work",
      "-x",
      "120",
      "-y",
      "40",
      "i=0; while :; do i=$((i+1)); echo line $i of many that scroll by without an end; done",
    );
    try {
      for (let kill = 0; kill < kills; kill++) {
        const owner = spawn(process.execPath, [program, socket, join(dir, "state")], { stdio: ["ignore", "pipe", "ignore"] });
        await new Promise((resolve) => owner.stdout.once("data", resolve));
        await new Promise((resolve) => setTimeout(resolve, chance(60)));
        owner.kill("SIGKILL");
        await expect.poll(() => tmux("list-clients", "-F", "#{client_pid}"), { interval: 10 }).toBe("");
        const count = async () => Number(/line (\d+)/.exec(await tmux("capture-pane", "-p", "-t", "=work:"))?.[1] ?? 0);
        const before = await count();
        await expect.poll(count, { interval: 10 }).toBeGreaterThan(before);
      }
      await tmux("kill-server");
      await expect
        .poll(() =>
          tmux("list-sessions").then(
            () => "alive",
            () => "gone",
          ),
        )
        .toBe("gone");
    } finally {
      // At the end of the test, the server is already gone.
      await tmux("kill-server").catch(() => undefined);
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  },
);
