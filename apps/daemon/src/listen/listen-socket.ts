import { lstatSync, renameSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { connect } from "node:net";
import { dirname } from "node:path";
import { currentUid, makePrivateDir } from "@tmpm/api/local";
import { DISK_FULL, TmpmError } from "@tmpm/core";
import { type OpenServer, openServer } from "./open-server.js";

const PATIENCE_MS = 1_000;

/**
 * Resolves when all earlier connections to a unix socket are accepted: they are accepted in order and one at a time (libuv 1.45), so a response to
 * the last one proves it. The socket serves HTTP.
 */
function drained(path: string): Promise<void> {
  return new Promise((resolve) => {
    const last = connect(path, () => last.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"));
    const done = () => {
      last.destroy();
      resolve();
    };
    last.once("data", done).once("error", done).once("close", done).setTimeout(PATIENCE_MS, done);
  });
}

export interface ListenSocketOptions {
  readonly path: string;
  /** A server not yet listening; called again whenever the socket is recreated. */
  readonly server: () => Server;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  readonly checkMs?: number;
}

interface Bound {
  readonly open: OpenServer;
  readonly inode: number | null;
}

/**
 * Listens on the unix socket, mode 0600 in a folder of mode 0700 (reliability C1), and recreates it when its file disappears or is replaced. A file left by a
 * dead daemon is replaced; a live socket or anything else at the path is refused. @throws UNSAFE_PATH, DAEMON_RUNNING
 */
export async function listenSocket({ path, server, report, checkMs = 30_000 }: ListenSocketOptions): Promise<OpenServer> {
  const before: OpenServer[] = [];
  let current = await bind(path, { server: server(), report });
  let again: Promise<void> = Promise.resolve();

  async function renew(): Promise<void> {
    if (inodeOf(path) === current.inode) return;
    await clear(path);
    // Ending a server removes the file at its path, so it is done first.
    before.push(current.open);
    current.open.leave();
    current = await bind(path, { server: server(), report });
  }

  const timer = setInterval(() => {
    again = again.then(renew).catch((error: unknown) => report({ doing: `recreating the socket ${path}`, error }));
  }, checkMs).unref();

  return {
    leave: () => current.open.leave(),
    async close() {
      clearInterval(timer);
      await again;
      try {
        if (inodeOf(path) === current.inode) await refuseNewcomers(path);
      } catch (error) {
        report({ doing: `removing the socket ${path}`, error });
      }
      await Promise.all([...before, current.open].map((each) => each.close()));
    },
    cut() {
      for (const each of [...before, current.open]) each.cut();
    },
  };
}

async function bind(path: string, options: Pick<ListenSocketOptions, "report"> & { readonly server: Server }): Promise<Bound> {
  try {
    return await bindHere(path, options);
  } catch (error) {
    throw bindFailure(path, error);
  }
}

const CLOSED = ["EROFS", "EACCES", "EPERM"];

function bindFailure(path: string, error: unknown): unknown {
  const errno = error instanceof Error && "code" in error && "syscall" in error ? String(error.code) : "";
  if (!DISK_FULL.includes(errno) && !CLOSED.includes(errno)) return error;
  const [code, cure] = DISK_FULL.includes(errno)
    ? (["STORAGE_FULL", "Free some space"] as const)
    : (["STORE_READ_ONLY", "Make it writable for you"] as const);
  return new TmpmError(code, `cannot create a socket in ${dirname(path)} (${errno})`, {
    hint: `${cure}, or choose another path with TMPM_SOCKET.`,
    details: { path },
    cause: error,
  });
}

async function bindHere(
  path: string,
  { server, report }: Pick<ListenSocketOptions, "report"> & { readonly server: Server },
): Promise<Bound> {
  makePrivateDir(dirname(path), currentUid());
  await clear(path);
  const open = openServer(server);
  const listening = new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject));
  const before = process.umask(0o177);
  try {
    server.listen({ path });
  } finally {
    process.umask(before);
  }
  await listening;
  // A connection that failed for lack of file descriptors is unowned, and must not end the daemon.
  server.on("error", (error) => report({ doing: `accepting a connection on ${path}`, error }));
  return { open, inode: inodeOf(path) };
}

async function clear(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket() && !found.isSymbolicLink())
    throw new TmpmError("UNSAFE_PATH", `${path} is not a socket`, { hint: "Move it away, or choose another path with TMPM_SOCKET." });
  if (found.isSocket() && (await answers(path)))
    throw new TmpmError("DAEMON_RUNNING", `a daemon of another data folder listens on ${path}`, {
      hint: "Choose another path with TMPM_SOCKET.",
    });
  rmSync(path, { force: true });
}

/** New clients can no longer find the socket, and those already connecting are accepted. */
async function refuseNewcomers(path: string): Promise<void> {
  const aside = `${path}.closing`;
  renameSync(path, aside);
  await drained(aside);
  rmSync(aside, { force: true });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function inodeOf(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.ino ?? null;
}
