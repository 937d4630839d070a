import * as z from "zod";
import { type Contract, none } from "./contract.js";
import { next, paging } from "./paging.js";

const text = z.string().nullable();

export const ProfileAnswer = z.object({
  name: z.string(),
  agent: text.describe("Id of its agent; null for none."),
  command: z.array(z.string()).nullable().describe("Program and arguments to run in place of an agent; null for none."),
  env: z.array(z.string()).describe("Names of further environment variables that `tmpm new` passes; never their values."),
  model: text,
  provider: text.describe("Provider of the model."),
  effort: text.describe("Reasoning effort."),
  permissions: text.describe("What the agent may do without asking, in its own terms."),
});
export type ProfileAnswer = z.infer<typeof ProfileAnswer>;

export const ProfileList = z.object({
  profiles: z.array(ProfileAnswer),
  default: text.describe("Name of the profile that new sessions use by default (`new.profile`); null for none."),
  next,
});
export type ProfileList = z.infer<typeof ProfileList>;

export const PROFILE_ROUTES = {
  profiles: {
    method: "GET",
    path: "/v1/profiles",
    scope: "observer",
    summary: "The profiles for new sessions in the daemon's configuration",
    description: "A profile holds values for a new session. The caller passes them to `create` where it has no others.",
    params: none,
    query: z.strictObject(paging),
    body: null,
    status: 200,
    answer: ProfileList,
    errors: [],
    example: {
      answer: {
        profiles: [
          {
            name: "careful",
            agent: "claude",
            command: null,
            env: [],
            model: "opus",
            provider: null,
            effort: null,
            permissions: "plan",
          },
        ],
        default: "careful",
        next: null,
      },
    },
  },
} as const satisfies Record<string, Contract>;
