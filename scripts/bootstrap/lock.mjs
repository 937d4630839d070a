import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { note } from "./progress.mjs";

const POLL_MS = 200;
const HEARTBEAT_MS = 5_000;
/** Heartbeat timeout of a holder on another machine or in another container. */
const SILENCE_MS = 60_000;
/** Taking over a dead holder's lock is two file operations; a take-over this old was itself interrupted. */
const TAKEOVER_MS = 10_000;

/** Runs `work` while no other process does under the same `path`; waits for a live holder, takes over from a dead one. */
export async function withLock(path, work) {
  const release = await acquire(path);
  try {
    return await work();
  } finally {
    release();
  }
}

async function acquire(path) {
  mkdirSync(dirname(path), { recursive: true });
  const own = JSON.stringify({ pid: process.pid, started: startOf(process.pid), host: hostname() });
  for (let noted = false; !take(path, own); ) {
    const holder = holderOf(path);
    if (holder === null) continue;
    if (isAlive(path, holder) || !dropDead(path, holder)) {
      if (!noted) note(`waiting for the running set-up (process ${parseHolder(holder)?.pid}) ...`);
      noted = true;
      await delay(POLL_MS);
    }
  }
  return hold(path);
}

function hold(path) {
  const timer = setInterval(() => beat(path), HEARTBEAT_MS);
  timer.unref();
  const remove = () => rmSync(path, { force: true });
  process.once("exit", remove);
  return () => {
    clearInterval(timer);
    process.off("exit", remove);
    remove();
  };
}

function beat(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch (error) {
    if (error.code !== "ENOENT") throw error; // The cache was cleared: the work continues without its lock.
  }
}

/** A link appears atomically, so a half-written holder is never read. */
function take(path, own) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, own);
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Two processes that see the same dead holder must not remove each other's new lock: the removal has its own lock. */
function dropDead(path, holder) {
  const takeover = `${path}.takeover`;
  try {
    mkdirSync(takeover);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (ageOf(takeover) > TAKEOVER_MS) rmdirSync(takeover);
    return false;
  }
  try {
    if (holderOf(path) === holder) rmSync(path, { force: true });
    return true;
  } finally {
    rmdirSync(takeover);
  }
}

function isAlive(path, holder) {
  const parsed = parseHolder(holder);
  if (parsed === null) return false;
  const { pid, started, host } = parsed;
  return host === hostname() ? startOf(pid) === started : ageOf(path) < SILENCE_MS;
}

/** A machine that lost power may have kept the file without its content. */
function parseHolder(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function holderOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function ageOf(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch (error) {
    if (error.code === "ENOENT") return 0;
    throw error;
  }
}

/** A process's start time as reported by the system; null without such a process. Distinguishes it from a later one with the same pid. */
function startOf(pid) {
  if (process.platform === "linux") {
    try {
      return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")[19];
    } catch (error) {
      if (error.code === "ENOENT" || error.code === "ESRCH") return null;
      throw error;
    }
  }
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return null; // `ps` fails for a process that has ended.
  }
}
