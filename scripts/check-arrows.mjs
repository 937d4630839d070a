import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { importsOf } from "./arrows/imports.mjs";
import { brokenByImport, brokenByManifest } from "./arrows/rules.mjs";
import { tokensOf } from "./arrows/tokens.mjs";
import { forbiddenIn } from "./arrows/words.mjs";
import { readWorkspace } from "./arrows/workspace.mjs";

/** Every forbidden dependency at `root`, one `file:line  rule` each; empty without any. */
export function checkArrows(root) {
  const workspace = readWorkspace(root);
  const violations = workspace.flatMap((from) => [
    ...manifestViolations(from, { workspace }),
    ...from.sources.flatMap((file) => fileViolations(file, { from, isTest: false, workspace })),
    ...from.tests.flatMap((file) => fileViolations(file, { from, isTest: true, workspace })),
  ]);
  return violations.map(({ file, line, rule }) => `${relative(root, file)}:${line}  ${rule}`);
}

function manifestViolations(from, { workspace }) {
  return brokenByManifest(from, { workspace }).map(({ dependency, rule }) => {
    const line = from.manifestLines.findIndex((text) => text.trimStart().startsWith(`"${dependency}":`)) + 1;
    return { file: join(from.folder, "package.json"), line, rule };
  });
}

function fileViolations(file, context) {
  const tokens = tokensOf(readFileSync(file, "utf8"));
  const imports = importsOf(tokens);
  const broken = imports.flatMap((found) => brokenByImport(found, { file, ...context }).map((rule) => ({ file, line: found.line, rule })));
  const forbidden = forbiddenIn(tokens, imports).map(({ line, rule }) => ({ file, line, rule }));
  return [...broken, ...forbidden];
}

if (realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const violations = checkArrows(argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
  for (const violation of violations) console.log(violation);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
