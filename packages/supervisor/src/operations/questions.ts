import { type GivenAnswer, isOpen, parseText, type Question, type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { causeOf } from "../grants/causation.js";
import { answerPrompt, collected, deliverAnswer, unwaited } from "../messages/deliver-answer.js";
import { findQuestion, questionIn } from "../messages/find-question.js";

/** Maximum number of open questions of one session. */
const MOST_OPEN = 8;

export interface AskInput {
  readonly session: string;
  readonly question: string;
  readonly choices?: readonly string[] | undefined;
}

export interface SessionQuestion {
  readonly record: SessionRecord;
  readonly question: Question;
}

/** Asks the user. A repeated question, until its answer has reached the session, is not asked again. @throws QUESTION_LIMIT */
export async function ask(ctx: Context, input: AskInput): Promise<SessionQuestion> {
  const record = await findSession(ctx, input.session);
  await ctx.messages.loaded();
  const undelivered = await undeliveredIn(ctx, record.id);
  const { question, choices = [] } = input;
  const made: Question = {
    ...{ id: ctx.newId(), session_id: record.id, question, choices: [...choices] },
    ...{ asked_at: timestampFromMs(ctx.clock.now()), answer: null, withdrawn_at: null },
  };
  const isSame = (each: Question) =>
    (isPending(each) || undelivered.has(each.id)) && each.question === question && sameChoices(each, choices);
  const { questions } = await ctx.messages.change(record.id, (messages) => {
    if (messages.questions.some(isSame)) return messages;
    const open = messages.questions.filter(isOpen).length;
    if (open >= MOST_OPEN) throw tooMany(record, open);
    return { ...messages, questions: [...messages.questions, made] };
  });
  const asked = questions.findLast(isSame) ?? made;
  if (asked.id === made.id) emit(ctx, { record, event: { type: "question_asked", question_id: made.id, question } });
  return { record, question: asked };
}

/** An answer that was neither waited for nor fetched may not have arrived. */
function isPending(question: Question): boolean {
  return isOpen(question) || (question.answer !== null && question.answer.delivery !== "prompt" && question.answer.collected_at === null);
}

/** Answers whose prompt ended before the agent began on it, as when its session was stopped. */
async function undeliveredIn(ctx: Pick<Context, "messages" | "turns">, session: string): Promise<ReadonlySet<string>> {
  const ids: string[] = [];
  for (const { id, answer } of ctx.messages.of(session).questions) {
    if (answer === null || answer.turn_id === null || answer.collected_at !== null) continue;
    const turn = await ctx.turns.get(session, answer.turn_id);
    if (turn?.state === "ended" && turn.started_at === null) ids.push(id);
  }
  return new Set(ids);
}

function sameChoices({ choices }: Question, others: readonly string[]): boolean {
  return choices.length === others.length && choices.every((choice, index) => choice === others[index]);
}

function tooMany({ id, name }: SessionRecord, open: number): TmpmError {
  return new TmpmError("QUESTION_LIMIT", `${open} questions of session ${name} are open; the maximum is ${MOST_OPEN}`, {
    hint: "Wait for answers, or withdraw questions that no longer need one.",
    details: { session: id, open, most: MOST_OPEN },
  });
}

export interface QuestionInput {
  readonly session: string;
  /** Its id, or a prefix of it. */
  readonly question: string;
  /** How long to wait for an answer, in ms. */
  readonly wait_ms?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The session that requests it with its own token: it takes its own answer. */
  readonly actor?: string | null | undefined;
  /** Whether the caller received the result, called once it is made. By default it did. */
  readonly received?: (() => Promise<boolean>) | undefined;
}

/**
 * A question, once it is closed, or its current state at the timeout. An answer that its session waited for and did not receive is sent as a prompt.
 * @throws QUESTION_NOT_FOUND
 */
export async function question(ctx: Context, input: QuestionInput): Promise<SessionQuestion> {
  const record = await findSession(ctx, input.session);
  const { id } = await findQuestion(ctx, { record, question: input.question });
  const waiting = { record, id, input };
  // Only the session itself collects its answer by waiting; other callers only read it.
  if (input.actor !== record.id) return { record, question: await closed(ctx, waiting) };
  const found = await taken(ctx, { ...waiting, read: () => closed(ctx, waiting) });
  // An answer that was written at the very end of the wait relied on this wait to deliver it.
  const read = () => findQuestion(ctx, { record, question: id });
  return { record, question: isOpen(found) ? await taken(ctx, { ...waiting, read }) : found };
}

interface Waiting {
  readonly record: SessionRecord;
  readonly id: string;
  readonly input: QuestionInput;
}

interface Taking extends Waiting {
  readonly read: () => Promise<Question>;
}

/** What the session waited for. It counts as waiting until it has received an answer. */
function taken(ctx: Context, { id, input: { received }, read }: Taking): Promise<Question> {
  return ctx.messages.during(id, async () => {
    const question = await read();
    if (question.answer === null || received === undefined) return collect(ctx, question);
    void handOver(ctx, { question, received });
    return question;
  });
}

async function handOver(
  ctx: Context,
  { question, received }: { readonly question: Question; readonly received: () => Promise<boolean> },
): Promise<void> {
  try {
    const isCollected = await ctx.messages.during(question.id, async () => {
      if (!(await received())) return false;
      await collect(ctx, question);
      return true;
    });
    if (!isCollected) await deliverAnswer(ctx, await unwaited(ctx, question));
  } catch (error) {
    ctx.report({ doing: `handing over the answer to question ${question.id}`, error });
  }
}

function collect(ctx: Context, question: Question): Promise<Question> {
  return collected(ctx, { question, at: timestampFromMs(ctx.clock.now()) });
}

async function closed(ctx: Pick<Context, "changes" | "clock" | "messages">, { record, id, input }: Waiting): Promise<Question> {
  const deadline = ctx.clock.now() + (input.wait_ms ?? 0);
  const listening = ctx.changes.listen([record.id]);
  input.signal?.addEventListener("abort", listening.ring, { once: true });
  try {
    for (;;) {
      const found = await findQuestion(ctx, { record, question: id });
      const left = deadline - ctx.clock.now();
      if (!isOpen(found) || left <= 0 || input.signal?.aborted === true) return found;
      await listening.next(left);
    }
  } finally {
    input.signal?.removeEventListener("abort", listening.ring);
    listening.close();
  }
}

export interface AnswerQuestionInput {
  readonly session: string;
  readonly question: string;
  readonly answer: { readonly kind: "choice"; readonly number: number } | { readonly kind: "text"; readonly text: string };
  /** The session that answers; null for a user. */
  readonly actor?: string | null | undefined;
}

/**
 * Answers a question once. The answer is durable before it is passed on: to the waiting caller, else as a prompt, and to a stopped session
 * when it asks again. @throws DECISION_GONE when it is closed; QUESTION_NOT_FOUND, INVALID_ARGUMENT, INVALID_TEXT; for a session's answer
 * the errors of `causeOf`
 */
export async function answerQuestion(ctx: Context, input: AnswerQuestionInput): Promise<SessionQuestion> {
  const record = await findSession(ctx, input.session);
  const open = await findQuestion(ctx, { record, question: input.question });
  const { text, choice } = wordsOf(open, input.answer);
  const by = input.actor ?? null;
  if (by !== null) await causeOf(ctx, { actor: by, target: record, text: answerPrompt({ question: open.question, answer: text }) });
  const delivery: GivenAnswer["delivery"] = ctx.messages.isAwaited(open.id) ? "waiting" : record.state === "active" ? "prompt" : "kept";
  const given = { text, choice, by, at: timestampFromMs(ctx.clock.now()), delivery, turn_id: null, collected_at: null };
  const answered = await closedBy(ctx, { record, id: open.id, close: (each) => ({ ...each, answer: given }) });
  emit(ctx, { record, event: { type: "question_answered", question_id: open.id, by } });
  return { record, question: await deliverAnswer(ctx, await unwaited(ctx, answered)) };
}

/** Withdraws a question. @throws DECISION_GONE, QUESTION_NOT_FOUND */
export async function withdrawQuestion(
  ctx: Context,
  input: { readonly session: string; readonly question: string },
): Promise<SessionQuestion> {
  const record = await findSession(ctx, input.session);
  const { id } = await findQuestion(ctx, { record, question: input.question });
  const at = timestampFromMs(ctx.clock.now());
  const withdrawn = await closedBy(ctx, { record, id, close: (each) => ({ ...each, withdrawn_at: at }) });
  emit(ctx, { record, event: { type: "question_withdrawn", question_id: id } });
  return { record, question: withdrawn };
}

function wordsOf({ choices }: Question, answer: AnswerQuestionInput["answer"]): Pick<GivenAnswer, "text" | "choice"> {
  if (answer.kind === "text") return { text: parseText(answer.text), choice: null };
  const text = choices[answer.number - 1];
  if (text !== undefined) return { text: parseText(text), choice: answer.number };
  const none =
    choices.length === 0 ? "the question has no choices" : `there are ${choices.length} choices; number ${answer.number} does not exist`;
  throw new TmpmError("INVALID_ARGUMENT", none, { hint: "Answer with text, or with an existing number.", details: { field: "answer" } });
}

interface Closing {
  readonly record: SessionRecord;
  readonly id: string;
  readonly close: (question: Question) => Question;
}

async function closedBy(ctx: Pick<Context, "messages">, { record, id, close }: Closing): Promise<Question> {
  const { questions } = await ctx.messages.change(record.id, (messages) => ({
    ...messages,
    questions: messages.questions.map((each) => {
      if (each.id !== id) return each;
      if (!isOpen(each)) throw isClosed(record, each);
      return close(each);
    }),
  }));
  return questionIn(questions, id);
}

function isClosed({ id, name }: SessionRecord, { id: question, answer }: Question): TmpmError {
  const how = answer === null ? "was withdrawn" : answer.by === null ? "was answered by the user" : "was answered by another session";
  return new TmpmError("DECISION_GONE", `the question of session ${name} ${how}`, {
    details: { session: id, question, answer: answer?.text ?? null },
  });
}

type Said =
  | { readonly type: "question_asked"; readonly question_id: string; readonly question: string }
  | { readonly type: "question_answered"; readonly question_id: string; readonly by: string | null }
  | { readonly type: "question_withdrawn"; readonly question_id: string };

function emit(ctx: Pick<Context, "clock" | "emit">, { record, event }: { readonly record: SessionRecord; readonly event: Said }): void {
  ctx.emit({ ...event, session_id: record.id, project_id: record.project_id, at: timestampFromMs(ctx.clock.now()) });
}
