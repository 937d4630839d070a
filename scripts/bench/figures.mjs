import { appendFileSync } from "node:fs";

/**
 * Prints a figure with its target: `target` is the least value, `most` the greatest; without either it is only reported. `npm run bench` collects
 * those that have one for its summary, through the file in `TMPM_TEST_FIGURES`.
 */
export function figure(name, { value, unit = "x", target, most, detail = "" }) {
  const made = { name, now: `${number(value)}${unit}`, target: wanted({ unit, target, most }), met: isMet(value, { target, most }) };
  console.log(`${name.padEnd(66)} ${made.now.padStart(10)}  ${made.target.padEnd(17)} ${verdict(made).padEnd(7)} ${detail}`.trimEnd());
  const path = process.env.TMPM_TEST_FIGURES;
  if (path !== undefined && made.target !== "") appendFileSync(path, `${JSON.stringify(made)}\n`);
}

export function number(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** All collected figures as a table, and how many were missed. `lines` is what `figure` wrote; `failed` are the benchmarks whose figures are not complete. */
export function summary(lines, failed = []) {
  const figures = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const rows = [["figure", "now", "target", ""], ...figures.map((made) => [made.name, made.now, made.target, verdict(made)])];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
  const missed = figures.filter(({ met }) => !met).length;
  const incomplete = failed.map((file) => `\nfailed, its other figures are missing here: ${file}`);
  return `${table.join("\n")}\n${figures.length} targets, ${missed === 0 ? "all met" : `${missed} missed`}${incomplete.join("")}`;
}

function wanted({ unit, target, most }) {
  if (target !== undefined) return `at least ${target}${unit}`;
  return most === undefined ? "" : `at most ${most}${unit}`;
}

/** As shown, so that a value that reads as its target meets it. */
function isMet(value, { target = -Infinity, most = Infinity }) {
  const shown = Number(number(value));
  return shown >= target && shown <= most;
}

function verdict({ target, met }) {
  return target === "" ? "" : met ? "met" : "MISSED";
}
