import { join } from "node:path";
import { afterAll } from "vitest";
import { passableFolder } from "./passable-folder.mjs";
import { endProcessesOf } from "./started-processes.mjs";

const OF_RUN = Symbol.for("tmpm.folder-of-run");
/** The service of esbuild bundles programs for all test files of a worker, and ends with it. */
const OF_WORKER = /\/esbuild --service=/;

const WIDTH = 120;

// The test files of one worker may share this variable.
globalThis[OF_RUN] ??= process.env.TMPDIR;

/** Each test file has its own folder for temporary files, so that the processes that its tests leave behind are found and ended. */
const folder = passableFolder(join(globalThis[OF_RUN], "t"));
process.env.TMPDIR = folder;

afterAll(() => {
  const ended = endProcessesOf(folder, { except: OF_WORKER });
  if (ended.length > 0) console.warn(`ended what the tests left running:\n${ended.map((words) => words.slice(0, WIDTH)).join("\n")}`);
});
