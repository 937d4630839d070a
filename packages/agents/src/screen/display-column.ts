const WIDE =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23f3\u2614\u2615\u2648-\u2653\u26a1\u26ce\u2705\u274c\u2795-\u2797\u2b50\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NARROWEST = /[\p{Mn}\p{Me}\p{Cf}]/u;

/**
 * Positions at which a row may be cut before a cursor column. Exact for plain ASCII; terminals disagree about the width of other
 * characters, so each one before the cursor allows a cut one column further.
 */
export function cutsAtColumn(row: string, column: number): readonly string[] {
  const cuts: string[] = [];
  let width = 0;
  let doubtful = 0;
  let before = "";
  for (const character of row) {
    if (Math.abs(width - column) <= doubtful) cuts.push(before);
    before += character;
    width += columnsOf(character);
    if (character > "\u007e") doubtful += 1;
  }
  if (width - column <= doubtful) cuts.push(before);
  return cuts;
}

function columnsOf(character: string): number {
  if (NARROWEST.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
