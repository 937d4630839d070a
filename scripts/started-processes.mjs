import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Pause before the next look at processes that were killed, in ms. */
const PAUSE_MS = 10;
/** Number of looks; a killed process is usually gone at the second. */
const LOOKS = 200;

/**
 * Kills every process that was started for a folder: those whose arguments, environment or working directory name it, and their descendants, except
 * command lines that match. Returns the command lines of the killed ones. Synchronous, for use as a process exits. Does nothing on systems without `/proc`.
 */
export function endProcessesOf(folder, { except = /(?!)/ } = {}) {
  const ended = new Map();
  for (let look = 0; look < LOOKS; look++) {
    const found = processesOf(folder).filter(({ words }) => !except.test(words));
    if (found.length === 0) break;
    for (const { pid, start, words } of found) {
      ended.set(`${pid}@${start}`, words);
      kill({ pid, start });
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  return [...ended.values()];
}

function processesOf(folder) {
  const all = everyProcess();
  const found = new Set(all.filter((each) => each.pid !== process.pid && names(each, folder)).map(({ pid }) => pid));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent) && pid !== process.pid) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid)).map(({ pid, start, argv }) => ({ pid, start, words: argv.split("\0").join(" ").trim() }));
}

function names({ pid, argv }, folder) {
  if (argv.includes(folder) || read(pid, "environ").includes(folder)) return true;
  const directory = directoryOf(pid);
  return directory === folder || directory.startsWith(`${folder}/`);
}

/** Ended processes that wait for their parent are left out. */
function everyProcess() {
  return pids().flatMap((pid) => {
    const facts = factsOf(pid);
    return facts === null ? [] : [{ pid, ...facts, argv: read(pid, "cmdline") }];
  });
}

function pids() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

function factsOf(pid) {
  // The name, in parentheses, may hold any character.
  const fields = read(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
  const [state, parent] = fields;
  return state === "" || state === "Z" || state === "X" ? null : { parent: Number(parent), start: fields[19] };
}

/** Its pid may have been reused since it was found. */
function kill({ pid, start }) {
  if (factsOf(pid)?.start !== start) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH" && error.code !== "EPERM") throw error;
  }
}

function directoryOf(pid) {
  return readable(() => readlinkSync(`/proc/${pid}/cwd`));
}

function read(pid, name) {
  return readable(() => readFileSync(`/proc/${pid}/${name}`, "latin1"));
}

/** Empty for a process that has ended, or belongs to another user. */
function readable(get) {
  try {
    return get();
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(error.code)) return "";
    throw error;
  }
}
