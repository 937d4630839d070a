import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { eventually, type Fixture, fixture } from "../fixture.js";
import { type MockModel, mockModel } from "../mock-model/server.js";
import type { RealAgent } from "./agent-homes.js";
import { agentPrograms } from "./programs.js";

/** One real agent of a user with a separate home, daemon and tmux server. */
export interface AgentFixture {
  readonly fixture: Fixture;
  readonly model: MockModel;
  readonly dir: string;
  /** A request with exactly this user text has reached the model. */
  arrived(texts: readonly string[]): Promise<void>;
  /** The session is in this state according to tmpm. */
  state(session: string): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

const ARRIVES_MS = 90_000;

export async function agentFixture(agent: RealAgent): Promise<AgentFixture> {
  const programs = await agentPrograms();
  const model = await mockModel();
  const place = { home: "", dir: "", modelUrl: model.url };
  // Programs made with Bun, such as OpenCode, unpack a library of 14 MB at each start, and leave it there.
  const temporary = await mkdtemp(join(tmpdir(), "tmpm-agents-"));
  const user = await fixture({ TMPDIR: temporary, PATH: `${programs}${delimiter}${process.env.PATH ?? ""}`, ...agent.env(place) });
  const home = user.env.HOME ?? "";
  const dir = await realpath(user.dir);
  await agent.settle({ home, dir, modelUrl: model.url });

  return {
    fixture: user,
    model,
    dir,
    async arrived(texts) {
      const found = () => model.exchanges.some(({ conversation }) => conversation.userTexts.some((text) => texts.includes(text)));
      await eventually(async () => (found() ? true : null), ARRIVES_MS);
    },
    async state(session) {
      const { activity } = await user.json<{ activity: { state: string } }>(["show", session]);
      return activity.state;
    },
    async [Symbol.asyncDispose]() {
      // Some agents outlive the end of their server.
      const { sessions } = await user.json<{ sessions: readonly { name: string; state: string }[] }>(["ls"]);
      for (const { name } of sessions.filter(({ state }) => state === "active")) await user.tmpm(["stop", name]);
      await user[Symbol.asyncDispose]();
      await model.close();
      await rm(temporary, { recursive: true, force: true });
    },
  };
}
