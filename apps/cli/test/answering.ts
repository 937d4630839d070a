import { mkdirSync } from "node:fs";
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

/** A real HTTP server where the daemon would listen, and the command line as a user of it; answers come from `answer`. */
export async function answering(answer: (asked: Asked) => Answer | Promise<Answer>) {
  const dir = temporaryDir();
  mkdirSync(join(dir.path, "run"), { mode: 0o700 });
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const question = { method: request.method ?? "", url: request.url ?? "", body: await bodyOf(request) };
    asked.push(question);
    const { status = 200, body, version = VERSION } = await answer(question);
    response.writeHead(status, { "tmpm-version": version, "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(join(dir.path, "run", "tmpm.sock"), resolve));
  return {
    home: dir.path,
    asked,
    tmpm: (...argv: readonly string[]) =>
      runIn({ TMPM_HOME: dir.path, TMPM_CONFIG: join(dir.path, "config.yaml"), PATH: process.env.PATH }, argv),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      dir[Symbol.dispose]();
    },
  };
}

/** Runs a command line in this process and collects what it prints. */
export async function runIn(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
  { columns = null, outputRead = true }: { readonly columns?: number | null; readonly outputRead?: boolean } = {},
) {
  const printed = { 1: "", 2: "" };
  const exit = await run(argv, {
    env,
    columns: async () => columns,
    print: (text, fd) => {
      printed[fd] += text;
      return outputRead || fd === 2;
    },
  });
  return { exit, stdout: printed[1], stderr: printed[2] };
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
