import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { hostname, userInfo } from "node:os";
import { dirname, join } from "node:path";
import type { Duplex } from "node:stream";
import { currentToken, currentUid, type Location, makePrivateDir, readOwnFile, userHome } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";
import { temporaryName } from "@tmpm/core/temporary-name";
import { bridge, NodeIdentity, newIdentity, serveLink, streamWire, systemTimer } from "@tmpm/fleet";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";

export const node = command({
  name: "node",
  summary: "Answer another machine's tmpm on standard input and output",
  more: `Run over ssh by another machine's \`tmpm nodes add\`. It forwards requests to the daemon here, starting it if needed.
In a forced command of authorized_keys, TMPM_TOKEN_FILE limits the holder of that key to the rights of a token. See docs/fleet.md.

  tmpm node --stdio   run by the other machine`,
  args: {},
  options: { stdio: { takes: "flag", summary: "Speak the link's protocol on standard input and output" } },
  async run({ stdio }, context): Promise<Record<never, never>> {
    if (!stdio) throw usageError("tmpm node needs --stdio", "It is run by other machines; use `tmpm nodes`.");
    const location = context.location();
    makePrivateDir(location.home, currentUid());
    const served = serveLink(streamWire({ input: process.stdin, output: process.stdout }), {
      identity: identityIn(location.home),
      about: { tmpm: context.version, host_name: hostname(), user: userInfo().username, home: context.env.HOME || userHome() },
      timer: systemTimer,
      serve: bridge({ connect: () => connected(context, location), token: currentToken(context.env) }),
    });
    await served.closed;
    return {};
  },
  render: () => "",
});

/** The key pair of this data folder, created at the first start; concurrent first starts share one. @throws RECORD_DAMAGED */
function identityIn(home: string): NodeIdentity {
  const path = join(home, "node.json");
  const text = readOwnFile(path) ?? made(path);
  const read = NodeIdentity.safeParse(JSON.parse(text));
  if (read.success) return read.data;
  throw new TmpmError("RECORD_DAMAGED", `${path} does not hold this node's key`, {
    hint: "Move it away: the node gets a new key, and a new id.",
  });
}

function made(path: string): string {
  const text = `${JSON.stringify(newIdentity())}\n`;
  const draft = join(dirname(path), temporaryName("node.json", { pid: process.pid, token: randomBytes(8).toString("hex") }));
  const fd = openSync(draft, "wx", 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  try {
    linkSync(draft, path);
    return text;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    return readOwnFile(path) ?? text;
  } finally {
    rmSync(draft, { force: true });
  }
}

async function connected(context: Context, location: Location): Promise<Duplex> {
  try {
    return await opened(location.socket);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ECONNREFUSED"))) throw error;
    const { startDaemonAsBefore } = await import("../daemon/daemon-process.js");
    await startDaemonAsBefore({ env: context.env, location });
    return opened(location.socket);
  }
}

function opened(path: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
    socket.once("error", reject);
  });
}
