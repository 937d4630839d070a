import { eventually } from "../../fixture.js";
import { prose } from "../../judge/text-kinds.js";
import { prompt } from "../../mock-model/script.js";
import { check, type Desk, deskOf } from "./desk.js";
import { clearCommand, goesOn, newestTexts } from "./going-on.js";
import { hogs } from "./hogs.js";
import { declaredFor } from "./judge-fixture.js";
import { unframed } from "./unframed.js";

const LARGE = 60_000;

/** Launched with a prompt on a machine with all cores busy. */
export async function firstPromptAtLoad(desk: Desk): Promise<void> {
  using _ = hogs();
  const { agentFixture, agent, host } = desk;
  const text = prose(LARGE);
  const name = `${desk.session}-large-${desk.round}`;
  const argv = ["new", "--json", "--agent", agent.id, "--host", host, "--name", name, "--cwd", agentFixture.dir, "-"];
  const begun = agentFixture.model.exchanges.length;
  try {
    const { code, stdout, stderr } = await agentFixture.fixture.tmpm(argv, { input: text });
    check(stdout !== "", `new exited ${code}: ${stderr}`);
    const { receipt } = JSON.parse(stdout) as { readonly receipt?: Prompted };
    const concluded = receipt?.reason === "starting" ? await onceStarted(desk, { name, receipt }) : receipt;
    check(concluded?.outcome === "submitted", `the prompt was ${concluded?.outcome}/${concluded?.reason}: ${stdout.slice(-600)}`);
    const expected = [text, ...declaredFor({ agentFixture, agent, host }, text)];
    const came = () =>
      agentFixture.model.exchanges
        .slice(begun)
        .some(({ conversation }) => conversation.userTexts.some((each) => expected.includes(unframed(each))));
    await eventually(async () => (came() ? true : null), 60_000).catch(() => check(false, "the model did not receive it completely"));
  } finally {
    await agentFixture.fixture.tmpm(["stop", name]);
  }
}

interface Prompted {
  readonly id: string;
  readonly outcome: string;
  readonly reason: string;
}

const STARTS_MS = 300_000;

/** An agent that starts for minutes accepts its prompt afterwards. */
async function onceStarted(
  { agentFixture: { fixture } }: Desk,
  { name, receipt }: { readonly name: string; readonly receipt: Prompted },
): Promise<Prompted> {
  const now = async () => {
    const said = await fixture.api.receipt({ session: name, send: receipt.id });
    return said.receipt.outcome === "held" ? null : { ...said.receipt, id: receipt.id };
  };
  return eventually(now, STARTS_MS).catch(() => receipt);
}

/** Resumes the conversation that was started after the clearing, on a machine with all cores busy. */
export async function resumedAtLoad(desk: Desk): Promise<void> {
  const { code, stderr } = await desk.run(["send", desk.session, "--as-command", clearCommand(desk.agent)]);
  check(code === 0, `the command exited ${code}: ${stderr}`);
  await desk.reaches("idle");
  const kept = prompt({ say: `kept in ${desk.round}` });
  await desk.ended(await desk.send(kept));
  await desk.run(["stop", desk.session]);
  using _ = hogs();
  const resumed = await desk.run(["resume", desk.session]);
  check(resumed.code === 0, `resume exited ${resumed.code}: ${resumed.stderr}`);
  await desk.run(["wait", desk.session, "--timeout", String(STARTS_MS / 1_000)]);
  await goesOn(desk);
  check(newestTexts(desk).includes(kept), "the conversation after the clearing was not resumed");
  check((await noteOf(desk)) === null, `it says ${await noteOf(desk)}`);
}

/** It continues its conversation, or reports that it could not. */
export async function restartedAfterKill(desk: Desk): Promise<void> {
  const { agentFixture } = desk;
  const name = `${desk.session}-killed-${desk.round}`;
  const asking = desk.agent.askingFlags ?? [];
  const before = prompt({ say: `before the kill ${desk.round}` });
  await agentFixture.fixture.json([
    "new",
    "--agent",
    desk.agent.id,
    "--host",
    desk.host,
    "--name",
    name,
    "--cwd",
    agentFixture.dir,
    ...asking,
  ]);
  const killed = deskOf(desk, { session: name, round: desk.round });
  try {
    await killed.reaches("idle");
    await killed.ended(await killed.send(before));
    await killed.send(prompt({ hang: true }));
    await killed.reaches("working");
    const { pane } = await agentFixture.fixture.api.show({ session: name });
    process.kill(Number(await agentFixture.fixture.tmux("display-message", "-p", "-t", pane?.pane_id ?? "", "#{pane_pid}")), "SIGKILL");
    const { code, stderr } = await killed.run(["restart", name]);
    check(code === 0, `restart exited ${code}: ${stderr}`);
    await goesOn(killed);
    const same = newestTexts(desk).includes(before);
    const note = await noteOf(killed);
    check(
      same === (note === null),
      same ? `the conversation continues, with the note ${note}` : "another conversation began without a note",
    );
  } finally {
    await agentFixture.fixture.tmpm(["stop", name]);
  }
}

async function noteOf({ agentFixture, session }: Desk): Promise<string | null> {
  const shown = await agentFixture.fixture.json<{ readonly conversation_note?: string | null }>(["show", session]);
  return shown.conversation_note ?? null;
}
