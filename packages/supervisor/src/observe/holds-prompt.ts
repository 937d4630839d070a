/** Letters and digits that identify a prompt: agents record only the beginning of long ones. */
const ENOUGH = 200;

/** Whether an agent's own copy of a prompt contains the sent text, as far as agents keep it. */
export function holdsPrompt(copy: string, sent: string): boolean {
  return essence(copy).includes(essence(sent).slice(0, ENOUGH));
}

/** Agents change blanks, drop invisible characters, compose marks, and prepend text to a prompt: letters and digits stay. */
function essence(text: string): string {
  return text.normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, "");
}
