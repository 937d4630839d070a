import type { SessionAnswer } from "@tmpm/api";
import { hasCode } from "@tmpm/core/errors";
import { tmpm } from "../daemon/tmpm.js";
import { failureText } from "../words/failure-words.js";
import { oneLine } from "../words/shown.js";
import { type NoticeAction, say } from "./notices.js";
import { seen } from "./sessions.js";

export type VerbName = "interrupt" | "pause" | "continue" | "stop" | "resume" | "restart" | "archive" | "remove";

export interface Verb {
  readonly name: VerbName;
  readonly title: string;
  /** Its effect, in one line. */
  readonly more: string;
  readonly danger: boolean;
}

const VERBS: Readonly<Record<VerbName, Omit<Verb, "name">>> = {
  interrupt: { title: "Interrupt", more: "Interrupts the running turn", danger: false },
  pause: { title: "Pause", more: "Holds its queue; the program keeps running", danger: false },
  continue: { title: "Continue", more: "Lifts the pause", danger: false },
  stop: { title: "Stop", more: "Ends its processes; keeps record and directory", danger: true },
  resume: { title: "Resume", more: "Launches its agent again, with the same conversation if supported", danger: false },
  restart: { title: "Restart", more: "Stops it and launches its agent again", danger: true },
  archive: { title: "Archive", more: "Removes it from the list", danger: false },
  remove: { title: "Remove", more: "Moves the workspace created for it to the trash, unless it holds unsaved work", danger: true },
};

/** The actions allowed in a session's current state, most common first. */
export function verbsOf(session: Pick<SessionAnswer, "state" | "paused_at" | "activity">): readonly Verb[] {
  return namesFor(session).map((name) => ({ name, ...VERBS[name] }));
}

function namesFor({ state, paused_at, activity }: Pick<SessionAnswer, "state" | "paused_at" | "activity">): readonly VerbName[] {
  if (state === "active") {
    const turn: readonly VerbName[] = activity.state === "working" ? ["interrupt"] : [];
    return [...turn, paused_at === null ? "pause" : "continue", "stop", "restart", "remove"];
  }
  if (state === "stopped" || state === "errored") return ["resume", "archive", "remove"];
  return state === "provisioning" ? ["stop"] : [];
}

interface Done {
  readonly text: string;
  readonly undo: NoticeAction | null;
}

type Named = Pick<SessionAnswer, "id" | "name">;

/** Returns an archived session to the list. */
export function reactivate({ id, name }: Named): Promise<void> {
  return attempt(`${name}: reactivate`, async () => {
    seen(await tmpm.reactivate({ session: id }));
    return { text: `${name} is listed again.`, undo: again("archive", { id, name }) };
  });
}

/** Performs it, reports the result, and offers undo where possible. */
export function perform(verb: VerbName, session: Named): Promise<void> {
  return attempt(`${session.name}: ${VERBS[verb].title.toLowerCase()}`, () => DO[verb](session), refusalActions(verb, session));
}

export async function rename(session: Named, name: string): Promise<void> {
  await attempt(`${session.name}: rename`, async () => {
    seen(await tmpm.rename({ session: session.id, name }));
    return {
      text: `${session.name} is now ${name}.`,
      undo: { title: "Undo", run: () => void rename({ id: session.id, name }, session.name) },
    };
  });
}

const DO: Readonly<Record<VerbName, (session: Named) => Promise<Done>>> = {
  async interrupt({ id, name }) {
    const { outcome, evidence } = await tmpm.interrupt({ session: id });
    const words = {
      interrupted: "its turn was interrupted",
      not_working: "nothing was running",
      unconfirmed: "the keys were sent, but it is still working",
    };
    return done(`${name}: ${words[outcome]}${evidence.length === 0 ? "" : ` (${oneLine(evidence.join("; "))})`}.`);
  },
  async pause({ id, name }) {
    seen(await tmpm.pause({ session: id }));
    return { text: `${name} is paused.`, undo: again("continue", { id, name }) };
  },
  async continue({ id, name }) {
    seen(await tmpm.resume({ session: id }));
    return { text: `${name} continues.`, undo: again("pause", { id, name }) };
  },
  async stop({ id, name }) {
    const { survivors, left_alone, ...session } = await tmpm.stop({ session: id });
    seen({ ...session });
    const left = [
      ...(survivors.length === 0 ? [] : [`these processes did not end: ${survivors.join(", ")}`]),
      ...(left_alone === null ? [] : [left_alone]),
    ];
    return {
      text: `${name} is stopped${left.length === 0 ? "" : `; ${oneLine(left.join("; "))}`}.`,
      undo: { ...again("resume", { id, name }), title: "Resume it" },
    };
  },
  async resume({ id, name }) {
    seen(await tmpm.resume({ session: id }));
    return { text: `${name} is running again.`, undo: again("stop", { id, name }) };
  },
  async restart({ id, name }) {
    seen(await tmpm.restart({ session: id }));
    return done(`${name} was restarted.`);
  },
  async archive({ id, name }) {
    await tmpm.archive({ session: id });
    return { text: `${name} is archived.`, undo: { title: "Undo", run: () => void reactivate({ id, name }) } };
  },
  remove: (session) => remove(session, false),
};

async function remove({ id, name }: Named, discard: boolean): Promise<Done> {
  const { workspace_end } = await tmpm.remove({ session: id, ...(discard ? { discard: "true" } : {}) });
  const where = workspace_end?.outcome === "trashed" ? " Its workspace is in the trash." : "";
  return { text: `${name} is removed.${where}`, undo: { title: "Undo", run: () => void undo({ id, name }) } };
}

function undo({ id, name }: Named): Promise<void> {
  return attempt(`${name}: undo`, async () => {
    const { notes, ...session } = await tmpm.undo({ session: id });
    seen({ ...session });
    return done(`${name} is restored.${notes.length === 0 ? "" : ` ${oneLine(notes.join("; "))}`}`);
  });
}

/** Work that exists nowhere else is discarded only after an explicit confirmation. */
function refusalActions(verb: VerbName, session: Named): (error: unknown) => readonly NoticeAction[] {
  return (error) =>
    verb === "remove" && hasCode(error, "WORKSPACE_REFUSED")
      ? [{ title: "Move that work to the trash", run: () => void attempt(`${session.name}: remove`, () => remove(session, true)) }]
      : [];
}

async function attempt(
  what: string,
  run: () => Promise<Done>,
  actionsFor: (error: unknown) => readonly NoticeAction[] = () => [],
): Promise<void> {
  try {
    const { text, undo: back } = await run();
    say(text, { actions: back === null ? [] : [back] });
  } catch (error) {
    say(`${what}: ${failureText(error)}`, { tone: "error", actions: actionsFor(error) });
  }
}

function done(text: string): Done {
  return { text, undo: null };
}

function again(verb: VerbName, session: Named): NoticeAction {
  return { title: "Undo", run: () => void perform(verb, session) };
}
