import { once } from "node:events";
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

const controller = new AbortController();

/** Aborts when a signal ends the benchmark: the measurement ends then, and creates nothing more during clean-up. */
export const interruption = controller.signal;

/** Clean-up functions, run in reverse order. */
const undoing = [];

/** Registers a clean-up function: it runs when the benchmark ends, fails or is ended by a signal. Returns a function that runs it earlier. */
export function atEnd(undo) {
  undoing.push(undo);
  return async () => {
    const index = undoing.indexOf(undo);
    if (index < 0) return;
    undoing.splice(index, 1);
    await undo();
  };
}

/** Interrupted work may fail with any error. */
function failQuietly() {
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, () => undefined);
}

/** Runs a benchmark. A signal ends it with the exit code of that signal, after all clean-up functions have run. */
export async function benchmark(body) {
  const signal = new Promise((resolve) => {
    for (const name of SIGNALS) process.once(name, resolve);
  });
  try {
    const name = await Promise.race([body(), signal]);
    if (!SIGNALS.includes(name)) return;
    failQuietly();
    controller.abort();
    process.exitCode = 128 + constants.signals[name];
  } finally {
    try {
      await undoAll();
    } finally {
      if (interruption.aborted) process.exit();
    }
  }
  process.exit();
}

/** Runs all clean-up functions, even if some fail. @throws the first failure, at the end */
async function undoAll() {
  const failures = [];
  for (let undo = undoing.pop(); undo !== undefined; undo = undoing.pop()) {
    try {
      await undo();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Ends a child process unless it has ended, and resolves once it has. */
export async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGTERM");
  await closed;
}
