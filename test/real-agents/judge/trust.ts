import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { TurnAnswer } from "@tmpm/api";
import { eventually } from "../../fixture.js";
import { prompt } from "../../mock-model/script.js";
import { check, type Desk, deskOf } from "./desk.js";

/** A user trusts the folder in its terminal: the waiting prompt is answered, and its text is known. */
export async function trustsFolder(desk: Desk): Promise<void> {
  await inStrangeFolder(desk, async (strange) => {
    await strange.run(["keys", strange.session, "Enter"]);
    const turn = await firstTurn(strange);
    const { outcome, final_message } = await strange.ended(turn);
    const said = `${outcome} with ${JSON.stringify(final_message)}`;
    check(outcome === "completed" && final_message === WORDS, `the turn ended ${said}`);
    await strange.reaches("idle");
  });
}

/** A user does not: the agent ends, and is not launched again. */
export async function refusesFolder(desk: Desk): Promise<void> {
  await inStrangeFolder(desk, async (strange) => {
    await strange.run(["keys", strange.session, "Down"]);
    await strange.run(["keys", strange.session, "Enter"]);
    const { api } = desk.agentFixture.fixture;
    const state = async () => (await api.show({ session: strange.session })).state;
    await eventually(async () => ((await state()) === "active" ? null : true), 60_000).catch(() =>
      check(false, "the session is still reported as running"),
    );
    for (let pass = 0; pass < 3; pass++) await strange.run(["reconcile"]);
    check((await state()) !== "active", "it was launched again");
    const { outcome } = await strange.ended(await firstTurn(strange));
    check(outcome !== "completed", `its turn ended ${outcome}`);
  });
}

const WORDS = "the folder is trusted";

/** With a session that has just asked about its folder. */
async function inStrangeFolder(desk: Desk, act: (strange: Desk) => Promise<void>): Promise<void> {
  const { agentFixture, agent, host, round } = desk;
  const name = `${desk.session}-strange-${round}`;
  const dir = await mkdtemp(join(agentFixture.fixture.env.HOME ?? "", "strange-"));
  const strange = deskOf(desk, { session: name, round });
  try {
    const argv = ["new", "--json", "--agent", agent.id, "--host", host, "--name", name, "--cwd", dir, "-"];
    const { stdout } = await agentFixture.fixture.tmpm(argv, { input: prompt({ say: WORDS }) });
    const { receipt } = JSON.parse(stdout) as { readonly receipt?: { readonly outcome: string } };
    check(receipt?.outcome === "held", `the prompt was ${receipt?.outcome} before the folder was trusted: ${stdout.slice(-400)}`);
    await strange.reaches("blocked");
    const { state } = await firstTurn(strange);
    check(state === "queued", `its turn is ${state} before the folder is trusted`);
    await act(strange);
  } finally {
    await agentFixture.fixture.tmpm(["stop", name]);
  }
}

async function firstTurn({ agentFixture, session }: Desk): Promise<TurnAnswer> {
  const { turns } = await agentFixture.fixture.json<{ readonly turns: readonly TurnAnswer[] }>(["turns", session]);
  const [turn] = turns;
  check(turn !== undefined, "it has no turn");
  return turn as TurnAnswer;
}
