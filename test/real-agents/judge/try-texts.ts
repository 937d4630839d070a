import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../fixture.js";
import type { Case } from "../../judge/figures.js";
import { isFaulty } from "../../judge/figures.js";
import type { HostileText } from "../../judge/hostile-texts.js";
import { type Damage, judge, type Trial } from "../../judge/verdict.js";
import { declaredFor, type Ended, launch, needsLaunch, type Seat, type Subject } from "./judge-fixture.js";
import { unframed } from "./unframed.js";

const ARRIVES_MS = 180_000;
const SETTLES_MS = 10_000;
/** Each request repeats the conversation: a long one makes the later ones slow. */
const TEXTS_A_SESSION = 25;

export interface Trials {
  readonly texts: readonly HostileText[];
  /** Deadline after which no further text is tried, in milliseconds since 1970. */
  readonly until: number;
  readonly done: (each: Case) => void;
}

/** Tries the texts in order, each in its intended state. After a failure it continues with a new session. */
export async function tryTexts(subject: Subject, { texts, until, done }: Trials): Promise<readonly Case[]> {
  const cases: Case[] = [];
  let seat: Seat | null = null;
  let used = 0;
  for (const hostile of texts) {
    if (Date.now() >= until) break;
    if (seat !== null && (needsLaunch(hostile.moment) || used >= TEXTS_A_SESSION)) {
      await seat.leave();
      seat = null;
    }
    used = seat === null ? 0 : used + 1;
    const { trial, now } = await tryText(subject, { hostile, seat });
    const each = { hostile, trial, judged: judge(trial) };
    seat = now;
    if (isFaulty(each)) {
      await seat.leave();
      seat = null;
    }
    cases.push(each);
    done(each);
  }
  await seat?.leave();
  return cases;
}

interface Tried {
  readonly trial: Trial;
  readonly now: Seat;
}

async function tryText(subject: Subject, { hostile, seat }: { readonly hostile: HostileText; readonly seat: Seat | null }): Promise<Tried> {
  const name = `text-${hostile.number}`;
  if (hostile.moment === "first") {
    const begun = await launch(subject, { name, prompt: hostile.text });
    return conclude(subject, { hostile, seat: begun.seat, before: [], ended: begun.ended ?? NO_ANSWER });
  }
  const now = seat ?? (await launch(subject, { name, prompt: hostile.moment === "starting" ? null : "begin" })).seat;
  if (hostile.moment !== "starting") await now.rest();
  if (hostile.moment === "working") await now.keepBusy();
  const before = now.texts();
  return conclude(subject, { hostile, seat: now, before, ended: await now.send(hostile.text) });
}

const NO_ANSWER: Ended = { outcome: "no answer", reason: null, altered: null };

interface Sent {
  readonly hostile: HostileText;
  readonly seat: Seat;
  readonly before: readonly string[];
  readonly ended: Ended;
}

async function conclude(subject: Subject, { hostile, seat, before, ended }: Sent): Promise<Tried> {
  const text = hostile.text.replace(/\r\n?/gu, "\n");
  const begins = hostile.moment === "first" ? text.replace(OUTER_BLANKS, "") : text;
  const declared = [...(begins === text ? [] : [begins]), ...declaredFor(subject, begins)];
  const expected = [text, ...declared];
  const received = () => receivedOf(without(seat.texts(), before).map(unframed), expected);
  if (ended.outcome === "submitted") await within(ARRIVES_MS, async () => received().length > 0);
  const { activity, state } = await seat.rest();
  if (ended.outcome === "submitted") await within(SETTLES_MS, async () => received().length > 0 && (await seat.draft()) === "");
  const arrived = received();
  const seen: Damage[] = [];
  if (ranCommand(subject)) seen.push("ran");
  if (state === "stopped" || activity.state === "exited") seen.push("exited");
  else if (activity.state !== "idle" && activity.state !== "errored") seen.push("dialog");
  else if (ended.outcome !== "typed_not_submitted" && (await seat.draft()) !== "") seen.push("leftover");
  const trial: Trial = { text, declared, ...ended, received: arrived, damage: seen };
  if (!seen.includes("exited") && (isFaulty({ judged: judge(trial) }) || LIKE_A_COMMAND.test(text))) {
    if (!(await takesMore(seat, hostile.number))) seen.push("later sends blocked");
    else if (without(before, seat.texts()).length > 0) seen.push("cleared");
  }
  return { trial, now: seat };
}

/** Never part of a first prompt. */
const OUTER_BLANKS = /^\p{White_Space}+|\p{White_Space}+$/gu;

const LIKE_A_COMMAND = /^\s*[/!#@$?&:]|^\S{1,8}$/u;

async function takesMore(seat: Seat, number: number): Promise<boolean> {
  const probe = `probe ${number} is plain`;
  const { outcome } = await seat.send(probe);
  if (outcome !== "submitted") return false;
  const came = await within(ARRIVES_MS, async () => seat.texts().some((text) => text.trim() === probe));
  await seat.rest();
  return came;
}

function ranCommand({ agentFixture }: Subject): boolean {
  const mark = join(agentFixture.dir, "judge-mark");
  const ran = existsSync(mark);
  rmSync(mark, { force: true });
  return ran;
}

/** The texts of the later list that the earlier one does not have, with multiplicity. */
function without(later: readonly string[], earlier: readonly string[]): readonly string[] {
  const left = [...earlier];
  return later.filter((text) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Agents add their own blocks: if one of the texts is expected, the others are theirs. */
function receivedOf(fresh: readonly string[], expected: readonly string[]): readonly string[] {
  const found = fresh.filter((text) => expected.includes(text));
  if (found.length > 0) return found;
  return fresh.filter((text) => text.trim() !== "" && !AGENTS_OWN.test(text));
}

const AGENTS_OWN = /^\s*<|^# AGENTS\.md|^This is the Gemini CLI|^mock: |^Caveat: /u;

async function within(ms: number, probe: () => Promise<boolean>): Promise<boolean> {
  try {
    return await eventually(async () => ((await probe()) ? true : null), ms);
  } catch {
    return false;
  }
}
