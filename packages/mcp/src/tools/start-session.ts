import { randomUUID } from "node:crypto";
import type { Profile } from "@tmpm/api/config";
import { isTmpmError, type ProfileProgram, profileProgram, TmpmError } from "@tmpm/core";
import * as z from "zod";
import { rowOf } from "../rows.js";
import { SessionRow } from "../schemas.js";
import { type ReadProfile, tool } from "../tool.js";

/** Clients limit a call to a minute or more. */
const MOST_MS = 45_000;

export const startSession = tool({
  name: "start_session",
  title: "Start a session",
  description:
    "Starts an agent on a task in your directory, in a subfolder, or with `worktree` on its own branch beside it. Returns at once, with the session and the id of its first prompt's turn: `wait` follows the session, `get_receipt` and `get_result` the turn. If it then cannot be started, its state is `errored` and `get_session` has the reason. Its rights are at most yours. With an `idempotency_key`, a repeated call returns the same session.",
  needs: "grant",
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.strictObject({
    agent: z.string().min(1).max(100).optional().describe("As `list_agents` names it; that of the profile by default."),
    profile: z.string().min(1).max(64).optional().describe("Name of one of the user's profiles: an agent with its settings."),
    prompt: z.string().min(1).max(200_000),
    name: z.string().min(1).max(100).optional(),
    cwd: z.string().min(1).max(4096).optional().describe("Absolute directory, yours or below it; yours by default."),
    worktree: z.boolean().default(false),
    branch: z.string().min(1).max(200).optional().describe("The worktree's branch; a new one by default."),
    base: z.string().min(1).max(1000).optional().describe("Start point of a new branch."),
    model: z.string().min(1).max(200).optional(),
    idempotency_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/)
      .optional(),
  }),
  output: z.object({ session: SessionRow, turn: z.string().nullable().describe("Id of the first prompt's turn.") }),
  async run({ idempotency_key, cwd, worktree, agent, profile, ...input }, { client, self, signal, profile: read }) {
    const program = programOf(agent, profile === undefined ? {} : await profileNamed(profile, read));
    const place = cwd ?? (self === null ? "" : (await client.show({ session: self })).cwd);
    if (!place.startsWith("/")) throw new TmpmError("INVALID_ARGUMENT", "cwd must be an absolute directory", { details: { field: "cwd" } });
    // With a key the daemon continues without its caller, and a repeated call cannot start a second session.
    const key = idempotency_key ?? randomUUID();
    const asked = { ...program, ...input, cwd: place, no_wait: true, ...(worktree ? { worktree } : {}) };
    const made = await client.create(asked, { key, timeoutMs: MOST_MS, signal }).catch((error: unknown) => {
      throw isTmpmError(error) && error.effect === "unknown" ? mayRun(error, key) : error;
    });
    return { session: rowOf(made, Date.now()), turn: made.turn_id };
  },
});

async function profileNamed(name: string, read: ReadProfile | undefined): Promise<Profile> {
  if (read !== undefined) return read(name);
  throw new TmpmError("INVALID_ARGUMENT", "profiles are only known to `tmpm mcp`", {
    hint: "Name the agent and its model instead.",
    details: { field: "profile" },
  });
}

/** The profile's variables are ignored: a child has its parent's environment. */
function programOf(agent: string | undefined, profile: Profile): ProfileProgram {
  const program = profileProgram({ agent }, profile);
  if (program.agent !== undefined) return program;
  throw new TmpmError("INVALID_ARGUMENT", "neither an agent nor a profile with one is named", {
    hint: "`list_agents` names the agents.",
    details: { field: "agent" },
  });
}

function mayRun({ code, message, details }: TmpmError, key: string): TmpmError {
  const hint = `It may still be starting. Repeat the call with "idempotency_key": "${key}", which returns that session and starts no other.`;
  return new TmpmError(code, message, { hint, effect: "unknown", details });
}
