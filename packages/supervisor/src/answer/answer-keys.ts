import type { AgentAdapter, Decision, KeyPlan, Reading } from "@tmpm/agents";
import { type SessionRecord, TmpmError } from "@tmpm/core";
import type { AnswerGiven } from "@tmpm/host";

/** The keys of an answer, and its label. A text is typed after the keys, and followed by Enter. */
export interface AnswerKeys {
  readonly label: string;
  readonly keys: readonly string[];
  readonly text: string | null;
}

export interface DecisionReading {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  /** The current screen with its decision. */
  readonly reading: Reading & { readonly decision: Decision };
}

/**
 * The keys of an answer, from the current screen. @throws INVALID_ARGUMENT for an answer that does not fit the question; SESSION_BLOCKED
 * when its keys are unknown
 */
export function keysFor(answer: AnswerGiven, asking: DecisionReading): AnswerKeys {
  switch (answer.kind) {
    case "approve":
      return verdict(asking, { label: "approve", keys: asking.adapter.approve(asking.reading) });
    case "deny":
      return verdict(asking, { label: "deny", keys: asking.adapter.deny(asking.reading) });
    case "choice":
      return choice(asking, answer.number);
    case "text":
      return ownWords(asking, answer.text);
  }
}

function verdict(asking: DecisionReading, { label, keys }: { readonly label: string; readonly keys: KeyPlan | null }): AnswerKeys {
  const { decision } = asking.reading;
  if (decision.kind !== "approval") throw unfit(asking, `it is a question, which cannot be answered with ${label}`);
  if (keys === null) throw unknownKeys(asking);
  return { label, keys, text: null };
}

function choice(asking: DecisionReading, number: number): AnswerKeys {
  const chosen = asking.reading.decision.choices[number - 1];
  if (chosen === undefined) throw unfit(asking, `it has no choice number ${number}`);
  if (chosen.takesText) throw unfit(asking, `choice ${number} is a free-text answer`);
  if (chosen.keys === null) throw unknownKeys(asking);
  return { label: chosen.label, keys: chosen.keys, text: null };
}

/** Without keys, the cursor is already there. */
function ownWords(asking: DecisionReading, text: string): AnswerKeys {
  const open = asking.reading.decision.choices.find(({ takesText }) => takesText);
  if (open === undefined) throw unfit(asking, "it does not accept a free-text answer");
  return { label: open.label, keys: open.keys ?? [], text };
}

function unfit({ record, reading }: DecisionReading, why: string): TmpmError {
  const choices = reading.decision.choices.map(({ label }, index) => `${index + 1}. ${label}`);
  return new TmpmError("INVALID_ARGUMENT", `session ${record.name}: ${why}`, {
    hint: choices.length === 0 ? `Answer it with \`tmpm attach ${record.name}\`.` : `Its choices: ${choices.join("  ")}`,
    details: { id: record.id, kind: reading.decision.kind, choices: reading.decision.choices.map(({ label }) => label) },
  });
}

function unknownKeys({ record }: DecisionReading): TmpmError {
  return new TmpmError("SESSION_BLOCKED", `it is unknown how session ${record.name} accepts this answer`, {
    hint: `Answer it with \`tmpm attach ${record.name}\`.`,
    details: { id: record.id },
  });
}
