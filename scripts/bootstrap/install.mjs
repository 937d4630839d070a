import { join } from "node:path";
import { quietly } from "./command.mjs";
import { fingerprint, namesIn, workspaceFolders } from "./fingerprint.mjs";
import { step } from "./progress.mjs";
import { root } from "./root.mjs";
import { clearStamp, readStamp, writeStamp } from "./stamp.mjs";

const STAMP = join(root, "node_modules", ".cache", "tmpm", "install");

/** Whether the installation matches the lockfile and the manifests, and is unchanged since. */
export function isInstalled() {
  return readStamp(STAMP) === state();
}

/** Installs exactly the lockfile's versions. `env` has the pinned pnpm on its PATH. */
export async function install({ env }) {
  clearStamp(STAMP);
  await step({ doing: "installing dependencies", done: "dependencies installed" }, () =>
    quietly(["pnpm", "install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only"], {
      env,
      hint: "After a change to a package.json or to pnpm-workspace.yaml: `npm run pnpm -- install` updates the lockfile.",
    }),
  );
  writeStamp(STAMP, state());
}

/** Includes pnpm's own metadata and links: they reveal a manual install, another branch's, or a partly removed one. */
function state() {
  const folders = [root, ...workspaceFolders()];
  const asked = ["pnpm-lock.yaml", "pnpm-workspace.yaml"].map((name) => join(root, name));
  const manifests = folders.map((folder) => join(folder, "package.json"));
  const installed = [".modules.yaml", ".pnpm/lock.yaml"].map((name) => join(root, "node_modules", name));
  const links = folders.map((folder) => [folder, linksIn(join(folder, "node_modules"))]);
  return fingerprint([...asked, ...manifests, ...installed], process.versions.modules, links);
}

function linksIn(folder) {
  return namesIn(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => (name.startsWith("@") ? namesIn(join(folder, name)).map((scoped) => `${name}/${scoped}`) : [name]));
}
