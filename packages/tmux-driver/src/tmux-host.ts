import { hasCode } from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import { atLeast, OLDEST } from "./capabilities.js";
import type { CreateSpec, TmuxDriver } from "./driver.js";

export interface TmuxHostOptions {
  readonly driver: TmuxDriver;
  /** A second, independent connection to the server of `driver`. Undefined without one. */
  readonly observer?: TmuxDriver;
}

/** A tmux server as a host of sessions. */
export function tmuxHost({ driver, observer = driver }: TmuxHostOptions) {
  return {
    control: "Tmux",
    place: driver.socket,
    cannot: {
      replay: {
        why: "tmux retains lines, not the bytes that a terminal printed",
        instead: "A stream begins with the screen again; `tmpm capture --history` shows the lines.",
      },
    },
    nested: "this is tmux inside tmux; to detach the inner one, press your prefix key twice, then d",
    holds: (socket: string) => socket === driver.socket,
    available: () => availability(driver),
    listAgain: observer.list,
    list: driver.list,
    provenEmpty: async () => !(await driver.isServed()),
    find: driver.find,
    // tmux draws 24-bit colours as far as the attached terminal supports them.
    create: (spec: CreateSpec) => driver.create({ ...spec, env: { COLORTERM: "truecolor", ...spec.env } }),
    kill: driver.kill,
    capture: driver.capture,
    captureMany: driver.captureMany,
    directories: driver.directories,
    watch: driver.watch,
    close: driver.close,
    attachCommand: driver.attachCommand,
    keys: driver.keys,
    paste: driver.paste,
    output: driver.output,
    resize: driver.resize,
    adopt: driver.adopt,
    release: driver.release,
    rename: driver.rename,
  } as const satisfies SessionHost;
}

/** A silent server, or one not started yet, is available; only a missing or unusable program is not. */
async function availability(driver: TmuxDriver) {
  const server = await driver.server();
  if (server.kind === "present") {
    const { version, programVersion } = server.value;
    if (programVersion === null || atLeast(programVersion, OLDEST)) return { kind: "available", detail: `tmux ${version}` } as const;
    return missing(`tmux ${programVersion} is too old`, null);
  }
  if (server.kind === "absent") return { kind: "available", detail: "no server runs yet" } as const;
  const { message, hint } = server.error;
  if (!hasCode(server.error, "TMUX_NOT_FOUND", "TMUX_TOO_OLD")) return { kind: "silent", reason: message, hint } as const;
  const reason = server.error.code === "TMUX_NOT_FOUND" ? "tmux is not installed" : message;
  return missing(reason, hint);
}

function missing(reason: string, hint: string | null) {
  return { kind: "missing", reason, hint: hint ?? `Install tmux ${OLDEST} or newer.` } as const;
}
