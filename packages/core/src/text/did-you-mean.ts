/** The nearest of these names; null when none is near. */
export function didYouMean(given: string, known: readonly string[]): string | null {
  const most = Math.max(1, Math.floor(given.length / 3));
  const [best] = known
    .map((word) => ({ word, edits: editsBetween(given.toLowerCase(), word.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits);
  return best?.word ?? null;
}

/** Edit distance with transpositions (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const differs = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + differs, swapped));
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
