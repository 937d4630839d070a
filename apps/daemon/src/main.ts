import { currentLocation } from "@tmpm/api/local";
import { ERRORS, isTmpmError } from "@tmpm/core";
import packageJson from "../package.json" with { type: "json" };
import { type Daemon, daemon } from "./daemon.js";
import { daemonLog } from "./log.js";

const EXIT_FAULT = 70;
const log = daemonLog();

process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "a fault that nothing handled");
  process.exit(EXIT_FAULT);
});

async function main(): Promise<number> {
  try {
    const running = await daemon({ location: currentLocation(), env: process.env, log, version: packageJson.version });
    await Promise.race([running.asked, signalled()]);
    await stop(running);
    return 0;
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    log.error({ code: error.code, hint: error.hint, details: error.details }, error.message);
    return ERRORS[error.code].exit;
  }
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}

/** A second signal ends the daemon at once. */
async function stop(running: Daemon): Promise<void> {
  process.once("SIGTERM", () => process.exit(EXIT_FAULT));
  process.once("SIGINT", () => process.exit(EXIT_FAULT));
  await running.close();
}

process.exitCode = await main();
process.exit();
