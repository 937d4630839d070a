import { AgentAnswer } from "@tmpm/api";
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
  description: "The agents available on this machine, and which of them are installed.",
  needs: "read",
  hints: READS,
  input: z.strictObject({ limit: z.number().int().min(1).max(40).default(20), cursor }),
  output: z.object({ agents: z.array(Agent), next }),
  async run(input, { client }) {
    const { agents, next: following } = await client.agents(input);
    return {
      next: following,
      agents: agents.map(({ id, title, first_prompt, while_working, terminal, protocol }) => ({
        ...{ id, title, first_prompt, while_working },
        installed: terminal?.installed === true || protocol?.installed === true,
        version: terminal?.version ?? protocol?.version ?? null,
      })),
    };
  },
});
