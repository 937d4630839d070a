import { TmpmError } from "@tmpm/core";
import * as z from "zod";
import { rowOf } from "../rows.js";
import { SessionRow } from "../schemas.js";
import { tool } from "../tool.js";

const QUICK_MS = 50_000;

export const startSession = tool({
  name: "start_session",
  title: "Start a session",
  description:
    "Starts an agent on a task in your directory, in a folder of it, or with `worktree` on a branch of its own beside it. Answers when the agent runs; follow it with `wait` and `get_result`. Its rights are yours or fewer. Give an `idempotency_key`, and the same call again is the same session.",
  needs: "grant",
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.strictObject({
    agent: z.string().min(1).max(100).describe("As `list_agents` names it."),
    prompt: z.string().min(1).max(200_000),
    name: z.string().min(1).max(100).optional(),
    cwd: z.string().min(1).max(4096).optional().describe("An absolute directory, yours or below it; yours when not given."),
    worktree: z.boolean().default(false),
    branch: z.string().min(1).max(200).optional().describe("The worktree's branch; one is made when not given."),
    base: z.string().min(1).max(1000).optional().describe("The revision that a new branch starts from."),
    model: z.string().min(1).max(200).optional(),
    idempotency_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/)
      .optional(),
  }),
  output: z.object({ session: SessionRow, outcome: z.string().nullable().describe("What became of the prompt so far.") }),
  async run({ idempotency_key, cwd, worktree, ...input }, { client, self, signal }) {
    const place = cwd ?? (self === null ? "" : (await client.show({ session: self })).cwd);
    if (!place.startsWith("/")) throw new TmpmError("INVALID_ARGUMENT", "cwd is an absolute directory", { details: { field: "cwd" } });
    const asking = idempotency_key === undefined ? {} : { key: idempotency_key };
    const made = await client.create(
      { ...input, cwd: place, ...(worktree ? { worktree } : {}) },
      { ...asking, timeoutMs: worktree ? 10 * QUICK_MS : QUICK_MS, signal },
    );
    return { session: rowOf(made, Date.now()), outcome: made.receipt?.outcome ?? null };
  },
});
