import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, resolve } from "node:path";
import { type Location, userHome } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";

type Env = Readonly<Record<string, string | undefined>>;

/** Where Node supports it; the daemon itself refuses the signal as soon as it runs. */
const REFUSING_DEBUGGER = ["--disable-sigusr1"].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));

/** V8's space for new objects, in MB: by default it grows to 16 MB under load and never shrinks, and the daemon seldom needs more than one. */
const SMALL = ["--max-semi-space-size=2"];

export type DaemonCommand = readonly [program: string, ...args: string[]];

/** The caller's environment with the daemon's program, which the configuration file may name. @throws CONFIG_INVALID */
export function withProgram({ env, settled }: { readonly env: Env; readonly settled: () => Env }): Env {
  const { TMPM_DAEMON } = settled();
  return TMPM_DAEMON === undefined ? env : { ...env, TMPM_DAEMON };
}

/** The command that runs this installation's daemon: `TMPM_DAEMON`, else the one installed with this program. @throws DAEMON_UNREACHABLE when it is missing */
export function daemonCommand(env: Env): DaemonCommand {
  const chosen = env.TMPM_DAEMON;
  const path = chosen ? resolve(chosen) : installedDaemon();
  if (!existsSync(path)) {
    throw new TmpmError("DAEMON_UNREACHABLE", `the daemon's program is missing: ${path}`, {
      hint: "Install tmpm again; in a clone of its repository, run `npm start`.",
      details: { path },
    });
  }
  return /\.[cm]?js$/.test(path) ? [process.execPath, ...REFUSING_DEBUGGER, ...SMALL, path] : [path];
}

function installedDaemon(): string {
  return createRequire(import.meta.url).resolve("@tmpm/daemon/main");
}

/** The caller's own variables, which do not apply to the daemon: the surrounding tmux and session, and credentials. */
const OF_THE_CALLER: ReadonlySet<string> = new Set([
  ...["TMUX", "TMUX_PANE", "TMPM_SESSION_ID", "TMPM_SESSION_NAME", "TMPM_SESSION_TOKEN"],
  ...["TMPM_TOKEN", "TMPM_TOKEN_FILE", "TMPM_URL"],
]);

/** Absolute paths, because the daemon runs in `/`. */
export function daemonEnv(env: Env, { home, socket, tmuxSocket }: Location): Env {
  const rest = Object.entries(env).filter(([name]) => !OF_THE_CALLER.has(name));
  return {
    ...Object.fromEntries(rest),
    ...(isAbsolute(env.HOME ?? "") ? {} : { HOME: userHome() }),
    TMPM_SOCKET: socket,
    TMPM_CLI: resolve(process.argv[1] ?? "tmpm"),
    ...(env.TMPM_HOME ? { TMPM_HOME: home } : {}),
    ...(env.TMPM_TMUX_SOCKET ? { TMPM_TMUX_SOCKET: tmuxSocket } : {}),
  };
}
