import { relative } from "node:path";
import { root } from "../bootstrap/root.mjs";

/** The failures of one vitest run, from its JSON report: `{ test, place, message }` each. A file that does not load counts as a test. */
export function failuresIn({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && status === "failed") return [{ test: file, place: file, message: firstLine(message) }];
    return failed.map(({ fullName, failureMessages: [text = ""] }) => ({
      test: `${file} > ${fullName}`,
      place: placeIn(text) ?? file,
      message: firstLine(text),
    }));
  });
}

/** One line per failed test: failures out of runs, seeds, place, and first message line. */
export function table(runs) {
  const byTest = new Map();
  for (const { seed, failures } of runs) {
    for (const failure of failures) {
      const known = byTest.get(failure.test) ?? { ...failure, seeds: [] };
      byTest.set(failure.test, { ...known, seeds: [...known.seeds, seed] });
    }
  }
  return [...byTest.values()]
    .sort((a, b) => b.seeds.length - a.seeds.length)
    .map(
      ({ test, seeds, place, message }) =>
        `${seeds.length}/${runs.length}  ${test}\n      seed ${[...new Set(seeds)].join(", ")}  ${place}  ${message}`,
    );
}

function firstLine(text) {
  return text.split("\n")[0].slice(0, 300);
}

/** The first line of a stack in the repository. */
function placeIn(text) {
  const lines = text.split("\n").filter((line) => line.includes(root) && !line.includes("node_modules"));
  const [, path] = /\(?(?:file:\/\/)?(\/[^()\s]+:\d+:\d+)\)?/.exec(lines[0] ?? "") ?? [];
  return path === undefined ? null : relative(root, path);
}
