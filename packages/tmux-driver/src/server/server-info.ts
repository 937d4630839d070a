import { hasCode, isTmpmError } from "@tmpm/core";
import { cgroupOf } from "@tmpm/processes";
import { requireSupported } from "../capabilities.js";
import type { Answer, ServerInfo } from "../driver.js";
import { findServer } from "../observe/find.js";
import type { ServerRow } from "../observe/pane-row.js";
import { isGeneration, type ObserveContext } from "./server-context.js";
import type { TmuxProgram } from "./tmux-program.js";

/** The server's own answer, with the system's facts about it and the currently installed program. */
export function serverInformant(context: ObserveContext, program: TmuxProgram): () => Promise<Answer<ServerInfo>> {
  const cgroup = cgroupOfServer();
  return async () => {
    const [answer, asked] = await Promise.all([findServer(context), Promise.allSettled([program.version()])]);
    const [version] = asked;
    if (answer.kind === "absent") return startable(answer, version);
    if (answer.kind === "unknown") return answer;
    // The server has answered, even if the program cannot print its version.
    const programVersion = version.status === "fulfilled" ? version.value : null;
    return { kind: "present", value: { ...answer.value, programVersion, cgroup: await cgroup(answer.value) } };
  };
}

/** A program that is missing or too old cannot start a server. */
function startable<T>(absent: Answer<T>, version: PromiseSettledResult<string>): Answer<T> {
  try {
    if (version.status === "rejected") throw version.reason;
    requireSupported(version.value);
    return absent;
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return hasCode(error, "TMUX_NOT_FOUND", "TMUX_TOO_OLD") ? { kind: "unknown", error } : absent;
  }
}

/** Queried once for each server, which never moves. */
function cgroupOfServer(): (server: ServerRow) => Promise<string | null> {
  let known: { readonly of: ServerRow; readonly cgroup: Promise<string | null> } | null = null;
  return (server) => {
    if (known === null || !isGeneration(known.of, { server_pid: server.pid, server_start: server.start })) {
      known = { of: server, cgroup: cgroupOf(server.pid) };
    }
    return known.cgroup;
  };
}
