/** The value below which a part of the values lies; `part` is from 0 to 1. */
export function quantile(values, part) {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
}

export function median(values) {
  return quantile(values, 0.5);
}

/** Milliseconds of one run. */
export async function timed(task) {
  const started = performance.now();
  await task();
  return performance.now() - started;
}
