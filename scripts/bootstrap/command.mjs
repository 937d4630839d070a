import { spawn } from "node:child_process";
import { Failure } from "./failure.mjs";
import { root } from "./root.mjs";

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];
const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/** Runs a program silently. @throws Failure with its complete output if it fails */
export async function quietly([program, ...args], { env, cwd = root, hint = "" }) {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  const code = await ended(child);
  const text = Buffer.concat(output).toString("utf8").trimEnd();
  if (code === 0) return text;
  throw new Failure(`${text}\ntmpm: \`${[program, ...args].join(" ")}\` failed with exit code ${code}.${hint && ` ${hint}`}`);
}

/** Runs a program on this terminal and resolves with its exit code; `stdin` is "inherit" for one that may ask. */
export async function loudly([program, ...args], { env, cwd = root, stdin = "ignore" }) {
  return ended(spawn(program, args, { cwd, env, stdio: [stdin, "inherit", "inherit"] }));
}

/** Runs a program and resolves with its exit code and output, even on failure. */
export async function answerOf([program, ...args], { env, cwd = root }) {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const stdout = [];
  const stderr = [];
  child.stdout.on("data", (chunk) => stdout.push(chunk));
  child.stderr.on("data", (chunk) => stderr.push(chunk));
  const code = await ended(child);
  return { code, stdout: Buffer.concat(stdout).toString("utf8"), stderr: Buffer.concat(stderr).toString("utf8") };
}

/** A terminating signal is forwarded to the child first, and takes effect here when the child has ended. A terminal sends Ctrl-C to both itself. */
function ended(child) {
  return new Promise((resolve, reject) => {
    const forward = (signal) => {
      if (signal !== "SIGINT" || !process.stderr.isTTY) child.kill(signal);
      child.once("close", () => process.exit(128 + SIGNAL_NUMBERS[signal]));
    };
    const forget = () => FORWARDED.forEach((signal) => void process.off(signal, forward));
    for (const signal of FORWARDED) process.once(signal, forward);
    child.once("error", (error) => {
      forget();
      reject(new Failure(`tmpm: cannot run ${child.spawnfile}: ${error.message}`));
    });
    child.once("close", (code, signal) => {
      forget();
      resolve(code ?? 128 + (SIGNAL_NUMBERS[signal] ?? 9));
    });
  });
}
