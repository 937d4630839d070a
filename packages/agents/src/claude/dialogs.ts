import type { Dialog } from "./layout.js";

export interface Verdict {
  readonly state: "awaiting_approval" | "awaiting_input" | "blocked" | "unknown";
  readonly confidence: number;
  readonly evidence: string;
  readonly hint: string | null;
}

const ATTACH = "Attach to the session and";

/** Dialogs of the set-up, by a line of theirs: none of them may be answered by anyone but the user. */
const SET_UP: readonly { readonly line: RegExp; readonly evidence: string; readonly hint: string }[] = [
  {
    line: /^(?:Accessing workspace:|Do you trust the files in this folder)/u,
    evidence: "the question whether this folder is trusted",
    hint: `${ATTACH} answer whether you trust this folder.`,
  },
  {
    line: /^Choose the text style that looks best/u,
    evidence: "the choice of a theme, first step of the set-up",
    hint: `${ATTACH} finish the set-up of Claude Code, or run \`claude\` once yourself.`,
  },
  {
    line: /^Security notes:/u,
    evidence: "the security notes of the set-up",
    hint: `${ATTACH} read the security notes, then press Enter.`,
  },
  {
    line: /^(?:Select login method|Paste code here if prompted|Login successful|Claude Code can be used with)/u,
    evidence: "the login",
    hint: `${ATTACH} log in, or set ANTHROPIC_API_KEY before you start the session.`,
  },
  {
    line: /^Detected a custom API key in your environment/u,
    evidence: "the question whether to use the API key of the environment",
    hint: `${ATTACH} answer whether Claude may use the API key that it found.`,
  },
  {
    line: /^WARNING: Claude Code running in Bypass Permissions mode/u,
    evidence: "the warning about bypassed permissions",
    hint: `${ATTACH} accept or refuse to run without permission questions.`,
  },
  {
    line: /^New MCP server found in this project|^\d+ new MCP servers found/u,
    evidence: "the question whether to use the project's MCP servers",
    hint: `${ATTACH} answer whether the project's MCP servers may run.`,
  },
  {
    line: /^Resume (?:session|a conversation)/iu,
    evidence: "the list of conversations to resume",
    hint: `${ATTACH} choose the conversation, or press Escape.`,
  },
];

export function judgeDialog(dialog: Dialog): Verdict {
  return setUp(dialog) ?? question(dialog) ?? permission(dialog) ?? unnamed(dialog);
}

function setUp({ rows }: Dialog): Verdict | null {
  const lines = rows.map((row) => row.trim());
  const found = SET_UP.find(({ line }) => lines.some((text) => line.test(text)));
  return found ? { state: "blocked", confidence: 0.95, evidence: found.evidence, hint: found.hint } : null;
}

function question({ keys, options }: Dialog): Verdict | null {
  if (!/Enter to select/u.test(keys) || options.length === 0) return null;
  return { state: "awaiting_input", confidence: 0.95, evidence: `a question with ${options.length} answers`, hint: `${ATTACH} answer it.` };
}

function permission({ keys, options, rows }: Dialog): Verdict | null {
  if (/Enter to confirm/u.test(keys) || !options[0]?.startsWith("Yes")) return null;
  const asked = rows.map((row) => row.trim()).findLast((row) => /^(?:Do you want|Would you like) .*\?$/u.test(row));
  const evidence = asked === undefined ? "a choice that begins with Yes" : `the question "${asked}"`;
  return { state: "awaiting_approval", confidence: asked === undefined ? 0.6 : 0.95, evidence, hint: `${ATTACH} allow or refuse it.` };
}

function unnamed({ heading, options }: Dialog): Verdict {
  if (options.length === 0) return { state: "unknown", confidence: 0.3, evidence: `a dialog that is not known: ${heading}`, hint: null };
  return { state: "blocked", confidence: 0.6, evidence: `a dialog that is not known: ${heading}`, hint: `${ATTACH} answer it.` };
}
