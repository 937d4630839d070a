import type { AnsweredAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { decisionTarget } from "../input/decision-target.js";
import { answersOf } from "../printed.js";
import { answeredExit, answeredLine } from "../render/decision.js";
import { DECISION_ID, OPTIONAL_SESSION } from "./shared-arguments.js";

export const approve = verdict("approve", "Approve a session's request, once");
export const deny = verdict("deny", "Deny a session's request");

function verdict(name: "approve" | "deny", summary: string) {
  return command({
    name,
    group: "Send prompts and answers",
    summary,
    more: `Without SESSION, the one session that awaits approval. Exits with status 7 if the answer could not be confirmed.

  tmpm ${name} demo
  tmpm ${name} demo --id 3f2a91c0   only if the request is the one that \`tmpm next\` showed`,
    args: { session: OPTIONAL_SESSION },
    options: { id: DECISION_ID },
    printed: answersOf("answer"),
    async run({ session, id }, context): Promise<AnsweredAnswer> {
      const client = context.client();
      const target = await decisionTarget(client, { session, id });
      return client.answer({ session: target.session.id, decision_id: target.decision.id, answer: { kind: name } });
    },
    render: answeredLine,
    exit: answeredExit,
  });
}
