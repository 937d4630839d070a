import { parseGrant, type SessionMessages } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, test } from "vitest";
import { type Fixture, fixture } from "../fixtures/fixture.js";

async function session({ sessions }: Fixture, name: string, more: object = {}) {
  return (await sessions.create({ agent: "composer", cwd: "/w", name, ...more })).session.record;
}

function eventsOf({ events }: Fixture, type: string) {
  return events.filter((event) => event.type === type);
}

describe("question of a session", () => {
  test("is next for the user, is asked once, and survives the daemon", async () => {
    const l = fixture();
    const { id } = await session(l, "asker");
    expect((await l.sessions.next({})).session).toBeNull();
    const { question } = await l.sessions.ask({ session: "asker", question: "Which one?", choices: ["red", "blue"] });
    const again = await l.sessions.ask({ session: "asker", question: "Which one?", choices: ["red", "blue"] });
    expect(again.question.id).toBe(question.id);
    expect(eventsOf(l, "question_asked")).toMatchObject([{ session_id: id, question_id: question.id, question: "Which one?" }]);
    const next = l.restarted();
    expect((await next.next({})).session).toMatchObject({ record: { id }, question, hint: expect.stringContaining("tmpm answer asker") });
    expect((await next.inbox({})).questions).toMatchObject([{ record: { id }, question }]);
  });

  test("reaches the waiting caller once, and is then closed", async () => {
    const l = fixture();
    await session(l, "asker");
    const { question } = await l.sessions.ask({ session: "asker", question: "Which one?", choices: ["red", "blue"] });
    const waiting = l.sessions.question({ session: "asker", question: question.id, wait_ms: 3_600_000, actor: question.session_id });
    await new Promise(setImmediate);
    const answered = await l.sessions.answerQuestion({
      session: "asker",
      question: question.id.slice(0, 36),
      answer: { kind: "choice", number: 2 },
    });
    expect(answered.question.answer).toMatchObject({ text: "blue", choice: 2, by: null, delivery: "waiting", turn_id: null });
    expect((await waiting).question.answer).toMatchObject({ text: "blue", collected_at: expect.any(String) });
    const late = l.sessions.answerQuestion({ session: "asker", question: question.id, answer: { kind: "text", text: "red" } });
    await expect(late).rejects.toMatchObject({ code: "DECISION_GONE", details: { answer: "blue" } });
    await expect(l.sessions.withdrawQuestion({ session: "asker", question: question.id })).rejects.toMatchObject({ code: "DECISION_GONE" });
    expect(await l.sends.list(question.session_id)).toEqual([]);
    expect((await l.sessions.show({ session: "asker" })).question).toBeNull();
  });

  test("is answered with a prompt when no caller waits, also after a crash, and once", async () => {
    const l = fixture();
    const { id } = await session(l, "asker");
    const { question } = await l.sessions.ask({ session: "asker", question: "Which\none?" });
    const { question: answered } = await l.sessions.answerQuestion({
      session: "asker",
      question: question.id,
      answer: { kind: "text", text: "the blue one" },
    });
    expect(answered.answer).toMatchObject({ delivery: "prompt", turn_id: expect.any(String), by: null });
    const [sent] = await l.turnJournal.list(id);
    expect(sent?.prompt).toBe('The answer to your question "Which one?" is:\n\nthe blue one');
    expect((await l.sends.list(id)).map(({ cause }) => cause)).toEqual([undefined]);
  });

  test("counts as collected once the waiting session has received the answer, not before", async () => {
    const l = fixture();
    const { id } = await session(l, "asker");
    const { question } = await l.sessions.ask({ session: "asker", question: "Which one?" });
    let arrive: (received: boolean) => void = () => undefined;
    const received = () => new Promise<boolean>((resolve) => (arrive = resolve));
    const take = () => l.sessions.question({ session: "asker", question: question.id, wait_ms: 3_600_000, actor: id, received });
    const waiting = take();
    await new Promise(setImmediate);
    await l.sessions.answerQuestion({ session: "asker", question: question.id, answer: { kind: "text", text: "blue" } });
    expect((await waiting).question.answer).toMatchObject({ text: "blue", delivery: "waiting", collected_at: null });
    const shown = async () => (await l.sessions.inbox({ session: "asker", all: true })).questions[0]?.question.answer;
    expect(await shown()).toMatchObject({ collected_at: null });
    arrive(true);
    await expect.poll(shown).toMatchObject({ delivery: "waiting", collected_at: expect.any(String) });
    expect(await l.turnJournal.list(id)).toEqual([]);
  });

  test("whose answer was lost with the connection is answered with a prompt", async () => {
    const l = fixture();
    const { id } = await session(l, "asker");
    const { question } = await l.sessions.ask({ session: "asker", question: "Which one?" });
    const received = async () => false;
    const waiting = l.sessions.question({ session: "asker", question: question.id, wait_ms: 3_600_000, actor: id, received });
    await new Promise(setImmediate);
    await l.sessions.answerQuestion({ session: "asker", question: question.id, answer: { kind: "text", text: "blue" } });
    expect((await waiting).question.answer).toMatchObject({ text: "blue" });
    await expect.poll(async () => (await l.turnJournal.list(id)).map(({ prompt }) => prompt)).toEqual([expect.stringContaining("blue")]);
    const { questions } = await l.sessions.inbox({ session: "asker", all: true });
    expect(questions[0]?.question.answer).toMatchObject({ delivery: "prompt", collected_at: null });
  });

  test("that other callers also read is still answered with a prompt", async () => {
    const l = fixture();
    await session(l, "asker");
    const { question } = await l.sessions.ask({ session: "asker", question: "Which one?" });
    const reading = l.sessions.question({ session: "asker", question: question.id, wait_ms: 3_600_000 });
    await new Promise(setImmediate);
    const answer = { kind: "text", text: "blue" } as const;
    const answered = await l.sessions.answerQuestion({ session: "asker", question: question.id, answer });
    expect(answered.question.answer).toMatchObject({ delivery: "prompt", turn_id: expect.any(String) });
    expect((await reading).question.answer?.text).toBe("blue");
  });

  test("is answered with a prompt when its session stops waiting while the answer is written", async () => {
    const kept = memoryDocuments<SessionMessages>();
    let written: Promise<void> = Promise.resolve();
    const slow = { ...kept, put: (id: string, messages: SessionMessages) => written.then(() => kept.put(id, messages)) };
    const l = fixture({ ports: { messageStore: slow } });
    await session(l, "asker");
    const { question } = await l.sessions.ask({ session: "asker", question: "Which one?" });
    const over = new AbortController();
    const waiting = l.sessions.question({
      ...{ session: "asker", question: question.id, wait_ms: 3_600_000, actor: question.session_id },
      signal: over.signal,
    });
    await new Promise(setImmediate);
    let finish: () => void = () => undefined;
    written = new Promise((resolve) => {
      finish = resolve;
    });
    const answer = { kind: "text", text: "blue" } as const;
    const answering = l.sessions.answerQuestion({ session: "asker", question: question.id, answer });
    await new Promise(setImmediate);
    over.abort();
    expect((await waiting).question.answer).toBeNull();
    finish();
    expect((await answering).question.answer).toMatchObject({ delivery: "prompt", turn_id: expect.any(String) });
  });

  test("whose waiting session lost its daemon is answered with a prompt by the next one", async () => {
    const messages = memoryDocuments<SessionMessages>();
    const l = fixture({ ports: { messageStore: messages } });
    const { id } = await session(l, "asker");
    const { question } = await l.sessions.ask({ session: "asker", question: "Which one?" });
    const given = { text: "blue", choice: null, by: null, at: question.asked_at, turn_id: null, collected_at: null } as const;
    await messages.put(id, { schema_version: 1, questions: [{ ...question, answer: { ...given, delivery: "waiting" } }], reports: [] });
    l.restarted().start();
    await expect.poll(async () => (await l.turnJournal.list(id)).map(({ prompt }) => prompt)).toEqual([expect.stringContaining("blue")]);
  });

  test("whose answer waited in the queue of a session that was stopped keeps it until it asks again", async () => {
    const l = fixture();
    await session(l, "asker");
    const { question } = await l.sessions.ask({ session: "asker", question: "Which one?" });
    await l.sessions.pause({ session: "asker" });
    const answer = { kind: "text", text: "blue" } as const;
    await l.sessions.answerQuestion({ session: "asker", question: question.id, answer });
    await l.sessions.stop({ session: "asker" });
    const again = async () => (await l.sessions.ask({ session: "asker", question: "Which one?" })).question;
    await expect.poll(async () => (await again()).answer?.text).toBe("blue");
  });

  test("of a stopped session keeps its answer until it asks again", async () => {
    const l = fixture();
    await session(l, "asker");
    const { question } = await l.sessions.ask({ session: "asker", question: "Which one?" });
    await l.sessions.stop({ session: "asker" });
    expect((await l.sessions.next({})).session).toBeNull();
    const { question: answered } = await l.sessions.answerQuestion({
      session: "asker",
      question: question.id,
      answer: { kind: "text", text: "blue" },
    });
    expect(answered.answer).toMatchObject({ delivery: "kept", turn_id: null });
    expect((await l.sessions.ask({ session: "asker", question: "Which one?" })).question.answer?.text).toBe("blue");
    await l.sessions.question({ session: "asker", question: question.id, actor: question.session_id });
    expect((await l.sessions.ask({ session: "asker", question: "Which one?" })).question.id).not.toBe(question.id);
  });

  test("counts towards a small limit, and can be withdrawn", async () => {
    const l = fixture();
    await session(l, "asker");
    const asked = [];
    for (let n = 0; n < 8; n += 1) asked.push((await l.sessions.ask({ session: "asker", question: `q${n}` })).question);
    await expect(l.sessions.ask({ session: "asker", question: "one more" })).rejects.toMatchObject({ code: "QUESTION_LIMIT" });
    await l.sessions.withdrawQuestion({ session: "asker", question: asked[0]?.id ?? "" });
    await l.sessions.ask({ session: "asker", question: "one more" });
    await expect(l.sessions.question({ session: "asker", question: "ffffffff" })).rejects.toMatchObject({ code: "QUESTION_NOT_FOUND" });
    const many = l.sessions.answerQuestion({ session: "asker", question: asked[1]?.id ?? "", answer: { kind: "choice", number: 1 } });
    await expect(many).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("is answered by the parent session, with a cause and within its grant", async () => {
    const l = fixture();
    const planner = await session(l, "planner", { grant: parseGrant("tree,sends=1") });
    const worker = await session(l, "worker", { actor: planner.id });
    const answer = async (n: number) => {
      const { question } = await l.sessions.ask({ session: worker.id, question: `q${n}` });
      return l.sessions.answerQuestion({
        session: worker.id,
        question: question.id,
        answer: { kind: "text", text: "yes" },
        actor: planner.id,
      });
    };
    expect((await answer(1)).question.answer).toMatchObject({ by: planner.id, delivery: "prompt" });
    expect((await l.sends.list(worker.id)).map(({ cause }) => cause)).toEqual([
      { parent: planner.id, root: planner.id, hop: 1, path: [planner.id] },
    ]);
    await expect(answer(2)).rejects.toMatchObject({ code: "LINEAGE_LIMIT" });
    expect((await l.sessions.inbox({ actor: planner.id })).questions).toMatchObject([{ question: { question: "q2", answer: null } }]);
    const stranger = await session(l, "stranger");
    expect((await l.sessions.inbox({ actor: stranger.id })).questions).toEqual([]);
  });
});

test("a report goes to the parent session or to a user, sends no prompt and is kept", async () => {
  const l = fixture();
  const planner = await session(l, "planner", { grant: parseGrant("tree") });
  const worker = await session(l, "worker", { actor: planner.id });
  await l.sessions.report({ session: worker.id, kind: "done", text: "built", artifacts: ["a.ts"] });
  await l.sessions.report({ session: planner.id, kind: "note", text: "halfway" });
  expect(eventsOf(l, "session_reported")).toMatchObject([
    { session_id: worker.id, kind: "done", to: planner.id },
    { session_id: planner.id, kind: "note", to: null },
  ]);
  expect(await l.sends.list(planner.id)).toEqual([]);
  const { reports } = await l.restarted().inbox({ actor: planner.id });
  expect(reports.map(({ report }) => report.text).sort()).toEqual(["built", "halfway"]);
  expect((await l.sessions.show({ session: worker.id })).report).toMatchObject({ kind: "done", artifacts: ["a.ts"] });
});

test("a wait for a question ends when one is asked", async () => {
  const l = fixture();
  const { id } = await session(l, "asker");
  const waiting = l.sessions.wait({ session: id, until: ["question"], timeout_ms: 3_600_000 });
  await l.sessions.ask({ session: id, question: "Which one?" });
  expect((await waiting).question).toMatchObject({ question: "Which one?" });
});
