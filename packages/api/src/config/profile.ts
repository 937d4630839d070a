import * as z from "zod";

export const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const word = z.string().regex(/^[^\s-]\S{0,199}$/, "one word that does not begin with a dash");

/** Values that `tmpm new --profile` uses for options missing on the command line. */
export const Profile = z
  .strictObject({
    agent: word.optional().describe("Agent to run: claude, codex, gemini, opencode, shell, or one you configured"),
    command: z
      .array(z.string().regex(/^[^\0]*$/))
      .min(1, "a list of a program and its arguments")
      .optional()
      .describe("Program and arguments to run in place of an agent"),
    env: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable, without its value"))
      .optional()
      .describe("Names of further environment variables to pass to the session"),
    model: word.optional().describe("Model the agent uses"),
    provider: word.optional().describe("Provider of the model"),
    effort: word.optional().describe("Reasoning effort"),
    permissions: word.optional().describe("What the agent may do without asking, in its own terms: a permission, approval or sandbox mode"),
  })
  .refine(({ agent, command }) => agent === undefined || agent === "command" || command === undefined, {
    message: "either an agent or a command",
    path: ["command"],
  })
  .meta({ id: "Profile", description: "Values that `tmpm new --profile` uses for options missing on the command line." });
export type Profile = z.infer<typeof Profile>;

export type Profiles = Readonly<Record<string, Profile>>;
