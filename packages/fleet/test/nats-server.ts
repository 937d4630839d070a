import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = ["/usr/sbin/nats-server", "/usr/local/bin/nats-server", "/usr/bin/nats-server"].find((path) => existsSync(path)) ?? null;

/** The reason why no test can use a real NATS server here; null if it can. */
export const WITHOUT_NATS = PROGRAM === null ? "nats-server is not installed (Debian: nats-server)" : null;

export interface NatsUser {
  readonly nkey: string;
  readonly permissions: { readonly publish: string; readonly subscribe: string };
}

/** A real NATS server on loopback. */
export interface NatsServer {
  readonly url: string;
  start(): Promise<void>;
  /** Kills it: no connection is closed properly. */
  kill(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function natsServer(users: readonly NatsUser[]): Promise<NatsServer> {
  const dir = await mkdtemp(join(tmpdir(), "tmpm-nats-"));
  const port = await freePort();
  const config = join(dir, "nats.conf");
  await writeFile(config, configuration(port, users));
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    const started = spawn(PROGRAM ?? "nats-server", ["-c", config], { stdio: ["ignore", "ignore", "pipe"] });
    server = started;
    let log = "";
    await new Promise<void>((resolve, reject) => {
      started.stderr?.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        if (log.includes("Server is ready")) resolve();
      });
      started.on("error", reject);
      started.on("exit", () => reject(new Error(`nats-server ended: ${log}`)));
    });
  }

  async function kill(): Promise<void> {
    const running = server;
    server = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await ended;
  }

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function configuration(port: number, users: readonly NatsUser[]): string {
  const rows = users.map(({ nkey, permissions: { publish, subscribe } }) => {
    return `    { nkey: ${nkey}, permissions: { publish: "${publish}", subscribe: "${subscribe}" } }`;
  });
  return [`listen: "127.0.0.1:${port}"`, "authorization {", "  users: [", ...rows, "  ]", "}", ""].join("\n");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
