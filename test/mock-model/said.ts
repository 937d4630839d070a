import type { Conversation } from "./conversation.js";

/** A piece with the user's role, in the order of the conversation: text, or the result of a tool. */
export type Piece = { readonly words: string } | { readonly result: string };

/** Claude Code writes it after the result of a search for tools. */
const TOOL_LOADED = "Tool loaded.";

/** Agents add their own blocks, in angle brackets, next to the user's text, or before it in the same block. */
export function isUsersOwn(words: string): boolean {
  const own = ownWords(words);
  return own.trim() !== "" && own !== TOOL_LOADED && !own.trimStart().startsWith("<");
}

/** The user's text, without an agent's blocks at its start: `<current_datetime>…</current_datetime>` and a blank line. */
export function ownWords(words: string): string {
  return words.replace(/^<([a-z]+(?:_[a-z]+)+)>[^<]*<\/\1>\n\n/u, "");
}

export function said(pieces: readonly Piece[]): Pick<Conversation, "userTexts" | "results"> {
  const last = pieces.findLastIndex((piece) => "words" in piece && isUsersOwn(piece.words));
  return {
    userTexts: pieces.flatMap((piece) => ("words" in piece ? [piece.words] : [])),
    results: pieces.slice(last + 1).flatMap((piece) => ("result" in piece ? [piece.result] : [])),
  };
}
