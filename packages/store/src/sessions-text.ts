import { type Member, type Members, membersOf, skipSpace } from "./json-members.js";

/** A file of the form `{"sessions": {"<uuid>": record}}`, with the positions of its records. */
export interface SessionsText extends Members {
  readonly text: string;
}

export const NO_SESSIONS = '{\n  "sessions": {}\n}';

/** Indentation depth of a record in the file, in trusty-mpm's two-space form. */
const INDENT = "    ";

/** Finds the records of a file without parsing them. @throws SyntaxError for another form */
export function readSessions(text: string): SessionsText {
  const file = membersOf(text);
  const rest = skipSpace(text, file.close + 1);
  if (rest < text.length) throw new SyntaxError(`${text.length - rest} more characters after the document, from position ${rest}`);
  const [sessions, ...others] = file.members.filter(({ key }) => key === "sessions");
  if (sessions === undefined || text[sessions.valueStart] !== "{") throw new SyntaxError('no object under "sessions"');
  if (others.length > 0) throw new SyntaxError('duplicate key "sessions"');
  for (const member of file.members) if (member !== sessions) JSON.parse(textOf(text, member));
  return { text, ...membersOf(text, sessions.valueStart) };
}

/** The text of a member's value. */
export function textOf(text: string, { valueStart, end }: Member): string {
  return text.slice(valueStart, end);
}

/** A document as two-space JSON in the file. */
export function indented(document: string): string {
  return document.replaceAll("\n", `\n${INDENT}`);
}

/** The file with one record replaced or appended; all other bytes stay. */
export function withSession(
  { text, open, close, members }: SessionsText,
  { key, value }: { readonly key: string; readonly value: string },
): string {
  const member = members.find((each) => each.key === key);
  if (member !== undefined) return text.slice(0, member.valueStart) + value + text.slice(member.end);
  const added = `\n${INDENT}${JSON.stringify(key)}: ${value}`;
  const last = members.at(-1);
  if (last === undefined) return `${text.slice(0, open + 1)}${added}\n  ${text.slice(close)}`;
  return `${text.slice(0, last.end)},${added}${text.slice(last.end)}`;
}

/** The file without one record; all other bytes stay. */
export function withoutSession({ text, open, close, members }: SessionsText, key: string): string {
  const index = members.findIndex((each) => each.key === key);
  const [member, before, after] = [members[index], members[index - 1], members[index + 1]];
  if (member === undefined) return text;
  if (before !== undefined) return text.slice(0, before.end) + text.slice(member.end);
  if (after !== undefined) return text.slice(0, member.start) + text.slice(after.start);
  return text.slice(0, open + 1) + text.slice(close);
}
