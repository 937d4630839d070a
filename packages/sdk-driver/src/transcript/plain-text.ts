import { visibleText } from "@tmpm/core";

const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-OQ-WYZ\\`-~])/g;
const TAB = 8;

/** A text as lines without terminal syntax: no sequences, no controls, tabs as blanks. An overwritten line has its final content. */
export function plainLines(text: string): readonly string[] {
  return text.replace(SEQUENCE, "").split("\n").map(plainLine);
}

function plainLine(line: string): string {
  const written = line.replace(/\r+$/, "");
  return withoutTabs(visibleText(written.slice(written.lastIndexOf("\r") + 1))).trimEnd();
}

function withoutTabs(line: string): string {
  if (!line.includes("\t")) return line;
  return line.split("\t").reduce((left, right) => left + " ".repeat(TAB - (left.length % TAB)) + right);
}
