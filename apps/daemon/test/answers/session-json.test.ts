import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { sessionAnswer } from "../../src/answers/answer.js";
import { sessionJson } from "../../src/requests/session-json.js";
import { call, serverFixture } from "../fixtures/server-fixture.js";

async function fixture() {
  const l = await serverFixture();
  for (const name of ["one", "two"]) await call(l, "create", { body: { cwd: tmpdir(), name, agent: "shell" } });
  const show = () => l.sessions.show({ session: "one" });
  return { ...l, l, show };
}

test("an unchanged session is serialized once", async () => {
  const { show } = await fixture();
  const first = sessionJson(await show());
  expect(sessionJson(await show())).toBe(first);
  expect(JSON.parse(first.toString())).toEqual(JSON.parse(JSON.stringify(sessionAnswer(await show()))));
});

test("a session is serialized again when its record or any nested observed value changes", async () => {
  const { show, sessions } = await fixture();
  const facts = await show();
  const first = sessionJson(facts);
  const evidence = [...facts.activity.evidence, "a sign"];
  const changed = [
    { ...facts, viewers: facts.viewers + 1 },
    { ...facts, activity: { ...facts.activity, evidence } },
    { ...facts, thought: { ...facts.thought, action_cues: [{ kind: "commit_ready" as const }] } },
    { ...facts, hint: "Look." },
  ];
  for (const now of changed) {
    const json = sessionJson(now);
    expect(json.equals(first)).toBe(false);
    expect(JSON.parse(json.toString())).toEqual(JSON.parse(JSON.stringify(sessionAnswer(now))));
  }
  await sessions.set({ session: "one", task: "another" });
  expect(JSON.parse(sessionJson(await show()).toString())).toMatchObject({ task: "another" });
});

test("a list is the JSON of its sessions, newest first, and an empty one is valid", async () => {
  const { l, sessions } = await fixture();
  const listed = (await call(l, "list")).json();
  const facts = (await sessions.list({})).sessions;
  expect(facts).toHaveLength(2);
  expect(listed).toEqual({
    sessions: facts.map((each) => JSON.parse(sessionJson(each).toString())),
    problems: [],
    store: { state: "ok", message: null },
    next: null,
  });
  expect((await call(l, "list", { query: { q: "no such words" } })).json()).toMatchObject({ sessions: [], next: null });
});

test("a list has only the requested fields, and an unknown field is refused", async () => {
  const { l, sessions } = await fixture();
  const ask = async (fields: string) => (await call(l, "list", { query: { fields } })).json();
  // Both were created in the same millisecond, so either may come first.
  const names = (await sessions.list({})).sessions.map(({ record }) => record.name);
  expect((await ask("name,state")).sessions).toEqual(names.map((name) => ({ name, state: "active" })));
  expect((await ask("name")).sessions).toEqual(names.map((name) => ({ name })));
  expect((await ask("name,nothing")).error).toMatchObject({ code: "INVALID_ARGUMENT", message: "fields.1: not a field of a session" });
});
