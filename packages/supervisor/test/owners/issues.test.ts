import { expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";

const OF = { agent: "shell", cwd: "/w" } as const;

async function record(l: ReturnType<typeof fixture>, session: string) {
  return (await l.sessions.show({ session })).record;
}

test("a second session for an issue of the project is refused, unless it is explicitly allowed (ao case 25)", async () => {
  const l = fixture();
  await l.sessions.create({ ...OF, name: "one", issue_id: "42" });
  await expect(l.sessions.create({ ...OF, name: "two", issue_id: "42" })).rejects.toMatchObject({
    code: "ISSUE_TAKEN",
    details: { name: "one", issue_id: "42" },
  });
  expect(await l.store.find("two")).toEqual([]);
  await l.sessions.create({ ...OF, name: "three", issue_id: "42", duplicate_issue: true });
  await l.sessions.create({ ...OF, name: "four", issue_id: "4" });
  await l.sessions.create({ ...OF, name: "elsewhere", issue_id: "42", project_id: "other" });
});

test("of two simultaneous creates for one issue, one succeeds (ao case 25)", async () => {
  const l = fixture();
  const both = await Promise.allSettled(["a", "b"].map((name) => l.sessions.create({ ...OF, name, issue_id: "42" })));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("`set` also refuses an issue that another session of the project works on, unless explicitly allowed (ao case 25)", async () => {
  const l = fixture();
  await l.sessions.create({ ...OF, name: "one", issue_id: "42" });
  await l.sessions.create({ ...OF, name: "two" });
  await l.sessions.create({ ...OF, name: "away", project_id: "other", issue_id: "42" });
  const taken = {
    code: "ISSUE_TAKEN",
    details: { name: "one", issue_id: "42" },
    hint: expect.stringContaining("tmpm set two --duplicate-issue"),
  };
  await expect(l.sessions.set({ session: "two", issue_id: "42", task: "t" })).rejects.toMatchObject(taken);
  expect(await record(l, "two")).toMatchObject({ issue_id: null, task: "" });
  await expect(l.sessions.set({ session: "away", project_id: "default" })).rejects.toMatchObject({ code: "ISSUE_TAKEN" });
  expect((await record(l, "away")).project_id).toBe("other");
  await l.sessions.set({ session: "one", issue_id: "42", task: "its own again" });
  await l.sessions.set({ session: "two", issue_id: "42", duplicate_issue: true });
  expect((await record(l, "two")).issue_id).toBe("42");
  await l.sessions.set({ session: "away", project_id: "third" });
});

test("of two sessions set to one issue at once, one gets it (ao case 25)", async () => {
  const l = fixture();
  for (const name of ["a", "b"]) await l.sessions.create({ ...OF, name });
  const both = await Promise.allSettled(["a", "b"].map((session) => l.sessions.set({ session, issue_id: "42" })));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a finished session releases its issue (ao case 3)", async () => {
  const l = fixture();
  await l.sessions.create({ ...OF, name: "one", issue_id: "42" });
  await l.sessions.remove({ session: "one" });
  await l.sessions.create({ ...OF, name: "two", issue_id: "42" });
  expect(await l.store.findByIssue("default", "42")).toMatchObject({ record: { name: "two" } });
  expect(await l.store.findByIssue("default", "999")).toBeNull();
});

test("sets a task and the link of an issue at creation, checked as by `set`", async () => {
  const l = fixture();
  await l.sessions.create({ ...OF, name: "one", prompt: "echo hi", task: "fix the build", issue_url: "https://example.org/42" });
  expect(await record(l, "one")).toMatchObject({ task: "fix the build", issue_url: "https://example.org/42" });
  await expect(l.sessions.create({ ...OF, issue_url: "javascript:alert(1)" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await l.sessions.create({ ...OF, name: "two", prompt: "echo hi" });
  expect((await record(l, "two")).task).toBe("echo hi");
});

test.each([
  ["feature/login-page", "login-page"],
  ["fix #42: crash", "fix-42-crash"],
  ["a:b.c", "a-b-c"],
  ["ticket-1234", "ticket-1234"],
  ["...", "session"],
])("the hint %s names a session %s, and the answer reports a different name (trusty-mpm case 18)", async (name_hint, name) => {
  const l = fixture();
  const first = await l.sessions.create({ ...OF, name_hint });
  expect(first.session.record.name).toBe(name);
  expect(first.notes).toEqual(name === name_hint ? [] : [`named ${name}, after ${JSON.stringify(name_hint)}`]);
  expect((await l.sessions.create({ ...OF, name_hint })).session.record.name).toBe(`${name}-2`);
});

test("a session correlates with an issue and a pull request, however they are set", async () => {
  const l = fixture();
  const scope = (issue_ids: readonly number[]) => l.sessions.scope({ session: "one", paths: [], issue_ids });
  await l.sessions.create({ ...OF, name: "one" });
  expect(await scope([99])).toEqual({ kind: "uncorrelated" });
  await l.sessions.set({ session: "one", issue_id: "99", claimed_pr_number: 7 });
  expect((await record(l, "one")).correlation).toMatchObject({ issue_id: 99, pr_id: 7 });
  expect(await scope([99])).toEqual({ kind: "in_scope" });
  expect(await scope([99, 4])).toEqual({ kind: "out_of_scope", stray_paths: [], foreign_issue_ids: [4] });
  await l.sessions.set({ session: "one", issue_id: "PROJ-9" });
  expect((await record(l, "one")).correlation).toMatchObject({ issue_id: null, pr_id: 7 });
  await l.sessions.set({ session: "one", claimed_pr_number: null });
  expect(await scope([99])).toEqual({ kind: "uncorrelated" });
  await l.sessions.create({ ...OF, name: "two", issue_id: "42" });
  expect((await record(l, "two")).correlation.issue_id).toBe(42);
});

test("trims outer whitespace of a first prompt, and treats a blank one as missing (swimmers case 6)", async () => {
  const l = fixture();
  const first = await l.sessions.create({ ...OF, name: "one", prompt: "  echo hi \n" });
  expect([first.session.record.task, first.receipt?.bytes]).toEqual(["echo hi", 7]);
  expect(first.receipt?.altered).toBe("leading and trailing whitespace is removed");
  const marked = await l.sessions.create({ ...OF, name: "marked", prompt: "\ufeffecho hi" });
  expect([marked.session.record.task, marked.receipt?.altered]).toEqual(["\ufeffecho hi", null]);
  const blank = await l.sessions.create({ ...OF, name: "two", prompt: " \n " });
  expect([blank.session.record.task, blank.receipt]).toEqual(["", null]);
});
