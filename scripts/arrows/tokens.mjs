/** After these words a slash starts a regular expression; after any other word or value it is a division. */
const BEFORE_REGEX = new Set("return typeof case in of delete void throw new else do instanceof yield await".split(" "));
const SPACE = /\s/;
const WORD = /[\p{ID_Continue}$#@]/u;

/**
 * The words, strings and punctuation of TypeScript text, each with its line; comments, regular expressions and the text of templates with
 * substitutions are omitted. A template without substitutions is a string.
 */
export function tokensOf(source) {
  const tokens = [];
  const scan = { source, at: 0, line: 1, tokens };
  scanCode(scan, { untilBrace: false });
  return tokens;
}

function scanCode(scan, { untilBrace }) {
  for (let depth = 0; scan.at < scan.source.length; ) {
    const char = scan.source[scan.at];
    if (untilBrace && char === "}" && depth === 0) return;
    if (char === "{") depth += 1;
    if (char === "}") depth -= 1;
    scanOne(scan, char);
  }
}

function scanOne(scan, char) {
  const next = scan.source[scan.at + 1];
  if (SPACE.test(char)) advance(scan, 1);
  else if (char === "/" && next === "/") advance(scan, lengthUntil(scan, "\n"));
  else if (char === "/" && next === "*") advance(scan, lengthUntil(scan, "*/") + 2);
  else if (char === '"' || char === "'") scanString(scan, char);
  else if (char === "`") scanTemplate(scan);
  else if (char === "/" && isRegexHere(scan.tokens)) scanRegex(scan);
  else if (WORD.test(char)) scanWord(scan);
  else add(scan, "punctuation", char, 1);
}

function scanString(scan, quote) {
  let end = scan.at + 1;
  while (end < scan.source.length && scan.source[end] !== quote && scan.source[end] !== "\n") end += scan.source[end] === "\\" ? 2 : 1;
  add(scan, "string", scan.source.slice(scan.at + 1, end), end + 1 - scan.at);
}

function scanTemplate(scan) {
  const { line } = scan;
  const start = scan.at + 1;
  advance(scan, 1);
  let plain = true;
  while (scan.at < scan.source.length && scan.source[scan.at] !== "`") {
    if (scan.source.startsWith("${", scan.at)) {
      plain = false;
      scan.tokens.push({ type: "punctuation", value: "${", line: scan.line });
      advance(scan, 2);
      scanCode(scan, { untilBrace: true });
    }
    advance(scan, scan.source[scan.at] === "\\" ? 2 : 1);
  }
  if (plain) scan.tokens.push({ type: "string", value: scan.source.slice(start, scan.at), line });
  else scan.tokens.push({ type: "template", value: "", line: scan.line });
  advance(scan, 1);
}

function scanRegex(scan) {
  let end = scan.at + 1;
  for (let inClass = false; end < scan.source.length && scan.source[end] !== "\n"; end += 1) {
    const char = scan.source[end];
    if (char === "\\") end += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) break;
  }
  add(scan, "regex", "", end + 1 - scan.at);
}

function scanWord(scan) {
  let end = scan.at + 1;
  while (end < scan.source.length && WORD.test(scan.source[end])) end += 1;
  add(scan, "word", scan.source.slice(scan.at, end), end - scan.at);
}

function isRegexHere(tokens) {
  const last = tokens.at(-1);
  if (last === undefined) return true;
  if (last.type === "word") return BEFORE_REGEX.has(last.value);
  return last.type === "punctuation" && !")]}".includes(last.value);
}

function add(scan, type, value, length) {
  scan.tokens.push({ type, value, line: scan.line });
  advance(scan, length);
}

function advance(scan, length) {
  for (let step = 0; step < length; step += 1) if (scan.source[scan.at + step] === "\n") scan.line += 1;
  scan.at += length;
}

function lengthUntil(scan, text) {
  const found = scan.source.indexOf(text, scan.at);
  return (found === -1 ? scan.source.length : found) - scan.at;
}
