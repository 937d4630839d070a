import type { Conversation } from "./conversation.js";

/** A piece of what came as the user's, in the order of the conversation: words, or the result of a tool. */
export type Piece = { readonly words: string } | { readonly result: string };

/** Claude Code writes it behind the result of a search for tools. */
const TOOL_LOADED = "Tool loaded.";

/** Agents put blocks of their own, in angle brackets, beside what the user said, or before it in the same text. */
export function isUsersOwn(words: string): boolean {
  const own = ownWords(words);
  return own.trim() !== "" && own !== TOOL_LOADED && !own.trimStart().startsWith("<");
}

/** What the user said, without the blocks before it that begin a text of an agent's own: `<current_datetime>…</current_datetime>` and a blank line. */
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
