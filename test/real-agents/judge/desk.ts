import type { TurnAnswer } from "@tmpm/api";
import { eventually, type Result } from "../../fixture.js";
import type { AgentFixture } from "../agent-fixture.js";
import type { RealAgent } from "../agent-homes.js";
import type { Host } from "./judge-fixture.js";

/** One session of a real agent, as used from the command line. */
export interface Desk {
  readonly agentFixture: AgentFixture;
  readonly agent: RealAgent;
  readonly host: Host;
  readonly session: string;
  /** Number of this repetition. */
  readonly round: number;
  run(argv: readonly string[], input?: string): Promise<Result>;
  /** Sends a prompt, and returns its turn. @throws Wrong if it was not submitted */
  send(text: string): Promise<TurnAnswer>;
  ended(turn: TurnAnswer): Promise<TurnAnswer>;
  turn(id: string): Promise<TurnAnswer>;
  /** @throws Wrong if it does not reach one of these states */
  reaches(states: string): Promise<void>;
}

/** A failure that a user would notice. */
export class Wrong extends Error {}

export function check(holds: boolean, otherwise: string): void {
  if (!holds) throw new Wrong(otherwise);
}

const PATIENCE_S = "120";

export function deskOf(
  { agentFixture, agent, host }: Pick<Desk, "agentFixture" | "agent" | "host">,
  { session, round }: Pick<Desk, "session" | "round">,
): Desk {
  const { fixture } = agentFixture;
  const turn = (id: string) => fixture.json<TurnAnswer>(["turns", session, id]);
  return {
    agentFixture,
    agent,
    host,
    session,
    round,
    turn,
    run: (argv, input) => fixture.tmpm(argv, input === undefined ? {} : { input }),
    async send(text) {
      const { stdout } = await fixture.tmpm(["send", session, "--json", "-"], { input: text });
      const { receipt } = JSON.parse(stdout) as {
        readonly receipt?: { readonly id: string; readonly outcome: string; readonly reason: string };
      };
      if (receipt?.outcome !== "submitted")
        throw new Wrong(`the prompt was ${receipt?.outcome}/${receipt?.reason}: ${stdout.slice(0, 300)}`);
      return turn(receipt.id);
    },
    async ended({ id }) {
      const last = await eventually(async () => {
        const now = await turn(id);
        return now.state === "ended" ? now : null;
      }, Number(PATIENCE_S) * 1_000).catch(() => null);
      if (last === null) throw new Wrong("the turn did not end");
      return last;
    },
    async reaches(states) {
      const { code, stderr } = await fixture.tmpm(["wait", session, "--for", states, "--timeout", PATIENCE_S]);
      check(code === 0, `it did not come to ${states}: ${stderr.trim()}`);
    },
  };
}
