import { agents } from "@tmpm/agents";
import type { SessionAnswer } from "@tmpm/api";
import { hasCode, isTmpmError } from "@tmpm/core/errors";
import type { Moment } from "../../judge/hostile-texts.js";
import { prompt } from "../../mock-model/script.js";
import type { AgentFixture } from "../agent-fixture.js";
import type { RealAgent } from "../agent-homes.js";
import { draftOf } from "./draft.js";

export type Host = "tmux" | "pty" | "sdk";

export interface Subject {
  readonly agentFixture: AgentFixture;
  readonly agent: RealAgent;
  readonly host: Host;
}

/** The end of a send: its receipt, or an error's code. */
export interface Ended {
  readonly outcome: string;
  readonly reason: string | null;
  readonly altered: string | null;
}

/** One session of a real agent, and the texts that reached its model. */
export interface Seat {
  readonly session: string;
  send(text: string): Promise<Ended>;
  /** Makes the agent work for some seconds. */
  keepBusy(): Promise<void>;
  /** The user's texts of the newest request, in order. */
  texts(): readonly string[];
  /** The settled state of the agent: not starting, and not working. */
  rest(): Promise<SessionAnswer>;
  /** The unsent text in its input, according to its current screen; empty if it has no screen. */
  draft(): Promise<string>;
  leave(): Promise<void>;
}

export interface Launch {
  readonly name: string;
  readonly prompt: string | null;
}

const PATIENCE_MS = 120_000;
/** A newly launched agent takes minutes on a busy machine. */
const READY_MS = 180_000;
const WORKS_MS = 30_000;
const BUSY_MS = 2_500;
const RESTING = ["idle", "errored", "blocked", "awaiting_approval", "awaiting_input", "exited"] as const;

/** Launches the agent again, without waiting until it is ready. */
export async function launch(
  { agentFixture, agent, host }: Subject,
  { name, prompt: first }: Launch,
): Promise<{ seat: Seat; ended: Ended | null }> {
  const begun = agentFixture.model.exchanges.length;
  const argv = [
    "new",
    "--json",
    "--agent",
    agent.id,
    "--host",
    host,
    "--name",
    name,
    "--cwd",
    agentFixture.dir,
    ...(first === null ? [] : ["-"]),
  ];
  const { code, stdout, stderr } = await agentFixture.fixture.tmpm(argv, first === null ? {} : { input: first });
  const { api } = agentFixture.fixture;

  const seat: Seat = {
    session: name,
    async send(text) {
      try {
        const { receipt } = await api.send({ session: name, text, timeout_ms: READY_MS }, { timeoutMs: PATIENCE_MS * 2 });
        return receipt;
      } catch (error) {
        return failed(error);
      }
    },
    async keepBusy() {
      await api.send({ session: name, text: prompt({ waitMs: BUSY_MS, say: "busy" }) });
      await api.wait({ session: name, until: ["working"], timeout_ms: WORKS_MS }).catch(ignoreTimeout);
    },
    texts() {
      const asked = agentFixture.model.exchanges.slice(begun).findLast(({ conversation }) => conversation.tools.length > 0);
      return asked?.conversation.userTexts ?? [];
    },
    async rest() {
      try {
        return await api.wait({ session: name, until: [...RESTING], timeout_ms: PATIENCE_MS }, { timeoutMs: PATIENCE_MS * 2 });
      } catch (error) {
        ignoreTimeout(error);
        return api.show({ session: name });
      }
    },
    async draft() {
      return host === "sdk" ? "" : draftOf(agentFixture.fixture, { agent: agent.id, session: name });
    },
    async leave() {
      await api.stop({ session: name }, { timeoutMs: PATIENCE_MS }).catch(ignoreEnded);
    },
  };
  if (first === null) {
    if (code !== 0) throw new Error(`tmpm ${argv.join(" ")} exited ${code}: ${stdout}${stderr}`);
    return { seat, ended: null };
  }
  return { seat, ended: endedOf(stdout) };
}

/** Whether the session can be used for a text that comes in this state. */
export function needsLaunch(moment: Moment): boolean {
  return moment === "starting" || moment === "first";
}

/** The form in which the text arrives according to the adapter, if it differs from the sent text. */
export function declaredFor({ agent, host }: Subject, text: string): readonly string[] {
  const adapter = agents().find(agent.id);
  const plan = (host === "sdk" ? adapter.protocol : adapter)?.text?.plan(text);
  return plan?.kind === "typed" && plan.arrives !== text ? [plan.arrives] : [];
}

function endedOf(stdout: string): Ended {
  const { receipt, error } = JSON.parse(stdout) as { readonly receipt?: Ended; readonly error?: { readonly code: string } };
  return receipt ?? { outcome: error?.code ?? "no answer", reason: null, altered: null };
}

function failed(error: unknown): Ended {
  if (!isTmpmError(error)) throw error;
  return { outcome: error.code, reason: null, altered: null };
}

function ignoreTimeout(error: unknown): void {
  if (!hasCode(error, "TIMEOUT")) throw error;
}

function ignoreEnded(error: unknown): void {
  if (!hasCode(error, "INVALID_STATE", "SESSION_NOT_FOUND", "TIMEOUT")) throw error;
}
