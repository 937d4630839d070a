import { chmodSync, lstatSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { fail, type LocalFinding, ok, type Place, warn } from "./local-finding.js";
import { privateFolder } from "./private-folder.js";
import { someoneListens } from "./someone-listens.js";

const NAME = "socket";

/** Whether the daemon's socket is closed to others and has a listener. */
export async function socketAnswers({ location: { socket }, uid }: Place): Promise<readonly LocalFinding[]> {
  const folder = privateFolder({ name: NAME, path: dirname(socket), uid });
  const found = folder.status === "ok" ? lstatSync(socket, { throwIfNoEntry: false }) : undefined;
  if (found === undefined) return [folder];
  if (!found.isSocket() || found.uid !== uid)
    return [fail(NAME, { message: `${socket} is not a socket that you own`, hint: `Move it aside: mv ${socket} ${socket}.aside` })];
  if ((await someoneListens(socket)) === false) return [stale(socket, found.ino)];
  if ((found.mode & 0o077) === 0) return [ok(NAME, socket)];
  return [
    fail(NAME, {
      message: `${socket} is open to other users (mode ${(found.mode & 0o777).toString(8)})`,
      hint: `chmod 600 ${socket}`,
      cure: async () => {
        chmodSync(socket, 0o600);
        return `removed other users' access to ${socket} (mode 600)`;
      },
    }),
  ];
}

function stale(socket: string, inode: number): LocalFinding {
  return warn(NAME, {
    message: `nothing listens at ${socket}`,
    hint: "The next daemon replaces it.",
    cure: async () => {
      // A daemon started meanwhile created another one.
      if (lstatSync(socket, { throwIfNoEntry: false })?.ino !== inode) return `left ${socket}: it was replaced meanwhile`;
      rmSync(socket);
      return `removed ${socket}, without a listener`;
    },
  });
}
