import { Applied, SessionOverrides } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

/** Null removes an override; omitted settings are kept. */
export const OverridesBody = z.strictObject({
  model: z.string().nullable().optional(),
  model_provider: z.string().nullable().optional().describe("Without `model`, the model reverts to the provider's default."),
  temperature: z.number().nullable().optional().describe("Between 0 and 2."),
  reasoning_effort: z.string().nullable().optional(),
  permissions: z
    .string()
    .nullable()
    .optional()
    .describe("What the agent may do without asking, in its own terms: its permission, approval or sandbox mode."),
});
export type OverridesBody = z.input<typeof OverridesBody>;

export const OverridesAnswer = SessionAnswer.extend({
  overrides: SessionOverrides.describe("All overrides after the change."),
  applied: z
    .strictObject({ model: Applied, model_provider: Applied, temperature: Applied, reasoning_effort: Applied, permissions: Applied })
    .partial()
    .describe("For each setting changed: whether it applies at once, or from the next launch."),
  notes: z.array(z.string()).describe("Why a setting waits for the next launch although the agent could apply it while running."),
});
export type OverridesAnswer = z.infer<typeof OverridesAnswer>;

export const OVERRIDE_ROUTES = {
  override: {
    method: "POST",
    path: "/v1/sessions/:session/overrides",
    scope: "operator",
    summary: "Changes a session's overrides of its agent's settings",
    description:
      "Applied at once to an idle agent that supports it; otherwise at the next launch. A setting that the agent does not support is refused, with agents that do in the hint. A refused change has no effect. See `docs/overrides.md`.",
    params: session,
    query: none,
    body: OverridesBody,
    status: 200,
    answer: OverridesAnswer,
    errors: ["INVALID_STATE", ...MAY_FAIL.TYPING, ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    conditional: true,
    example: {
      params: { session: "demo" },
      body: { model: "opus" },
      answer: { ...EXAMPLE_SESSION, rev: 4, overrides: { model: "opus" }, applied: { model: "live" }, notes: [] },
    },
  },
} as const satisfies Record<string, Contract>;
