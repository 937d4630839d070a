import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

/** Sources, tests and pages, except recorded output of other programs and this list. */
const READ = /\.(?:ts|mts|mjs|md)$/;
const SKIPPED = /(?:^|\/)(?:screens|fixtures|hook-payloads|node_modules)\/|^scripts\/check-words/;

const KEEPS_NO = "longer|more|older|newer|wider|larger|such|one|need|way|room|sign|trace|use|point|doubt|place to|matter|good";

/** Unidiomatic phrases, each with its replacement. */
const HABITS = [
  { pattern: new RegExp(`\\b(?<![Tt]here )(?:is|are|was|were) no (?!(?:${KEEPS_NO})\\b)[A-Za-z]`), rule: 'write "is not a ..."' },
  {
    // Made-up names in tests stand in quotes, paths and targets.
    pattern: /(?<![/=@-])\b(?:nobody|somebody|anybody|whoever)\b(?!["/])/i,
    rule: 'name the person or program: "unowned", "another client", "a user", "no reader", "the caller"',
  },
  { pattern: /\bgoes on on\b/, rule: 'write "continues on" or "resumes on"' },
  { pattern: /(?:^|["`*/]\s*)So (?:long|many|often|much) (?!as\b)/, rule: "name the quantity and its unit" },
  {
    // The stored field of counted tokens keeps its name.
    pattern: /(?<!usage\.)\b(?:told|tells?|telling)\b(?!: (?:TokenCounts|total))/i,
    rule: 'write "report", "notify", "publish", "record", "show", "send" or "distinguish"',
  },
  {
    pattern: /\b(?:told|tells?|telling)[A-Z]|[a-z](?:Told|Tells?|Telling)(?![a-z])/,
    rule: "name it by report, notify, emit, publish, print or send",
  },
  { pattern: /\bwhat (?:became|becomes|has become|will become) of\b/i, rule: 'write "the outcome of"' },
  { pattern: /\bgo(?:es)? on (?:with|where)\b|\bwent on (?:with|where)\b/, rule: 'write "continues", "resumes" or "keeps"' },
  { pattern: /\bspoken with\b/, rule: 'write "a protocol agent"' },
  { pattern: /\b(?:is|are|was|were|be) said to\b/, rule: 'write "is reported" or "is declared"' },
  { pattern: /\bso many (?:at (?:once|most)|ms|bytes|seconds|lines|times)\b/i, rule: "name the quantity and its unit" },
  {
    pattern: /\bof (?:its|their) own accord\b|\bwithout a word\b|(?<!are )\ball the same\b/,
    rule: 'write "by default", "silently" or "anyway"',
  },
  { pattern: /\b(?:is|are|was|were) none of\b/, rule: 'write "does not belong to" or "is not one of"' },
  { pattern: /(?<!["/])\beverybody\b/i, rule: 'write "all clients", "every user" or "all callers"' },
];

/** Unidiomatic phrases in a text, one `{ line, rule }` each. */
export function habitsIn(text) {
  return text.split("\n").flatMap((line, index) =>
    HABITS.filter(({ pattern }) => pattern.test(line)).map(({ rule }) => ({
      line: index + 1,
      rule: `${rule}: ${line.trim().slice(0, 120)}`,
    })),
  );
}

/** The same for every file tracked by git below `root`, one `file:line  rule` each. */
export function checkWords(root) {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  return files
    .filter((file) => READ.test(file) && !SKIPPED.test(file))
    .flatMap((file) => habitsIn(readFileSync(join(root, file), "utf8")).map(({ line, rule }) => `${file}:${line}  ${rule}`));
}

if (realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const found = checkWords(argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
  for (const each of found) console.log(each);
  process.exitCode = found.length === 0 ? 0 : 1;
}
