/** Text in man(7) form: each line separate, without requests, and backquoted parts in bold. */
export function roff(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.trim() === "" ? ".PP" : roffLine(line.trim())))
    .join("\n");
}

export function roffLine(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll('"', "\\(dq")
    .replace(/`([^`]*)`/g, "\\fB$1\\fP")
    .replace(/^\./, "\\&.");
}
