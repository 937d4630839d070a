import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { VERSION_HEADER } from "@tmpm/api";
import { memoryDocuments } from "@tmpm/store/memory";
import type { FastifyInstance } from "fastify";
import { onTestFinished as whenTestFinished } from "vitest";
import type { AdmissionOptions } from "../src/admission.js";
import type { Descriptors } from "../src/listen/descriptors.js";
import { type Listening, listen } from "../src/listen/listen.js";
import type { PublicUrl } from "../src/listen/public-url.js";
import type { TcpAddress } from "../src/listen/tcp-address.js";
import { answerOf } from "../src/requests/answer.js";
import type { Handlers } from "../src/routes/handlers.js";
import { type ServerOptions, server } from "../src/server/server.js";
import { digestOf, secretFrom } from "../src/tokens/secret.js";
import type { Token } from "../src/tokens/token.js";
import { pageFiles } from "../src/web/page-files.js";
import { openAdmission } from "./admission-fixture.js";

/** The session whose own token is `SESSION_SECRET`. */
export const SESSION = "0b6f9f0e-55a5-4a0c-8b57-3d2a8f6f1c11";
export const SESSION_SECRET = "a".repeat(43);
/** A small page in place of the dashboard. */
const PAGE = pageFiles(join(import.meta.dirname, "web", "page"));

/** The random name of every door. */
export const LABEL = "l4b3l";

/** Constant, so that the names of cases identify them. */
export const SECRETS = {
  admin: secretFrom(Buffer.alloc(32, 1)),
  operator: secretFrom(Buffer.alloc(32, 2)),
  observer: secretFrom(Buffer.alloc(32, 3)),
  login: secretFrom(Buffer.alloc(32, 4)),
  expired: secretFrom(Buffer.alloc(32, 5)),
  wrong: secretFrom(Buffer.alloc(32, 6)),
} as const;

function token(id: keyof typeof SECRETS, rest: Partial<Token> = {}): readonly [string, Token] {
  const scope = id === "admin" || id === "observer" ? id : "operator";
  const common = { id, name: id, kind: "bearer", scope, sha256: digestOf(SECRETS[id]) } as const;
  return [id, { ...common, created_at: "2026-01-01T00:00:00Z", expires_at: null, last_used_at: null, ...rest }];
}

export const TOKENS = new Map<string, Token>([
  token("admin"),
  token("operator"),
  token("observer"),
  token("login", { kind: "login" }),
  token("expired", { expires_at: "2026-01-02T00:00:00Z" }),
]);

export interface DoorFixtureOptions extends Partial<AdmissionOptions> {
  readonly tcp?: TcpAddress | null;
  readonly published?: PublicUrl | null;
  /** A test's own folder, if several run at the same time. */
  readonly onTestFinished?: typeof whenTestFinished;
  /** Adds routes outside the contracts. */
  readonly extend?: (app: FastifyInstance) => void;
  /** The response in place of an empty object. */
  readonly handlers?: Partial<Handlers>;
  readonly owned?: ServerOptions["owned"];
  readonly limits?: Pick<ServerOptions, "load" | "bodyIdleMs" | "bodyTotalMs" | "registry" | "answered"> & {
    readonly maxConnections?: number;
    readonly headersMs?: number;
    readonly files?: Descriptors;
  };
}

/** The doors of a daemon whose operations do nothing, with the real guard, tokens and audit log. */
export async function openDoors({
  tcp = { host: "127.0.0.1", port: 0, tls: null },
  published = null,
  handlers = {},
  owned = async () => undefined,
  limits = {},
  extend = () => undefined,
  onTestFinished = whenTestFinished,
  ...options
}: DoorFixtureOptions = {}) {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-door-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const socket = join(dir, "run", "s");
  let listening: Listening | null = null;
  const opened = await openAdmission({
    tokenStore: memoryDocuments(TOKENS),
    sessionDigest: async (id) => (id === SESSION ? digestOf(SESSION_SECRET) : null),
    entrance: () => listening?.tcp?.entrance ?? null,
    onTestFinished,
    ...options,
  });
  const calls: string[] = [];
  const own: Readonly<Record<string, (...input: never[]) => unknown>> = { ...opened.access, ...handlers };
  const routes = new Proxy(own, {
    get:
      (known, name) =>
      async (...input: never[]) => {
        calls.push(String(name));
        return known[String(name)]?.(...input) ?? {};
      },
  });
  const report = (fault: unknown) => void opened.faults.push(fault);
  const stopping = new AbortController();
  const givingUp = new AbortController();
  const { maxConnections, headersMs, files, ...ofServer } = limits;
  const app = server({
    ...ofServer,
    givingUp: givingUp.signal,
    handlers: routes as unknown as Handlers,
    files: PAGE,
    streams: { events: async (_input, { signal }) => silentStream(signal) },
    version: "1.2.3",
    guard: opened.guard,
    authorise: async ({ sessions }) => sessions,
    answering: async ({ contract, gone }, act) => answerOf(contract.status, await act({ signal: gone, id: "id" })),
    owned,
    audit: opened.requests,
    stopping: stopping.signal,
    report,
  });
  extend(app);
  app.server.on("upgrade", (request: IncomingMessage, connection: Duplex) => {
    opened.guard.permit(request, { scope: "observer" }).then(
      () => connection.write(`HTTP/1.1 101 Switching Protocols\r\n${VERSION_HEADER}: 1.2.3\r\n\r\n`),
      (error: { code: string }) => connection.end(`HTTP/1.1 403 Refused\r\ncontent-length: 0\r\nx-code: ${error.code}\r\n\r\n`),
    );
  });
  const where = { socket, tcp, published, label: () => LABEL, maxConnections, headersMs, files };
  const doors = await listen(app, { guard: opened.guard, version: "1.2.3", report, ...where });
  listening = doors;
  onTestFinished(async () => {
    const closed = doors.close();
    doors.cut();
    await Promise.all([closed, app.close()]);
  });
  const port = Number(new URL(doors.tcp?.url ?? "http://x:1").port);
  return { ...opened, app, doors, socket, port, calls, root: dir, stopping, givingUp };
}

async function* silentStream(signal: AbortSignal): AsyncGenerator<string> {
  yield ": hello\n\n";
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}
