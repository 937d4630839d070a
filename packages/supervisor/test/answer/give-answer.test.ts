import { describe, expect, test } from "vitest";
import { memoryHooks } from "../fixtures/asking-agent.js";
import { type Choosing, choosing, choosingProgram } from "../fixtures/choosing-agent.js";
import { fixture } from "../fixtures/fixture.js";

async function asked({ reports = false, ...behaviour }: Omit<Choosing, "chosen"> & { readonly reports?: boolean } = {}) {
  const chosen: string[] = [];
  let report = async (): Promise<unknown> => undefined;
  const program = choosingProgram({
    ...behaviour,
    chosen: (choice) => {
      chosen.push(choice);
      if (reports) void report();
    },
  });
  const hooks = memoryHooks();
  const here = fixture({ adapters: [choosing], programs: { "choosing-agent": program }, ports: { hooks } });
  const { session } = await here.sessions.create({ agent: "choosing", cwd: "/w", name: "demo" });
  report = () => here.sessions.hook({ session: session.record.id, token: hooks.tokens().at(-1) ?? null, payload: { state: "working" } });
  await here.sessions.send({ session: "demo", text: "ask touch it" });
  const { decision } = await here.sessions.show({ session: "demo" });
  if (decision === null) throw new Error("nothing is asked");
  const answer = (given: Parameters<typeof here.sessions.answer>[0]["answer"]) =>
    here.sessions.answer({ session: "demo", decision_id: decision.id, answer: given });
  return { ...here, chosen, answer };
}

describe("answer", () => {
  test.each([0, 300, 700, 2_000])("to a dialog that ignores keys for %i ms is given once it accepts one, and only once", async (deafMs) => {
    const { answer, chosen } = await asked({ deafMs });
    expect(await answer({ kind: "approve" })).toMatchObject({ outcome: "answered" });
    expect(chosen).toEqual(["Yes"]);
  });

  test.each([
    [{ kind: "deny" }, "No"],
    [{ kind: "choice", number: 2 }, "Yes, always"],
  ] as const)("%o selects its choice even if the first key is lost", async (given, choice) => {
    const { answer, chosen } = await asked({ deafMs: 600 });
    expect(await answer(given)).toMatchObject({ outcome: "answered" });
    expect(chosen).toEqual([choice]);
  });

  test("is given once when the agent shows it late", async () => {
    const { answer, chosen } = await asked({ slowMs: 3_000 });
    expect(await answer({ kind: "approve" })).toMatchObject({ outcome: "answered" });
    expect(chosen).toEqual(["Yes"]);
  });

  test("is not repeated after the agent reports it, even if the same question follows at once", async () => {
    const { answer, chosen } = await asked({ again: 1, reports: true });
    await answer({ kind: "approve" });
    expect(chosen).toEqual(["Yes"]);
  });

  test("is not repeated in a dialog that never accepts a key", async () => {
    const { answer, chosen } = await asked({ deafMs: 60_000 });
    expect(await answer({ kind: "approve" })).toMatchObject({ outcome: "unconfirmed" });
    expect(chosen).toEqual([]);
  });
});
