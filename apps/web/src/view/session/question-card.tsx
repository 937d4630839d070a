import type { AskedAnswer } from "@tmpm/api";
import { hasCode } from "@tmpm/core/errors";
import { useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { now } from "../../state/clock.js";
import { load, store } from "../../state/kept.js";
import { mayChange } from "../../state/me.js";
import { say } from "../../state/notices.js";
import { sessionHash } from "../../state/route.js";
import { type Asking, questionClosed } from "../../state/sessions.js";
import { age } from "../../words/age.js";
import { failureText } from "../../words/failure-words.js";
import { oneLine, shown } from "../../words/shown.js";
import { OwnAnswer } from "./own-answer.js";

export interface QuestionCardProps {
  readonly session: Asking;
  /** With a link to its session. */
  readonly opens?: boolean;
}

type Given = Parameters<typeof tmpm.answerQuestion>[0]["answer"];

const ARRIVES: Readonly<Record<NonNullable<AskedAnswer["answer"]>["delivery"], string>> = {
  waiting: "its agent waited for it",
  prompt: "it is sent as a prompt",
  kept: "it is kept until the agent asks again",
};

/** A question that the agent asked through tmpm, its choices, and a field for another answer. */
export function QuestionCard({ session: { id, name, agent, question }, opens = false }: QuestionCardProps) {
  const draft = `answer.${question.id}`;
  const [busy, setBusy] = useState(false);
  const [words, setWords] = useState(() => load(draft) ?? "");
  const write = (text: string) => {
    setWords(text);
    store(draft, text);
  };

  async function give(answer: Given): Promise<void> {
    setBusy(true);
    try {
      const { answer: given } = await tmpm.answerQuestion({ session: id, question: question.id, answer });
      write("");
      questionClosed(id, question.id);
      if (given !== null) say(`${name}: answered “${oneLine(given.text)}”; ${ARRIVES[given.delivery]}.`);
    } catch (error) {
      const changed = hasCode(error, "DECISION_GONE") ? "the question is closed, so nothing was answered. " : "";
      say(`${name}: ${changed}${failureText(error)}`, { tone: "error" });
    } finally {
      setBusy(false);
    }
  }

  return (
    <section class="ask" aria-label={`${name} asks`} data-question={question.id}>
      <p>
        {agent} asks<span class="soft"> · {age(question.asked_at, now.value)}</span>
      </p>
      <pre class="subject">{shown(question.question)}</pre>
      {!mayChange.value && question.choices.length > 0 && (
        <ol class="offered">
          {question.choices.map((choice) => (
            <li key={choice}>{oneLine(choice)}</li>
          ))}
        </ol>
      )}
      {mayChange.value && (question.choices.length > 0 || opens) && (
        <div class="answers">
          {question.choices.map((choice, index) => (
            <button
              key={`${index}.${choice}`}
              type="button"
              class="button choose"
              disabled={busy}
              onClick={() => void give({ kind: "choice", number: index + 1 })}
            >
              <span class="soft">{index + 1}</span> <span>{oneLine(choice)}</span>
            </button>
          ))}
          {opens && (
            <a class="button quiet last" href={sessionHash(id)}>
              Open
            </a>
          )}
        </div>
      )}
      {mayChange.value && <OwnAnswer words={words} write={write} busy={busy} give={() => void give({ kind: "text", text: words })} />}
    </section>
  );
}
