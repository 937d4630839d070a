import { appendFileSync } from "node:fs";

/**
 * Prints a figure with its target: `target` is the minimum, `most` the maximum; without either it is only reported. `npm run bench` collects
 * figures with a target for its summary, through the file in `TMPM_TEST_FIGURES`.
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

/** All collected figures as a table, and the number of missed ones. `lines` is the output of `figure`; `failed` are the benchmarks with incomplete figures. */
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
  const incomplete = failed.map((file) => `\nfailed, with its other figures missing here: ${file}`);
  return `${table.join("\n")}\n${figures.length} targets, ${missed === 0 ? "all met" : `${missed} missed`}${incomplete.join("")}`;
}

function wanted({ unit, target, most }) {
  if (target !== undefined) return `at least ${target}${unit}`;
  return most === undefined ? "" : `at most ${most}${unit}`;
}

/** Rounded as displayed, so that a value displayed as its target meets it. */
function isMet(value, { target = -Infinity, most = Infinity }) {
  const shown = Number(number(value));
  return shown >= target && shown <= most;
}

function verdict({ target, met }) {
  return target === "" ? "" : met ? "met" : "MISSED";
}
