import * as z from "zod";
import { type Contract, none } from "./contract.js";
import { next, paging } from "./paging.js";

const Program = z.object({
  installed: z.boolean(),
  path: z.string().nullable().describe("Null when it is not installed, or named only at launch."),
  version: z.string().nullable().describe("What `--version` prints; null when it prints none, or is not asked."),
  hint: z.string().nullable().describe("How to install it; null when it is installed."),
});

export const AgentAnswer = z.object({
  id: z.string(),
  title: z.string(),
  described_in: z.string().nullable().describe("The file of yours that describes it; null for one that comes with tmpm."),
  terminal: Program.nullable().describe("The program that runs in a terminal; null when it is only spoken with over a protocol."),
  protocol: Program.nullable().describe("The program that speaks the Agent Client Protocol; null when none does."),
  verified: z.array(z.string()).describe("Versions that tmpm was tried with, oldest first."),
  version_verified: z.boolean().nullable().describe("Whether the installed version is one of these; null when either is unknown."),
  first_prompt: z.enum(["argv", "typed"]).describe("How a first prompt gets into a terminal."),
  while_working: z.enum(["queued", "held_back"]).describe("What becomes of a prompt in a terminal while the agent works."),
  reports_events: z.boolean().describe("Its hooks can report to tmpm what it does."),
  keeps_transcript: z.boolean().describe("tmpm reads the agent's last words from the agent's own record."),
  alters: z.string().nullable().describe("What it does to text on its own; null when nothing is known."),
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
    scope: "observer",
    acting: "read",
    summary: "One agent: where its programs are, which versions were verified, and what becomes of text",
    params: z.object({ agent: z.string().min(1).describe("Its id.") }),
    query: none,
    body: null,
    status: 200,
    answer: AgentAnswer,
    errors: ["AGENT_UNKNOWN"],
    example: { params: { agent: "gemini" }, answer: EXAMPLE_AGENT },
  },
} as const satisfies Record<string, Contract>;
