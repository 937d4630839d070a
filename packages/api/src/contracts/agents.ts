import * as z from "zod";
import { type Contract, none } from "./contract.js";
import { next, paging } from "./paging.js";

const Program = z.object({
  installed: z.boolean(),
  path: z.string().nullable().describe("Null if it is not installed, or known only at launch."),
  version: z.string().nullable().describe("Output of `--version`; null if there is none, or it was not run."),
  hint: z.string().nullable().describe("How to install it; null when it is installed."),
});

export const AgentAnswer = z.object({
  id: z.string(),
  title: z.string(),
  described_in: z.string().nullable().describe("Your file that describes it; null for a built-in agent."),
  terminal: Program.nullable().describe("Program for a terminal; null if it is only used over a protocol."),
  protocol: Program.nullable().describe("Program for the Agent Client Protocol; null for none."),
  verified: z.array(z.string()).describe("Versions verified with tmpm, oldest first."),
  version_verified: z.boolean().nullable().describe("Whether the installed version is one of these; null when either is unknown."),
  first_prompt: z.enum(["argv", "typed"]).describe("How a first prompt is delivered in a terminal."),
  while_working: z.enum(["queued", "held_back"]).describe("How a prompt in a terminal is handled while the agent works."),
  reports_events: z.boolean().describe("Whether its hooks report its activity to tmpm."),
  keeps_transcript: z.boolean().describe("Whether tmpm reads the agent's last message from its own record."),
  alters: z.string().nullable().describe("How it alters text; null if nothing is known."),
});
export type AgentAnswer = z.infer<typeof AgentAnswer>;

export const AgentList = z.object({ agents: z.array(AgentAnswer), next });
export type AgentList = z.infer<typeof AgentList>;

const EXAMPLE_AGENT: AgentAnswer = {
  id: "gemini",
  title: "Gemini CLI",
  described_in: null,
  terminal: { installed: true, path: "/usr/local/bin/gemini", version: "0.61.0", hint: null },
  protocol: { installed: true, path: "/usr/local/bin/gemini", version: null, hint: null },
  verified: ["0.61.0"],
  version_verified: true,
  first_prompt: "argv",
  while_working: "queued",
  reports_events: true,
  keeps_transcript: true,
  alters: null,
};

export const AGENT_ROUTES = {
  agents: {
    method: "GET",
    path: "/v1/agents",
    scope: "observer",
    acting: "read",
    summary: "The agents that tmpm can start, and which of them are installed",
    params: none,
    query: z.strictObject(paging),
    body: null,
    status: 200,
    answer: AgentList,
    errors: [],
    example: { answer: { agents: [EXAMPLE_AGENT], next: null } },
  },
  agent: {
    method: "GET",
    path: "/v1/agents/:agent",
    scope: "observer",
    acting: "read",
    summary: "One agent: its programs, verified versions and handling of text",
    params: z.object({ agent: z.string().min(1).describe("Its id.") }),
    query: none,
    body: null,
    status: 200,
    answer: AgentAnswer,
    errors: ["AGENT_UNKNOWN"],
    example: { params: { agent: "gemini" }, answer: EXAMPLE_AGENT },
  },
} as const satisfies Record<string, Contract>;
