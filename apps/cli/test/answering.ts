import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { run } from "../src/run.js";
import { VERSION } from "../src/version.js";
import { temporaryDir } from "./temporary-dir.js";

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

export interface Answer {
  readonly status?: number;
  readonly body: unknown;
  readonly version?: string;
}

type Answering = (asked: Asked) => Answer | Promise<Answer>;

/** Real HTTP servers on the sockets of the daemon and its nodes, and the command line as their client; responses come from `answer` and from each node's. */
export async function answering(answer: Answering, nodes: Readonly<Record<string, Answering>> = {}) {
  const dir = temporaryDir();
  mkdirSync(join(dir.path, "run", "n"), { recursive: true, mode: 0o700 });
  if (Object.keys(nodes).length > 0) mkdirSync(join(dir.path, "nodes"), { mode: 0o700 });
  for (const label of Object.keys(nodes)) writeFileSync(join(dir.path, "nodes", `${label}.json`), "{}");
  const own = await served(answer, join(dir.path, "run", "tmpm.sock"));
  const others = await Promise.all(
    Object.entries(nodes).map(
      async ([label, answers]) => [label, await served(answers, join(dir.path, "run", "n", `${label}.sock`))] as const,
    ),
  );
  const env = { TMPM_HOME: dir.path, TMPM_CONFIG: join(dir.path, "config.yaml"), PATH: process.env.PATH };
  return {
    home: dir.path,
    asked: own.asked,
    /** The requests to a node. */
    askedAt: (label: string) => new Map(others).get(label)?.asked ?? [],
    tmpm: (...argv: readonly string[]) => runIn(env, argv),
    /** As `tmpm`, with standard output as bytes. */
    async tmpmBytes(...argv: readonly string[]) {
      let bytes: Uint8Array = Buffer.alloc(0);
      const { exit, stderr } = await runIn(env, argv, { onBytes: (all) => (bytes = all) });
      return { exit, stderr, bytes };
    },
    async [Symbol.asyncDispose]() {
      for (const { close } of [own, ...others.map(([, other]) => other)]) await close();
      dir[Symbol.dispose]();
    },
  };
}

async function served(answer: Answering, socket: string) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const question = { method: request.method ?? "", url: request.url ?? "", body: await bodyOf(request) };
    asked.push(question);
    const { status = 200, body, version = VERSION } = await answer(question);
    response.writeHead(status, { "tmpm-version": version, "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface RunOptions {
  readonly columns?: number | null;
  readonly outputRead?: boolean;
  /** Receives standard output as bytes. */
  readonly onBytes?: (bytes: Buffer) => void;
}

/** Runs a command line in this process and collects its output. */
export async function runIn(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
  { columns = null, outputRead = true, onBytes = () => undefined }: RunOptions = {},
) {
  const printed: Readonly<Record<1 | 2, Uint8Array[]>> = { 1: [], 2: [] };
  const exit = await run(argv, {
    env,
    columns: async () => columns,
    print: (text, fd) => {
      printed[fd].push(Buffer.from(text));
      return outputRead || fd === 2;
    },
  });
  const [bytes, errors] = [Buffer.concat(printed[1]), Buffer.concat(printed[2])];
  onBytes(bytes);
  return { exit, stdout: bytes.toString(), stderr: errors.toString() };
}

export function errorAnswer(status: number, error: Readonly<Record<string, unknown>>): Answer {
  return { status, body: { error: { hint: null, effect: "none", details: {}, ...error } } };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString();
  if (request.headers["content-type"] === "application/octet-stream") return text;
  return parts.length === 0 ? null : JSON.parse(text);
}
