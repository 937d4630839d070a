import type { Conversation } from "./conversation.js";

/** A piece of what came as the user's, in the order of the conversation: words, or the result of a tool. */
export type Piece = { readonly words: string } | "result";

/** Agents put blocks of their own, in angle brackets, beside what the user said, or before it in the same text. */
export function isUsersOwn(words: string): boolean {
  const own = ownWords(words);
  return own.trim() !== "" && !own.trimStart().startsWith("<");
}

/** What the user said, without the blocks before it that begin a text of an agent's own: `<current_datetime>…</current_datetime>` and a blank line. */
export function ownWords(words: string): string {
  return words.replace(/^<([a-z]+(?:_[a-z]+)+)>[^<]*<\/\1>\n\n/u, "");
}

export function said(pieces: readonly Piece[]): Pick<Conversation, "userTexts" | "results"> {
  const last = pieces.findLastIndex((piece) => piece !== "result" && isUsersOwn(piece.words));
  return {
    userTexts: pieces.flatMap((piece) => (piece === "result" ? [] : [piece.words])),
    results: pieces.slice(last + 1).filter((piece) => piece === "result").length,
  };
}
