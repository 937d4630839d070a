import { lstatSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { currentUid, makePrivateDir } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";
import type { FastifyInstance } from "fastify";

const CHECK_MS = 30_000;

/**
 * Listens on the unix socket, mode 0600 in a folder of mode 0700 (reliability C1), and again when the socket's file disappears. A file that a dead daemon
 * left is replaced; a live socket or anything else at the path is refused. @throws UNSAFE_PATH, DAEMON_RUNNING
 */
export async function listen(app: FastifyInstance, path: string): Promise<{ close(): void }> {
  makePrivateDir(dirname(path), currentUid());
  await clearStale(path);
  await bind(app, path);
  const inode = inodeOf(path);
  const timer = setInterval(() => {
    // Node cannot bind a listening server a second time, so a lost socket ends the daemon; the next client starts another.
    if (inodeOf(path) !== inode) process.kill(process.pid, "SIGTERM");
  }, CHECK_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

async function bind(app: FastifyInstance, path: string): Promise<void> {
  const before = process.umask(0o177);
  try {
    await app.listen({ path });
  } finally {
    process.umask(before);
  }
}

async function clearStale(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket())
    throw new TmpmError("UNSAFE_PATH", `${path} is not a socket`, { hint: "Move it away, or choose another path with TMPM_SOCKET." });
  if (await answers(path))
    throw new TmpmError("DAEMON_RUNNING", `a daemon of another data folder listens on ${path}`, {
      hint: "Choose another path with TMPM_SOCKET.",
    });
  rmSync(path);
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
