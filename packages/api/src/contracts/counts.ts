import * as z from "zod";
import { type Contract, none } from "./contract.js";

const Count = z.object({
  total: z.number().int().nonnegative().describe("Sessions that are not finished."),
  live: z.number().int().nonnegative().describe("Number of those running or about to run."),
});

export const CountsAnswer = Count.extend({
  limit: z.number().int().nullable().describe("Maximum number that may run; null without a limit."),
  agents: z.array(Count.extend({ agent: z.string() })),
  projects: z.array(Count.extend({ project_id: z.string() })),
  owners: z.array(Count.extend({ owner: z.string().nullable().describe("Null: unowned sessions.") })),
});
export type CountsAnswer = z.infer<typeof CountsAnswer>;

export const COUNT_ROUTES = {
  counts: {
    method: "GET",
    path: "/v1/counts",
    scope: "observer",
    summary: "Number of sessions, by agent, project and owner",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: CountsAnswer,
    errors: [],
    example: {
      answer: {
        total: 2,
        live: 1,
        limit: null,
        agents: [{ agent: "claude", total: 2, live: 1 }],
        projects: [{ project_id: "default", total: 2, live: 1 }],
        owners: [{ owner: null, total: 2, live: 1 }],
      },
    },
  },
} as const satisfies Record<string, Contract>;
