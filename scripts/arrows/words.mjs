const MODULES_THAT_SPAWN = new Set(["node:child_process", "child_process", "execa"]);

/** Forbidden calls, each with its line: a test that mocks a module, a program that goes through a shell. */
export function forbiddenIn(tokens, imports) {
  const spawns = imports.some(({ specifier }) => MODULES_THAT_SPAWN.has(specifier));
  return tokens.flatMap((token, index) => {
    const follows = (...values) => values.every((value, offset) => tokens[index + 1 + offset]?.value === value);
    if (token.type !== "word") return [];
    if (token.value === "vi" && (follows(".", "mock", "(") || follows(".", "doMock", "(")))
      return [{ line: token.line, rule: "module mocks are not allowed: pass the part in, or use a published fake" }];
    if (spawns && token.value === "shell" && follows(":", "true"))
      return [{ line: token.line, rule: "shells are not allowed: start a program with an argv" }];
    return [];
  });
}
