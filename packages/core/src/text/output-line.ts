const MARKERS = "$%#>";
const CONTEXT = /[@:/~\\]|[)\]]$/u;
const COUNT = /^[\d.\s]*$/u;
const PLAIN_COUNT = /^[\d.,]*$/u;
const SHORT_NAME = /^[A-Za-z0-9_.-]{1,32}$/u;

/** Whether a line looks like the prompt of an idle shell: `$`, `user@host:~/src %`, `project$`, but not `42%` (swimmers 4.4). */
export function isPromptLine(line: string): boolean {
  const text = line.trimEnd();
  const marker = text.at(-1);
  if (marker === undefined || !MARKERS.includes(marker)) return false;
  const prefix = text.slice(0, -1).trimEnd();
  if (prefix === "") return true;
  if (CONTEXT.test(prefix)) return !(marker === "%" && COUNT.test(prefix.replaceAll(",", "")));
  return marker !== ">" && SHORT_NAME.test(prefix) && !PLAIN_COUNT.test(prefix);
}

/** Whether a line is meaningful: not a prompt, at least three characters with a letter or digit among them (swimmers 3.6). */
export function isMeaningfulLine(line: string): boolean {
  const text = line.trim();
  return text.replace(/\s+/gu, "").length >= 3 && /[\p{L}\p{N}]/u.test(text) && !isPromptLine(text);
}
