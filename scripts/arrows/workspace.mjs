import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCE = /\.(?:ts|tsx|mts|cts|mjs|js)$/;

/** The packages and apps at `root`: name, folder, manifest, whether it is an app, and its files under `src` and `test`. */
export function readWorkspace(root) {
  return ["packages", "apps"].flatMap((group) =>
    namesIn(join(root, group))
      .map((name) => join(root, group, name))
      .filter((folder) => existsSync(join(folder, "package.json")))
      .map((folder) => readPackage(folder, { isApp: group === "apps" })),
  );
}

function readPackage(folder, { isApp }) {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const manifest = JSON.parse(text);
  return {
    name: manifest.name.replace(/^@tmpm\//, ""),
    folder,
    isApp,
    manifest,
    manifestLines: text.split("\n"),
    sources: filesBelow(join(folder, "src")),
    tests: filesBelow(join(folder, "test")),
  };
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "fixtures") return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}
