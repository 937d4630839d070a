import type { Conversation } from "./conversation.js";

/** A piece of what came as the user's, in the order of the conversation: words, or the result of a tool. */
export type Piece = { readonly words: string } | "result";

/** Agents put blocks of their own, in angle brackets, beside what the user said. */
export function isUsersOwn(words: string): boolean {
  return words.trim() !== "" && !words.trimStart().startsWith("<");
}

export function said(pieces: readonly Piece[]): Pick<Conversation, "userTexts" | "results"> {
  const last = pieces.findLastIndex((piece) => piece !== "result" && isUsersOwn(piece.words));
  return {
    userTexts: pieces.flatMap((piece) => (piece === "result" ? [] : [piece.words])),
    results: pieces.slice(last + 1).filter((piece) => piece === "result").length,
  };
}
