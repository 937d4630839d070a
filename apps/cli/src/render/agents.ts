import type { AgentAnswer, AgentList, ProfileAnswer, ProfileList } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import type { View } from "../context.js";
import type { TryResult } from "../try-agent/try-agent.js";
import type { Cell } from "./cell.js";
import { facts } from "./facts.js";
import { pathCell } from "./path.js";
import { table } from "./table.js";

type Program = AgentAnswer["terminal"];

const HEAD = ["AGENT", "VERSION", "VERIFIED", "TERMINAL", "PROTOCOL", "TITLE"];

export function agentTable({ agents }: AgentList, view: View): string {
  return table({ head: HEAD, rows: agents.map((agent) => row(agent, view.userHome)), spare: [5, 4, 3] }, view);
}

function row(agent: AgentAnswer, userHome: string | null): readonly Cell[] {
  const program = (found: Program) => programCell(found, userHome);
  return [agent.id, agent.terminal?.version ?? "-", verdict(agent), program(agent.terminal), program(agent.protocol), agent.title];
}

function verdict({ version_verified }: AgentAnswer): string {
  return version_verified === null ? "-" : version_verified ? "yes" : "no";
}

function programCell(found: Program, userHome: string | null): Cell {
  if (found === null) return "-";
  if (!found.installed) return "not installed";
  return found.path === null ? "any program" : pathCell(found.path, userHome);
}

const PROFILE_HEAD = ["PROFILE", "RUNS", "OPTIONS"];

export function profileTable({ profiles, default: usual }: ProfileList, view: View): string {
  if (profiles.length === 0) return "";
  const rows = profiles.map((profile) => [
    profile.name === usual ? `${profile.name} (default)` : profile.name,
    visibleText(profile.command?.join(" ") ?? profile.agent ?? "-"),
    visibleText(profileOptions(profile)),
  ]);
  return table({ head: PROFILE_HEAD, rows, spare: [2, 1] }, view);
}

function profileOptions({ env, model, provider, effort, permissions }: ProfileAnswer): string {
  const options = Object.entries({ model, provider, effort, permissions, env: env.length === 0 ? null : env.join(",") });
  return options.flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`])).join("; ") || "-";
}

/** The facts about one agent, one per line. */
export function agentFacts(agent: AgentAnswer, view: View): string {
  const { terminal, protocol, verified, alters } = agent;
  return facts(
    [
      ["agent", `${agent.id} (${agent.title})`],
      ...(agent.described_in === null ? [] : [["described in", agent.described_in]]),
      ["in a terminal", programWords(terminal, "not supported, over a protocol only")],
      ["over a protocol", programWords(protocol, "not supported")],
      ["version", versionWords(agent)],
      ["verified", verified.length === 0 ? "no version" : verified.join(", ")],
      ["first prompt", agent.first_prompt === "argv" ? "given as an argument" : "typed when it is ready"],
      ["while it works", agent.while_working === "queued" ? "it queues prompts" : "prompts are held back until it is ready"],
      ["events", agent.reports_events ? "its hooks report" : "read from its screen only"],
      ["last words", agent.keeps_transcript ? "read from its own record" : "not recorded"],
      ["altered text", alters ?? "none known"],
    ],
    view,
  );
}

function programWords(found: Program, absent: string): string {
  if (found === null) return absent;
  if (!found.installed) return `not installed. ${found.hint ?? ""}`.trim();
  return found.path ?? "any program";
}

function versionWords({ terminal, version_verified }: AgentAnswer): string {
  const version = terminal?.version ?? "unknown";
  return version_verified === false ? `${version}, which was not verified` : version;
}

const STEPS = { start: "it starts", prompt: "the prompt", answer: "its answer" } as const;

/** The result of a trial run: each step, the states read, and the folder of the screens. */
export function trialFacts({ agent, version, verified, host, steps, states, folder, screens, ok }: TryResult, view: View): string {
  const standing = verified === false ? ", which was not verified" : "";
  return facts(
    [
      ["agent", `${agent} ${version ?? "of an unknown version"}${standing}, on host ${host}`],
      ...steps.map(({ step, ok: worked, seen }) => [STEPS[step], `${worked ? "ok" : "failed"}: ${seen}`]),
      ["states read", states.join(", ")],
      ["screens", folder === null ? "none, since it does not have a terminal" : `${screens} in ${folder}`],
      ["result", ok ? "it works" : "it does not work"],
    ],
    view,
  );
}
