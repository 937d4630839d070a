import { squeeze } from "./rows.js";

/** More than this many characters at the end of the input prove nothing more. */
const PROOF = 200;
/** So many characters may be lost at the end of a row: agents and terminals disagree on how wide some emoji are. */
const LOST = 12;

/** Whether an input shows the end of a text: to the letter, or row by row but for what was cut off where a row ends. */
export function showsText(draft: string, text: string): boolean {
  const end = squeeze(text).slice(-PROOF);
  return end !== "" && (squeeze(draft).endsWith(end) || showsRows(draft, text));
}

/** From its last row upwards, each row stands in the text right before the one below it. */
function showsRows(draft: string, text: string): boolean {
  const whole = fold(text);
  let from = whole.length;
  let shown = 0;
  for (const row of draft.split("\n").map(fold).toReversed()) {
    const at = row === "" ? from : whole.lastIndexOf(row, from - row.length);
    const lost = from - at - row.length;
    if (at < 0 || lost > (shown === 0 ? 0 : LOST)) return false;
    shown += row.length;
    from = at;
  }
  return shown > 0 && shown >= Math.min(PROOF, whole.length * 0.9);
}

/** Without what takes no room of its own: joiners, marks, variants. */
function fold(text: string): string {
  return squeeze(text)
    .normalize("NFD")
    .replace(/[\p{M}\p{Cf}]/gu, "");
}
