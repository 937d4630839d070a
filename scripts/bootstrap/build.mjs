import { join } from "node:path";
import { quietly } from "./command.mjs";
import { filesBelow, fingerprint, workspaceFolders } from "./fingerprint.mjs";
import { step } from "./progress.mjs";
import { cache, root } from "./root.mjs";
import { clearStamp, readStamp, writeStamp } from "./stamp.mjs";

const STAMP = join(cache, "build");
const SHARED = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "turbo.json", "tsconfig.base.json"];

/** Whether the build is complete and matches the current sources. */
export function isBuilt() {
  return readStamp(STAMP) === `${sources()} ${outputs()}`;
}

/** Builds every package and app. `env` has the pinned pnpm on its PATH. */
export async function build({ env }) {
  clearStamp(STAMP);
  const before = sources();
  await step({ doing: "building", done: "built" }, () =>
    quietly([process.execPath, join(root, "node_modules", "turbo", "bin", "turbo"), "run", "build", "--output-logs=errors-only"], { env }),
  );
  if (sources() === before) writeStamp(STAMP, `${before} ${outputs()}`);
}

function sources() {
  const own = workspaceFolders().flatMap((folder) => filesBelow(folder, { skip: ["dist", "test", "bench", "README.md"] }));
  return fingerprint([...own, ...SHARED.map((name) => join(root, name))]);
}

function outputs() {
  return fingerprint(workspaceFolders().flatMap((folder) => filesBelow(join(folder, "dist"))));
}
