/**
 * Texts that agents, terminals and multiplexers are known to misinterpret, by kind. Each is as short as its kind allows. A command that is
 * run by mistake creates the file `judge-mark`.
 */
export const TEXT_KINDS = {
  plain: ["Rename the function and run its tests.", "a b", "Is 1 < 2, and 3 > 2?", "100% of %s and {0}"],
  slash: ["/clear the cache in redis", "/quit the loop early", "/review this change", "/help me", "/cost of this", "/x", "/"],
  slashPath: ["/tmp/file is missing", "/usr/bin/env", "//", "/ first", "/model", "/exit"],
  bang: ["!x", "!", "!touch judge-mark", "!important: read this", "!!"],
  hash: ["#", "# Title", "#include <stdio.h>", "#1 is broken"],
  at: ["@", "@nobody look", "@README.md", "look at @src", "mail a@b.c now"],
  dollar: ["$", "$HOME is wrong", "it costs $", "$skill please", "$(touch judge-mark)", "`touch judge-mark`"],
  bareWord: ["exit", "quit", "help", "clear", "q", ":q", "logout", "EXIT", "vim", "resume"],
  single: ["x", "?", ".", "0", "1", "y", "n", "é", "漢", "🙂", "'", '"', "-", ";", "&", "|", "~", "<", ">", "{"],
  skinTone: ["👍🏽", "thumbs 👍🏿 up", "👩🏽‍🚀"],
  joined: ["👨‍👩‍👧‍👦", "family 👨‍👩‍👧 here", "🏳️‍🌈", "🧑🏽‍🤝‍🧑🏻"],
  flag: ["🇩🇪", "🇩🇪🇫🇷🇯🇵 flags", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} flag", "keycap 1️⃣", "❤️ heart"],
  combining: ["e\u0301 decomposed", "man\u0303ana", "Z\u0351\u036b\u0343\u032a\u0302 stacked", "\u1112\u1161\u11ab jamo", "க்ஷி", "नमस्ते"],
  zeroWidth: [
    "a\u200bb",
    "\u200bfirst",
    "last\u200b",
    "a\u200db",
    "\ufeffmark",
    "a\u2060b",
    "soft\u00adhyphen",
    "no\u00a0break",
    "a\u200cb",
  ],
  rightToLeft: ["שלום עולם", "مرحبا بالعالم", "mixed שלום abc 123", "\u202eabc\u202c", "\u2067abc\u2069"],
  wide: ["漢字テスト", "ｆｕｌｌ width", "한국어 문장", "漢".repeat(130)],
  tab: ["a\tb", "\tfirst", "last\t", "col\tcol\n\tindented"],
  blanks: ["  first", "last  ", "  both  ", " ", "   ", "a  b"],
  lineFeeds: ["\nfirst", "last\n", "\n\nboth\n\n", "a\n\n\n\nb", "\n", "blanks at an end  \nnext"],
  carriageReturn: ["a\r\nb", "a\rb", "a\r\nb\r\n"],
  longLine: ["word ".repeat(60).trim(), "x".repeat(1_000), "long ".repeat(1_000).trim()],
  manyLines: [numbered(3), numbered(20), numbered(200), numbered(1_000)],
  fence: ["```\ncode\n```", "```js\nlet a = `x`;\n```\nafter", "```"],
  quotes: ['"quoted"', "'single'", 'it\'s "both" `and`', '"""'],
  backslash: ["\\", "a\\", "a\\\nb", "\\n is not a line feed", "C:\\dir\\", "\\\\"],
  placeholder: ["[Pasted text #1 +3 lines]", "see [Pasted text #2]", "[Image #1]", "[Pasted Content 1234 chars]", "[Pasted ~3 lines]"],
  screenWords: ["> ", "❯ 1. Yes", "› x", "esc to interrupt", "Do you want to proceed?\n❯ 1. Yes\n  2. No", "─".repeat(80)],
  listEnd: ["see @src", "use /help", "say /", "cost $x", "end with #", "wait!", "why?"],
  markup: ["<b>bold</b>", "&amp; &lt;", "--help", "-n", "- item", "1. item", "> quoted", "{}", "null"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type TextKind = keyof typeof TEXT_KINDS;

/** Prose of this many bytes, in lines. */
export function prose(bytes: number): string {
  const line = "The quick brown fox jumps over the lazy dog; 漢字 and ünïcode too.\n";
  const size = Buffer.byteLength(line);
  const lines = line.repeat(Math.floor(bytes / size));
  return lines + "x".repeat(bytes - Buffer.byteLength(lines));
}

function numbered(lines: number): string {
  return Array.from({ length: lines }, (_, index) => `line ${index + 1} of the text`).join("\n");
}
