import { writeSync } from "node:fs";
import { TmpmError } from "@tmpm/core";
import { pino, stdTimeFunctions } from "pino";
import { type LogFile, logFile } from "./log-file.js";
import { repeats } from "./repeats.js";

/** Replaces anything that looks like a secret, anywhere in a line. */
const SECRETS: readonly RegExp[] = [/(tmpm_)[\w-]{20,}/g, /(bearer\s+)[\w.~+/=-]{8,}/gi, /(\btmpm_\d+=)[\w-]{8,}/g];

export function redacted(line: string): string {
  return SECRETS.reduce((text, secret) => text.replace(secret, "$1…"), line);
}

export type Log = ReturnType<typeof daemonLog>["log"];

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const STDOUT = 1;
const MOST_TEXT = 4 * 1024;

/**
 * JSON lines on standard output, and after `keepIn` also in a file, if different. `TMPM_LOG_LEVEL` is the minimum level, `info` by default.
 * @throws INVALID_ARGUMENT
 */
export function daemonLog(env: NodeJS.ProcessEnv, { stdout = true }: { readonly stdout?: boolean } = {}) {
  let file: LogFile | null = null;
  let onStdout = stdout;
  const output = {
    write(line: string) {
      const clean = redacted(line);
      if (onStdout) onStdout = toStdout(clean);
      file?.write(clean);
    },
  };
  const repeated = repeats({ now: () => performance.now() });
  const log = pino(
    {
      base: { pid: process.pid },
      level: levelOf(env),
      timestamp: stdTimeFunctions.isoTime,
      formatters: { log: capped },
      hooks: {
        logMethod(args, method, level) {
          const message = args.find((each) => typeof each === "string") ?? "";
          const { say, unsaid } = repeated.said(`${level} ${message}`);
          if (unsaid > 0) method.apply(this, [{ unsaid, about: message }, "suppressed for a while"]);
          if (say) method.apply(this, args);
        },
      },
    },
    output,
  );
  return {
    log,
    /** Starts the log file. Full files are rotated, so all together stay below 50 MiB. @throws the system's error */
    keepIn(path: string) {
      const missing = (count: number) =>
        `${JSON.stringify({ level: 40, time: new Date().toISOString(), msg: "lines are missing", count })}\n`;
      file = logFile({ path, missing });
      onStdout &&= !file.is(STDOUT);
    },
  };
}

function levelOf({ TMPM_LOG_LEVEL: level = "" }: NodeJS.ProcessEnv): (typeof LEVELS)[number] {
  const known = LEVELS.find((each) => each === (level === "" ? "info" : level));
  if (known !== undefined) return known;
  throw new TmpmError("INVALID_ARGUMENT", `TMPM_LOG_LEVEL is one of ${LEVELS.join(", ")}, not ${JSON.stringify(level)}`);
}

/** False once the reader has exited. */
function toStdout(line: string): boolean {
  try {
    writeSync(STDOUT, line);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return error.code === "EAGAIN";
    throw error;
  }
}

/** Limits each field to a screen or two. */
function capped(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cappedValue(value)]));
}

function cappedValue(value: unknown): unknown {
  if (typeof value === "string") return value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT)}…` : value;
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  const text = JSON.stringify(value) ?? "";
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : value;
}
