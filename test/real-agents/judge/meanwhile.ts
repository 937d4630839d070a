import { eventually } from "../../fixture.js";
import { check, type Desk } from "./desk.js";
import { draftOf } from "./draft.js";
import { newestTexts } from "./going-on.js";

const TYPED = "zz";

/**
 * A user types into the input at a different point of a delivery in each round: typed text that is sent with the prompt is reported, and the rest stays
 * in the input.
 */
export async function typesMeanwhile(desk: Desk): Promise<void> {
  const { fixture } = desk.agentFixture;
  const { pane } = await fixture.api.show({ session: desk.session });
  const target = pane?.pane_id ?? "";
  const text = `a plain text of round ${desk.round} for ${desk.session}`;
  const sending = desk.run(["send", desk.session, "--json", "-"], text);
  await shows(desk, { target, text });
  for (let looks = 0; looks < ((desk.round - 1) * 3) % 40; looks++) await screenOf(desk, target);
  await fixture.tmux("send-keys", "-t", target, "-l", TYPED);
  const { stdout } = await sending;
  const { receipt } = JSON.parse(stdout) as {
    readonly receipt: { readonly outcome: string; readonly reason: string; readonly altered: string | null };
  };
  const got = () =>
    newestTexts(desk)
      .filter((each) => each.includes(text.slice(0, -1)))
      .at(-1) ?? null;
  if (receipt.outcome === "submitted") await eventually(async () => got(), 30_000).catch(() => null);
  await desk.reaches("idle,errored");
  const arrived = got();
  const said = `${receipt.outcome}/${receipt.reason}, altered ${JSON.stringify(receipt.altered)}; the model got ${JSON.stringify(arrived)}`;
  const isTrue =
    receipt.outcome === "submitted"
      ? arrived !== null && (arrived === text) === (receipt.altered === null)
      : receipt.outcome === "typed_not_submitted" && arrived === null;
  await empties(desk, target);
  check(isTrue, said);
}

/** Only if it contains text: on an empty input the key ends some agents. */
async function empties(desk: Desk, target: string): Promise<void> {
  const { fixture } = desk.agentFixture;
  const draft = () => draftOf(fixture, { agent: desk.agent.id, session: desk.session });
  if ((await draft()) === "") return;
  await fixture.tmux("send-keys", "-t", target, "C-c");
  await eventually(async () => ((await draft()) === "" ? true : null), 30_000).catch(() => check(false, "the input could not be emptied"));
}

const PATIENCE_MS = 60_000;

async function shows(desk: Desk, { target, text }: { readonly target: string; readonly text: string }): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await screenOf(desk, target)).includes(text)) check(Date.now() < deadline, "the text did not show");
}

function screenOf({ agentFixture }: Desk, target: string): Promise<string> {
  return agentFixture.fixture.tmux("capture-pane", "-p", "-J", "-t", target);
}
