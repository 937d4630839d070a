import { AgentAnswer, BudgetStanding } from "@tmpm/api";
import * as z from "zod";
import { cursor, next } from "../schemas.js";
import { READS, tool } from "../tool.js";

const Agent = AgentAnswer.pick({ id: true, title: true, first_prompt: true, while_working: true }).extend({
  installed: z.boolean(),
  version: z.string().nullable(),
});

export const listAgents = tool({
  name: "list_agents",
  title: "List agents",
  description:
    "The agents available on this machine, which of them are installed, and what remains of the budgets that bound your session.",
  needs: "read",
  hints: READS,
  input: z.strictObject({ limit: z.number().int().min(1).max(40).default(20), cursor }),
  output: z.object({ agents: z.array(Agent), budgets: z.array(BudgetStanding), next }),
  async run(input, { client, self }) {
    const { agents, next: following } = await client.agents(input);
    return {
      next: following,
      budgets: self === null ? [] : (await client.usage({ session: self })).budgets,
      agents: agents.map(({ id, title, first_prompt, while_working, terminal, protocol }) => ({
        ...{ id, title, first_prompt, while_working },
        installed: terminal?.installed === true || protocol?.installed === true,
        version: terminal?.version ?? protocol?.version ?? null,
      })),
    };
  },
});
