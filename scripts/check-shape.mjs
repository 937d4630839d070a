import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const MAX_SOURCE_LINES = 300;
const MAX_AGENTS_LINES = 99;
const MAX_README_LINES = 60;
const SOURCE = /\.(?:ts|tsx|mts|mjs|js)$/;
const TEST = /\.test\.\w+$/;
const VAGUE_NAMES = new Set(["utils", "util", "common", "helpers", "helper", "misc", "types"]);

/** Violations of the repository's shape at `root`, one `file:line  rule` each: sizes, names, and required files of a package. */
export function checkShape(root) {
  const packages = ["packages", "apps"].flatMap((group) => foldersIn(join(root, group)));
  const sources = [...packages.map((folder) => join(folder, "src")), join(root, "scripts")].flatMap(sourcesBelow);
  return [
    ...sources.flatMap((file) => tooLong(file, MAX_SOURCE_LINES)),
    ...sources.flatMap(vaguelyNamed),
    ...sources.flatMap(undetachable),
    ...requiredAndShort(join(root, "AGENTS.md"), MAX_AGENTS_LINES),
    ...packages.flatMap((folder) => requiredAndShort(join(folder, "README.md"), MAX_README_LINES)),
    ...packages.flatMap(untested),
  ].map(({ file, line, rule }) => `${relative(root, file)}:${line}  ${rule}`);
}

function tooLong(file, max) {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").length;
  return lines <= max ? [] : [{ file, line: max + 1, rule: `${lines} lines; at most ${max}` }];
}

/** A signal made this way is retained by its sources for their lifetime. */
function undetachable(file) {
  if (file.endsWith("check-shape.mjs")) return [];
  const line = readFileSync(file, "utf8")
    .split("\n")
    .findIndex((text) => text.includes("AbortSignal.any("));
  return line < 0 ? [] : [{ file, line: line + 1, rule: "AbortSignal.any cannot be detached: use linkedSignal of @tmpm/core" }];
}

function vaguelyNamed(file) {
  const words = [basename(file).replace(SOURCE, ""), basename(dirname(file))];
  const vague = words.find((word) => VAGUE_NAMES.has(word));
  return vague === undefined ? [] : [{ file, line: 1, rule: `"${vague}" is vague: name it after its main export` }];
}

function requiredAndShort(file, max) {
  return namesIn(dirname(file)).includes(basename(file)) ? tooLong(file, max) : [{ file, line: 1, rule: "is missing" }];
}

function untested(folder) {
  const tests = filesBelow(join(folder, "test")).filter((file) => TEST.test(file));
  return tests.length > 0 ? [] : [{ file: join(folder, "test"), line: 1, rule: "contains no tests" }];
}

function sourcesBelow(folder) {
  return filesBelow(folder).filter((file) => SOURCE.test(file) && !TEST.test(file));
}

function filesBelow(folder) {
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["node_modules", "dist", "fixtures"].includes(entry.name) ? [] : filesBelow(path);
    return [path];
  });
}

function foldersIn(folder) {
  return entriesIn(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}

function namesIn(folder) {
  return entriesIn(folder).map((entry) => entry.name);
}

function entriesIn(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

if (realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const violations = checkShape(argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
  for (const violation of violations) console.log(violation);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
