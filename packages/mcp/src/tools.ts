import type { Needs, Tool } from "./tool.js";
import { answerQuestion } from "./tools/answer-question.js";
import { askHuman } from "./tools/ask-human.js";
import { getDiff } from "./tools/get-diff.js";
import { getReceipt } from "./tools/get-receipt.js";
import { getResult } from "./tools/get-result.js";
import { getSession } from "./tools/get-session.js";
import { interrupt } from "./tools/interrupt.js";
import { listAgents } from "./tools/list-agents.js";
import { listSessions } from "./tools/list-sessions.js";
import { readScreen } from "./tools/read-screen.js";
import { report } from "./tools/report.js";
import { sendPrompt } from "./tools/send-prompt.js";
import { startSession } from "./tools/start-session.js";
import { stopSession } from "./tools/stop-session.js";
import { wait } from "./tools/wait.js";
import { why } from "./tools/why.js";

/** Every tool, in display order. None answers an approval: only a user may do that. */
export const TOOLS: readonly Tool[] = [
  ...[listSessions, getSession, why, readScreen, getResult, getDiff, getReceipt, listAgents, wait],
  ...[askHuman, report],
  ...[startSession, sendPrompt, answerQuestion, interrupt, stopSession],
];

/** The tools of a caller: only sessions ask and report, and only a token that may change sessions controls them. */
export function toolsFor({ self, steers }: { readonly self: string | null; readonly steers: boolean }): readonly Tool[] {
  const known: readonly Needs[] = self !== null ? ["read", "own", "grant"] : steers ? ["read", "grant"] : ["read"];
  return TOOLS.filter(({ needs }) => known.includes(needs));
}
