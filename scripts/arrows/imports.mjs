/**
 * A file's imports: `{ specifier, line, typeOnly, names }`, for imports, re-exports, dynamic imports and `require` of a constant.
 * `typeOnly` is true only when nothing remains at run time: `import type`, not `import { type X }`.
 */
export function importsOf(tokens) {
  return tokens.flatMap((token, index) => {
    if (token.type !== "word" || isMember(tokens, index)) return [];
    if (token.value === "import") return importAt(tokens, index);
    if (token.value === "export") return reexportAt(tokens, index);
    if (token.value === "require") return callAt(tokens, index);
    return [];
  });
}

function importAt(tokens, index) {
  const next = tokens[index + 1];
  if (next?.type === "string") return [{ specifier: next.value, line: next.line, typeOnly: false, names: [] }];
  if (is(next, "(")) return callAt(tokens, index);
  if (is(next, ".")) return [];
  return clauseAt(tokens, index);
}

function reexportAt(tokens, index) {
  const start = tokens[index + 1]?.value === "type" ? index + 2 : index + 1;
  return is(tokens[start], "*") || is(tokens[start], "{") ? clauseAt(tokens, index) : [];
}

function callAt(tokens, index) {
  const [open, argument] = [tokens[index + 1], tokens[index + 2]];
  if (!is(open, "(") || argument?.type !== "string") return [];
  return [{ specifier: argument.value, line: argument.line, typeOnly: false, names: [] }];
}

/** Everything between the keyword and `from "…"`; an export list without `from` is not an import. */
function clauseAt(tokens, index) {
  let end = index + 1;
  for (let depth = 0; end < tokens.length; end += 1) {
    if (is(tokens[end], "{")) depth += 1;
    if (is(tokens[end], "}")) depth -= 1;
    if (depth === 0 && tokens[end].value === "from" && tokens[end + 1]?.type === "string") break;
    if (depth === 0 && is(tokens[end], "}") && tokens[end + 1]?.value !== "from") return [];
    if (is(tokens[end], ";")) return [];
  }
  const specifier = tokens[end + 1];
  if (specifier === undefined) return [];
  const clause = tokens.slice(index + 1, end);
  const typeOnly = clause[0]?.value === "type" && clause.length > 1 && !is(clause[1], ",");
  const names = clause.filter((token) => token.type === "word").map((token) => token.value);
  return [{ specifier: specifier.value, line: specifier.line, typeOnly, names }];
}

function isMember(tokens, index) {
  return is(tokens[index - 1], ".") && !is(tokens[index - 2], ".");
}

function is(token, value) {
  return token?.type === "punctuation" && token.value === value;
}
