import { ATTACH } from "../screen/reading.js";
import type { Dialog } from "./layout.js";

export interface Verdict {
  readonly state: "awaiting_approval" | "awaiting_input" | "blocked" | "unknown";
  readonly confidence: number;
  readonly evidence: string;
  readonly hint: string | null;
}

/** Set-up dialogs, by one of their lines: only the user may answer them. */
const SET_UP: readonly { readonly line: RegExp; readonly evidence: string; readonly hint: string }[] = [
  {
    line: /^(?:Accessing workspace:|Do you trust the files in this folder|(?:❯ )?(?:\d\. )?Yes, I trust this folder)/u,
    evidence: "the folder trust dialog",
    hint: `${ATTACH} answer whether you trust this folder.`,
  },
  {
    line: /^(?:Choose the text style that looks best|Syntax theme: )/u,
    evidence: "the theme choice of the set-up",
    hint: `${ATTACH} finish the set-up of Claude Code, or run \`claude\` once yourself.`,
  },
  {
    line: /^Security notes:/u,
    evidence: "the security notes of the set-up",
    hint: `${ATTACH} read the security notes, then press Enter.`,
  },
  {
    line: /^(?:Login$|Select login method|Paste code here if prompted|Login successful|Claude Code can be used with)/u,
    evidence: "the login",
    hint: `${ATTACH} log in, or run \`claude\` once yourself and log in.`,
  },
  {
    line: /^Detected a custom API key in your environment/u,
    evidence: "the question about the API key in the environment",
    hint: `${ATTACH} allow or refuse the API key from the environment.`,
  },
  {
    line: /^WARNING: Claude Code running in Bypass Permissions mode/u,
    evidence: "the warning about bypassed permissions",
    hint: `${ATTACH} accept or refuse running without permission prompts.`,
  },
  {
    line: /^New MCP server found in this project|^\d+ new MCP servers found/u,
    evidence: "the question about the project's MCP servers",
    hint: `${ATTACH} allow or refuse the project's MCP servers.`,
  },
  {
    line: /^Auto mode can't check actions in this session/u,
    evidence: "the auto mode's safety check is unreachable through this gateway",
    hint: `${ATTACH} press Enter to approve each action yourself, or start it with \`--permissions default\`.`,
  },
  {
    line: /^Resume (?:session|a conversation)/iu,
    evidence: "the list of conversations to resume",
    hint: `${ATTACH} choose the conversation, or press Escape.`,
  },
];

/** The subject of a dialog may be any text, so beyond its heading these words count only if it is not a question about an action. */
export function judgeDialog(dialog: Dialog): Verdict {
  const verdict = setUp([dialog.heading]) ?? question(dialog) ?? permission(dialog) ?? setUp(dialog.rows) ?? unnamed(dialog);
  // While Claude repaints, text of the conversation may be where a dialog would end.
  return dialog.whole ? verdict : { ...verdict, confidence: Math.min(verdict.confidence, 0.7) };
}

function setUp(rows: readonly string[]): Verdict | null {
  const found = SET_UP.find(({ line }) => rows.some((row) => line.test(row.trim())));
  return found ? { state: "blocked", confidence: 0.95, evidence: found.evidence, hint: found.hint } : null;
}

function question({ keys, choosing }: Dialog): Verdict | null {
  if (!choosing || !/Enter to select/u.test(keys)) return null;
  return { state: "awaiting_input", confidence: 0.95, evidence: "a question with answers to choose from", hint: `${ATTACH} answer it.` };
}

/** Options are numbered in some versions only. */
function permission({ keys, rows, choosing }: Dialog): Verdict | null {
  const offersYes = rows.some((row) => /^\s*❯?\s*(?:\d+\.\s)?Yes\b/u.test(row));
  if (!choosing || !offersYes || /Enter to confirm/u.test(keys)) return null;
  const asked = rows.map((row) => row.trim()).findLast((row) => /^(?:Do you want|Would you like) .*\?$/u.test(row));
  const evidence = asked === undefined ? "a choice that offers Yes" : `the question "${asked}"`;
  return { state: "awaiting_approval", confidence: asked === undefined ? 0.6 : 0.95, evidence, hint: `${ATTACH} allow or refuse it.` };
}

function unnamed({ heading, choosing, keys, whole }: Dialog): Verdict {
  const evidence = `an unknown dialog: ${heading}`;
  if (!choosing && !(whole && keys.startsWith("Enter to "))) return { state: "unknown", confidence: 0.3, evidence, hint: null };
  return { state: "blocked", confidence: 0.6, evidence, hint: `${ATTACH} answer it.` };
}
