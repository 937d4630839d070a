import { Applied, SessionOverrides } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

/** Null takes an override away; what is not named stays. */
export const OverridesBody = z.strictObject({
  model: z.string().nullable().optional(),
  model_provider: z.string().nullable().optional().describe("Without a model beside it, the model is the provider's own again."),
  temperature: z.number().nullable().optional().describe("Between 0 and 2."),
  reasoning_effort: z.string().nullable().optional(),
  permissions: z
    .string()
    .nullable()
    .optional()
    .describe("What the agent may do unasked, in its own words: its permission, approval or sandbox mode."),
});
export type OverridesBody = z.input<typeof OverridesBody>;

export const OverridesAnswer = SessionAnswer.extend({
  overrides: SessionOverrides.describe("All overrides after the change."),
  applied: z
    .strictObject({ model: Applied, model_provider: Applied, temperature: Applied, reasoning_effort: Applied, permissions: Applied })
    .partial()
    .describe("Of everything that the change concerns: whether it counts at once, or from the next launch on."),
  notes: z.array(z.string()).describe("Why something waits for the next launch, where the agent could apply it while it runs."),
});
export type OverridesAnswer = z.infer<typeof OverridesAnswer>;

export const OVERRIDE_ROUTES = {
  override: {
    scope: "operator",
    summary: "Changes what a session uses in place of its agent's own settings",
    description:
      "An agent that can apply it while it runs gets it at once when idle; any other gets it at its next launch. What the agent has no way for is refused, with those that have one in the hint. A change that is refused leaves nothing behind. See `docs/overrides.md`.",
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
