import type { AnswerGiven } from "@tmpm/api";
import { hasCode } from "@tmpm/core/errors";
import { useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { now } from "../../state/clock.js";
import { mayChange } from "../../state/me.js";
import { say } from "../../state/notices.js";
import { sessionHash } from "../../state/route.js";
import { type Deciding, seen } from "../../state/sessions.js";
import { age } from "../../words/age.js";
import { failureText } from "../../words/failure-words.js";
import { oneLine, shown } from "../../words/shown.js";

export interface DecisionCardProps {
  readonly session: Deciding;
  /** With a link to its session. */
  readonly opens?: boolean;
}

/** The exact request, its age, and the possible answers. */
export function DecisionCard({ session, opens = false }: DecisionCardProps) {
  const { id, name, decision, agent } = session;
  const [busy, setBusy] = useState(false);
  const [words, setWords] = useState("");

  async function give(answer: AnswerGiven): Promise<void> {
    setBusy(true);
    try {
      const { outcome, answer: label, session: after } = await tmpm.answer({ session: id, decision_id: decision.id, answer });
      seen(after);
      say(
        outcome === "answered"
          ? `${name}: answered “${oneLine(label)}”.`
          : `${name}: “${oneLine(label)}” was chosen, but its effect could not be confirmed. Check its terminal.`,
      );
    } catch (error) {
      const changed = hasCode(error, "DECISION_GONE") ? "the question has changed or no longer exists, so nothing was answered. " : "";
      say(`${name}: ${changed}${failureText(error)}`, { tone: "error" });
    } finally {
      setBusy(false);
    }
  }

  const isApproval = decision.kind === "approval";
  return (
    <section class="ask" aria-label={`${name} asks`}>
      <p>
        {isApproval ? `${agent} asks to use ${oneLine(decision.tool ?? "a tool")}` : `${agent} asks`}
        <span class="soft"> · {age(decision.since, now.value)}</span>
      </p>
      <pre class={isApproval ? "subject mono" : "subject"}>{shown(decision.subject)}</pre>
      {mayChange.value && (
        <div class="answers">
          {isApproval && (
            <>
              <button type="button" class="button main" disabled={busy} onClick={() => void give({ kind: "approve" })}>
                Allow once
              </button>
              <button type="button" class="button" disabled={busy} onClick={() => void give({ kind: "deny" })}>
                Deny
              </button>
            </>
          )}
          {opens && (
            <a class="button quiet last" href={sessionHash(id)}>
              Open
            </a>
          )}
          {!isApproval &&
            decision.choices.map(
              ({ label, answerable, takes_text }, index) =>
                !takes_text && (
                  <button
                    key={label}
                    type="button"
                    class="button choose"
                    disabled={busy || !answerable}
                    title={answerable ? undefined : "Answer it in its terminal"}
                    onClick={() => void give({ kind: "choice", number: index + 1 })}
                  >
                    <span class="soft">{index + 1}</span> {oneLine(label)}
                  </button>
                ),
            )}
        </div>
      )}
      {mayChange.value && decision.choices.some(({ takes_text, answerable }) => takes_text && answerable) && (
        <form
          class="own-words"
          onSubmit={(event) => {
            event.preventDefault();
            if (words !== "") void give({ kind: "text", text: words });
          }}
        >
          <input
            class="field"
            aria-label="In your own words"
            placeholder="In your own words"
            value={words}
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
          />
          <button type="submit" class="button" disabled={busy}>
            Answer
          </button>
        </form>
      )}
    </section>
  );
}
