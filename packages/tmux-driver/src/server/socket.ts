import { isAbsolute, join } from "node:path";
import { requireSocketPath, TmpmError } from "@tmpm/core";

/** Which server: a socket's path (`tmux -S`), or a name in tmux's own folder (`tmux -L`). */
export type SocketChoice = { readonly path: string } | { readonly name: string };

export interface Socket {
  readonly path: string;
  readonly arguments: readonly [string, string];
}

/** @throws INVALID_ARGUMENT, SOCKET_PATH_TOO_LONG */
export function resolveSocket(choice: SocketChoice, env: Readonly<Record<string, string | undefined>>): Socket {
  const path = "path" in choice ? choice.path : join(folder(env), choice.name);
  if ("name" in choice && !/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(choice.name)) throw invalid("the socket's name", choice.name);
  if (!isAbsolute(path) || /[\0\n]/.test(path)) throw invalid("the socket's path (it has to be absolute)", path);
  requireSocketPath(path);
  return { path, arguments: "path" in choice ? ["-S", path] : ["-L", choice.name] };
}

function folder(env: Readonly<Record<string, string | undefined>>): string {
  const base = env.TMUX_TMPDIR;
  return join(base === undefined || base === "" ? "/tmp" : base, `tmux-${process.getuid?.() ?? 0}`);
}

function invalid(what: string, value: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(value)} is not valid as ${what}`, { details: { field: "socket" } });
}
