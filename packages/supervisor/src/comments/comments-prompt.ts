import { type ReviewComment, visibleText } from "@tmpm/core";

export interface PlacedComment extends ReviewComment {
  /** Its current place; null when its line no longer exists. */
  readonly line: number | null;
}

/** All of them as one prompt, each with its place and its line. */
export function commentsPrompt(comments: readonly PlacedComment[]): string {
  const parts = comments.map(({ anchor, line, comment }, index) => {
    const path = visibleText(anchor.path).replace(/\n/g, "\\x0a");
    const place = line === null ? `${path} (deleted, formerly line ${anchor.line})` : `${path}:${line}`;
    const side = anchor.side === "old" ? ", as it was before your changes" : "";
    const said = comment.split(/\r\n|[\r\n]/).map((text) => `   ${visibleText(text)}`);
    return [`${index + 1}. ${place}${side}`, `   > ${visibleText(anchor.text.trim())}`, ...said].join("\n");
  });
  return [`Review comments on your changes. Address each of them:`, ...parts].join("\n\n");
}
