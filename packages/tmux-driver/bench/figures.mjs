let missed = 0;

/** Prints a figure with its target; `target` is a least value, `most` a greatest. Without either it is only told. */
export function figure(name, { value, unit = "x", target, most, detail = "" }) {
  const met = target === undefined ? most === undefined || value <= most : value >= target;
  if (!met) missed += 1;
  const wanted = target !== undefined ? `at least ${target}${unit}` : most !== undefined ? `at most ${most}${unit}` : "";
  const verdict = wanted === "" ? "" : met ? "met" : "MISSED";
  console.log(
    `${name.padEnd(62)} ${`${number(value)}${unit}`.padStart(10)}  ${wanted.padEnd(17)} ${verdict.padEnd(7)} ${detail}`.trimEnd(),
  );
}

export function number(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function summary() {
  console.log(missed === 0 ? "all targets met" : `${missed} targets missed`);
}
