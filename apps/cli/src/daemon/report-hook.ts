import { localTransport } from "@tmpm/api/local";

/** Time limit for reading and reporting together, in ms: the agent waits for its hook. Process start is not included. */
const DEADLINE_MS = 1_000;

/** Larger than any event except one that carries a whole file; that one is dropped. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Tool events do not need the contents of files. */
const MAX_TEXT = 16 * 1024;

export interface ReportOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: NodeJS.ReadableStream;
  /** Time since the agent's call, in ms. */
  readonly calledMsAgo: number;
}

/**
 * Sends the event on standard input to the daemon, for the session whose token is in the environment. Prints nothing and never fails: if the report is
 * lost, the screen still shows the agent's state. Does not start a daemon.
 */
export async function reportHook({ env, input, calledMsAgo }: ReportOptions): Promise<void> {
  const { TMPM_SESSION_ID: session, TMPM_SESSION_TOKEN: token, TMPM_SOCKET: socket } = env;
  if (!session || !token || !socket) return;
  const startMs = Date.now();
  const left = () => Math.max(1, startMs + DEADLINE_MS - Date.now());
  try {
    const payload = await within(left(), readJson(input));
    if (payload === undefined) return;
    await localTransport({ socket }).request({
      method: "POST",
      path: `/v1/sessions/${encodeURIComponent(session)}/hook`,
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ payload, at_ms: Math.floor(startMs - calledMsAgo) }, clipped),
      timeoutMs: left(),
    });
  } catch {
    // Our failures must not reach the agent: it would show them to its user, or stop.
  }
}

async function readJson(input: NodeJS.ReadableStream): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of input) {
    const chunk = Buffer.from(part);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return undefined;
    parts.push(chunk);
  }
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
}

function clipped(_key: string, value: unknown): unknown {
  return typeof value === "string" && value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value;
}

function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const deadline = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms).unref());
  return Promise.race([work, deadline]);
}
