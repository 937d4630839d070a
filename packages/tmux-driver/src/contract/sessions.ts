import type { CreateSpec, PaneInfo, Screen } from "../driver.js";
import { eventually } from "./expect.js";
import type { Argv, ContractFixture } from "./fixture.js";

/** The session id for a case's short `id`. */
export function idOf(fixture: ContractFixture, id: string): string {
  return `${id}-${fixture.unique}`;
}

/** The default create of a case; the tmux name is `id`. */
export function specOf(fixture: ContractFixture, { id, argv }: { readonly id: string; readonly argv: Argv }): CreateSpec {
  const sessionId = idOf(fixture, id);
  return { sessionId, tmuxName: id, cwd: fixture.cwd, argv, env: { TMPM_SESSION_ID: sessionId }, columns: 80, rows: 24 };
}

export function create(fixture: ContractFixture, session: { readonly id: string; readonly argv: Argv }): Promise<PaneInfo> {
  return fixture.driver.create(specOf(fixture, session));
}

/** The screen once it shows the text. */
export function shows(fixture: ContractFixture, { pane, text }: { readonly pane: PaneInfo; readonly text: string }): Promise<Screen> {
  return eventually(
    () => fixture.driver.capture(pane.identity),
    (screen) => screen.lines.some((line) => line.includes(text)),
  );
}

/** A session whose recorder is ready to read. */
export async function recorder(
  fixture: ContractFixture,
  { id, framed = false }: { readonly id: string; readonly framed?: boolean },
): Promise<PaneInfo> {
  const pane = await create(fixture, { id, argv: fixture.programs.recorder({ framed }) });
  await shows(fixture, { pane, text: "ready" });
  return pane;
}

/** What the recorder has read once it has the expected length. */
export function receives(fixture: ContractFixture, { id, expected }: { readonly id: string; readonly expected: string }): Promise<string> {
  return eventually(
    () => fixture.received(idOf(fixture, id)),
    (text) => text.length >= expected.length,
  );
}

/** The pane once its program has ended. */
export async function ended(fixture: ContractFixture, pane: PaneInfo): Promise<PaneInfo> {
  const answer = await eventually(
    () => fixture.driver.find(pane.identity),
    (found) => found.kind === "present" && found.value.exit !== null,
  );
  return answer.kind === "present" ? answer.value : pane;
}
