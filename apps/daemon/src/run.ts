import { fileURLToPath } from "node:url";
import { currentLocation } from "@tmpm/api/local";
import { ERRORS, isTmpmError, type TmpmError } from "@tmpm/core";
import { refuseDebugger } from "@tmpm/processes";
import packageJson from "../package.json" with { type: "json" };
import { type LiveConfig, liveConfig } from "./config/live-config.js";
import { daemon } from "./daemon.js";
import { doctorAlone } from "./doctor/alone.js";
import { daemonLog, type Log } from "./log/daemon-log.js";
import { isPassing } from "./passing-fault.js";

/** Exit status of a fault in tmpm, and of a second stop signal (reliability F20, F27). */
const EXIT_FAULT = 70;

async function main(): Promise<number> {
  refuseDebugger();
  if (process.argv.includes("--doctor")) return printDoctor();
  const config = configOrEnd();
  const { log, keepIn } = logOrEnd(config.env);
  // After a fault in tmpm the state is unknown, so nothing is finished: the next daemon resumes, as after a crash.
  process.on("uncaughtException", (error, origin) => {
    if (isPassing(error)) return log.error({ err: error, origin }, "a system call in the background failed");
    log.fatal({ err: error, origin }, "an unhandled fault");
    process.exit(EXIT_FAULT);
  });
  const signal = signalled();
  try {
    const location = currentLocation(config.env);
    const pageDir = fileURLToPath(new URL("./web", import.meta.url));
    const running = await daemon({ location, config, log, keepLogIn: keepIn, version: packageJson.version, pageDir });
    await Promise.race([running.asked, signal]);
    await running.close();
    return 0;
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return ended(log, error);
  }
}

/** For a command line without a daemon, which reports an unreadable configuration itself. */
async function printDoctor(): Promise<number> {
  const env = settledOrPlain(process.env);
  const answer = await doctorAlone({ location: currentLocation(env), env });
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify(answer)}\n`, resolve));
  return 0;
}

function settledOrPlain(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  try {
    return liveConfig(env).env;
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return env;
  }
}

function configOrEnd(): LiveConfig {
  try {
    return liveConfig(process.env);
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    process.exit(ended(daemonLog({}).log, error));
  }
}

function logOrEnd(env: NodeJS.ProcessEnv): ReturnType<typeof daemonLog> {
  try {
    return daemonLog(env);
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    process.exit(ended(daemonLog({}).log, error));
  }
}

function ended(log: Log, error: TmpmError): number {
  log.error({ code: error.code, hint: error.hint, details: error.details }, error.message);
  return ERRORS[error.code].exit;
}

/**
 * Handles signals from the start, so that a starting daemon also ends cleanly. A second signal ends it at once. The listeners stay, because the library
 * that runs programs ends the process itself without other listeners.
 */
function signalled(): Promise<void> {
  let heard = 0;
  return new Promise((resolve) => {
    const hear = () => {
      heard += 1;
      if (heard > 1) process.exit(EXIT_FAULT);
      resolve();
    };
    process.on("SIGTERM", hear).on("SIGINT", hear);
  });
}

process.exitCode = await main();
process.exit();
