import { fileURLToPath } from "node:url";
import { currentLocation } from "@tmpm/api/local";
import { isTmpmError } from "@tmpm/core";
import { refuseDebugger } from "@tmpm/processes";
import packageJson from "../package.json" with { type: "json" };
import { type LiveConfig, liveConfig } from "./config/live-config.js";
import { daemon } from "./daemon.js";
import { doctorAlone } from "./doctor/alone.js";
import { EXIT_FAULT, ended, exitStatus } from "./lifecycle/exit-status.js";
import { isPassing } from "./lifecycle/passing-fault.js";
import { daemonLog } from "./log/daemon-log.js";

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
  return exitStatus(async () => {
    const location = currentLocation(config.env);
    const pageDir = fileURLToPath(new URL("./web", import.meta.url));
    const running = await daemon({ location, config, log, keepLogIn: keepIn, version: packageJson.version, pageDir });
    await Promise.race([running.asked, signal]);
    await running.close();
  }, log);
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
