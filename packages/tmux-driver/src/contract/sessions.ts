import type { CreateSpec, PaneInfo, Screen } from "../driver.js";
import { eventually } from "./expect.js";
import type { Argv, ContractHarness } from "./harness.js";

/** The session id that a case's short `id` stands for. */
export function idOf(harness: ContractHarness, id: string): string {
  return `${id}-${harness.unique}`;
}

/** What a case creates when it does not care; the tmux name is `id`. */
export function specOf(harness: ContractHarness, { id, argv }: { readonly id: string; readonly argv: Argv }): CreateSpec {
  const sessionId = idOf(harness, id);
  return { sessionId, tmuxName: id, cwd: harness.cwd, argv, env: { TMPM_SESSION_ID: sessionId }, columns: 80, rows: 24 };
}

export function create(harness: ContractHarness, session: { readonly id: string; readonly argv: Argv }): Promise<PaneInfo> {
  return harness.driver.create(specOf(harness, session));
}

/** The screen once it shows the text. */
export function shows(harness: ContractHarness, { pane, text }: { readonly pane: PaneInfo; readonly text: string }): Promise<Screen> {
  return eventually(
    () => harness.driver.capture(pane.identity),
    (screen) => screen.lines.some((line) => line.includes(text)),
  );
}

/** A session whose recorder is ready to read. */
export async function recorder(
  harness: ContractHarness,
  { id, framed = false }: { readonly id: string; readonly framed?: boolean },
): Promise<PaneInfo> {
  const pane = await create(harness, { id, argv: harness.programs.recorder({ framed }) });
  await shows(harness, { pane, text: "ready" });
  return pane;
}

/** What the recorder has read once it is as long as expected. */
export function receives(harness: ContractHarness, { id, expected }: { readonly id: string; readonly expected: string }): Promise<string> {
  return eventually(
    () => harness.received(idOf(harness, id)),
    (text) => text.length >= expected.length,
  );
}

/** The pane once its program has ended. */
export async function ended(harness: ContractHarness, pane: PaneInfo): Promise<PaneInfo> {
  const answer = await eventually(
    () => harness.driver.find(pane.identity),
    (found) => found.kind === "present" && found.value.exit !== null,
  );
  return answer.kind === "present" ? answer.value : pane;
}
