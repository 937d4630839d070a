import { localTransport } from "@tmpm/api/local";

/** An agent waits for its hook, so reading and reporting together may take this long, in ms. A busy machine needs longer to start the process alone. */
const DEADLINE_MS = 1_000;

/** More than any event has but one that carries a whole file; that one is given up. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A file that a tool writes is part of its event, and no part of what the event says. */
const MAX_TEXT = 16 * 1024;

export interface ReportOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: NodeJS.ReadableStream;
  /** How long ago the agent called, in ms. */
  readonly calledMsAgo: number;
}

/**
 * Hands the event on standard input to the daemon, for the session whose token the environment holds. Says nothing and fails never: whatever goes
 * wrong, the screen tells what the agent does. It starts no daemon.
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
    // An agent must not be told of our troubles: it would show them to its user, or stop for them.
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
