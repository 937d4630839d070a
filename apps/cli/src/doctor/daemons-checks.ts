import { execFile } from "node:child_process";
import type { Check } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core";
import { daemonCommand, daemonEnv } from "../daemon/daemon-program.js";
import { membersOf } from "../input/parse-object.js";
import type { DaemonKnown } from "./daemon-known.js";
import type { Place } from "./local-finding.js";

export interface DaemonsChecksOptions {
  readonly known: DaemonKnown;
  readonly observer: Client;
  readonly place: Place;
}

/** Above the time limit of the daemon's own checks. */
const ANSWER_MS = 15_000;

/** The daemon's checks; if no daemon answers, its program runs them, without starting a daemon. */
export async function daemonsChecks({ known, observer, place }: DaemonsChecksOptions): Promise<readonly Check[]> {
  try {
    if (known.kind !== "running") return await alone(place);
    return (await observer.doctor({}, { timeoutMs: ANSWER_MS })).checks;
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return [{ id: "daemon", name: "daemon's own checks", status: "fail", message: error.message, hint: error.hint }];
  }
}

/** @throws DAEMON_UNREACHABLE when its program is missing */
function alone({ env, location }: Place): Promise<readonly Check[]> {
  const [program, ...args] = daemonCommand(env);
  const options = { env: daemonEnv(env, location), cwd: "/", timeout: ANSWER_MS, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    execFile(program, [...args, "--doctor"], options, (error, stdout, stderr) => {
      const { checks } = membersOf(stdout);
      if (Array.isArray(checks)) return resolve(checks);
      const message = `it could not be run: ${error?.killed === true ? "no answer in time" : (stderr.trim().split("\n")[0] ?? "no answer")}`;
      resolve([{ id: "daemon", name: "daemon's program", status: "fail", message, hint: "Install tmpm again." }]);
    });
  });
}
