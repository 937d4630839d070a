// A holder of a program on pipes: its input is sent to all clients that have called as it comes out.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { TmpmError } from "@tmpm/core/errors";
import { type HolderClient, runHolder } from "../src/index.js";

await runHolder({
  async start(launch) {
    const { argv, env, fault } = launchOf(launch);
    if (fault !== undefined) {
      setImmediate(() => {
        throw new Error(fault);
      });
      await new Promise(() => setInterval(() => undefined, 1000));
    }
    const child = spawn(argv[0] ?? "", argv.slice(1), { env, stdio: ["pipe", "pipe", "ignore"], detached: true });
    await once(child, "spawn").catch((error: unknown) => Promise.reject(refused(error)));
    const callers = new Set<HolderClient>();
    child.stdout.on("data", (bytes: Buffer) => {
      for (const client of callers) client.emit({ type: "printed" }, bytes);
    });
    const calls: Calls = {
      ...callsOf(child),
      large: async () => ({ value: null, bytes: tooLarge() }),
      shout: async () => {
        for (const client of callers) client.emit({ type: "printed" }, tooLarge());
        return { value: null };
      },
    };
    return {
      pid: child.pid ?? null,
      async call({ verb, bytes }, client) {
        callers.add(client);
        return (calls[verb] ?? unknownVerb)(bytes);
      },
      left: (client) => void callers.delete(client),
      ended: once(child, "exit").then(() => undefined),
      close: async () => undefined,
    };
  },
});

type Calls = Record<string, (bytes: Uint8Array) => Promise<{ value: unknown; bytes?: Uint8Array }>>;

/** One byte more than a message may have. */
function tooLarge(): Uint8Array {
  return Buffer.alloc(64 * 1024 * 1024 + 1);
}

function callsOf(child: ChildProcess): Calls {
  return {
    write: async (bytes) => ({ value: child.stdin?.write(bytes) }),
    echo: async (bytes) => ({ value: bytes.length, bytes }),
    exit: async () => ({ value: { code: child.exitCode, signal: child.signalCode } }),
    environment: async () => ({ value: { env: process.env, argv: process.argv, parent: process.ppid } }),
  };
}

async function unknownVerb(): Promise<never> {
  throw new TmpmError("INVALID_ARGUMENT", "no such verb", { hint: "echo", details: { field: "verb" } });
}

function refused(error: unknown): TmpmError {
  return new TmpmError("LAUNCH_FAILED", String(error));
}

function launchOf(launch: unknown): { argv: string[]; env: Record<string, string>; fault?: string } {
  return launch as { argv: string[]; env: Record<string, string>; fault?: string };
}
