import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Client, client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { execute, type Result } from "./fixture.js";

const PROGRAM = ["/usr/sbin/nats-server", "/usr/local/bin/nats-server", "/usr/bin/nats-server"].find((path) => existsSync(path)) ?? null;
const CHECKOUT = resolve(import.meta.dirname, "..");

/** The reason why no test can use a real NATS server here; null if it can. */
export const WITHOUT_NATS = PROGRAM === null ? "nats-server is not installed (Debian: nats-server)" : null;

/** The processes of `examples/fleet/start.sh`: a NATS server, three nodes and a laptop. */
export interface NatsFleet {
  readonly dir: string;
  readonly env: (machine: string) => Readonly<Record<string, string>>;
  tmpm(machine: string, argv: readonly string[]): Promise<Result>;
  /** The parsed output of a command that must succeed. */
  json<T>(machine: string, argv: readonly string[]): Promise<T>;
  /** Queries the daemon of a machine without starting a program: polling repeats such queries. */
  readonly api: (machine: string) => Client;
  /** The process id of `nats`, or of the process that serves a node. */
  pid(name: string): Promise<number>;
  /** Restarts the server after it was killed. */
  restartServer(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function natsFleet(): Promise<NatsFleet> {
  const dir = await mkdtemp(join(tmpdir(), "tmpm-fleet-"));
  const path = `${process.env.PATH}:/usr/sbin`;
  const base = { PATH: path, SHELL: "/bin/bash", TERM: "xterm-256color" };
  const started = [
    await begun([join(CHECKOUT, "examples/fleet/start.sh"), dir, String(await freePort())], {
      env: { ...base, HOME: dir, TMPM: join(CHECKOUT, "tmpm") },
      until: "ready;",
    }),
  ];
  const env = (machine: string) => ({ ...base, HOME: join(dir, machine), TMPM_HOME: join(dir, machine, "tmpm") });
  const tmpm = (machine: string, argv: readonly string[]) =>
    execute([join(CHECKOUT, "tmpm"), ...argv], { input: undefined, env: env(machine), cwd: join(dir, machine) });

  return {
    dir,
    env,
    tmpm,
    async json<T>(machine: string, argv: readonly string[]) {
      const result = await tmpm(machine, [...argv, "--json"]);
      if (result.code !== 0) throw new Error(`tmpm ${argv.join(" ")} exited ${result.code}: ${result.stdout}${result.stderr}`);
      return JSON.parse(result.stdout) as T;
    },
    api: (machine) => client({ transport: localTransport({ socket: join(dir, machine, "tmpm/run/tmpm.sock") }) }),
    pid: async (name) => Number(await readFile(join(dir, `${name}.pid`), "utf8")),
    async restartServer() {
      started.push(await begun([PROGRAM ?? "nats-server", "-c", join(dir, "nats.conf")], { env: base, until: "Server is ready" }));
    },
    async [Symbol.asyncDispose]() {
      for (const child of started.toReversed()) await ended(child);
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Once it has reported that it is ready. */
function begun(
  [program = "", ...argv]: readonly string[],
  { env, until }: { readonly env: Readonly<Record<string, string>>; readonly until: string },
): Promise<ChildProcess> {
  const child = spawn(program, argv, { env, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((settle, reject) => {
    let said = "";
    const hear = (text: string) => {
      said = (said + text).slice(-10_000);
      if (said.includes(until)) settle(child);
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.on("error", reject);
    child.on("exit", () => reject(new Error(`${program} ended: ${said}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((settle) => child.once("exit", settle));
  child.kill("SIGTERM");
  await exit;
}

function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => settle(port));
    });
  });
}
